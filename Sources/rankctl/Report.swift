internal import ArgumentParser
import Console
import Reports

struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the history.", subcommands: [StandingsCommand.self],
        defaultSubcommand: StandingsCommand.self)
}

struct StandingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standings", abstract: "Where every pair stands, and how it got there.")

    @OptionGroup var database: DatabaseOption
    @OptionGroup var filter: FilterOptions

    @Option(help: "table, json or csv.")
    var format: ReportFormat = .table

    @Flag(help: "Show competitors in the table as well.")
    var competitors = false

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let standings = try Standings(
            from: reader, filter: filter.filter, withTrend: format == .table, now: surroundings.now)
        let report = StandingsReport(standings, options: .init(competitors: competitors))
        Terminal.show(report.render(as: format, style: Terminal.style(environment: surroundings.environment)))
    }
}
