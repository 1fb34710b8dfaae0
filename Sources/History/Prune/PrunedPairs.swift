import Foundation
import GRDB

/// Up to when the positions of a pair were deleted by name, while the lists of its query stay: they would tell those
/// positions again.
///
/// A pair that the watchlist takes up anew has its whole past once more.
enum PrunedPairs {
    /// In seconds; nothing from before it is to be read from the kept lists. `Int64.min` for a pair that was never pruned.
    static func end(of pair: Int64, in database: Database) throws -> Int64 {
        try all(in: database)[pair] ?? .min
    }

    static func note(_ pair: Int64, before moment: Int64, in database: Database) throws {
        var pairs = try all(in: database)
        pairs[pair] = max(moment, pairs[pair] ?? .min)
        try keep(pairs, in: database)
    }

    static func forget(_ gone: some Sequence<Int64>, in database: Database) throws {
        var pairs = try all(in: database)
        let before = pairs.count
        for pair in gone { pairs[pair] = nil }
        if pairs.count < before { try keep(pairs, in: database) }
    }

    private struct Entry: Codable {
        var pair: Int64
        var before: Int64
    }

    /// All of them, by pair.
    static func all(in database: Database) throws -> [Int64: Int64] {
        guard let text = try Setting.prunedPairs.text(in: database) else { return [:] }
        let entries: [Entry]
        do { entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8)) } catch {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "setting \(Setting.prunedPairs.rawValue): no rankd writes that")
        }
        return Dictionary(entries.map { ($0.pair, $0.before) }, uniquingKeysWith: max)
    }

    private static func keep(_ pairs: [Int64: Int64], in database: Database) throws {
        let entries = pairs.sorted { $0.key < $1.key }.map { Entry(pair: $0.key, before: $0.value) }
        let text = String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
        try Setting.prunedPairs.set(entries.isEmpty ? nil : text, in: database)
    }
}
