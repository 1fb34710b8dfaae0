import Foundation
import GRDB
package import RankKit

/// Several bundle identifiers that are one app: Apple's number came under one after the other.
package struct OneApp: Sendable, Hashable {
    /// Those that were asked about, in the order in which they were.
    package var names: [BundleID]
    /// The one of `names` that the app has now, or had last.
    package var present: BundleID
    /// Since when it has that one.
    package var since: Timestamp
    /// The one that reports show it by: the last one that has stayed.
    package var shown: BundleID

    /// - Parameter shown: `present` if it is `nil`.
    package init(names: [BundleID], present: BundleID, since: Timestamp, shown: BundleID? = nil) {
        self.names = names
        self.present = present
        self.since = since
        self.shown = shown ?? present
    }

    /// Those of `names` that the app had before.
    package var former: [BundleID] { names.filter { $0 != present } }

    /// The same with those names alone that are in `known`; `nil` unless there are several.
    package func among(_ known: Set<BundleID>) -> OneApp? {
        let names = names.filter(known.contains)
        guard names.count > 1 else { return nil }
        return OneApp(
            names: names, present: names.contains(present) ? present : names[0], since: since,
            shown: names.contains(shown) ? shown : names[0])
    }
}

extension OneApp {
    /// The apps that have several of `names`, which is in order; each stands for the same numbers at `moment`.
    ///
    /// - Parameter moment: `nil` for now.
    static func all(of names: [BundleID], at moment: Timestamp? = nil, in database: Database) throws -> [OneApp] {
        let keys = String(decoding: try JSONEncoder().encode(names.map(\.folded)), as: UTF8.self)
        let shared = try Set(
            String.fetchAll(database.cachedStatement(sql: sharedNames), arguments: ["keys": keys]))
        guard !shared.isEmpty else { return [] }
        var groups: [(numbers: Set<DenseID>, names: [BundleID])] = []
        for name in names where shared.contains(name.folded) {
            let numbers = try AppNumbers(of: name.folded, in: database).at(moment?.secondsSinceEpoch ?? .max)
            guard !numbers.isEmpty else { continue }
            if let index = groups.firstIndex(where: { $0.numbers == numbers }) {
                if !groups[index].names.contains(name) { groups[index].names.append(name) }
            } else {
                groups.append((numbers, [name]))
            }
        }
        return try groups.filter { $0.names.count > 1 }.map { group in
            var (newest, stayed): ((name: BundleID, from: Int64)?, (name: BundleID, from: Int64)?) = (nil, nil)
            for number in group.numbers.sorted(by: { $0.number < $1.number }) {
                let names = try AppNames(of: number.number, in: database)
                for name in names.all where group.names.contains(name.bundleID) && name.from >= stayed?.from ?? .min {
                    stayed = (name.bundleID, name.from)
                }
                for name in names.new where group.names.contains(name.bundleID) && name.from >= newest?.from ?? .min {
                    newest = (name.bundleID, name.from)
                }
            }
            let shown = stayed?.name ?? group.names[0]
            // What has not stayed yet comes after all that has.
            let present = newest ?? stayed
            return OneApp(
                names: group.names, present: present?.name ?? shown,
                since: Timestamp(secondsSinceEpoch: present?.from ?? 0), shown: shown)
        }
    }

    /// The ones of `:keys` that some app had beside another one of them. Few apps of a watchlist ever had two names, so
    /// that this costs next to nothing where there is none.
    private static let sharedNames = """
        SELECT DISTINCT asked.value FROM json_each(:keys) AS asked
        CROSS JOIN main.bundle_name AS name ON name.bundle_key = asked.value
        CROSS JOIN main.bundle_name AS other ON other.app = name.app
        WHERE other.bundle_key <> asked.value AND other.bundle_key IN (SELECT value FROM json_each(:keys))
        """
}

/// The active pairs that count nothing because an earlier pair of their query is of the same app by another name.
///
/// The app is Apple's number. Whoever names it twice, as one does after a transfer, has it once: the pair that stays is
/// one of mine before a competitor's, and then the one with the name that reports show the app by. It has the tags of both,
/// and is found by both names.
struct DoublePairs {
    /// Their numbers in the file, each with that of the pair that stays.
    private(set) var kept: [Int64: Int64] = [:]
    /// The tags of those that stay, with those of the ones that are left out.
    private var tags: [Int64: [String]] = [:]
    /// The names of each app that has several, folded.
    private var names: [Set<String>] = []

    /// - Parameter moment: as of when; `nil` for now.
    init(at moment: Timestamp?, in database: Database) throws {
        let watched = try String.fetchAll(
            database.cachedStatement(sql: "SELECT bundle_id FROM watched_app ORDER BY ordinal"))
        let apps = try OneApp.all(of: watched.compactMap { BundleID($0) }, at: moment, in: database)
        names = apps.map { Set($0.names.map(\.folded)) }
        guard !names.isEmpty else { return }
        var first: [[Int64]: Int64] = [:]
        let rows = try Row.fetchCursor(
            database,
            SQLRequest(
                literal: """
                    SELECT pair.id, pair.query, pair.bundle_key, pair.tags FROM pair
                    JOIN watched_app ON watched_app.bundle_key = pair.bundle_key
                    WHERE pair.retired_at IS NULL AND pair.bundle_key IN \(names.flatMap(\.self).sorted())
                    ORDER BY watched_app.mine DESC, pair.bundle_key IN \(apps.map(\.shown.folded)) DESC,
                        watched_app.ordinal, pair.id
                    """))
        while let row = try rows.next() {
            let (pair, query, key): (Int64, Int64, String) = try (row[0], row[1], row[2])
            guard let app = names.firstIndex(where: { $0.contains(key) }) else { continue }
            let own = try PairTags.decode(row[3])
            if let stays = first[[query, Int64(app)]] {
                kept[pair] = stays
                let known = tags[stays, default: []]
                tags[stays] = known + own.filter { !known.contains($0) }
            } else {
                first[[query, Int64(app)]] = pair
                tags[pair] = own
            }
        }
        let stay = Set(kept.values)
        tags = tags.filter { stay.contains($0.key) }
    }

    /// What leaves them out, for a `WHERE` with `pair`; `nil` if there is none.
    var exclusion: SQL? {
        kept.isEmpty ? nil : "pair.id NOT IN (SELECT value FROM json_each(\(Self.list(kept.keys))))"
    }

    /// Which of those that stay have one of `wanted` tags by a pair that is left out, for a `WHERE` with `pair`.
    func having(_ wanted: [String]) -> SQL {
        let having = tags.filter { !Set($0.value).isDisjoint(with: wanted) }
        return "pair.id IN (SELECT value FROM json_each(\(Self.list(having.keys))))"
    }

    private static func list(_ ids: some Sequence<Int64>) -> String {
        "[" + ids.sorted().map(String.init).joined(separator: ",") + "]"
    }

    /// The tags of a pair, which the file says to have `own`.
    func tags(of pair: Int64, _ own: [String]) -> [String] { tags[pair] ?? own }

    /// `keys`, folded, with all other names of their apps.
    func allNames(of keys: Set<String>) -> Set<String> {
        names.reduce(into: keys) { keys, names in
            if !names.isDisjoint(with: keys) { keys.formUnion(names) }
        }
    }
}

extension HistoryReader {
    /// The apps that have, or had, several of `names`.
    package func oneApps(of names: [BundleID]) throws(HistoryError) -> [OneApp] {
        try read { try OneApp.all(of: names, at: moment, in: $0) }
    }

    /// The apps that the watchlist in force names several times.
    package func appsNamedTwice() throws(HistoryError) -> [OneApp] {
        try oneApps(of: try watchedApps().map(\.bundleID))
    }

    /// `bundleID`, and the other names that the watchlist in force has for its app.
    package func watchedNames(of bundleID: BundleID) throws(HistoryError) -> Set<BundleID> {
        Set(try app(of: bundleID, among: try watchedApps().map(\.bundleID))?.names ?? []).union([bundleID])
    }

    /// The app that has both `bundleID` and other ones of `names`; `nil` if no app has.
    package func app(of bundleID: BundleID, among names: [BundleID]) throws(HistoryError) -> OneApp? {
        try oneApps(of: names.filter { $0 != bundleID } + [bundleID]).first { $0.names.contains(bundleID) }
    }
}
