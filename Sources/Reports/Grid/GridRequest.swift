import ArgumentParser
import Judging
import RankKit

struct GridRequest: ReportRequest {
    static let about = ReportAbout(
        "grid", "One app's queries down, days across, and one position in each cell.",
        discussion: """
            Shows the last good position of each day of the watchlist's time zone, of the last 14 days or since --since. An \
            empty cell is a day before the query's first check. · marks a later day without a good check. ? marks a day \
            whose position is unknown: its list was dropped, is damaged, has not been read yet, or has places that could \
            not be read. The CSV has a column for each day.
            """)

    static let answers: [any ReportValue.Type] = [GridReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] { [ReportExample("grid", ["--app", names.app])] }

    @OptionGroup var one: OneAppOptions

    @Option(
        help: ArgumentHelp(
            "The first day: 2026-11-01, release, or 30d (counted back from --until).", valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [one.app])
        let times = TimeReading(context, apps: [one.app])
        let moment = try times.moment(end)
        let since = try times.beginning(since, before: moment)
        let bundleID = try context.knownApp(one.app)
        let queries = try one.queries(of: bundleID, context.reader)
        let days = try Grid.span(since: since, until: moment, from: context.reader, now: context.now).shown
        try context.requireRoom(narrowing: "choose a later --since, or fewer with --country or --tag") {
            queries.count * days.count
        }
        return GridReport(
            try Grid(
                of: bundleID, on: queries, since: since, until: moment,
                from: context.reader, now: context.now))
    }
}
