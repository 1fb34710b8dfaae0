import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// Command lines with a slip in them.
    @Suite struct MistypedLineTests {
        @Test(arguments: [
            (["reprot"], "there is no command “reprot”; did you mean “report”?"),
            (["moovers"], "there is no command “moovers”; did you mean “movers”?"),
            (["report", "moovers"], "there is no command “moovers”; did you mean “movers”?"),
            (["watch", "lst"], "there is no command “lst”; did you mean “list”?"),
            (["watch", "zzzzz"], "there is no command “zzzzz”; the commands are list, check, add, remove, popularity"),
            (["report", "--country", "usa"], "“usa” is no country with an App Store; did you mean “us”?"),
            (
                ["watch", "add", "x", "com.a", "--country", "de,ger"],
                "“ger” is no country with an App Store; did you mean “de”?"
            ),
            (["report", "history", "--ap", "x"], "there is no option “--ap”; did you mean “--app”?"),
            (["report", "--platfrom=mac"], "there is no option “--platfrom”; did you mean “--platform”?"),
            (["report", "history", "--lang", "none"], "there is no option “--lang”; did you mean “--language”?"),
            (["report", "history", "--zzzzzz", "x"], "there is no option “--zzzzzz”"),
            (["report", "--platform", "ihpone"], "--platform cannot be “ihpone”; did you mean “iphone”?"),
            (["report", "--format=jsn"], "--format cannot be “jsn”; did you mean “json”?"),
            (["standings", "--sort", "contry"], "--sort cannot be “contry”; did you mean “country”?"),
            (["movers", "--sensitivity", "keeen"], "--sensitivity cannot be “keeen”; did you mean “keen”?"),
            (
                ["watch", "add", "x", "com.a", "--platform", "ipda"],
                "--platform cannot be “ipda”; did you mean “ipad”?"
            ),
            (["export", "--format", "ndjsn"], "--format cannot be “ndjsn”; did you mean “ndjson”?"),
        ])
        func `a slip is told with what was likely meant`(_ arguments: [String], _ words: String) async throws {
            try await Stage.run { stage async throws in
                let program = try await stage.rankctl(arguments)
                #expect(program.ending == .code(64) && program.output.isEmpty)
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }

        @Test(arguments: [
            ["report", "history", "--app", "a", "--app", "b"], ["report", "grid", "--app=a", "--app=b"],
            ["report", "history", "--app", "a", "--since", "7d", "--since", "1d"],
            ["watch", "list", "--watchlist", "a", "--watchlist=b"], ["export", "--output", "a", "--output", "a"],
            ["note", "add", "x", "--on", "2026-11-01", "--on", "2026-11-02"],
        ])
        func `an option that takes one value is refused twice`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let program = try await stage.rankctl(arguments)
                #expect(program.ending == .code(64) && program.output.isEmpty)
                #expect(
                    program.errors.contains(" is given 2 times and takes one value: give it once"), "\(program.errors)")
            }
        }

        @Test func `rankd refuses such an option as well`() async throws {
            try await Stage.run { stage async throws in
                let rankd = try stage.rankd(
                    ["--check", "--log-level", "info", "--log-level", "debug"], store: "http://127.0.0.1:1")
                #expect(try await rankd.ends() == .code(64))
                #expect(rankd.errors.contains("--log-level is given 2 times and takes one value"))
            }
        }

        @Test(arguments: [
            (["--log-format", "jsn"], "--log-format cannot be “jsn”; did you mean “json”?"),
            (["--log-level", "debgu"], "there is no log level “debgu”; did you mean “debug”?"),
            (["--databse", "x"], "there is no option “--databse”; did you mean “--database”?"),
        ])
        func `a slip in rankd's line is told likewise`(_ arguments: [String], _ words: String) async throws {
            try await Stage.run { stage async throws in
                let rankd = try stage.rankd(["--check"] + arguments, store: "http://127.0.0.1:1")
                #expect(try await rankd.ends() == .code(64))
                #expect(rankd.errors.contains(words), "\(rankd.errors)")
            }
        }

        @Test func `so does the simulator, and takes what may be repeated`() async throws {
            try await Stage.run { stage async throws in
                let simulator = try stage.start(.simulator, ["--port", "0", "--seed", "1", "--seed", "2"])
                #expect(try await simulator.ends() == .code(64))
                #expect(simulator.errors.contains("--seed is given 2 times and takes one value"), "\(simulator.errors)")
                let faults = ["--seed", "1", "--fault", "reset=0.1", "--fault", "html=0.1"]
                _ = try await stage.simulator(faults)
            }
        }

        @Test func `words in curly quotes are one text`() async throws {
            try await Stage.run { stage async throws in
                let program = try await stage.rankctl(
                    ["watch", "add", "“habit", "tracker”", "com.example.a", "--watchlist", stage.watchlistFile])
                #expect(program.ending == .code(0), "\(program.errors)")
                let file = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
                #expect(file.contains(#""query": "habit tracker""#), "\(file)")
            }
        }
    }
}
