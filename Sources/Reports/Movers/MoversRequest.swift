package import ArgumentParser

package struct MoversRequest: ReportRequest {
    package static let about = ReportAbout(
        "movers", "What moved between two moments, beyond its own noise: the biggest first.",
        discussion: """
            Compares now, or --until, with a week before, or --since. Without --since, pairs of queries that are asked less \
            often than every other day are compared over four of their cadences: in less no move of theirs can be told \
            from noise.
            """)

    package static let answers: [any ReportValue.Type] = [MoversReport.self]

    package static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("movers"), ReportExample("movers-all", ["--all"])]
    }

    @Flag(help: "Show moves within noise as well.")
    package var all = false

    @OptionGroup package var options: ScopeOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        let movers = try Movers(
            from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now)
        return MoversReport(movers, options: .init(all: all))
    }
}
