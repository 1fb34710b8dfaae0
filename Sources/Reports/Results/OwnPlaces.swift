package import History
import Judging
package import RankKit

/// Where my apps stand on one query, and how they moved: what a page of the query begins with.
package struct OwnPlaces: Sendable {
    let rows: [Standings.Row]
    let generatedAt: Timestamp

    /// - Parameters:
    ///   - moment: `now` if it is `nil` or later.
    ///   - now: of the report.
    /// - Throws: `HistoryError` where the history cannot be read.
    package init(
        on query: Query, until moment: Timestamp? = nil, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let filter = PairFilter(
            queries: [query.text], countries: [query.country], platforms: [query.platform],
            languages: [query.languageWord])
        let reader = moment.map { $0 < now } ?? false ? reader.asOf(moment) : reader
        let standings = try Standings(from: reader, filter: filter, withTrend: false, until: moment, now: now)
        rows = standings.rows.filter { $0.mine && $0.question == query }
        generatedAt = standings.until
    }

    /// Whether none of my apps is looked for in the query.
    package var isEmpty: Bool { rows.isEmpty }

    /// `Daylight: #8. Rose from #12 to #8. It has stood there since 23 Nov.`, an app a line. Where the newest check was no
    /// good one, that is said in place of a place.
    package var document: Document {
        var document = Document(title: "Mine", generatedAt: generatedAt)
        let today = generatedAt.reportDay
        document.list(
            rows.map { row in
                let isGood = row.state == .ranked || row.state == .absent
                let place =
                    isGood
                    ? StandingsReport.now(row, at: generatedAt).map { $0.about(row.pair) } + [Cell(".")]
                    : row.newestCheck(until: generatedAt).cells.map { $0.about(row.pair) }
                let verdict =
                    row.isStale(at: generatedAt)
                    ? isGood ? [Cell(" It was not checked since.", .caution)] : []
                    : [Cell(" ")] + row.verdict(today: today, firstVerdict: nil).cells
                return StyledText([StandingsReport.app(of: row), Cell(": ")] + place + verdict)
            })
        return document
    }
}
