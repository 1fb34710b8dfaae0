internal import ArgumentParser

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows the history.",
        subcommands: [
            StandingsCommand.self, MoversCommand.self, HistoryCommand.self, ResultsCommand.self, RivalsCommand.self,
            CompareCommand.self, OpportunitiesCommand.self, DistributionCommand.self, VisibilityCommand.self,
            VolatilityCommand.self, ReleaseCommand.self, DigestCommand.self,
        ],
        defaultSubcommand: StandingsCommand.self)
}
