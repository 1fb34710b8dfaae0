import ArgumentParser
import Judging

package struct StandingsRequest: ReportRequest {
    package static let about = ReportAbout(
        "standings", "Where every app stands on every query, and what changed.",
        discussion: "The summary is of the last week, or of the time since --since.")

    package static let answers: [any ReportValue.Type] = [StandingsReport.self]

    package static func examples(_ names: ExampleNames) -> [ReportExample] {
        [ReportExample("standings"), ReportExample("standings-all", ["--competitors", "--all"])]
    }

    @Flag(help: "Show competitors in the table as well.")
    var competitors = false

    @Flag(help: "Show every pair, not only what fits the screen.")
    var all = false

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let scope = try options.scope(in: context)
        let standings = try Standings(
            from: context.reader, filter: scope.filter, withTrend: context.isForPeople, since: scope.since,
            until: scope.until, now: context.now, sensitivity: judgement.sensitivity)
        let showsCompetitors = competitors || !options.filter.app.isEmpty
        return StandingsReport(standings, options: .init(competitors: showsCompetitors, all: all))
    }
}
