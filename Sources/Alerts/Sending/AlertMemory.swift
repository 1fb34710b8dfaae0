import History
import Judging
import RankKit

/// What was decided before, as far as a decision rests upon it: reading all of it would cost more than looking at what is
/// new.
struct AlertMemory {
    private let reader: HistoryReader
    private let today: Int64
    /// The channels of the messages that were given to a way out, by their ids.
    private let sent: [String: Set<String>]

    /// Kinds of which no check tells, and which are known by all that was decided of them.
    private static let further: [AlertKind] = [.service, .digest]

    init(now: Timestamp, from reader: HistoryReader) throws(HistoryError) {
        self.reader = reader
        today = now.day
        sent = try reader.triedMessages(since: .startOfDay(today - ToldEvent.keptDays))
    }

    /// What was decided of the service and of digests.
    func ofNoCheck() throws(HistoryError) -> [ToldEvent] {
        let since = today - ToldEvent.keptDays
        let own = Dictionary(uniqueKeysWithValues: Self.further.map { ($0.rawValue, since) })
        return told(try reader.outboxEvents(since: nil, own: own))
    }

    /// All that a decision on what is looked at now rests upon, and what the limits of a rule count.
    func all(_ settings: AlertSettings) throws(HistoryError) -> [ToldEvent] {
        let cooldown = settings.cooldownDays
        func first(_ days: Int64) -> Int64 { today - max(min(ToldEvent.keptDays, days), cooldown) }
        var own: [String: Int64] = [:]
        // A drift may go on for months.
        for kind in AlertKind.allCases where kind == .drift || !AlertWants.moves.contains(kind) {
            own[kind.rawValue] = kind == .newcomer ? first(Self.newcomerDays) : first(ToldEvent.keptDays)
        }
        let cadence = try reader.longestCadence() ?? Timestamp.secondsPerDay
        let events = try reader.outboxEvents(since: first(Self.moveDays(cadence: cadence)), own: own)
        // What was told so long ago was sent in messages of as long ago.
        guard cooldown > ToldEvent.keptDays else { return told(events) }
        let sent = try reader.triedMessages(since: .startOfDay(today - cooldown))
        return events.compactMap { ToldEvent($0, sent: sent) }
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
