import ArgumentParser

struct MoversRequest: ReportRequest {
    static let about = ReportAbout(
        "movers", "The biggest moves that stayed, between two moments.",
        discussion: """
            Compares now (or --until) with a week before (or --since). A query that is asked less often than every other \
            day is compared over four of its cadences unless you give --since: over a shorter time no move could be told \
            from wobble. Where one of yours fell, it says who passed it.
            """)

    static let answers: [any ReportValue.Type] = [MoversReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("movers"), ReportExample("movers-all", ["--all"])]
    }

    @Flag(help: "Show what only wobbled as well.")
    var all = false

    @Flag(help: "Show what was weighed for each move.")
    var figures = false

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        let movers = try Movers(
            from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now,
            sensitivity: judgement.sensitivity)
        return MoversReport(
            movers, falls: try Fall.of(movers, from: context.reader), options: .init(all: all, figures: figures))
    }
}
