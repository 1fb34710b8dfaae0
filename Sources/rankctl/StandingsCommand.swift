internal import ArgumentParser
import History
import RankKit
import Reports

struct StandingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standings", abstract: "Where every pair stands, and how it got there.")

    @Flag(help: "Show competitors in the table as well.")
    var competitors = false

    @Flag(help: "Show every pair, rather than what fits a screen.")
    var all = false

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.deliver { context in
            let standings = try Standings(
                from: context.reader, filter: context.filter, withTrend: options.delivery.output.format.isForPeople,
                since: context.since, until: context.until, now: context.now)
            let showsCompetitors = competitors || !options.filter.app.isEmpty
            return .standings(StandingsReport(standings, options: .init(competitors: showsCompetitors, all: all)))
        }
    }
}
