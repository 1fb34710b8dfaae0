import Foundation

/// A copy of the standard input that can be read more than once, in a file without a name.
final class SpooledInput {
    let descriptor: Int32
    private(set) var size: Int64 = 0

    /// Reads the standard input to its end.
    ///
    /// - Parameters:
    ///   - beginning: what was read of it before.
    ///   - folder: where the copy is made.
    /// - Throws: `FileRefusal` or `HistoryError` for a folder that is full or cannot be written, or `CancellationError`.
    init(after beginning: [UInt8], in folder: String, _ work: BlockingWork) throws {
        var name = Array("\(folder)/rankctl-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw FileRefusal.noFolder(path: folder) }
            throw FileRefusal.writing(errno: errno, path: folder, option: "TMPDIR")
        }
        unlink(name)
        try write(beginning[...], in: folder)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try work.checkCancellation()
            let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HistoryError(errno: errno, path: LineReader.standardInput) }
            guard count > 0 else { return }
            try write(chunk[..<count], in: folder)
        }
    }

    deinit { close(descriptor) }

    private func write(_ bytes: ArraySlice<UInt8>, in folder: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw HistoryError(errno: errno, path: folder) }
            rest = rest.dropFirst(count)
            size += Int64(count)
        }
    }
}
