import History
import RankKit

/// What may have been told before the history was restored from a backup, by what the history shows that lacks some days.
struct RestoredPast {
    /// When the newest message was decided that was sent.
    private let until: Timestamp
    private let reader: HistoryReader

    /// In days: who was not checked for longer had nothing that could be confirmed.
    private static let longestGap: Int64 = 60

    init(until: Timestamp, _ reader: HistoryReader) {
        self.until = until
        self.reader = reader
    }

    /// Whether the event may have begun by then. What is seen by the first check after the days that are gone may have
    /// begun on one of them.
    func mayHold(_ event: AlertEvent) throws(HistoryError) -> Bool {
        let days = event.isBack ? reader.days : ZoneDays(kept: event.zone)
        let until = days.day(of: self.until)
        let first =
            switch event.kind {
            // It is dated by the day that found it, and went on before.
            case .drift: event.onset - event.sameWithin
            // A return is dated by what turned back.
            case _ where event.isBack: event.on
            default: event.onset
            }
        guard first > until else { return true }
        guard first - until <= Self.longestGap else { return false }
        let onset = days.start(of: first)
        let last: Timestamp? =
            switch event.subject {
            case .pair(let query, _), .rivals(let query, _, _): try reader.lastGoodCheck(of: query, before: onset)
            case .app: try reader.lastGoodCheck(before: onset)
            case .country, .service, .digest: onset
            }
        return last.map { $0 <= self.until } ?? true
    }
}
