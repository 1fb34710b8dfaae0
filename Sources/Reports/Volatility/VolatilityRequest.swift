package import ArgumentParser

package struct VolatilityRequest: ReportRequest {
    package static let about = ReportAbout(
        "volatility", "The weather: on which days a whole store moved or failed.",
        discussion: """
            By country, over all of its queries; --app, --query, --platform and --tag choose the countries of the pairs \
            that they fit. --since names the first day, 60 days ago without it.
            """)

    package static let answers: [any ReportValue.Type] = [VolatilityReport.self]

    @OptionGroup package var options: ScopeOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        return VolatilityReport(
            try Volatility(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now))
    }
}
