import ArgumentParser
import Judging
import RankKit

struct CompetitorsRequest: ReportRequest {
    static let about = ReportAbout(
        "competitors", "Who stands above an app on its queries, and who overtook it.")

    static let answers: [any ReportValue.Type] = [RivalsReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("competitors", ["--app", names.app, "--since", "7d"])]
    }

    @OptionGroup var one: OneAppOptions

    @Option(
        help: ArgumentHelp("Count who overtook the app since this time (default: 7d).", valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    @Option(help: ArgumentHelp("How many apps outside the watchlist to suggest as competitors.", valueName: "number"))
    var limit = 10

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit): write a number from 1") }
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [one.app])
        let times = TimeReading(context, apps: [one.app])
        let moment = try times.moment(end)
        let since = try times.beginning(since, before: moment) ?? moment - 7 * Timestamp.secondsPerDay
        let bundleID = try context.knownApp(one.app)
        let queries = try one.queries(of: bundleID, context.reader)
        let rivals = try Rivals(
            of: bundleID, on: queries, since: since, until: moment,
            candidates: limit,
            from: context.reader, now: context.now)
        var report = RivalsReport(rivals)
        if moment >= context.now { report.firstVerdict = try FirstVerdict(of: Set(queries), in: context) }
        return report
    }
}
