import Foundation
import GRDB
import RankKit

/// Up to when the positions of a pair were deleted by name, while the lists of its query stay: they would tell those
/// positions again.
///
/// A pair that the watchlist takes up anew has its whole past once more.
enum PrunedPairs {
    /// In seconds; nothing from before it is to be read from the kept lists. `Int64.min` for a pair that was never pruned.
    static func end(of pair: Int64, in database: Database) throws -> Int64 {
        // Not all of them are made numbers of for each pair that is looked at.
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT json_valid(value), iif(json_valid(value), json_extract(value, '$."' || ? || '"'), NULL)
                    FROM setting WHERE name = ?
                    """), arguments: [pair, Setting.prunedPairs.rawValue])
        guard let row else { return .min }
        guard try row[0] as Bool? ?? false else { throw unreadable }
        return try row[1] as Int64? ?? .min
    }

    static func note(_ pairs: some Sequence<Int64>, before moment: Int64, in database: Database) throws {
        var ends = try all(in: database)
        for pair in pairs { ends[pair] = max(moment, ends[pair] ?? .min) }
        try keep(ends, in: database)
    }

    static func forget(_ pairs: some Sequence<Int64>, in database: Database) throws {
        var ends = try all(in: database)
        guard !ends.isEmpty else { return }
        let before = ends.count
        for pair in pairs { ends[pair] = nil }
        if ends.count < before { try keep(ends, in: database) }
    }

    /// All of them, by pair.
    static func all(in database: Database) throws -> [Int64: Int64] {
        guard let text = try Setting.prunedPairs.text(in: database) else { return [:] }
        let stored: [String: Int64]
        do { stored = try JSONDecoder().decode([String: Int64].self, from: Data(text.utf8)) } catch { throw unreadable }
        var ends: [Int64: Int64] = [:]
        for (pair, end) in stored {
            guard let pair = Int64(pair), isStorable(end) else { throw unreadable }
            ends[pair] = end
        }
        return ends
    }

    static func isStorable(_ end: Int64) -> Bool { Timestamp.storable.contains(Timestamp(secondsSinceEpoch: end)) }

    private static var unreadable: DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_CORRUPT, message: "setting \(Setting.prunedPairs.rawValue): no rankd writes that")
    }

    private static func keep(_ ends: [Int64: Int64], in database: Database) throws {
        let stored = Dictionary(ends.map { ("\($0.key)", $0.value) }, uniquingKeysWith: max)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(stored), as: UTF8.self)
        try Setting.prunedPairs.set(stored.isEmpty ? nil : text, in: database)
    }
}
