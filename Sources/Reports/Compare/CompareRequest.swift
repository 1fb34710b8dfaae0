import ArgumentParser
import History
import Judging
import RankKit

struct CompareRequest: ReportRequest {
    static let about = ReportAbout(
        "compare", "An app and its competitors side by side on its queries, or head to head with one of them.",
        discussion: """
            With --with it says for each query which of the two apps is ahead, by how much and since when, and on how many \
            days each of them was ahead. It counts the last \(HeadToHead.defaultDays) days, or the days since --since. The \
            other app may be any that rankd has ever seen.
            """)

    static let answers: [any ReportValue.Type] = [ComparisonReport.self, HeadToHeadReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [
            ReportExample("compare", ["--app", names.app, "--since", "7d"])
        ] + (names.competitor.map { [ReportExample("head-to-head", ["--app", names.app, "--with", $0])] } ?? [])
    }

    @OptionGroup var one: OneAppOptions

    @Option(
        help: ArgumentHelp("Compare it head to head with this app.", valueName: "alias or bundle id"),
        completion: .words(.everyApp))
    var with: String?

    @Option(
        help: ArgumentHelp("Show the change since this time, and count days from then on.", valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    var asked: [RequestParameter] {
        one.asked + (since.map { [RequestParameter("since", $0)] } ?? []) + end.asked
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [one.app])
        let bundleID = try context.knownApp(one.app)
        let queries = try one.queries(of: bundleID, context.reader)
        let times = TimeReading(context, apps: [one.app])
        let moment = try times.moment(end)
        let beginning = try times.beginning(since, before: moment)
        let first = HeadToHead.beginning(beginning, until: moment)
        let rivals = with == nil ? try WatchedApps(context.reader)[bundleID]?.competitors.count ?? 0 : 1
        try context.requireRoom(narrowing: "choose fewer with --query, --country or --platform, or a later --since") {
            try context.reader.checkCount(on: queries, in: first...moment) * (1 + rivals)
        }
        guard let with else {
            return ComparisonReport(
                try Comparison(
                    bundleID, on: queries, since: beginning, until: moment, from: context.reader,
                    now: context.now))
        }
        let other = try context.knownApp(with)
        guard try Set(context.reader.numbers(of: bundleID)).isDisjoint(with: context.reader.numbers(of: other)),
            other != bundleID
        else { throw ReportRefusal.option("--app and --with name the same app: choose another one") }
        return HeadToHeadReport(
            try HeadToHead(
                AppOnQueries(bundleID, on: queries, in: first...moment, context.reader), other, from: context.reader,
                now: context.now))
    }
}
