import NIOCore
import Synchronization

/// The entries that the recordings of each country hold, by bundleId: found when first asked for.
final class RecordedEntries: Sendable {
    typealias Entries = [String: ArraySlice<UInt8>]

    /// By country, the newest last.
    private let bodies: [String: [ByteBuffer]]
    private let found = Mutex<[String: Entries]>([:])

    init(_ bodies: [String: [ByteBuffer]]) { self.bodies = bodies }

    /// The newest entry of each app by its bundleId in lower case; `nil` where nothing of the country is recorded.
    func entries(of country: String) -> Entries? {
        guard let bodies = bodies[country] else { return nil }
        return found.withLock { found in
            if let known = found[country] { return known }
            var entries: Entries = [:]
            for body in bodies {
                for entry in Envelope.entries(of: Array(body.readableBytesView)) {
                    if let bundleID = Self.bundleID(of: entry) { entries[bundleID] = entry }
                }
            }
            found[country] = entries
            return entries
        }
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
