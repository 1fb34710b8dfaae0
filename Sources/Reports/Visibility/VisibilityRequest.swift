import ArgumentParser
import History

struct VisibilityRequest: ReportRequest {
    static let about = ReportAbout(
        "visibility", "One number per app and country: how visible it is on your queries.",
        discussion: """
            100 means first on all of its queries, 0 means on none. Competitors are measured on the same queries. The \
            chart begins at --since, or 90 days ago.
            """)

    static let answers: [any ReportValue.Type] = [VisibilityReport.self]

    @OptionGroup var options: ScopeOptions

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        var report = VisibilityReport(
            try VisibilityHistory(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now
            ) { count in
                try context.requireRoom(
                    for: "values of a day", narrowing: "choose a later --since, or fewer with --app, --country or --tag"
                ) { count }
            })
        if scope.until == nil {
            report.firstVerdict = try FirstVerdict(scope.filter, in: context)
            report.begins = try context.reader.oldestCheck()?.reportDay
        }
        return report
    }
}
