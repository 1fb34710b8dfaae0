import History
import RankKit

/// What an import brought is no news, and what it shows in another light is none either. What our own checks have seen
/// since is.
struct ImportedPast {
    private let reader: HistoryReader
    private let told: [String: [ToldEvent]]
    private let isThere: Bool
    /// Of the look before, where something was imported since.
    private let last: AlertMark?
    /// Of the checks of our own since the look before.
    private let oldestOwn: Timestamp?

    /// - Parameters:
    ///   - known: the mark of the look before.
    ///   - told: what was decided: of these the import changes nothing.
    init(since known: AlertMark?, told: [ToldEvent], from reader: HistoryReader) throws(HistoryError) {
        self.reader = reader
        isThere = try reader.hasImports()
        self.told = isThere ? Dictionary(grouping: told, by: \.subject) : [:]
        if let known, try reader.hasImports(after: known.check) {
            last = known
            oldestOwn = try reader.oldestOwnCheck(after: known.check)
        } else {
            (last, oldestOwn) = (nil, nil)
        }
    }

    /// Whether something was imported since the look before.
    var isNew: Bool { last != nil }

    /// The event, as one of something that is watched since the day after the newest that was imported of it, or from now
    /// on where it was so before the import.
    func dated(_ event: AlertEvent) throws(HistoryError) -> AlertEvent {
        guard isThere, !event.isBack, !isDecided(event) else { return event }
        var event = event
        if let newest = try newestImport(event) {
            event.watchedSince = max(event.watchedSince ?? .min, reader.days.day(of: newest) + 1)
        }
        if let last, wasLookedAt(event, by: last.judgedAt), oldestOwn.map({ event.at < $0 }) ?? true {
            event.watchedSince = .max
        }
        return event
    }

    private func wasLookedAt(_ event: AlertEvent, by moment: Timestamp) -> Bool {
        event.kind == .newcomer
            ? reader.days.day(of: event.at) < NewcomerTurn(zone: reader.days).day(at: moment) : event.at <= moment
    }

    private func isDecided(_ event: AlertEvent) -> Bool {
        told[event.topic.key, default: []].have(event)
    }

    private func newestImport(_ event: AlertEvent) throws(HistoryError) -> Timestamp? {
        let oldest = ZoneDays(kept: event.zone).start(of: event.onset)
        return switch event.subject {
        case .pair(let query, _), .rivals(let query, _, _): try reader.newestImport(on: query, since: oldest)
        case .country(let country): try reader.newestImport(in: country, since: oldest)
        case .app(_, let country): try reader.newestImport(in: country, since: oldest)
        case .service, .digest: nil
        }
    }
}
