import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// What shells are offered: by the program itself, and through their own completion scripts.
    @Suite struct CompletionTests {
        /// Texts that a shell would run, split or take for something else.
        private static let hostile = [
            "it's $(touch pwned) `touch pwned`", #"a "quoted" \ word"#, "b:c;d|e&f>g", "~root *.md {x,y} $HOME",
        ]
        private static let plain = "habit tracker"
        /// It would turn the terminal's line around.
        private static let acting = "\u{202E}gpj"

        private static let bash = FileManager.default.isExecutableFile(atPath: "/bin/bash") ? "/bin/bash" : nil
        private static let zsh = ["/usr/bin/zsh", "/bin/zsh"].first(where: FileManager.default.isExecutableFile)
        private static let fish = ["/usr/bin/fish", "/bin/fish"].first(where: FileManager.default.isExecutableFile)

        private func json(_ texts: [String]) throws -> String {
            String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        }

        /// A history with all of those queries, and hostile aliases and tags.
        private func record(_ stage: Stage, queries: [String]) async throws {
            let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(
                """
                { "apps": { "mine": { "bundleId": "com.example.app4", "competitors": ["$(id)'x"] },
                    "$(id)'x": { "bundleId": "com.example.app2" } },
                  "watch": [ { "app": "mine", "queries": \(try json(queries)), "every": "4w",
                    "tags": ["core", "a: $(id)"] } ],
                  "service": { "requestsPerMinute": 100000 } }
                """)
            let pass = try await stage.pass(store: store.origin)
            try #require(pass.ending == .code(0), "\(pass.errors)")
        }

        /// What the program offers for an option, as a shell's completion script asks for it.
        private func offered(
            _ stage: Stage, _ option: String, of command: [String] = ["report"], typed: String = "",
            line: [String]? = nil, shell: String? = nil, environment: [String: String] = [:]
        ) async throws -> [String] {
            let words = ["rankctl"] + command + (line ?? ["--database", stage.database]) + [option, typed]
            let environment = environment.merging(shell.map { ["SAP_SHELL": $0] } ?? [:]) { $1 }
            let program = try await stage.rankctl(
                ["---completion"] + command + ["--", option, "\(words.count - 1)", "\(typed.count)"] + words,
                environment: environment)
            #expect(program.ending == .code(0) && program.errors.isEmpty, "\(program.errors)")
            return program.output.split(separator: "\n").map(String.init)
        }

        // MARK: The program

        @Test func `apps, queries, countries and tags come from the history on the line`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, queries: [Self.plain, "streaks"])
                #expect(try await offered(stage, "--app") == ["mine", "$(id)'x"])
                #expect(try await offered(stage, "--app", typed: "com.") == ["com.example.app4", "com.example.app2"])
                #expect(try await offered(stage, "--query") == [Self.plain, "streaks"])
                #expect(try await offered(stage, "--query", typed: "Str") == ["streaks"])
                #expect(try await offered(stage, "--country") == ["us"])
                #expect(try await offered(stage, "--tag") == ["a: $(id)", "core"])
                #expect(try await offered(stage, "--tag", of: ["report", "standings"], typed: "co") == ["core"])
                // Any app that was ever seen, once it is begun.
                let history = try await offered(stage, "--app", of: ["report", "history"], typed: "com.example.app")
                #expect(history.sorted() == (1...5).map { "com.example.app\($0)" })
            }
        }

        @Test func `the history is found where the command would find it, however it is quoted`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, queries: [Self.plain])
                let name = URL(fileURLWithPath: stage.database).lastPathComponent
                for line in [
                    ["--database", "~/\(name)"], ["--database", "$HOME/'\(name)'"],
                    ["--database", "\"${HOME}\"/\(name)"],
                    ["--database=\(stage.database)"], ["--database", "=", stage.database],
                    ["--database", "/nowhere", "--database", stage.database],
                    ["--database", stage.database.replacing("history", with: #"hi\story"#)],
                ] {
                    #expect(try await offered(stage, "--query", line: line) == [Self.plain], "\(line)")
                }
                let variables = ["RANKD_DATABASE": stage.database]
                #expect(try await offered(stage, "--query", line: [], environment: variables) == [Self.plain])
            }
        }

        @Test func `without a history there is silence, and still every country`() async throws {
            try await Stage.run { stage async throws in
                let foreign = try stage.write("this is no database", to: "foreign.sqlite")
                for path in [stage.database, foreign, stage.path, "\u{1B}[2J"] {
                    #expect(try await offered(stage, "--query", line: ["--database", path]).isEmpty)
                    #expect(try await offered(stage, "--app", line: ["--database", path]).isEmpty)
                    let countries = try await offered(stage, "--country", typed: "d", line: ["--database", path])
                    #expect(countries == ["de", "dk", "dm", "do", "dz"])
                }
            }
        }

        @Test func `hostile names reach each shell quoted, and what would act on a terminal does not`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, queries: Self.hostile + [Self.acting])
                #expect(try await offered(stage, "--query") == Self.hostile)
                #expect(
                    try await offered(stage, "--query", shell: "bash") == [
                        #"'it'\''s $(touch pwned) `touch pwned`'"#, #"'a "quoted" \ word'"#, "'b:c;d|e&f>g'",
                        "'~root *.md {x,y} $HOME'",
                    ])
                #expect(
                    // The last line is what the script of zsh takes away.
                    try await offered(stage, "--query", shell: "zsh") == [
                        Self.hostile[0], #"a "quoted" \\ word"#, #"b\:c;d|e&f>g"#, Self.hostile[3], " ",
                    ])
                #expect(
                    try await offered(stage, "--app", shell: "fish") == [
                        "mine\tcom.example.app4", "$(id)'x\tcom.example.app2",
                    ])
            }
        }

        // MARK: The scripts

        private func script(_ shell: String, _ stage: Stage, of program: Program.Name = .rankctl) async throws -> String
        {
            let made = try stage.start(program, ["--generate-completion-script", shell])
            #expect(try await made.ends() == .code(0), "\(made.errors)")
            return try stage.write(made.output, to: "\(program.rawValue).\(shell)")
        }

        /// What bash would offer at the end of each line, the lines' words given apart.
        private func completedByBash(_ lines: [[String]], _ stage: Stage, _ bash: String) async throws -> [[String]] {
            var text = """
                source \(try await script("bash", stage))
                complete_line() {
                    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
                    COMP_POINT=${#COMP_LINE}
                    _rankctl "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                    printf '%s\\n' "${COMPREPLY[@]}"
                    echo "--"
                }

                """
            for line in lines {
                let words = [Program.Name.rankctl.path] + line
                text +=
                    "complete_line "
                    + words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
                text += "\n"
            }
            let file = try stage.write("cd \(stage.path)\n" + text, to: "try.bash")
            let program = try stage.start(path: bash, ["--noprofile", "--norc", file])
            #expect(try await program.ends() == .code(0) && program.errors.isEmpty, "\(program.errors)")
            return program.output.split(separator: "--\n", omittingEmptySubsequences: false).dropLast().map {
                $0.split(separator: "\n").map(String.init)
            }
        }

        @Test(.enabled(if: Self.bash != nil, "needs /bin/bash"))
        func `bash offers hostile names as they are, and runs none of them`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage, queries: Self.hostile + [Self.plain])
                let files = ["--database", stage.database]
                let offered = try await completedByBash(
                    [
                        ["report"] + files + ["--query", ""],
                        ["report", "history"] + files + ["--query", #"habit\ "#],
                        ["report"] + files + ["--app", ""], ["report", "--format", "js"], ["report", "his"],
                        ["report", "--database", "hist"], ["report", "--comp"], ["wat"],
                    ], stage, try #require(Self.bash))
                #expect(offered[0] == Self.hostile + [Self.plain])
                #expect(offered[1] == [Self.plain])
                #expect(offered[2] == ["mine", "$(id)'x"])
                #expect(offered[3] == ["json"] && offered[4] == ["history"])
                #expect(offered[5].contains("history.sqlite"))
                #expect(offered[6] == ["--competitors"] && offered[7] == ["watch"])
                #expect(!FileManager.default.fileExists(atPath: stage.file("pwned")), "a name was run")
            }
        }

        @Test(
            .enabled(if: Self.bash != nil || Self.zsh != nil || Self.fish != nil, "needs bash, zsh or fish"),
            arguments: [Program.Name.rankd, .rankctl, .rankweb])
        func `each shell that is here understands its script`(_ program: Program.Name) async throws {
            try await Stage.run { stage async throws in
                for (name, path) in [("bash", Self.bash), ("zsh", Self.zsh), ("fish", Self.fish)] {
                    let file = try await script(name, stage, of: program)
                    guard let path else { continue }
                    let shell = try stage.start(path: path, ["-n", file])
                    #expect(try await shell.ends() == .code(0) && shell.errors.isEmpty, "\(name): \(shell.errors)")
                }
            }
        }
    }
}
