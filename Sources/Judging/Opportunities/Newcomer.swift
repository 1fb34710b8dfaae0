package import History
package import RankKit

/// An app that the watchlist does not name and that has come up among the first places of some queries of mine: a
/// candidate to watch.
package struct Newcomer: Sendable, Hashable {
    package var app: ReportedApp
    /// Where it is among the first `top` and was not among the first `far` before; best place first.
    package var entries: [Entry]

    /// The places that count as the top, and those that it must not have been among before: one that goes back and forth
    /// between the tenth and the eleventh place is no newcomer.
    package static let top = 10
    package static let far = TopList.depth

    package struct Entry: Sendable, Hashable {
        package var query: Query
        package var position: Position

        package init(query: Query, position: Position) {
            self.query = query
            self.position = position
        }
    }

    package init(app: ReportedApp, entries: [Entry]) {
        self.app = app
        self.entries = entries.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }.map(\.element)
    }
}

extension [Newcomer] {
    /// - Parameters:
    ///   - queries: in the watchlist's order.
    ///   - named: the apps of the watchlist.
    package init(on queries: [Query], _ found: [Query: TopEntries], named: Set<BundleID>) {
        var entries: [BundleID: [Newcomer.Entry]] = [:]
        var titles: [BundleID: String] = [:]
        for query in queries {
            for entry in found[query]?.entries ?? [] where !named.contains(entry.app.bundleID) {
                entries[entry.app.bundleID, default: []].append(.init(query: query, position: entry.position))
                if let name = entry.app.name { titles[entry.app.bundleID] = name }
            }
        }
        self = entries.map { Newcomer(app: ReportedApp(bundleID: $0.key, name: titles[$0.key]), entries: $0.value) }
            .sorted {
                (-$0.entries.count, $0.entries[0].position, $0.app.bundleID)
                    < (-$1.entries.count, $1.entries[0].position, $1.app.bundleID)
            }
    }
}
