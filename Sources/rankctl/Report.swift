internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the history.",
        subcommands: [
            StandingsCommand.self, HistoryCommand.self, ResultsCommand.self, RivalsCommand.self, CompareCommand.self,
        ],
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
        try refuseUnknownApps(filter.app, reader)
        let standings = try Standings(
            from: reader, filter: filter.filter, withTrend: format == .table, now: surroundings.now)
        let report = StandingsReport(standings, options: .init(competitors: competitors || !filter.app.isEmpty))
        try Terminal.deliver(report.render(as: format, style: Terminal.style(environment: surroundings.environment)))
    }

    /// An app that nobody tracks would make an empty report that looks like an answer.
    private func refuseUnknownApps(_ names: [String], _ reader: HistoryReader) throws {
        guard !names.isEmpty else { return }
        let apps = try reader.watchedApps()
        for name in names.map({ $0.lowercased() })
        where !apps.contains(where: { $0.alias?.lowercased() == name || $0.bundleID.folded == name }) {
            let known = apps.map { $0.alias ?? $0.bundleID.text }.joined(separator: ", ")
            Terminal.say("no app “\(SafeText.escaped(name))” is tracked; these are: \(SafeText.escaped(known))")
            throw ExitStatus.usage
        }
    }
}
