import Foundation
package import History
package import RankKit

/// `rankctl watch list`: every pair that a watchlist comes to.
package struct WatchlistReport: ReportView {
    private struct Pair {
        var query: WatchedQuery
        var app: WatchedPair
        var alias: String?
        var mine: Bool
    }

    private let pairs: [Pair]
    package let generatedAt: Timestamp

    package init(_ watchlist: Watchlist, filter: PairFilter = PairFilter(), generatedAt: Timestamp) {
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
                Cell(pair.query.query.text), Cell(pair.query.query.country.code),
                Cell(pair.query.query.platform.displayName), Cell(pair.alias ?? pair.app.bundleID.text),
                Cell(pair.mine ? "mine" : "competitor"), Cell(Self.words(pair.query.cadences)),
                Cell(pair.app.tags.joined(separator: ", ")),
            ])
        }
        var document = Document(title: "Watchlist", generatedAt: generatedAt)
        if rows.isEmpty {
            document.paragraph("no pair of the watchlist fits these options")
        } else {
            document.table(Table(columns: columns, rows: rows))
        }
        return document
    }

    package func write(to writer: inout JSONWriter) {
        writer.key("pairs")
        writer.array(pairs, linePerElement: true) { writer, pair in
            writer.object { writer in
                writer.member("query", pair.query.query.text)
                writer.member("country", pair.query.query.country.code)
                writer.member("platform", pair.query.query.platform.rawValue)
                writer.member("source", pair.query.query.source.rawValue)
                writer.member("language", pair.query.query.language)
                writer.member("bundleId", pair.app.bundleID.text)
                writer.member("alias", pair.alias)
                writer.member("mine", pair.mine)
                writer.member("cadence", Self.words(pair.query.cadences))
                writer.member("popularity", pair.query.popularity)
                writer.key("tags")
                writer.array(pair.app.tags) { $0.string($1) }
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "bundleId", "alias", "mine", "cadence", "tags",
        ])
        for pair in pairs {
            let query = pair.query.query
            writer.record([
                .text(query.text), .text(query.country.code), .text(query.platform.rawValue),
                .text(query.source.rawValue), .optional(query.language), .text(pair.app.bundleID.text),
                .optional(pair.alias), .bool(pair.mine), .text(Self.words(pair.query.cadences)),
                .text(pair.app.tags.joined(separator: " ")),
            ])
        }
        return writer
    }

    /// `6h`, `03:00, 15:00 Europe/Berlin`; several joined by `+`.
    static func words(_ cadences: [Cadence]) -> String {
        cadences.map { cadence in
            switch cadence {
            case .every(let seconds): interval(seconds)
            case .at(let times, let zone):
                times.map(\.description).joined(separator: ", ") + " " + zone.identifier
            }
        }.joined(separator: " + ")
    }

    /// In the largest unit that divides it, as the watchlist writes it.
    static func interval(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "m")]
        let unit = units.first { seconds.isMultiple(of: $0.0) } ?? (1, "s")
        return "\(seconds / unit.0)\(unit.1)"
    }
}
