internal import ArgumentParser
import ReportCommands
import Reports

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows reports about the history.",
        subcommands: ReportCatalogue.commands(topLevel: false, digest: DigestCommand.self),
        defaultSubcommand: CatalogueCommand<StandingsRequest>.self)
}
