import Foundation
import ProgramStage
import Reports
import Testing

extension ProgramTests {
    /// How rankctl's commands say that they are written.
    @Suite struct UsageTests {
        private static let most = 100

        /// The words that lead to each command below `command`, itself the first.
        private func paths(of command: CommandInfo, _ path: [String] = []) -> [[String]] {
            [path]
                + (command.subcommands ?? []).filter { $0.commandName != "help" }
                .flatMap { paths(of: $0, path + [$0.commandName]) }
        }

        private func usage(in help: String) -> [Substring] {
            help.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("USAGE: ") }
                .prefix { !$0.isEmpty }
        }

        @Test func `no command of rankctl has a line of usage that is longer than a hundred columns`() async throws {
            try await Stage.run { stage async throws in
                let said = try await stage.rankctl(["--experimental-dump-help"])
                let paths = paths(of: try CommandInfo.read(Data(said.output.utf8), of: "rankctl"))
                try #require(paths.contains(["report", "movers"]) && paths.contains(["watch", "add"]))
                for path in paths {
                    let help = try await stage.rankctl(path + ["--help"])
                    let usage = usage(in: help.output)
                    #expect(help.ending == .code(0) && !usage.isEmpty, "\(path): \(help.errors)")
                    #expect(usage.first?.contains((["rankctl"] + path).joined(separator: " ")) == true, "\(usage)")
                    for line in usage { #expect(line.count <= Self.most, "\(line.count) columns: \(line)") }
                }
            }
        }
    }
}
