internal import ArgumentParser
import Console
import Reports

/// The command of a report: its options from the catalogue, and how it is delivered.
struct CatalogueCommand<Request: ReportRequest>: AsyncParsableCommand, HistoryCommand {
    static var configuration: CommandConfiguration { Request.about.configuration }

    @OptionGroup var request: Request
    @OptionGroup var delivery: DeliveryOptions

    var database: DatabaseOption { delivery.database }
    var asked: AskedOptions { AskedOptions(request.asked, database: database.database) }

    func run() async throws { try await delivery.deliver { try request.answer(in: $0) } }
}

extension ReportAbout {
    var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract, usage: usage,
            discussion: [discussion, ending].filter { !$0.isEmpty }.joined(separator: " "))
    }
}

extension ReportCatalogue {
    /// The commands of the reports that are commands of their own, or of those that are not.
    static func commands(topLevel: Bool) -> [any ParsableCommand.Type] {
        reports.filter { $0.about.isTopLevel == topLevel }.map { command(of: $0) }
    }

    private static func command<Request: ReportRequest>(of request: Request.Type) -> any ParsableCommand.Type {
        // What more a command can do than show its report.
        if request == DigestRequest.self { return DigestCommand.self }
        if request == StatusRequest.self { return StatusCommand.self }
        return CatalogueCommand<Request>.self
    }
}

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Shows reports about the history.",
        subcommands: ReportCatalogue.commands(topLevel: false),
        defaultSubcommand: CatalogueCommand<StandingsRequest>.self)
}

struct StatusCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = StatusRequest.about.configuration

    @OptionGroup var request: StatusRequest
    @OptionGroup var delivery: DeliveryOptions

    var database: DatabaseOption { delivery.database }

    func run() async throws {
        let path = Surroundings().locations.database(flag: delivery.database.database)
        let report =
            try await delivery.deliver { try request.report(in: $0, unit: .writing(path)) } as? StatusReport
        if let level = report?.status.level, level != .fine { throw ExitCode(level.exitCode) }
    }
}
