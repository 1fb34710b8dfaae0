import Foundation
import History

/// What a person leaves for rankd beside the history: to try again what did not arrive.
package struct RetryRequest: Sendable {
    private let path: String
    /// In bytes.
    private static let largest = 128

    /// - Parameter database: the history's file.
    package init(beside database: String) { path = HistoryReader.resolved(database) + ".retry" }

    /// - Parameter message: its id; `nil` for all.
    /// - Throws: `HistoryError` or `FileRefusal` if the folder does not take it.
    package func leave(_ message: String?) throws {
        let file = try UnfinishedFile(path, replaces: true)
        // Whoever leaves it may be another user than rankd.
        _ = fchmod(file.descriptor, 0o644)
        let bytes = Array((message ?? "").utf8)
        let written = bytes.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw HistoryError.writing(errno: errno, path: path) }
        try file.finish()
    }

    /// What was left since this was last asked; `nil` if nothing was.
    func take() -> Request? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        unlink(path)
        guard data.count <= Self.largest else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return Request(message: text.isEmpty ? nil : text)
    }

    struct Request: Sendable, Hashable {
        /// Its id; `nil` for all.
        var message: String?
    }
}
