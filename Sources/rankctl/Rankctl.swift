internal import ArgumentParser
import Console
import Foundation
import RankKit
import Reports

struct Rankctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankctl",
        abstract: "Shows what rankd recorded, and edits its watchlist.",
        version: Release.version,
        subcommands: [ReportCommand.self, Search.self] + ReportCatalogue.commands(topLevel: true) + [
            InitCommand.self, PlanCommand.self, Watch.self, NoteCommand.self, AlertsCommand.self, BackupCommand.self,
            VerifyCommand.self,
            ExportCommand.self,
            ImportCommand.self, PruneCommand.self, AgentCommand.self,
        ])

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        StandardStreams.fill()
        // A preview allocates without pause in several threads. With fewer arenas two of them would wait for each other.
        let isPreview = CommandLine.arguments.dropFirst().starts(with: ["alerts", "preview"])
        Allocator.shareArenas(isPreview ? 4 : 1)
        await run(CommandLine.arguments)
    }

    private nonisolated static func run(_ arguments: [String]) async {
        signal(SIGPIPE, SIG_IGN)
        CompletionWords.find(by: CompletionWords.fromHistory)
        if CompletedRankctl.isMeant(by: arguments) { await CompletedRankctl.main() }
        let line = TypedLine(arguments.dropFirst())
        if line.namesCommand {
            await NamedCommand.run(line)
        } else {
            await Self.run(line)
        }
    }
}

/// rankctl for a line that names a command. What stands behind the name is that command's own: `--version` is the
/// version of an app where the command has it, and never that of this program.
private struct NamedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Rankctl.configuration.commandName, abstract: Rankctl.configuration.abstract,
        subcommands: Rankctl.configuration.subcommands)
}

extension ParsableCommand {
    /// Does what the line says, with this as the root of all commands.
    fileprivate static func run(_ line: TypedLine) async {
        let command: any ParsableCommand
        do { command = try parseAsRoot(line.words) } catch {
            if exitCode(for: error) == .validationFailure, let slip = MistypedLine(line.words, of: self) {
                refuse(ValidationError(slip.problem), in: slip.command)
            }
            exit(withError: error)
        }
        if let mistake = RepeatedOption.mistake(in: line.words, of: type(of: command)) {
            refuse(mistake, in: type(of: command))
        }
        if let remark = line.remark { Terminal.say(remark) }
        let asked = (command as? any HistoryCommand)?.asked ?? AskedOptions()
        await AskedOptions.$current.withValue(asked) { await perform(command) }
    }

    private static func perform(_ command: any ParsableCommand) async {
        var command = command
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let error = Complaint.exit(for: error)
            if let mistake = error as? ValidationError { refuse(mistake, in: type(of: command)) }
            exit(withError: error)
        }
    }

    /// Ends as the parser does where it finds a mistake itself: with how that command is written, not the program.
    private static func refuse(_ mistake: ValidationError, in command: any ParsableCommand.Type) -> Never {
        let usage = usageString(for: command).replacing("\n", with: "\n       ")
        Terminal.say(
            """
            Error: \(mistake.message)
            Usage: \(usage)
              See '\(path(to: command).joined(separator: " ")) --help' for more information.
            """)
        exit(withError: ExitStatus.usage.code)
    }

    /// The names that lead to a command, its own the last.
    private static func path(to command: any ParsableCommand.Type) -> [String] {
        guard self != command else { return [_commandName] }
        let below = configuration.subcommands.lazy.map { $0.path(to: command) }.first { !$0.isEmpty }
        return below.map { [_commandName] + $0 } ?? []
    }
}
