import Foundation
package import History
package import RankKit

/// What was sent last, kept beside the history: a backup that is restored knows nothing of what was sent since it was
/// made, and this does.
///
/// A message is sent after the judgement that decided it is in the history, so that no history is behind this file but one
/// that was put in the place of another.
package struct ReceiptFile: Sendable {
    let path: String

    /// - Parameter database: the history's file.
    package init(beside database: String) { path = HistoryReader.resolved(database) + ".sent" }

    /// When the newest message was decided that was sent; `nil` where none was, the file cannot be read, or it is not
    /// believed (`isAhead`).
    package func newest(by now: Timestamp) -> Timestamp? { noted.flatMap { $0 <= now.endOfTomorrow ? $0 : nil } }

    /// Whether the file tells of a time past tomorrow: it was written by a clock that was ahead, or by somebody else. Were
    /// it believed, nothing would be sent until then.
    package func isAhead(of now: Timestamp) -> Bool { noted.map { $0 > now.endOfTomorrow } ?? false }

    private var noted: Timestamp? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest else { return nil }
        return Int64(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            .map(Timestamp.init(secondsSinceEpoch:)).flatMap { Timestamp.storable.contains($0) ? $0 : nil }
    }

    /// In bytes.
    private static let largest = 64

    /// Notes that a message was sent that was decided at `moment`.
    ///
    /// - Throws: `HistoryError` or `FileRefusal` if the folder does not take it.
    package func note(_ moment: Timestamp, by now: Timestamp) throws {
        guard newest(by: now).map({ $0 < moment }) ?? true else { return }
        let file = try UnfinishedFile(path, replaces: true)
        let text = "\(moment.secondsSinceEpoch)\n"
        let count = text.utf8.count
        let written = Array(text.utf8).withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
        guard written == count else { throw HistoryError.writing(errno: errno, path: path) }
        try file.finish()
    }

    /// The mark that a judgement goes on from: `mark`, unless the history was restored from a backup since the newest
    /// message was sent. Without a mark there is nothing to go on from: a first judgement tells nothing of the past.
    package func mark(after mark: AlertMark?, by now: Timestamp) -> AlertMark? {
        guard let mark, let newest = newest(by: now), newest > mark.judgedAt else { return mark }
        var next = mark
        next.listedUntil = newest
        return next
    }
}
