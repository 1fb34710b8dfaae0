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

    /// What is asked for can be about one pair, or about several.
    package enum Found: Sendable {
        case one(PairStory)
        /// The app has been looked for on each of these; at least two.
        case several([Query])
    }
}

extension PairStory {
    /// - Parameter parameters: `app` and `query`; `country`, `platform`, `language` and `source` where they are needed to
    ///   name one query; `since` for how far back the checks are shown, 90 days where it is missing.
    /// - Throws: `ReportRefusal` for an app or a query that is not known, `HistoryError` where the history cannot be read.
    package static func found(_ parameters: [RequestParameter], in context: ReportContext) throws -> Found {
        let isDated = parameters.contains { $0.name == "since" && !$0.value.isEmpty }
        let asked = parameters + (isDated ? [] : [RequestParameter("since", "90d")])
        guard let past = try HistoryRequest.request(asked).answer(in: context) as? PairHistoryReport,
            let query = past.history.queries.first?.query
        else { throw NoHistory() }
        guard past.history.queries.count == 1 else { return .several(past.history.queries.map(\.query)) }
        let filter = PairFilter(of: past.history.app.bundleID, on: query)
        let row = try Self.row(filter, on: query, in: context)
        return .one(
            PairStory(
                query: query, app: past.history.app, generatedAt: context.now, row: row,
                besideLoss: row?.hasLoss == true ? try Self.besideLoss(filter, on: query, in: context) : [],
                around: try ListsAround(
                    past.history.app.bundleID, on: query, since: row?.told?.since ?? context.now.reportDay - 6,
                    from: context.reader, now: context.now),
                past: past))
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
            document.paragraph(
                app.mark == nil
                    ? "The app is not tracked, so its moves are not judged."
                    : "rankd does not ask for this pair now, so its moves are not judged.", .faint)
            return document
        }
        document.paragraph(
            row.verdict(today: today, firstVerdict: past.firstVerdict?.words(of: query)))
        document.list(besideLoss)
        document.paragraph(row.newestCheck(until: generatedAt))
        return document
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
