import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankd --once`, from the watchlist to the file.
    @Suite struct PassTests {
        @Test func `a thousand pairs on a hundred queries are a hundred searches, and then nothing is due`()
            async throws
        {
            try await Stage.run { stage async throws in
                let queries = terms(100)
                let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(queries, (1...10).map { "com.example.app\($0)" }))

                let first = try await stage.pass(store: store.origin)
                #expect(first.ending == .code(0), "\(first.errors)")
                #expect(first.printedLines.count == 100)
                #expect(
                    first.printedLines.allSatisfy {
                        $0.hasPrefix("check=") && $0.hasSuffix("within=10 ranked=5 pairs=10")
                    })
                #expect(try await store.searches() == 100)

                let second = try await stage.pass(store: store.origin)
                #expect(second.ending == .code(0), "\(second.errors)")
                #expect(second.output.isEmpty && second.errors.hasPrefix("nothing is due"))
                #expect(try await store.searches() == 100)

                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 100)
                #expect(try history.number("SELECT count(*) FROM position") == 1_000)
                #expect(try history.flaws == [])
            }
        }

        @Test func `a pass whose progress nobody reads ends all the same`() async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(3), ["com.example.app1"]))
                let pipe = stage.file("pipe")
                try #require(mkfifo(pipe, 0o600) == 0)
                // Open for both, so that nobody waits for the other end, and full.
                let end = open(pipe, O_RDWR | O_NONBLOCK)
                try #require(end >= 0)
                defer { close(end) }
                let page = [UInt8](repeating: 0x2E, count: 4_096)
                while write(end, page, page.count) > 0 {}
                let rankd = try stage.rankd(["--once"], store: store.origin, output: pipe)
                #expect(try await rankd.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).checkCount == 3)
            }
        }

        @Test func `a reader that goes away stops neither the pass nor the report`() async throws {
            try await Stage.run { stage async throws in
                let queries = terms(200)
                let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(queries, (1...10).map { "com.example.app\($0)" }))

                func firstLine(of name: Program.Name, _ arguments: [String]) async throws -> Program {
                    let script = #"program=$1; shift; { "$program" "$@"; echo "ended with $?" >&2; } | head -n 1"#
                    let shell = try stage.start(path: "/bin/sh", ["-c", script, "sh", name.path] + arguments)
                    _ = try await shell.ends()
                    return shell
                }
                let pass = try await firstLine(
                    of: .rankd,
                    [
                        "--once", "--watchlist", stage.watchlistFile, "--database", stage.database, "--search-url",
                        store.origin,
                    ])
                #expect(pass.printedLines.count == 1)
                #expect(pass.errors.contains("ended with 0"), "\(pass.errors)")
                #expect(try RecordedHistory(stage.database).checkCount == 200)

                for format in ["table", "json", "csv"] {
                    let report = try await firstLine(
                        of: .rankctl, ["report", "--format", format, "--database", stage.database])
                    #expect(report.printedLines.count == 1)
                    #expect(report.errors == "ended with 0\n", "\(format)")
                }
            }
        }

        @Test(arguments: [">&-", "2>&-", "<&- >&- 2>&-"])
        func `a stream that is closed is not taken for the file or connection that is opened next`(
            _ closing: String
        ) async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(20), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(20), ["com.example.app1"]))
                let command =
                    "\(Program.Name.rankd.path) --once --log-level trace --watchlist \(stage.watchlistFile) "
                    + "--database \(stage.database) --search-url \(store.origin)"
                let shell = try stage.start(path: "/bin/sh", ["-c", "\(command) \(closing)"])
                #expect(try await shell.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).checkCount == 20)
                #expect(FileManager.default.contents(atPath: stage.database + ".lock") == Data())
            }
        }

        @Test func `a query that Apple turns away stays due, without a check`() async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--limit-per-minute", "3"])
                try stage.watch(watchlist(terms(5), ["com.example.app1"], parallelism: 1))
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.ending == .code(0))
                #expect(pass.printedLines.count { $0.hasPrefix("check=") } == 3)
                #expect(pass.printedLines.count { $0.hasPrefix("throttled ") && $0.hasSuffix(" status=403") } == 1)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 3)
                #expect(try history.unasked == ["query 4", "query 5"])

                // The pause holds for who asked for it: the same store is not asked again, another one is.
                let again = try await stage.pass(store: store.origin)
                #expect(again.ending == .code(69))
                #expect(again.errors.contains("rankd asks nothing before"))
                #expect(try await store.searches() == 4)
                let other = try await stage.simulator(["--seed", "1", "--apps", "50"])
                #expect(try await stage.pass(store: other.origin).ending == .code(0))
                #expect(try await other.searches() == 2)
            }
        }

        @Test(arguments: ["bomb", "endless", "big"])
        func `an answer without measure is a failure`(_ fault: String) async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--fault", "\(fault)=1"])
                try stage.watch(watchlist(terms(2), ["com.example.app1"], parallelism: 1))
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.ending == .code(69), "\(pass.errors)")
                #expect(
                    pass.printedLines.count { $0.contains(" outcome=failed reason=too-large ") } == 2, "\(pass.output)")
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }

        #if os(Linux)
            @Test(arguments: ["bomb", "endless", "big"])
            func `an answer without measure takes little more memory than the cap`(_ fault: String) async throws {
                try await Stage.run { stage async throws in
                    let store = try await stage.simulator(["--seed", "1", "--apps", "50", "--fault", "\(fault)=1"])
                    try stage.watch(watchlist(terms(2), ["com.example.app1"], parallelism: 1))
                    let rankd = try stage.rankd(store: store.origin)
                    try await rankd.says("pass ended")
                    // A debug build needs about 60 MB for itself.
                    #expect(try #require(rankd.peakMemory) < 128 << 20)
                }
            }
        #endif

        @Test(arguments: [SIGINT, SIGTERM])
        func `a pass that is interrupted keeps what was answered, leaves the rest due, and does not end with 0`(
            _ signal: Int32
        ) async throws {
            try await Stage.run { stage async throws in
                let queries = terms(400)
                let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder, "--latency", "20"])
                try stage.watch(watchlist(queries, ["com.example.app2", "com.example.nowhere"], parallelism: 2))
                let pass = try stage.rankd(["--once"], store: store.origin)
                try await pass.prints("check=3 ")
                pass.signal(signal)
                #expect(try await pass.ends() == .code(130), "\(pass.errors)")
                #expect(pass.errors.contains("not asked, still due"))
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == pass.printedLines.count)
                #expect(try history.unasked.count == 400 - pass.printedLines.count)
                #expect(try history.flaws == [])
            }
        }
    }
}
