internal import ArgumentParser
import Reports

/// rankctl as the shells are told of it: a report that is not named offers the options of the standings, which it is.
struct CompletedRankctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Rankctl.configuration.commandName, version: Rankctl.configuration.version,
        subcommands: Rankctl.configuration.subcommands.map { $0 == ReportCommand.self ? CompletedReport.self : $0 })

    struct CompletedReport: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: ReportCommand._commandName, abstract: ReportCommand.configuration.abstract,
            subcommands: ReportCommand.configuration.subcommands)

        @OptionGroup var standings: CatalogueCommand<StandingsRequest>
    }

    /// Whether it is a shell that asks: for the words that fit, or for its completion script.
    static func isMeant(by arguments: [String]) -> Bool {
        arguments.dropFirst().first.map { $0 == "---completion" || $0.hasPrefix("--generate-completion-script") }
            ?? false
    }
}
