import ArgumentParser
import History
import Judging

package struct StandingsRequest: ReportRequest {
    package static let about = ReportAbout(
        "standings", "Where every app stands on every query, and what changed.",
        discussion: "The summary is of the last week, or of the time since --since.")

    package static let answers: [any ReportValue.Type] = [StandingsReport.self]

    package static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("standings"), ReportExample("standings-all", ["--competitors", "--all"])]
    }

    @Flag(help: "Show competitors in the table as well.")
    var competitors = false

    @Flag(
        help: "Show every pair on a terminal, not only what fits the screen. A file or a pipe always gets every pair.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Sort the rows by this column, in every format. What is unknown comes last.", valueName: "column"))
    var sort: StandingsOrder?

    @Flag(help: "Sort them the other way round.")
    var reverse = false

    @Option(
        help: ArgumentHelp("Show only so many rows, in every format. JSON and CSV count pairs.", valueName: "number"))
    var limit: Int?

    @Option(help: ArgumentHelp("Which page of so many rows, from 1.", valueName: "number"))
    var page: Int?

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    package var asked: [RequestParameter] { options.asked + judgement.asked }

    package init() {}

    /// A row takes as much memory as so many readings: its trend has thirty of them.
    private static let weight = 10
    /// So many pairs need not be counted one by one.
    private static let fewPairs = 1_000

    package func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit): write a number from 1") }
        if let page, page < 1 { throw ValidationError("--page is \(page): write a number from 1") }
        if page != nil, limit == nil { throw ValidationError("--page needs --limit: say how many rows a page has") }
        if all, limit != nil { throw ValidationError("--all and --limit contradict each other: give only one") }
        if reverse, sort == nil { throw ValidationError("--reverse needs --sort: say what to sort by") }
    }

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        try context.requireRoom(
            for: "pairs", weight: Self.weight,
            narrowing: "give a limit, or choose fewer with --app, --query, --country or --tag"
        ) {
            let pairs = try context.reader.activePairs()
            // Few need not be looked at one by one.
            let shown = pairs > Self.fewPairs ? try context.reader.trackedPairs(scope.filter).count : pairs
            return min(limit ?? .max, shown)
        }
        let standings = try Standings(
            from: context.reader, filter: scope.filter, withTrend: context.isForPeople, since: scope.since,
            until: scope.until, now: context.now, sensitivity: judgement.sensitivity)
        let showsCompetitors = competitors || !options.filter.app.isEmpty
        var report = StandingsReport(
            standings,
            options: .init(
                competitors: showsCompetitors, all: all || context.showsAllRows && limit == nil, order: sort,
                isReversed: reverse, limit: limit,
                page: page ?? 1))
        if scope.until == nil, let verdict = try FirstVerdict(scope.filter, in: context) {
            report.firstVerdict = verdict
            if context.isForPeople, !verdict.isOfNewQueries {
                report.neighbours = try standings.neighbours(from: context.reader)
            }
        }
        return report
    }
}
