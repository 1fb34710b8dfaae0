internal import ArgumentParser
import Console
import Foundation
import RankKit
import ReportCommands
import Reports

struct Rankctl: RootCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankctl",
        abstract: "Shows what rankd recorded, and edits its watchlist.",
        version: Release.version,
        subcommands: [ReportCommand<DigestCommand>.self, Search.self]
            + ReportCatalogue.commands(topLevel: true, digest: DigestCommand.self) + [
                InitCommand.self, PlanCommand.self, Watch.self, NoteCommand.self, AlertsCommand.self,
                BackupCommand.self,
                VerifyCommand.self,
                ExportCommand.self,
                ImportCommand.self, PruneCommand.self, AgentCommand.self,
            ])

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        // A preview allocates without pause in several threads. With fewer arenas two of them would wait for each other.
        let isPreview = CommandLine.arguments.dropFirst().starts(with: ["alerts", "preview"])
        begin(arenas: isPreview ? 4 : 1)
        await run(CommandLine.arguments)
    }

    private nonisolated static func run(_ arguments: [String]) async {
        CompletionWords.find(by: CompletionWords.fromHistory)
        if CompletedRankctl.isMeant(by: arguments) { await CompletedRankctl.main() }
        await run(typed: arguments.dropFirst())
    }
}
