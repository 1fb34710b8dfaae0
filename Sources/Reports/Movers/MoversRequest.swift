import ArgumentParser

struct MoversRequest: ReportRequest {
    static let about = ReportAbout(
        "movers", "The biggest moves that stayed, between two moments.",
        discussion: """
            Compares now (or --until) with a week before (or --since). Without --since, a query that is asked less often \
            than every other day is compared over four of its cadences, because a shorter time shows no reliable move. If \
            one of your apps fell, the report says who passed it.
            """)

    static let answers: [any ReportValue.Type] = [MoversReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("movers"), ReportExample("movers-all", ["--all"])]
    }

    @Flag(help: "Also show moves that are only wobble.")
    var all = false

    @Flag(help: "Show the figures behind each judgement.")
    var figures = false

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        let movers = try Movers(
            from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now,
            sensitivity: judgement.sensitivity)
        var report = MoversReport(
            movers, falls: try Fall.of(movers, from: context.reader), options: .init(all: all, figures: figures))
        if scope.until == nil { report.firstVerdict = try FirstVerdict(scope.filter, in: context) }
        return report
    }
}
