import Foundation
package import History
package import RankKit

/// `rankctl watch list`: every pair that a watchlist comes to.
package struct WatchlistReport: ReportValue {
    fileprivate struct Pair: Sendable {
        var query: WatchedQuery
        var app: WatchedPair
        var alias: String?
        var mine: Bool
    }

    fileprivate let pairs: [Pair]
    package let generatedAt: Timestamp

    /// - Throws: `ReportRefusal` if `filter` names what the watchlist does not have, or leaves no pair.
    package init(
        _ watchlist: Watchlist, filter: PairFilter = PairFilter(), generatedAt: Timestamp
    ) throws(ReportRefusal) {
        if let nothing = NoSuchPair(filter, in: watchlist) { throw .noPair(nothing) }
        let apps = Dictionary(watchlist.apps.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        pairs = watchlist.queries.flatMap { query in
            query.pairs.map { pair in
                let app = apps[pair.bundleID]
                return Pair(query: query, app: pair, alias: app?.alias, mine: app?.isMine ?? true)
            }
        }.filter {
            filter.admits(query: $0.query.query, bundleID: $0.app.bundleID, alias: $0.alias, tags: $0.app.tags)
        }
        self.generatedAt = generatedAt
    }

    package var document: Document {
        let columns: [Table.Column] = [
            .init("query", minimum: 10, priority: 6), .init("country"), .init("platform"),
            .init("app", minimum: 10, priority: 5), .init("mine", priority: 4),
            .init("every", minimum: 6, priority: 3), .init("tags", minimum: 6, priority: 2),
        ]
        let rows = pairs.map { pair in
            Table.Row.cells([
                Cell(pair.query.query.text), .storefront(of: pair.query.query),
                Cell(pair.query.query.platform.displayName), Cell(pair.alias ?? pair.app.bundleID.text),
                Cell(pair.mine ? "mine" : "competitor"), Cell(Self.words(pair.query.cadences)),
                Cell(pair.app.tags.joined(separator: ", ")),
            ])
        }
        var document = Document(title: "Watchlist", generatedAt: generatedAt)
        if rows.isEmpty {
            document.paragraph("the watchlist has no pair")
        } else {
            document.table(Table(columns: columns, rows: rows))
        }
        return document
    }

    package static let shape = ReportShape<WatchlistReport>(
        "watchlist", command: "rankctl watch list",
        [.list("pairs", "In the watchlist's order.", onLines: true, Pair.shape) { $0.pairs }],
        csv: .kinds(
            "one pair",
            header: [
                "query", "country", "platform", "source", "language", "bundleId", "alias", "mine", "cadence", "tags",
            ],
            [
                .lines(
                    \.pairs,
                    [
                        .cell("query") { $0.query.query.text }, .cell("country") { $0.query.query.country },
                        .cell("platform") { $0.query.query.platform }, .cell("source") { $0.query.query.source },
                        .cell("language") { $0.query.query.language }, .cell("bundleId") { $0.app.bundleID },
                        .cell("alias") { $0.alias }, .cell("mine") { $0.mine },
                        .cell("cadence") { words($0.query.cadences) },
                        .cell("tags") { $0.app.tags.joined(separator: " ") },
                    ])
            ]
        ).short(without: "source", "language"))

    /// `6h`, `03:00, 15:00 Europe/Berlin`; several joined by `+`.
    static func words(_ cadences: [Cadence]) -> String {
        cadences.map { cadence in
            switch cadence {
            case .every(let seconds): Cadence.written(seconds: seconds)
            case .at(let times, let zone):
                times.map(\.description).joined(separator: ", ") + " " + ZoneDays(zone).name
            }
        }.joined(separator: " + ")
    }
}

extension WatchlistReport.Pair {
    fileprivate static let shape = ObjectShape<WatchlistReport.Pair>(
        fields: Query.fields { $0.query.query },
        [
            .value("bundleId", "The bundle identifier.") { $0.app.bundleID },
            .value("alias", "The watchlist's name for the app.") { $0.alias },
            .value("mine", "Whether the app is mine.") { $0.mine },
            .value("cadence", "When it is asked, in words.") { WatchlistReport.words($0.query.cadences) },
            .value("popularity", "As the watchlist says; null where it says nothing.") { $0.query.popularity },
            .value("tags", "Of the pair.") { $0.app.tags },
        ])
}
