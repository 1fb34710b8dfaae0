package import ArgumentParser

package struct VisibilityRequest: ReportRequest {
    package static let about = ReportAbout(
        "visibility", "How visible apps are on your queries, in one number by country.",
        discussion: """
            100 where an app is first on all of its queries, 0 where it is on none, its competitors beside it on the \
            same queries. --since names the first day of the chart, 90 days ago without it.
            """)

    package static let answers: [any ReportValue.Type] = [VisibilityReport.self]

    @OptionGroup package var options: ScopeOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        return VisibilityReport(
            try VisibilityHistory(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now))
    }
}
