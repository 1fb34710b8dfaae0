#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    extension ProgramTests {
        /// Whatever program is given a file that is no history: it refuses it, and leaves it and its log as they were.
        @Suite struct RefusedFileTests {
            private static let commands = [
                ["rankd", "--once"], ["rankctl", "import", "export.ndjson"],
                ["rankctl", "prune", "--app", "com.example.app1", "--yes"], ["rankctl", "report"],
                ["rankctl", "status"],
                ["rankctl", "verify"], ["rankctl", "export"], ["rankctl", "backup", "copy.sqlite"],
                ["rankctl", "digest"], ["rankctl", "watch", "check", "watchlist.json"],
            ]

            /// What is done to the history of a rankd that was killed, by a shell.
            private static let damages = [
                ": > history.sqlite", "head -c 100 /dev/zero | dd of=history.sqlite conv=notrunc",
                "truncate -s 40000 history.sqlite", "yes text | head -c 450 > history.sqlite",
                "printf nobody | dd of=history.sqlite bs=1 seek=68 conv=notrunc",
                "printf '\\001' | dd of=history.sqlite bs=1 seek=62 conv=notrunc",
            ]

            private func files(_ stage: Stage) -> [Data?] {
                ["", "-wal"].map { FileManager.default.contents(atPath: stage.database + $0) }
            }

            private func shell(_ command: String, _ stage: Stage) async throws {
                let shell = try stage.start(path: "/bin/sh", ["-c", "cd \(stage.path) && { \(command); }"])
                try #require(try await shell.ends() == .code(0), "\(shell.errors)")
            }

            @Test func `no program changes a file that it refuses, nor the log beside it`() async throws {
                try await Stage.run { stage async throws in
                    let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                    try stage.watch(watchlist(terms(3), ["com.example.app1"]))
                    try #require(try await stage.pass(store: store.origin).ending == .code(0))
                    let export = try await stage.rankctl(
                        ["export", "--output", stage.file("export.ndjson"), "--database", stage.database])
                    try #require(export.ending == .code(0))
                    try stage.watch(watchlist(terms(5), ["com.example.app1"]))
                    let rankd = try stage.rankd(store: store.origin)
                    try await rankd.says("pass ended")
                    rankd.signal(SIGKILL)
                    _ = try await rankd.ends()
                    try await shell("mkdir kept; cp history.sqlite* kept; test -s history.sqlite-wal", stage)

                    for damage in Self.damages {
                        for command in Self.commands {
                            try await shell(
                                "rm -f history.sqlite* copy.sqlite; cp kept/history.sqlite* .; \(damage)", stage)
                            let before = files(stage)
                            let arguments = command.dropFirst().map {
                                $0.contains(".") && !$0.hasPrefix("com.") ? stage.file($0) : $0
                            }
                            let program =
                                command[0] == "rankd"
                                ? try stage.rankd(arguments, store: store.origin)
                                : try stage.start(.rankctl, arguments + ["--database", stage.database])
                            let ending = try await program.ends()
                            let what = "\(damage): \(command.joined(separator: " ")): \(program.errors)"
                            #expect(files(stage) == before, "\(what)")
                            // What checks the watchlist needs no history.
                            if command.contains("check") { continue }
                            #expect([.code(65), .code(2)].contains(ending), "\(ending) \(what)")
                        }
                    }
                }
            }
        }
    }
#endif
