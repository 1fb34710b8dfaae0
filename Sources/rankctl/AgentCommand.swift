import Agents
internal import ArgumentParser
import Console
import Foundation
import RankKit
import ReportCommands
import UnixSignals

/// Answers an agent on stdin and stdout until either end closes, or a signal.
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Answers an agent's questions by the Model Context Protocol.",
        discussion: """
            Agents start it themselves: it reads requests from stdin and answers on stdout, one on each line. Every report \
            is a tool, and so are the plan, the watchlist and the preview of alerts; apps and queries are resources. It reads the history, changes nothing and asks Apple nothing. It \
            ends with 0 when its input ends, or on SIGINT or SIGTERM.
            """)

    @OptionGroup var database: DatabaseOption
    @OptionGroup var watchlist: WatchlistOption

    @Option(help: ArgumentHelp("An answer has at most this many bytes, text and data together.", valueName: "bytes"))
    var limit = AgentServer.defaultLimit

    func validate() throws {
        guard AgentServer.limits.contains(limit) else {
            throw ValidationError(
                "--limit is \(limit): write a number from \(AgentServer.limits.lowerBound) to "
                    + "\(AgentServer.limits.upperBound)")
        }
    }

    /// What an agent is told where there is none: it has no option to name another with.
    private struct NoWatchlist: Error, CustomStringConvertible {
        let description: String
    }

    private static func watchlist(at path: String) throws -> Watchlist {
        do { return try WatchlistFile.decode(path).watchlist } catch WatchlistFile.Failure.missing {
            throw NoWatchlist(description: "there is no file \(path)")
        }
    }

    func run() async throws {
        if isatty(STDIN_FILENO) == 1 {
            Terminal.say("rankctl mcp talks to an agent in lines of JSON; Ctrl-D ends it")
        }
        let surroundings = Surroundings()
        let path = watchlist.path(surroundings)
        let server = AgentServer(
            database: surroundings.locations.database(flag: database.database),
            watchlist: { try Self.watchlist(at: path) }, limit: limit, zone: .gmt,
            now: { Timestamp(Date()) })
        let input = try InterruptibleInput(STDIN_FILENO)
        do {
            try await Interruption.cancelling(on: .sigint, .sigterm) {
                var lines = MessageLines()
                while let bytes = await input.next() {
                    for line in lines.lines(in: bytes) {
                        guard let answer = server.answer(to: line) else { continue }
                        try Terminal.deliver(answer + [UInt8(ascii: "\n")])
                    }
                }
            }
        } catch is CancellationError {}
    }
}
