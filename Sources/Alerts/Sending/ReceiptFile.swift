import Foundation
package import History
package import RankKit

/// What was sent last, kept beside the history: a backup that is restored knows nothing of what was sent since it was
/// made, and this does.
///
/// A message is sent after the judgement that decided it is in the history, so that no history is behind this file but one
/// that was put in the place of another.
package struct ReceiptFile: Sendable {
    private let path: String

    /// - Parameter database: the history's file.
    package init(beside database: String) { path = HistoryReader.resolved(database) + ".sent" }

    /// When the newest message was decided that was sent; `nil` where none was, or the file cannot be read.
    package var newest: Timestamp? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest else { return nil }
        return Int64(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            .map(Timestamp.init(secondsSinceEpoch:))
    }

    /// In bytes.
    private static let largest = 64

    /// Notes that a message was sent that was decided at `moment`.
    ///
    /// - Throws: `HistoryError` or `FileRefusal` if the folder does not take it.
    package func note(_ moment: Timestamp) throws {
        guard newest.map({ $0 < moment }) ?? true else { return }
        let file = try UnfinishedFile(path, replaces: true)
        let text = "\(moment.secondsSinceEpoch)\n"
        let count = text.utf8.count
        let written = Array(text.utf8).withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
        guard written == count else { throw HistoryError.writing(errno: errno, path: path) }
        try file.finish()
    }

    /// The mark that a judgement goes on from: `mark`, unless the history was restored from a backup since the newest
    /// message was sent. Without a mark there is nothing to go on from: a first judgement tells nothing of the past.
    package func mark(after mark: AlertMark?) -> AlertMark? {
        guard let mark, let newest, newest > mark.judgedAt else { return mark }
        var next = mark
        next.listedUntil = newest
        return next
    }
}
