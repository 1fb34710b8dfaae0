import History
import Judging
package import RankKit

/// One app on one query: where it stands, what its newest move was, who passed it, who stands around it, and its checks.
/// It is what a page of the pair shows.
package struct PairStory: Sendable {
    package let query: Query
    let app: ReportedApp
    let generatedAt: Timestamp
    /// As the standings have it; `nil` for a pair that rankd does not ask for, or does not any more.
    let row: Standings.Row?
    /// What stands beside its loss: the store or the app alone, a release near it, and who passed it.
    let besideLoss: [StyledText]
    let around: ListsAround
    let past: PairHistoryReport

    package var bundleID: BundleID { app.bundleID }
    package var appTitle: String { app.title }
    /// `mine` or `competitor`; `nil` for an app that is not tracked.
    package var role: String? {
        switch app.mark {
        case .mine: "mine"
        case .competitor: "competitor"
        case nil: nil
        }
    }

    /// What is asked for can be about one pair, or about several.
    package enum Found: Sendable {
        case one(PairStory)
        /// The app has been looked for on each of these; at least two.
        case several([Query])
    }
}

extension PairStory {
    /// - Parameter parameters: `app` and `query`; `country`, `platform`, `language` and `source` where they are needed to
    ///   name one query; `since` for how far back the checks are shown.
    /// - Throws: `ReportRefusal` for an app or a query that is not known, `HistoryError` where the history cannot be read.
    package static func found(_ parameters: [RequestParameter], in context: ReportContext) throws -> Found {
        guard let past = try HistoryRequest.request(parameters).answer(in: context) as? PairHistoryReport,
            let query = past.history.queries.first?.query
        else { throw NoHistory() }
        guard past.history.queries.count == 1 else { return .several(past.history.queries.map(\.query)) }
        let filter = PairFilter(of: past.history.app.bundleID, on: query)
        let row = try Self.row(filter, on: query, in: context)
        return .one(
            PairStory(
                query: query, app: past.history.app, generatedAt: context.now, row: row,
                besideLoss: row?.hasConfirmedLoss == true ? try Self.besideLoss(filter, on: query, in: context) : [],
                around: try ListsAround(
                    past.history.app.bundleID, on: query, since: Self.moved(row, today: context.now.reportDay),
                    from: context.reader, now: context.now),
                past: past))
    }

    /// The first day of the newest move: of a drift, which began on no one day, that of the time that shows it.
    private static func moved(_ row: Standings.Row?, today: Int64) -> Int64 {
        let week = today - 6
        guard case .real(let move)? = row?.told, move.isSlow else { return row?.told?.since ?? week }
        return row?.monthMove == nil ? week : today - NoiseModel.monthDays + 1
    }

    /// A history names at least one query, or refuses.
    private struct NoHistory: Error {}

    private static func row(
        _ filter: PairFilter, on query: Query, in context: ReportContext
    ) throws(HistoryError) -> Standings.Row? {
        try Standings(from: context.reader, filter: filter, withTrend: false, now: context.now).rows.first {
            $0.question == query
        }
    }

    private static func besideLoss(
        _ filter: PairFilter, on query: Query, in context: ReportContext
    ) throws -> [StyledText] {
        let movers = try Movers(from: context.reader, filter: filter, now: context.now)
        let report = MoversReport(movers, falls: try Fall.of(movers, from: context.reader))
        return movers.rows.first { $0.query == query && $0.loss != nil }.map(report.besideLoss) ?? []
    }

    /// The verdict in a sentence, with what is known beside it.
    package var verdict: Document {
        var document = Document(title: app.title, generatedAt: generatedAt)
        let today = generatedAt.reportDay
        guard let row else {
            document.paragraph("\(whyNotJudged), so its moves are not judged.", .faint)
            return document
        }
        document.paragraph(
            row.verdict(today: today, firstVerdict: past.firstVerdict?.words(of: query)))
        document.list(besideLoss)
        document.paragraph(row.newestCheck(until: generatedAt))
        document.paragraph(row.unknown.map { StyledText($0.note, .caution) })
        return document
    }

    private var whyNotJudged: String {
        if query.source.isImported { return "These places come from a table that was imported" }
        return app.mark == nil ? "The app is not tracked" : "The watchlist does not have the app on this query"
    }

    /// Who stood around the app before its move, and who does now.
    package var neighbours: Document {
        var document = Document(title: app.title, generatedAt: generatedAt)
        document.blocks += around.blocks(today: generatedAt.reportDay)
        return document
    }

    /// The chart and the checks.
    package var checks: Document { past.document(isNamed: false) }
}

extension PairFilter {
    /// The pair of the app on the query, as well as can be told without the query's source.
    fileprivate init(of bundleID: BundleID, on query: Query) {
        self.init(
            apps: [bundleID.text], queries: [query.text], countries: [query.country], platforms: [query.platform],
            languages: [query.languageWord])
    }
}
