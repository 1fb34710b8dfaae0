import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// How the programs end when something is wrong: a contract with scripts and systemd.
    @Suite struct ExitCodeTests {
        private static let nobody = "http://127.0.0.1:1"

        @Test(arguments: [
            ["--no-such-flag"], ["--once", "--check"], ["--log-level", "loud"], ["--log-format", "xml"],
            ["--search-url", "ftp://127.0.0.1"], ["--search-url", "http://127.0.0.1/search"], ["leftover"],
        ]) func `wrong arguments are 64`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                let rankd = try stage.start(
                    .rankd, ["--watchlist", stage.watchlistFile, "--database", stage.database] + arguments)
                #expect(try await rankd.ends() == .code(64))
                #expect(!rankd.errors.isEmpty && rankd.output.isEmpty)
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test func `a name that is none of the program's three is 64, and it says which those are`() async throws {
            try await Stage.run { stage async throws in
                let other = stage.file("rankx")
                try FileManager.default.createSymbolicLink(
                    atPath: other, withDestinationPath: Program.Name.rankd.path)
                let program = try stage.start(path: other, ["--version"])
                #expect(try await program.ends() == .code(64))
                #expect(program.errors.contains("rankd, rankctl or rankweb") && program.output.isEmpty)
            }
        }

        @Test func `a copy whose name goes on behind one of the three is what that says`() async throws {
            try await Stage.run { stage async throws in
                let copy = stage.file("rankctl-0.1.old")
                try FileManager.default.createSymbolicLink(
                    atPath: copy, withDestinationPath: Program.Name.rankd.path)
                let program = try stage.start(path: copy, ["status", "--database", stage.file("none.sqlite")])
                _ = try await program.ends()
                #expect(program.errors.contains("no history at"), "\(program.errors)")
            }
        }

        @Test(arguments: [["--once"], [], ["--check"]]) func `a missing watchlist is 66`(_ arguments: [String])
            async throws
        {
            try await Stage.run { stage async throws in
                let rankd = try stage.rankd(arguments, store: Self.nobody)
                #expect(try await rankd.ends() == .code(66))
                #expect(rankd.errors.contains("\(stage.watchlistFile): no such file"))
            }
        }

        @Test(arguments: [["--once"], [], ["--check"]])
        func `an invalid watchlist is 78, with every mistake, its place and its remedy`(_ arguments: [String])
            async throws
        {
            try await Stage.run { stage async throws in
                try stage.watch(
                    """
                    { "watch": [
                        { "query": "", "bundleId": "com.example.app1" },
                        { "query": "habits", "bundleId": "com.example app" },
                        { "query": "habits", "bundleId": "com.example.app1", "country": "xx", "evry": "6h" },
                    ] }
                    """)
                let rankd = try stage.rankd(arguments, store: Self.nobody)
                #expect(try await rankd.ends() == .code(78))
                let lines = rankd.errors.split(separator: "\n").map(String.init)
                #expect(lines.count == 4, "\(rankd.errors)")
                for place in ["watch[0].query", "watch[1].bundleId", "watch[2].country", "watch[2].evry"] {
                    let line = lines.first { $0.hasPrefix("\(place): ") }
                    #expect(line?.contains("; ") == true, "\(place): \(rankd.errors)")
                }
                #expect(rankd.output.isEmpty)
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test(arguments: ["rankd", "rankctl"])
        func `a folder, a FIFO or nothing at all in the watchlist's place is 78, at once`(_ name: String) async throws {
            try await Stage.run { stage async throws in
                let places = ["folder", "fifo", "empty"]
                try FileManager.default.createDirectory(
                    atPath: stage.file("folder"), withIntermediateDirectories: false)
                try #require(mkfifo(stage.file("fifo"), 0o600) == 0)
                try stage.write("", to: "empty")
                for place in places {
                    let program =
                        name == "rankd"
                        ? try stage.start(
                            .rankd, ["--once", "--watchlist", stage.file(place), "--database", stage.database])
                        : try stage.start(.rankctl, ["watch", "check", stage.file(place)])
                    #expect(try await program.ends() == .code(78), "\(place)")
                    #expect(program.errors.hasPrefix(stage.file(place) + ": "), "\(program.errors)")
                }
            }
        }

        @Test func `a database of another program, or none at all, is 65 and stays as it was`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                let foreign = try DatabaseQueue(path: stage.file("foreign.sqlite"))
                try await foreign.write { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
                try foreign.close()
                try stage.write(String(repeating: "not a database\n", count: 200), to: "text.sqlite")
                for name in ["foreign.sqlite", "text.sqlite"] {
                    let before = FileManager.default.contents(atPath: stage.file(name))
                    let rankd = try stage.start(
                        .rankd,
                        [
                            "--once", "--watchlist", stage.watchlistFile, "--database", stage.file(name),
                            "--search-url", Self.nobody,
                        ])
                    #expect(try await rankd.ends() == .code(65), "\(name): \(rankd.errors)")
                    #expect(rankd.errors.contains(stage.file(name)))
                    let report = try await stage.rankctl(["report", "--database", stage.file(name)])
                    #expect(report.ending == .code(65), "\(name): \(report.errors)")
                    #expect(FileManager.default.contents(atPath: stage.file(name)) == before)
                }
            }
        }

        @Test func `due, and not one search succeeded, is 69`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(terms(2), ["com.example.app1"]))
                let pass = try await stage.pass(store: Self.nobody)
                #expect(pass.ending == .code(69))
                #expect(pass.printedLines.count { $0.contains(" outcome=failed reason=cannot-connect ") } == 2)
                // The retry is due in five minutes, not now.
                let next = try await stage.pass(store: Self.nobody)
                #expect(next.ending == .code(0) && next.errors.hasPrefix("nothing is due"))
            }
        }

        @Test(arguments: [["report"], ["report", "standings", "--format", "json"], ["status"]])
        func `no history is 66, and the words say who makes one`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let rankctl = try await stage.rankctl(arguments + ["--database", stage.database])
                #expect(rankctl.ending == .code(66))
                #expect(rankctl.output.isEmpty)
                #expect(rankctl.errors.contains("no history at \(stage.database): rankd makes it"))
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test func `the help and the version are no mistakes`() async throws {
            try await Stage.run { stage async throws in
                for name in [Program.Name.rankd, .rankctl, .simulator] {
                    let help = try stage.start(name, ["--help"])
                    #expect(try await help.ends() == .code(0))
                    #expect(help.output.contains("USAGE: \(name.rawValue)"))
                }
                for name in [Program.Name.rankd, .rankctl] {
                    let version = try stage.start(name, ["--version"])
                    #expect(try await version.ends() == .code(0))
                    #expect(version.output.first?.isNumber == true)
                }
            }
        }
    }
}
