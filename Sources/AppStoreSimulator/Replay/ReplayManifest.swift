import Foundation
import NIOCore
import Synchronization

/// `MANIFEST.json` of a folder of recordings.
struct ReplayManifest: Decodable {
    struct Response: Decodable {
        let file: String
        /// `search` and `lookup` are served; recordings of anything else are left alone.
        let endpoint: String
        let term: String?
        let country: String?
        let entity: String?
        let id: NumberOrText?
        let bundleId: String?
        let status: Int?
        /// `YYYY-MM-DD`, which sorts as text.
        let recordedOn: String?
    }

    let responses: [Response]

    /// An id as manifests write it: a number, or text.
    struct NumberOrText: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}

/// Why a folder of recordings cannot be replayed.
package struct ReplayError: Error, CustomStringConvertible {
    package let description: String
}

/// A raw HTTP response, as a recorder keeps it in a file: CRLF or bare LF.
struct RecordedMessage {
    let status: Int
    let contentType: String?
    /// As long as `Content-Length` says, or what there is where the file holds less.
    let body: [UInt8]

    /// `nil` if `bytes` do not begin with a status line, or no empty line ends the head.
    init?(_ bytes: [UInt8]) {
        let ends = ["\r\n\r\n", "\n\n"].compactMap { bytes.firstRange(of: Array($0.utf8)) }
        guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }),
            let head = String(validating: bytes[..<end.lowerBound], as: UTF8.self)
        else { return nil }
        let lines = head.split(whereSeparator: \.isNewline)
        let statusLine = (lines.first ?? "").split(separator: " ")
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/"), let status = Int(statusLine[1]),
            (100...599).contains(status)
        else { return nil }
        self.status = status
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (parts[0].lowercased(), String(parts[1].drop(while: \.isWhitespace)))
        }
        contentType = fields.first { $0.name == "content-type" }?.value
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        body = Array(bytes[end.upperBound...].prefix(length ?? .max))
    }
}

/// The entries that the recordings of each country hold, by bundleId and by number: found when first asked for.
final class RecordedEntries: Sendable {
    typealias Entries = [String: ArraySlice<UInt8>]

    /// By country, the newest last.
    private let bodies: [String: [ByteBuffer]]
    private let found = Mutex<[String: Entries]>([:])

    init(_ bodies: [String: [ByteBuffer]]) { self.bodies = bodies }

    /// The newest entry of each app by its bundleId in lower case and by `key(ofNumber:)`; `nil` if nothing of the country is recorded.
    func entries(of country: String) -> Entries? {
        guard let bodies = bodies[country] else { return nil }
        return found.withLock { found in
            if let known = found[country] { return known }
            var entries: Entries = [:]
            for body in bodies {
                for entry in Envelope.entries(of: Array(body.readableBytesView)) {
                    if let bundleID = Self.bundleID(of: entry) { entries[bundleID] = entry }
                    if let number = Self.number(of: entry) { entries[Self.key(ofNumber: number)] = entry }
                }
            }
            found[country] = entries
            return entries
        }
    }

    /// No bundleId has such characters.
    static func key(ofNumber number: some StringProtocol) -> String { "trackId:\(number)" }

    /// Whether any entry tells its number.
    static func haveNumbers(_ entries: Entries) -> Bool { entries.keys.contains { $0.hasPrefix("trackId:") } }

    private static func number(of entry: ArraySlice<UInt8>) -> String? {
        guard let key = entry.firstRange(of: Array(#""trackId""#.utf8)) else { return nil }
        let digits = entry[key.upperBound...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    private static func bundleID(of entry: ArraySlice<UInt8>) -> String? {
        guard let key = entry.firstRange(of: Array(#""bundleId""#.utf8)) else { return nil }
        let quote = UInt8(ascii: "\"")
        guard let start = entry[key.upperBound...].firstIndex(of: quote),
            let end = entry[(start + 1)...].firstIndex(of: quote)
        else { return nil }
        return String(decoding: entry[(start + 1)..<end], as: UTF8.self).lowercased()
    }
}
