import Foundation

/// Reads a file, or the standard input, line by line, in memory for one line.
final class LineReader {
    private let descriptor: Int32
    private let path: String
    private var chunk: [UInt8] = []
    private var next = 0
    /// The number of the line read last, from 1.
    private(set) var number = 0
    /// How many bytes have been read of how many; of 0 where nobody knows.
    private(set) var bytesRead: Int64 = 0
    let size: Int64

    /// The name of the standard input.
    static let standardInput = "-"

    /// No line of an export comes near it.
    private static let longestLine = 64 << 20

    /// What has been read of the file, and of which no line has been handed out.
    var unread: ArraySlice<UInt8> { chunk[next...] }

    /// - Parameter beginning: what was read of the standard input before.
    init(_ path: String, after beginning: [UInt8] = []) throws {
        self.path = path
        chunk = beginning
        bytesRead = Int64(beginning.count)
        guard path != Self.standardInput else {
            descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw HistoryError(errno: errno, path: path) }
            size = 0
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw ImportMissing(path: path) }
            throw HistoryError(errno: errno, path: path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ImportRefusal(
                file: path, line: nil, problem: "is not a regular file",
                remedy: "save the data to a file and import that")
        }
        size = Int64(status.st_size)
    }

    /// - Parameter copy: what is read from its beginning in place of the standard input.
    init(_ path: String, copy: SpooledInput) throws {
        self.path = path
        descriptor = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw HistoryError(errno: errno, path: path) }
        size = copy.size
    }

    deinit { close(descriptor) }

    /// The next line without its end; `nil` after the last.
    func line() throws -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if next == chunk.count {
                guard try fill() else {
                    guard !line.isEmpty else { return nil }
                    number += 1
                    return line
                }
            }
            let rest = chunk[next...]
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                line += rest
                next = chunk.count
                guard line.count <= Self.longestLine else {
                    throw ImportRefusal(
                        file: path, line: number + 1, problem: "the line is longer than 64 MB",
                        remedy: "check that this is the file you mean")
                }
                continue
            }
            line += rest[..<end]
            next = end + 1
            number += 1
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            return line
        }
    }

    private func fill() throws -> Bool {
        chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HistoryError(errno: errno, path: path) }
            chunk.removeLast(chunk.count - count)
            next = 0
            bytesRead += Int64(count)
            return count > 0
        }
    }
}

/// There is no file to import.
package struct ImportMissing: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String

    package init(path: String) { self.path = path }

    package var description: String { "\(path): no such file; name the file to import" }
}
