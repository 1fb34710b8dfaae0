package import ArgumentParser
import Console
package import Reports

/// The command of a report: its options from the catalogue, and how it is delivered.
package struct CatalogueCommand<Request: ReportRequest>: AsyncParsableCommand, HistoryCommand {
    package static var configuration: CommandConfiguration { Request.about.configuration }

    @OptionGroup package var request: Request
    @OptionGroup package var delivery: DeliveryOptions

    package init() {}

    package var database: DatabaseOption { delivery.database }
    package var asked: AskedOptions { AskedOptions(request.asked, database: database.database) }

    package func run() async throws { try await delivery.deliver { try request.answer(in: $0) } }
}

extension ReportAbout {
    package var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract, usage: usage,
            discussion: [discussion, ending].filter { !$0.isEmpty }.joined(separator: " "))
    }
}

extension ReportCatalogue {
    /// The commands of the reports that are commands of their own, or of those that are not.
    ///
    /// - Parameter digest: the command of the digest, which can do more than show it.
    package static func commands(
        topLevel: Bool, digest: any ParsableCommand.Type = CatalogueCommand<DigestRequest>.self
    ) -> [any ParsableCommand.Type] {
        reports.filter { $0.about.isTopLevel == topLevel }
            .map { $0 == DigestRequest.self ? digest : command(of: $0) }
    }

    private static func command<Request: ReportRequest>(of request: Request.Type) -> any ParsableCommand.Type {
        // What more a command can do than show its report.
        if request == StatusRequest.self { return StatusCommand.self }
        return CatalogueCommand<Request>.self
    }
}

/// `rankctl report`: every report that is no command of its own.
///
/// - Parameter Digest: the command of the digest.
package struct ReportCommand<Digest: AsyncParsableCommand>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: reportName, abstract: "Shows reports about the history.",
            subcommands: ReportCatalogue.commands(topLevel: false, digest: Digest.self),
            defaultSubcommand: CatalogueCommand<StandingsRequest>.self)
    }

    package init() {}
}

/// What `ReportCommand` is called.
let reportName = "report"

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
