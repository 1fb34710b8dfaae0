import Foundation
import GRDB
import RankKit

/// Which checks count, and which of two is the newer one.
///
/// Checks go by time (`CountedChecks`). In a history that an earlier version wrote last, those count as newer that were
/// recorded later, whatever the clock said; those that were imported keep their order among themselves, and go by time
/// beside what had been recorded before.
struct RecordedOrder {
    /// Checks that were imported at one time, by their numbers.
    struct Block: Codable, Hashable {
        var first: Int64
        var last: Int64
        /// What is added to a number in the file.
        var offset: Int64
        /// Which file they came from.
        var file: String

        fileprivate var isStorable: Bool {
            first <= last && [first, last, offset].allSatisfy { Int64(stored: .int64($0)) != nil }
        }
    }

    let blocks: [Block]
    /// Whether time alone decides: what other tools saw was not recorded in any order.
    let isByTime: Bool
    /// Checks from then on, in seconds, do not count.
    let end: Int64

    init(of source: String, in database: Database) throws {
        blocks = try Self.blocks(in: database)
        isByTime = try !(Source(rawValue: source)?.isAsked ?? false) || CountedChecks.goByTime(in: database)
        end = try CountedChecks.end(in: database)
    }

    func counts(_ at: Int64) -> Bool { at < end }

    static func blocks(in database: Database) throws -> [Block] {
        guard let text = try Setting.imports.text(in: database) else { return [] }
        let blocks = try? JSONDecoder().decode([Block].self, from: Data(text.utf8))
        guard let blocks, blocks.allSatisfy(\.isStorable) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "setting \(Setting.imports.rawValue): blocks that no rankd writes"
            )
        }
        return blocks
    }

    static func keep(_ blocks: [Block], in database: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(blocks), as: UTF8.self)
        try Setting.imports.set(blocks.isEmpty ? nil : text, in: database)
    }

    /// Whether there are checks or pairs from this history and another one, or from two others.
    var isMerged: Bool { blocks.contains { $0.offset != 0 } }

    /// Whether the pairs that were tracked when `check` was recorded are known: what was imported beside other checks
    /// may have brought pairs that those never met.
    func knowsPairs(of check: Int64) -> Bool {
        !isMerged || group(of: check) == nil
    }

    /// Which checks are compared by their numbers; `nil` for those that are newer than anything imported.
    fileprivate func group(of check: Int64) -> Int? {
        if blocks.allSatisfy({ $0.last < check }) { return nil }
        return blocks.firstIndex { $0.first <= check && check <= $0.last } ?? -1
    }
}

/// The newest of the checks that it was offered and that count.
struct Newest<Value> {
    struct Entry {
        let check: Int64
        let at: Int64
        let value: Value
    }

    private let order: RecordedOrder
    /// Of the checks that are newer than anything imported; of all where time alone decides.
    private var last: Entry?
    private var imported: [Int: Entry] = [:]

    init(_ order: RecordedOrder) { self.order = order }

    mutating func offer(_ value: Value, check: Int64, at: Int64) {
        guard order.counts(at) else { return }
        let entry = Entry(check: check, at: at, value: value)
        if let group = order.isByTime ? nil : order.group(of: check) {
            if isNewer(entry, than: imported[group]) { imported[group] = entry }
        } else if isNewer(entry, than: last) {
            last = entry
        }
    }

    /// Offers all that another was offered.
    mutating func offer<Other>(_ other: Newest<Other>, _ value: (Other) -> Value) {
        for entry in [other.last].compactMap(\.self) + other.imported.values {
            offer(value(entry.value), check: entry.check, at: entry.at)
        }
    }

    private func isNewer(_ entry: Entry, than known: Entry?) -> Bool {
        guard let known else { return true }
        return order.isByTime ? (known.at, known.check) < (entry.at, entry.check) : known.check < entry.check
    }

    var entry: Entry? { last ?? imported.values.max { ($0.at, $0.check) < ($1.at, $1.check) } }
}
