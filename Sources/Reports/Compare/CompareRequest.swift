import ArgumentParser
import Judging

struct CompareRequest: ReportRequest {
    static let about = ReportAbout("compare", "An app and its competitors side by side on its queries.")

    static let answers: [any ReportValue.Type] = [ComparisonReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("compare", ["--app", names.app, "--since", "7d"])]
    }

    @OptionGroup var one: OneAppOptions

    @Option(
        help: ArgumentHelp("Also show the change since this time.", valueName: "time"), completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, apps: [one.app])
        let bundleID = try context.knownApp(one.app)
        let times = TimeReading(context, apps: [one.app])
        let moment = try times.moment(end)
        let comparison = try Comparison(
            bundleID, on: try one.queries(of: bundleID, context.reader),
            since: try times.beginning(since, before: moment), until: moment, from: context.reader, now: context.now)
        return ComparisonReport(comparison)
    }
}
