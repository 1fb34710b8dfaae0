import ArgumentParser

struct DistributionRequest: ReportRequest {
    static let about = ReportAbout(
        "distribution", "How many pairs are in the top 3, top 10 and so on, now and earlier.",
        discussion: "Compares with the day of --since, or 30 days ago.")

    static let answers: [any ReportValue.Type] = [DistributionReport.self]

    @Flag(help: "Count competitors as well, separately.")
    var competitors = false

    @OptionGroup var options: ScopeOptions

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        var report = DistributionReport(
            try Distribution(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until,
                competitors: competitors, now: context.now
            ) { count in
                try context.requireRoom(
                    for: "counts of a day", weight: 4,
                    narrowing: "choose a later --since, or fewer with --app, --country or --tag"
                ) { count }
            })
        if scope.until == nil { report.firstVerdict = try FirstVerdict(scope.filter, in: context) }
        return report
    }
}
