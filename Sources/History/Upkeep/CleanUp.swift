import Foundation

/// What a clean-up did.
package struct CleanUp: Sendable, Hashable, Codable {
    package var daysRolledUp = 0
    /// Days of the store, by country, that were derived, some of them anew.
    package var countryDays = 0
    package var failuresThinned = 0
    package var listsCompacted = 0
    /// Lists that cannot be put into a page, because they or it cannot be read.
    package var listsDamaged = 0
    /// Lists that were older than the watchlist wants them.
    package var listsDropped = 0
    /// Messages to people that were decided too long ago to be kept; `nil` in what was written before any were forgotten.
    package var messagesForgotten: Int?
    /// Given back to the file system.
    package var bytesFreed: Int64 = 0

    package init() {}

    /// More than any clean-up does, or frees in bytes.
    private static let most = 1 << 50

    /// Reads what `stored` wrote; `nil` if that was not this program.
    init?(stored: String?) {
        guard let stored else { return nil }
        do { self = try JSONDecoder().decode(Self.self, from: Data(stored.utf8)) } catch { return nil }
        let counts = [
            daysRolledUp, countryDays, failuresThinned, listsCompacted, listsDamaged, listsDropped,
            messagesForgotten ?? 0,
            Int(bytesFreed),
        ]
        guard counts.allSatisfy({ (0...Self.most).contains($0) }) else { return nil }
    }

    var stored: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
