import ArgumentParser
import History
import Judging
import RankKit

struct HistoryRequest: ReportRequest {
    static let about = ReportAbout(
        "history", "Every position of one app on its queries, as a chart and a list of changes.",
        discussion: """
            Without --query it shows every query that the app is tracked on. With --query it shows the query in every \
            country and on every platform that it is asked in, and the app need not be tracked.
            """)

    static let answers: [any ReportValue.Type] = [PairHistoryReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        let app = ["--app", names.app]
        let phone = ["--platform", "iphone"]
        // Not first the one that the example above shows.
        let texts: ArraySlice<String> =
            names.queries.dropFirst().prefix(1) + names.queries.prefix(1) + names.queries.dropFirst(2)
        let queries = texts.flatMap { ["--query", $0] }
        return [
            ReportExample("history", app + names.queryOptions(1) + names.countryOptions(1) + phone),
            ReportExample("history-several", app + queries + names.countryOptions(2) + phone),
        ]
    }

    @Option(
        help: ArgumentHelp("The app: any app that rankd has ever seen.", valueName: "alias or bundle id"),
        completion: .words(.everyApp))
    var app: String

    @OptionGroup var queries: QueriesOption

    @Option(
        help: ArgumentHelp(
            "Start of the period: 2026-11-01, yesterday, or 30d (counted back from --until).", valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [app], isOfPairs: false)
        let span = try TimeReading(context, apps: [app]).span(since: since, until: end)
        let bundleID = try context.knownApp(app)
        let chosen = try queries.choose(of: bundleID, in: context)
        try context.requireRoom(narrowing: "choose fewer with --query, --country or --platform, or a later --since") {
            try context.reader.checkCount(on: chosen, in: span)
        }
        let history = try AppHistory(
            of: bundleID, on: chosen, in: span, from: context.reader,
            zone: context.zone, now: context.now)
        try Self.remarkLaterBeginning(of: history, in: span, context)
        var report = PairHistoryReport(history)
        if span.upperBound >= context.now {
            report.firstVerdict = try FirstVerdict(of: Set(history.queries.map(\.query)), in: context)
        }
        return report
    }

    /// Says when the first check was, where all of them are of later than `span` and the history itself is not.
    private static func remarkLaterBeginning(
        of history: AppHistory, in span: ClosedRange<Timestamp>, _ context: ReportContext
    ) throws {
        guard history.queries.allSatisfy({ $0.checks.isEmpty && $0.damaged.isEmpty }),
            let oldest = try context.reader.oldestCheck(), oldest <= span.upperBound
        else { return }
        let first = try history.queries.compactMap { try context.reader.firstCheck(of: $0.query) }.min()
        guard let first, first > span.upperBound else { return }
        let whose = history.queries.count == 1 ? "the first check of this query" : "the first check of these queries"
        context.remark("\(whose) is of \(CivilTime.minuteInZone(first)), which is later than the time asked for")
    }
}
