import Console
import Foundation
import RankKit

/// A file with a query a line: `rankctl watch add --file`.
enum QueryFile {
    private static let largest = 1 << 20

    /// Its lines without white space around them; without empty ones and those that begin with `#`.
    ///
    /// - Parameter path: `-` is stdin.
    /// - Throws: `ExitStatus`, after saying what is wrong with the file.
    static func read(_ path: String) throws -> [String] {
        let name = path == "-" ? "stdin" : path
        guard let text = String(validating: try bytes(path, name), as: UTF8.self) else {
            throw refusal("\(name): it is not text (UTF-8): save it as UTF-8, with a query a line", .data)
        }
        guard !WatchlistFile.isLikely(Array(text.utf8.prefix(WatchlistFile.tellingSize))) else {
            throw refusal("\(name) is a watchlist, not a list of queries: write a query a line", .data)
        }
        let lines = text.trimmingPrefix("\u{FEFF}").split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard !lines.isEmpty else { throw refusal("\(name) has no query: write a query a line", .data) }
        return lines
    }

    private static func bytes(_ path: String, _ name: String) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw refusal("\(name): \(String(cString: strerror(errno))); name a file with a query a line", .noInput)
        }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= largest {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw refusal("\(name): \(String(cString: strerror(errno))); name a file with a query a line", .data)
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= largest else { throw refusal("\(name) is larger than 1 MiB: write a query a line", .data) }
        return bytes
    }

    private static func refusal(_ words: String, _ status: ExitStatus) -> any Error {
        Terminal.say(SafeText.escaped(words))
        return status
    }
}

/// What an edit adds to a document, as `diff` would show it.
struct AddedLines {
    /// Ends in a line feed, unless it is empty.
    let text: String

    init(from before: [UInt8], to after: [UInt8]) {
        func lines(_ bytes: [UInt8]) -> [Substring] {
            String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        let (old, new) = (lines(before), lines(after))
        // An edit changes one place or two; what is before and behind stays.
        let front = zip(old, new).prefix { $0 == $1 }.count
        let back = zip(old.dropFirst(front).reversed(), new.dropFirst(front).reversed()).prefix { $0 == $1 }.count
        let removed = old.dropFirst(front).dropLast(back).map { "- \(SafeText.escaped(String($0)))\n" }
        let added = new.dropFirst(front).dropLast(back).map { "+ \(SafeText.escaped(String($0)))\n" }
        text = (removed + added).joined()
    }
}
