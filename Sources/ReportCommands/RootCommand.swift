package import ArgumentParser
import Console
import Foundation
import Reports

/// The root of all commands of a program, which is called `rankctl`.
package protocol RootCommand: AsyncParsableCommand {
    /// Commands that another program of this name has, and where that is; `nil` if this one has all.
    static var elsewhere: (names: Set<String>, place: String)? { get }
}

extension RootCommand {
    package static var elsewhere: (names: Set<String>, place: String)? { nil }

    /// What must be done before anything else: no file is opened as one of the standard streams, and whoever reads the
    /// output may stop. On the main thread, before there is another.
    ///
    /// - Parameter arenas: from how many memory is allocated (`Allocator.shareArenas`).
    @MainActor package static func begin(arenas: Int = 1) {
        StandardStreams.fill()
        signal(SIGPIPE, SIG_IGN)
        Allocator.shareArenas(arenas)
    }

    /// Does what is asked, and ends the program where that fails.
    ///
    /// - Parameter arguments: what stands behind the program's name.
    package static func run(typed arguments: some Sequence<String>) async {
        let line = TypedLine(arguments)
        if line.namesCommand {
            await NamedCommand<Self>.run(line)
        } else {
            await Self.run(line)
        }
    }
}

/// The root for a line that names a command. What stands behind the name is that command's own: `--version` is the
/// version of an app where the command has it, and never that of this program.
private struct NamedCommand<Root: RootCommand>: RootCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Root.configuration.commandName, abstract: Root.configuration.abstract,
            subcommands: Root.configuration.subcommands)
    }

    static var elsewhere: (names: Set<String>, place: String)? { Root.elsewhere }
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
