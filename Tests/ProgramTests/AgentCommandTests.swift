import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl mcp` as a process: its input, its ends, its streams.
    @Suite struct AgentCommandTests {
        private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

        /// With a file for its input.
        private func answers(_ stage: Stage, _ input: String, _ more: String = "") async throws -> Program {
            try stage.write(input, to: "input")
            return try stage.start(
                path: "/bin/sh",
                [
                    "-c", "exec \"$0\" mcp --database \"$1\" \(more) < \"$2\"", Program.Name.rankctl.path,
                    stage.database, stage.file("input"),
                ])
        }

        @Test func `the end of its input ends it, after every answer`() async throws {
            try await Stage.run { stage async throws in
                let program = try await answers(stage, Self.ping + "\n" + Self.ping + "\n")
                #expect(try await program.ends() == .code(0), "\(program.errors)")
                #expect(program.output == Self.pong + "\n" + Self.pong + "\n" && program.errors.isEmpty)
                let silent = try await answers(stage, "")
                #expect(try await silent.ends() == .code(0) && silent.output.isEmpty)
            }
        }

        @Test func `garbage is answered with errors, and what follows is answered`() async throws {
            try await Stage.run { stage async throws in
                let long = String(repeating: "x", count: 3 << 20)
                let garbage = "\u{1B}[2J\n{}\n[]\n\(long)\n\u{0}\u{0}\n\n{\"jsonrpc\":\"2.0\"\n"
                let program = try await answers(stage, garbage + Self.ping + "\nno line's end")
                #expect(try await program.ends() == .code(0), "\(program.errors)")
                let lines = program.output.split(separator: "\n")
                #expect(lines.count == 7 && lines.last.map(String.init) == Self.pong, "\(program.output)")
                for line in lines {
                    let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    #expect(message?["jsonrpc"] as? String == "2.0")
                }
                #expect(!program.output.contains("\u{1B}") && program.errors.isEmpty)
            }
        }

        @Test func `a history that is not there is an answer, and nothing is made`() async throws {
            try await Stage.run { stage async throws in
                let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}"#
                let program = try await answers(stage, call + "\n")
                #expect(try await program.ends() == .code(0))
                let terminal = try await stage.rankctl(["status", "--database", stage.database])
                let words = terminal.errors.split(separator: "\n").first.map(String.init) ?? "?"
                #expect(program.output.contains(#""isError":true"#))
                // Who calls tools has no flags, and the history is the server's.
                let said = words.replacing(" --database \(stage.database)", with: "").replacing("--", with: "")
                #expect(program.output.contains(said), "\(program.output) \(said)")
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func `a signal ends it while it waits`(_ signal: Int32) async throws {
            try await Stage.run { stage async throws in
                let pipe = stage.file("pipe")
                try #require(mkfifo(pipe, 0o600) == 0)
                let program = try stage.start(
                    path: "/bin/sh",
                    [
                        "-c", "exec \"$0\" mcp --database \"$1\" < \"$2\"", Program.Name.rankctl.path, stage.database,
                        pipe,
                    ])
                let input = try FileHandle(forUpdating: URL(fileURLWithPath: pipe))
                try input.write(contentsOf: Data((Self.ping + "\n").utf8))
                try await program.prints(Self.pong)
                program.signal(signal)
                #expect(try await program.ends() == .code(0), "\(program.errors)")
                try input.close()
            }
        }

        @Test func `a limit that is none is refused`() async throws {
            try await Stage.run { stage async throws in
                let program = try await answers(stage, "", "--limit 5")
                #expect(try await program.ends() == .code(64) && program.errors.contains("--limit is 5"))
            }
        }
    }
}
