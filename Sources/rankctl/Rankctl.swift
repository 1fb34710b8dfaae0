internal import ArgumentParser
import Console
import Foundation
import RankKit
import Reports

@main
struct Rankctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankctl",
        abstract: "Shows what rankd recorded, and edits its watchlist.",
        version: Release.version,
        subcommands: [ReportCommand.self, Search.self] + ReportCatalogue.commands(topLevel: true) + [
            PlanCommand.self, Watch.self, NoteCommand.self, BackupCommand.self, VerifyCommand.self, ExportCommand.self,
            ImportCommand.self, PruneCommand.self,
        ])

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        StandardStreams.fill()
        Allocator.shareOneArena()
        await run(CommandLine.arguments)
    }

    private nonisolated static func run(_ arguments: [String]) async {
        signal(SIGPIPE, SIG_IGN)
        CompletionWords.find(by: CompletionWords.fromHistory)
        if CompletedRankctl.isMeant(by: arguments) { await CompletedRankctl.main() }
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: Complaint.exit(for: error))
        }
    }
}
