internal import ArgumentParser
import Reports

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows the history.", subcommands: ReportCatalogue.commands(topLevel: false),
        defaultSubcommand: CatalogueCommand<StandingsRequest>.self)
}
