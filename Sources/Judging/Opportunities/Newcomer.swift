package import History
package import RankKit

/// An app that has come among the first places of some queries of mine.
package struct Newcomer: Sendable, Hashable {
    package var app: ReportedApp
    /// Where it is among the first `top` and was not before; best place first.
    package var entries: [Entry]

    /// The places that count as the top.
    package static let top = 10
    /// An app is a candidate if it was not among these before: one that goes back and forth between the tenth and the
    /// eleventh place is none.
    package static let far = TopList.depth

    package struct Entry: Sendable, Hashable {
        package var query: Query
        package var position: Position
        /// Whether it was not even among the first `far` before.
        package var isFromAfar: Bool

        package init(query: Query, position: Position, isFromAfar: Bool) {
            self.query = query
            self.position = position
            self.isFromAfar = isFromAfar
        }
    }

    package init(app: ReportedApp, entries: [Entry]) {
        self.app = app
        self.entries = entries.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }.map(\.element)
    }

    /// Whether it is one to watch: the watchlist does not name it, and it came from afar.
    package var isCandidate: Bool { app.mark == nil && entries.contains(where: \.isFromAfar) }
}

extension [Newcomer] {
    /// The apps that the watchlist does not name: candidates first, then those on most queries.
    ///
    /// - Parameters:
    ///   - queries: in the watchlist's order.
    ///   - named: the apps of the watchlist.
    package init(on queries: [Query], _ found: [Query: TopEntries], named: Set<BundleID>) {
        var entries: [BundleID: [Newcomer.Entry]] = [:]
        var titles: [BundleID: String] = [:]
        for query in queries {
            for entry in found[query]?.entries ?? [] where !named.contains(entry.app.bundleID) {
                entries[entry.app.bundleID, default: []].append(Newcomer.Entry(query: query, entry))
                if let name = entry.app.name { titles[entry.app.bundleID] = name }
            }
        }
        self = entries.map { Newcomer(app: ReportedApp(bundleID: $0.key, name: titles[$0.key]), entries: $0.value) }
            .sorted { left, right in
                guard left.isCandidate == right.isCandidate else { return left.isCandidate }
                return left.turn < right.turn
            }
    }
}

extension Newcomer {
    /// Those on most queries first, then the best placed.
    package var turn: (queries: Int, place: Position, app: BundleID) {
        (-entries.count, entries[0].position, app.bundleID)
    }
}

extension Newcomer.Entry {
    package init(query: Query, _ entry: TopEntries.Entry) {
        self.init(query: query, position: entry.position, isFromAfar: entry.isFromAfar)
    }
}
