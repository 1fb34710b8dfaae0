import GRDB
package import RankKit

/// Results that had to wait in memory until the file could be written, as it is noted once they are.
package struct WaitedResults: Sendable, Hashable {
    /// When the first of them came.
    package var from: Timestamp
    /// When they were written.
    package var until: Timestamp
    package var written: Int
    /// How many had to give way to newer ones.
    package var lost: Int

    package init(from: Timestamp, until: Timestamp, written: Int, lost: Int) {
        self.from = from
        self.until = until
        self.written = written
        self.lost = lost
    }

    /// `nil` if none ever did.
    init?(in database: Database) throws {
        let numbers = try Setting.waitedResults.text(in: database)?.split(separator: " ").map { Int64($0) } ?? []
        guard numbers.count == 4, let from = numbers[0], let until = numbers[1], let written = numbers[2],
            let lost = numbers[3]
        else { return nil }
        let (first, last) = (Timestamp(secondsSinceEpoch: from), Timestamp(secondsSinceEpoch: until))
        guard Timestamp.storable.contains(first), Timestamp.storable.contains(last) else { return nil }
        self.init(from: first, until: last, written: Int(clamping: written), lost: Int(clamping: lost))
    }

    fileprivate var stored: String { "\(from.secondsSinceEpoch) \(until.secondsSinceEpoch) \(written) \(lost)" }
}

extension HistoryStore {
    /// Notes that these results waited, in place of those that did before.
    package func note(_ results: WaitedResults) async throws {
        try await write { try Setting.waitedResults.set(results.stored, in: $0) }
    }
}

extension HistoryReader {
    /// The newest that waited for long, or of which some were lost; `nil` if none ever did.
    package func waitedResults() throws(HistoryError) -> WaitedResults? {
        try read { try WaitedResults(in: $0) }
    }
}
