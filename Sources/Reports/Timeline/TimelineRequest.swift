import ArgumentParser
import History
import Judging
import RankKit

struct TimelineRequest: ReportRequest {
    static let about = ReportAbout(
        "timeline", "Everything that happened to an app, the newest first.",
        discussion: """
            Versions and your notes, new names, prices, icons and screenshots, ratings gained, moves, returns, what the \
            store did, and days with failed checks. --since names the beginning, 90 days ago without it.
            """)

    static let answers: [any ReportValue.Type] = [TimelineReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        let app = ["--app", names.app]
        return [
            ReportExample("timeline", app),
            ReportExample("timeline-competitors", app + ["--competitors"] + names.countryOptions(1)),
        ]
    }

    @OptionGroup var one: OneAppOptions
    @OptionGroup var judgement: JudgementOptions

    @Flag(help: "Show what happened to its competitors as well.")
    var competitors = false

    @Option(
        help: ArgumentHelp("From when: 2026-11-01, 30d before --until, release.", valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [one.app])
        let times = TimeReading(context, apps: [one.app])
        let until = try times.moment(end)
        let since = try times.beginning(since, before: until)
        let bundleID = try context.knownApp(one.app)
        let queries = try one.queries(of: bundleID, context.reader)
        if let since {
            try context.requireRoom(
                for: "days of queries", narrowing: "choose a later --since, or fewer with --country or --tag"
            ) {
                let first = max(since.day, try context.reader.firstDay() ?? until.day)
                return queries.count * Int(max(0, until.day - first) + 1)
            }
        }
        let timeline = try Timeline(
            of: bundleID, withCompetitors: competitors, on: queries,
            since: since ?? Timeline.start(before: until), until: until, sensitivity: judgement.sensitivity,
            from: context.reader, zone: context.zone, now: context.now)
        if competitors, timeline.competitors.isEmpty {
            context.remark("the watchlist lists no competitor of this app")
        }
        var report = TimelineReport(timeline)
        if until >= context.now { report.firstVerdict = try FirstVerdict(of: Set(queries), in: context) }
        return report
    }
}
