package import ArgumentParser

package struct DistributionRequest: ReportRequest {
    package static let about = ReportAbout(
        "distribution", "How many pairs stand in which places, now and then.",
        discussion: "--since names the day that is compared with, 30 days ago without it.")

    package static let answers: [any ReportValue.Type] = [DistributionReport.self]

    @Flag(help: "Count competitors as well, apart from mine.")
    package var competitors = false

    @OptionGroup package var options: ScopeOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        return DistributionReport(
            try Distribution(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until,
                competitors: competitors, now: context.now))
    }
}
