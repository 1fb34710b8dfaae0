import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl init`, answered by a person on a terminal and by options.
    @Suite struct InitCommandTests {
        /// A store that sells an app, those around it, and nothing else.
        private func store(_ stage: Stage) async throws -> Simulator {
            var recordings = try Recordings("store", on: stage)
            func list(_ apps: [(String, String)]) -> Data {
                let entries = apps.map { bundleID, name in
                    let number = 600_000_000 + bundleID.utf8.reduce(0) { ($0 * 31 + Int($1)) % 90_000_000 }
                    return
                        #"{"trackId": \#(number), "bundleId": "\#(bundleID)", "trackName": "\#(name)", "artistName": "\#(name) Ltd"}"#
                }
                return Data(
                    "\n\n\n{\n \"resultCount\":\(entries.count),\n \"results\": [\n\(entries.joined(separator: ",\n"))]\n}\n\n\n"
                        .utf8)
            }
            let mine = ("com.northwind.pomelo", "Pomelo – Focus Timer")
            let around = [
                ("cc.forest", "Forest: Focus Timer"), ("com.keeper", "Focus Keeper: Pomodoro Timer"),
                ("com.study", "Study Focus Timer"), ("com.flow", "Flow: Pomodoro Timer"),
                ("com.session", "Session – Pomodoro Timer"),
            ]
            try recordings.add(list([mine, ("com.kitchen", "Pomelo Kitchen")]), as: "pomelo.json", for: ["pomelo"])
            try recordings.add(
                list(Array(around.prefix(2)) + [mine] + around.dropFirst(2)), as: "focus.json", for: ["focus timer"])
            try recordings.add(list(around), as: "pomodoro.json", for: ["pomodoro timer"])
            try recordings.add(list([]), as: "nothing.json", for: ["qqq"])
            try recordings.add(list([mine]), as: "de.json", for: ["pomelo"], country: "de")
            try recordings.add(list(around), as: "fr.json", for: ["pomelo"], country: "fr")
            return try await stage.simulator(["--replay", recordings.folder])
        }

        /// Somebody at a terminal, which `script` plays.
        private struct Person {
            let program: Program
            let keys: FileHandle

            func type(_ text: String) throws { try keys.write(contentsOf: Data(text.utf8)) }

            func sees(_ text: String) async throws {
                try await eventually("“\(text)” on the terminal, which shows: \(program.output)") {
                    program.output.contains(text) || program.ending != nil ? true : nil
                }
                try #require(program.output.contains(text), "\(program.output) \(program.errors)")
            }
        }

        /// Starts `rankctl init` on a terminal.
        private func sitDown(_ stage: Stage, _ arguments: String, _ store: Simulator) throws -> Person {
            let keys = stage.file("keys")
            try #require(mkfifo(keys, 0o600) == 0)
            let line =
                "stty rows 40 cols 120; exec '\(Program.Name.rankctl.path)' init \(arguments) --search-url \(store.origin)"
            let program = try stage.start(
                path: "/bin/sh", ["-c", #"exec /usr/bin/script -qec "$1" /dev/null <>"$0""#, keys, line],
                environment: ["TERM": "xterm", "SHELL": "/bin/sh"])
            return Person(program: program, keys: try #require(FileHandle(forUpdatingAtPath: keys)))
        }

        private var firstQuestion: String { "Your app: its name, App Store link, number or bundle id:" }

        private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

        @Test func `a person answers, slips included, and gets a watchlist that is valid`() async throws {
            try await Stage.run { stage async throws in
                let person = try sitDown(stage, "--watchlist '\(stage.watchlistFile)'", try await store(stage))
                try await person.sees(firstQuestion)
                // A name with no hit; a country that is none; a number that the list has not; a name beside it.
                try person.type("\nqqq\nzz\nus\npomelo\nus de\n7\n1\n")
                try await person.sees("Which? Numbers such as 1,3-5, queries of your own")
                try person.type("9\n1, 2\n")
                try await person.sees("Which? Numbers such as 1,3, links or bundle ids")
                try person.type("8\nforest\n1,2\n")
                try await person.sees("[Y/n]")
                #expect(!isThere(stage.watchlistFile))
                try person.type("what\ny\n")
                #expect(try await person.program.ends() == .code(0), "\(person.program.output)")
                // Where the lines break depends on the terminal's width.
                func flat(_ text: String) -> String {
                    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                }
                let shown = flat(person.program.output)
                for words in [
                    "the us store finds nothing for “qqq”", "there is no number 7: the list has 1 to 2",
                    "1  Pomelo – Focus Timer · Pomelo – Focus Timer Ltd · com.northwind.pomelo",
                    "focus timer      3 of 5 names around it have these words",
                    "there is no number “9”: the list has 1 to 3",
                    "#3 of 6  focus timer", "not in 5  pomodoro timer", "“forest” is a name: ",
                    "It asks 4 searches a day of the 21,600 that the pace allows: 2 queries in 2 countries, every 1d",
                    "type y or n", "wrote \(stage.watchlistFile)",
                    "rankd --once --watchlist \(stage.watchlistFile) --database \(stage.database)",
                ] { #expect(shown.contains(flat(words)), "\(words) in \(shown)") }
                let check = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(check.ending == .code(0) && check.errors.isEmpty, "\(check.errors)")
                let text = try String(contentsOfFile: stage.watchlistFile, encoding: .utf8)
                #expect(text.contains(#""competitors": ["forest", "focus-keeper"]"#), "\(text)")
                #expect(text.contains(#""countries": ["us", "de"]"#))
            }
        }

        @Test(arguments: [("Ctrl-D", "\u{04}", Int32(64), "the input has ended"), ("Ctrl-C", "\u{03}", 130, "ended")])
        func `leaving in the middle leaves nothing behind`(
            key: String, typed: String, code: Int32, words: String
        ) async throws {
            try await Stage.run { stage async throws in
                let person = try sitDown(stage, "--watchlist '\(stage.watchlistFile)'", try await store(stage))
                try await person.sees(firstQuestion)
                try person.type("pomelo\nus\n")
                try await person.sees("Which one?")
                try person.type(typed)
                #expect(try await person.program.ends() == .code(code), "\(key): \(person.program.output)")
                #expect(person.program.output.contains("\(words): nothing was written"), "\(person.program.output)")
                let left = try FileManager.default.contentsOfDirectory(atPath: stage.path)
                #expect(!left.contains { $0.contains("watchlist") }, "\(left)")
            }
        }

        @Test func `an answer of no writes nothing`() async throws {
            try await Stage.run { stage async throws in
                let person = try sitDown(
                    stage,
                    "--app com.northwind.pomelo --country us --query mood --competitor cc.forest "
                        + "--watchlist '\(stage.watchlistFile)'", try await store(stage))
                try await person.sees("[Y/n]")
                try person.type("n\n")
                #expect(try await person.program.ends() == .code(130))
                #expect(!isThere(stage.watchlistFile))
            }
        }

        @Test func `a file that comes while a person answers is left as it is`() async throws {
            try await Stage.run { stage async throws in
                let person = try sitDown(
                    stage,
                    "--app com.northwind.pomelo --country us --query mood --competitor cc.forest "
                        + "--watchlist '\(stage.watchlistFile)'", try await store(stage))
                try await person.sees("[Y/n]")
                try Data("mine".utf8).write(to: URL(filePath: stage.watchlistFile))
                try person.type("y\n")
                #expect(try await person.program.ends() == .code(65))
                let shown = person.program.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(shown.contains("already exists and was left unchanged"), "\(shown)")
                #expect(try String(contentsOfFile: stage.watchlistFile, encoding: .utf8) == "mine")
                let left = try FileManager.default.contentsOfDirectory(atPath: stage.path)
                #expect(left.count { $0.contains("watchlist") } == 1, "\(left)")
            }
        }

        @Test func `options answer without a terminal, and one look-up is all that is asked`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                let made = try await stage.rankctl([
                    "init", "--app", "com.northwind.pomelo", "--query", "focus timer", "--query", "Focus  Timer",
                    "--query", "mood", "--every", "6h", "--platform", "ipad", "--watchlist", stage.watchlistFile,
                    "--search-url", store.origin,
                ])
                #expect(made.ending == .code(0), "\(made.errors)")
                #expect(try await store.searches() == 0)
                #expect(try await store.lookups() == 1)
                let list = try await stage.rankctl(["watch", "list", stage.watchlistFile, "--format", "csv"])
                #expect(list.output.split(whereSeparator: \.isNewline).count == 3, "\(list.output)")
                #expect(list.output.contains("focus timer,us,ipad,com.northwind.pomelo,pomelo"), "\(list.output)")
                let again = try await stage.rankctl([
                    "init", "--app", "com.northwind.pomelo", "--yes", "--watchlist", stage.watchlistFile,
                    "--search-url", store.origin,
                ])
                #expect(again.ending == .code(65))
                #expect(again.errors.contains("\(stage.watchlistFile) already exists and was left unchanged"))
                #expect(try await store.lookups() == 1)
            }
        }

        @Test func `what cannot be is said before anything is asked`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                let file = ["--watchlist", stage.watchlistFile]
                try stage.write("", to: "plain")
                for (arguments, code, words) in [
                    (file, 64, "nobody can be asked here: name your app with --app"),
                    (file + ["--app", "x"], 64, "name queries with --query, or take the proposed ones with --yes"),
                    (file + ["--app", " ", "--yes"], 64, "--app is empty"),
                    (file + ["--app", "https://example.com/x", "--yes"], 64, "is no link to an app in the App Store"),
                    (file + ["--app", "a.b.c", "--query", ""], 64, "--query: the query is empty"),
                    (
                        file + ["--app", "a.b.c", "--yes", "--every", "often"], 64,
                        "--every: “often” is not a length of time"
                    ),
                    (file + ["--app", "a.b.c", "--yes", "--country", "zz"], 64, "zz"),
                    (
                        file + ["--app", "a.b.c", "--yes", "--competitor", "Forest"], 64,
                        "--competitor “Forest” is a name"
                    ),
                    (["--watchlist", stage.file("none/w.json"), "--app", "a.b.c", "--yes"], 66, "there is no folder"),
                    (["--watchlist", stage.file("plain/w.json"), "--app", "a.b.c", "--yes"], 66, "there is no folder"),
                    (["--watchlist", stage.path, "--app", "a.b.c", "--yes"], 65, "is a folder"),
                ] as [([String], Int32, String)] {
                    let program = try await stage.rankctl(["init"] + arguments + ["--search-url", store.origin])
                    #expect(program.ending == .code(code), "\(arguments): \(program.errors)")
                    #expect(program.errors.contains(words), "\(program.errors)")
                }
                #expect(try await store.searches() == 0)
                #expect(try await store.lookups() == 0)
                #expect(!isThere(stage.watchlistFile))
            }
        }

        @Test func `an app that the store does not have, or that several names fit, is no watchlist`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                for (arguments, code, words) in [
                    (
                        ["--app", "com.nobody.at.all"], 66,
                        "the us store sells no app with the bundle id com.nobody.at.all"
                    ),
                    (["--app", "id999999999"], 66, "the us store sells no app with the id 999999999"),
                    (["--app", "qqq"], 66, "the us store finds nothing for “qqq”"),
                    (["--app", "pomelo"], 64, "  2  Pomelo Kitchen · Pomelo Kitchen Ltd · com.kitchen"),
                    (["--app", "com.northwind.pomelo", "--country", "us,fr"], 66, "is sold in fr: leave it out"),
                    (
                        ["--app", "com.northwind.pomelo", "--competitor", "com.nobody.at.all"], 66,
                        "the us store sells no app with the bundle id com.nobody.at.all: check --competitor"
                    ),
                ] as [([String], Int32, String)] {
                    let program = try await stage.rankctl(
                        ["init"] + arguments + [
                            "--query", "mood", "--watchlist", stage.watchlistFile, "--search-url", store.origin,
                        ])
                    #expect(program.ending == .code(code), "\(arguments): \(program.errors)")
                    #expect(program.errors.contains(words), "\(program.errors)")
                    #expect(!isThere(stage.watchlistFile))
                }
            }
        }

        @Test func `a store that does not answer is 69, and nothing is written`() async throws {
            try await Stage.run { stage async throws in
                let program = try await stage.rankctl([
                    "init", "--app", "com.a.b", "--query", "x", "--watchlist", stage.watchlistFile, "--search-url",
                    "http://127.0.0.1:1",
                ])
                #expect(program.ending == .code(69), "\(program.errors)")
                #expect(program.errors.contains("nothing was written"), "\(program.errors)")
                #expect(!isThere(stage.watchlistFile))
            }
        }

        @Test func `without a flag the file is where every command finds it`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                let file = stage.file("mine.json")
                let made = try await stage.rankctl(
                    ["init", "--app", "com.northwind.pomelo", "--query", "mood", "--search-url", store.origin],
                    environment: ["RANKD_WATCHLIST": file])
                #expect(made.ending == .code(0) && made.errors.contains("wrote \(file)\n"), "\(made.errors)")
                // This one finds the file by the environment, as rankd does.
                #expect(made.errors.contains("\n  rankd --once"), "\(made.errors)")
                #expect(!made.errors.contains("--watchlist"), "\(made.errors)")
                if !isThere("/etc/rankd") {
                    let own = try await stage.rankctl(
                        ["init", "--app", "com.northwind.pomelo", "--query", "mood", "--search-url", store.origin])
                    let home = stage.file(".config/rankd/watchlist.json")
                    #expect(own.ending == .code(0) && own.errors.contains("wrote \(home)\n"), "\(own.errors)")
                    let check = try await stage.rankctl(["watch", "check"])
                    #expect(check.ending == .code(0), "\(check.errors)")
                }
            }
        }
    }
}
