import Foundation
import GRDB
package import RankKit

/// Several bundle identifiers that are one app: Apple's number came under one after the other.
package struct OneApp: Sendable, Hashable {
    /// Those that were asked about, in the order in which they were; each shares a number with another one.
    package var names: [BundleID]
    /// The one of `names` that the app has now, or had last.
    package var present: BundleID
    /// Since when it has that one.
    package var since: Timestamp

    package init(names: [BundleID], present: BundleID, since: Timestamp) {
        self.names = names
        self.present = present
        self.since = since
    }

    /// Those of `names` that the app had before.
    package var former: [BundleID] { names.filter { $0 != present } }

    /// The same with those names alone that are in `known`; `nil` unless there are several.
    package func among(_ known: Set<BundleID>) -> OneApp? {
        let names = names.filter(known.contains)
        guard names.count > 1 else { return nil }
        return OneApp(names: names, present: names.contains(present) ? present : names[0], since: since)
    }
}

extension OneApp {
    /// The apps that have several of `names`, which is in order: these stand for one number at least that is the same at
    /// `moment`.
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
            // A name of several numbers, such as those of two editions, joins the groups of all of them.
            var group = (numbers: numbers, names: [name])
            groups.removeAll { other in
                guard !other.numbers.isDisjoint(with: numbers) else { return false }
                group.numbers.formUnion(other.numbers)
                group.names += other.names.filter { $0 != name }
                return true
            }
            groups.append(group)
        }
        let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ name: BundleID) -> Int { places[name] ?? .max }
        for index in groups.indices { groups[index].names.sort { place($0) < place($1) } }
        groups.sort { place($0.names[0]) < place($1.names[0]) }
        return try groups.filter { $0.names.count > 1 }.map { group in
            var present: (name: BundleID, from: Int64)?
            for number in group.numbers.sorted(by: { $0.number < $1.number }) {
                let names = try AppNames(of: number.number, in: database)
                // What has not stayed yet comes after all that has.
                let all = names.all.map { ($0.bundleID, $0.from) } + names.new.map { ($0.bundleID, $0.from) }
                for (name, from) in all where group.names.contains(name) && from >= present?.from ?? .min {
                    present = (name, from)
                }
            }
            return OneApp(
                names: group.names, present: present?.name ?? group.names[0],
                since: Timestamp(secondsSinceEpoch: present?.from ?? 0))
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

extension HistoryReader {
    /// The apps that have, or had, several of `names`.
    package func oneApps(of names: [BundleID]) throws(HistoryError) -> [OneApp] {
        try read { try OneApp.all(of: names, at: moment, in: $0) }
    }

    /// The apps that the watchlist in force names several times.
    package func appsNamedTwice() throws(HistoryError) -> [OneApp] {
        try oneApps(of: try watchedApps().map(\.bundleID))
    }

    /// The app that has both `bundleID` and other ones of `names`; `nil` if no app has.
    package func app(of bundleID: BundleID, among names: [BundleID]) throws(HistoryError) -> OneApp? {
        try oneApps(of: names.filter { $0 != bundleID } + [bundleID]).first { $0.names.contains(bundleID) }
    }
}
