import History
import Judging
import RankKit

/// What was decided before, as far as a decision rests upon it: reading all of it would cost more than looking at what is
/// new.
struct AlertMemory {
    private let settings: AlertSettings
    private let reader: HistoryReader
    private let today: Int64
    /// The first day (UTC) of which anything matters.
    private let first: Int64
    /// The channels of the messages that were given to a way out, by their ids.
    private let sent: [String: Set<String>]
    /// Read once a look, as it may be a year of messages.
    private var known: [ToldEvent]?

    init(_ settings: AlertSettings, now: Timestamp, from reader: HistoryReader) throws(HistoryError) {
        self.settings = settings
        self.reader = reader
        today = now.day
        first = today - max(ToldEvent.keptDays, settings.cooldownDays)
        sent = try reader.triedMessages(since: .startOfDay(first))
    }

    /// What was decided of the service and of digests, of which no check tells. Turns of the service are numbered, so they
    /// are read as far back as `all` has them.
    func ofNoCheck() throws(HistoryError) -> [ToldEvent] {
        let own = [AlertKind.service.rawValue: first, AlertKind.digest.rawValue: today - ToldEvent.keptDays]
        return told(try reader.outboxEvents(since: nil, own: own))
    }

    /// All that a decision on what is looked at now rests upon, and what the limits of a rule count.
    mutating func all() throws(HistoryError) -> [ToldEvent] {
        if let known { return known }
        func since(_ days: Int64) -> Int64 { today - min(ToldEvent.keptDays, days) }
        var own: [String: Int64] = [:]
        // A drift may go on for months.
        for kind in AlertKind.allCases where kind == .drift || !AlertWants.moves.contains(kind) {
            own[kind.rawValue] = kind == .newcomer ? since(Self.newcomerDays) : since(ToldEvent.keptDays)
        }
        own[AlertKind.service.rawValue] = first
        let cadence = try reader.longestCadence() ?? Timestamp.secondsPerDay
        // A cooldown counts from what was told, and most events are only noted.
        let events = told(
            try reader.outboxEvents(
                since: since(Self.moveDays(cadence: cadence)), own: own, toldSince: today - settings.cooldownDays))
        known = events
        return events
    }

    /// Newcomers of `reach` days are looked for, in lists that go back by `SettledNewcomer.reach`. The same one may have
    /// been told of another `reach` days before.
    private static let newcomerDays = 2 * AlertEvents.reach + SettledNewcomer.reach + 1

    /// Pairs are looked at for three of their `news` before the days that are told of. A slide that is met there is none
    /// of its own if a move was told up to a month and one `news` before. One `news` more, as an onset may shift.
    private static func moveDays(cadence: Int64) -> Int64 {
        AlertEvents.reach + 5 * JudgedSpan(cadence: cadence).news + NoiseModel.monthDays
    }

    private func told(_ events: [OutboxEvent]) -> [ToldEvent] { events.compactMap { ToldEvent($0, sent: sent) } }
}

extension AlertSettings {
    /// Days for which a rule is silent about what it told, of the rule that is so for longest: one more, as days are whole.
    var cooldownDays: Int64 { (rules.map(\.cooldown).max() ?? 0) / Timestamp.secondsPerDay + 1 }
}
