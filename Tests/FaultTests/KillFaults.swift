import Foundation
import ProgramStage
import TestSupport
import Testing

extension FaultTests {
    /// Processes that die.
    @Suite struct KillFaults {
        private static let kills = 50
        private static let queries = 2_000

        /// Every line that was printed is in the file, nothing in it is half there, and nothing is asked twice.
        @Test func `kill -9 at any moment of a pass loses nothing that was reported, fifty times`() async throws {
            var random = SplitMix(seed: 20_261_120)
            try await Stage.run { stage async throws in
                let queries = terms(Self.queries)
                let recordings = try Recordings.ofFiveApps(for: queries, on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder, "--latency", "2"])
                try stage.watch(watchlist(queries, ["com.example.app4", "com.example.nowhere"], parallelism: 4))

                var told: Set<Int> = []
                var whileAsking = 0
                for round in 1...Self.kills {
                    let asked = try await store.searches()
                    let before = told.isEmpty ? 0 : try RecordedHistory(stage.database).checkCount
                    let pass = try stage.rankd(["--once"], store: store.origin)
                    // Half of the kills come at any time since the start, half while checks are being recorded.
                    if round.isMultiple(of: 2) { try await pass.prints("check=") }
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 0..<(round.isMultiple(of: 2) ? 60 : 300), using: &random)))
                    pass.signal(SIGKILL)
                    #expect(try await pass.ends() == .signal(SIGKILL), "round \(round): \(pass.errors)")

                    told = stage.told
                    if !pass.printedLines.isEmpty { whileAsking += 1 }
                    guard !told.isEmpty else { continue }
                    try await stage.isSound("round \(round)")
                    let history = try RecordedHistory(stage.database)
                    #expect(
                        try history.number("SELECT count(*) - count(DISTINCT query) FROM check_log") == 0,
                        "round \(round) asked what was not due")
                    // Whatever was asked beyond what is recorded was under way when the process died.
                    let lost = try await store.searches() - asked - (try history.checkCount - before)
                    #expect((0...8).contains(lost), "round \(round)")
                }
                #expect(whileAsking >= Self.kills / 2)

                let due = try RecordedHistory(stage.database).unasked
                try #require(!due.isEmpty, "the kills left nothing to ask: more queries are needed")
                let asked = try await store.searches()
                let last = try await stage.pass(store: store.origin)
                #expect(last.ending == .code(0), "\(last.errors)")
                #expect(try await store.searches() - asked == due.count)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == Self.queries)
                try await stage.isSound()
            }
        }

        #if os(Linux)
            /// Where memory can be limited on this machine; `nil` where it cannot.
            private static let memoryGroups: String? = {
                let folder = "/sys/fs/cgroup/memory"
                return geteuid() == 0 && FileManager.default.isWritableFile(atPath: folder + "/cgroup.procs")
                    ? folder : nil
            }()

            @Test(.longRun, .enabled(if: memoryGroups != nil, "it needs root and cgroup v1's memory controller"))
            func `running out of memory in a pass loses nothing that was reported`() async throws {
                let group = try #require(Self.memoryGroups) + "/rankd-fault-\(getpid())"
                try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: false)
                defer { rmdir(group) }
                try await Stage.run { stage async throws in
                    // Answers of 2 MB, eight at a time.
                    let store = try await stage.simulator(["--seed", "1", "--full-size"])
                    try stage.watch(watchlist(terms(60), ["com.example.app4"], parallelism: 8))
                    var kills = 0
                    // In MB: from too little to start to enough for some of the pass.
                    for limit in [2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32] {
                        let shell = try stage.start(
                            path: "/bin/sh",
                            [
                                "-c",
                                "echo \(limit)M > \(group)/memory.limit_in_bytes; echo $$ > \(group)/cgroup.procs; "
                                    + "exec \(Program.Name.rankd.path) --once --watchlist \(stage.watchlistFile) "
                                    + "--database \(stage.database) --search-url \(store.origin)",
                            ])
                        if try await shell.ends() == .signal(SIGKILL) { kills += 1 }
                        try await stage.isSound("\(limit) MB")
                    }
                    #expect(kills > 0)
                    #expect(try await stage.pass(store: store.origin).ending == .code(0))
                    #expect(try RecordedHistory(stage.database).checkCount == 60)
                    try await stage.isSound()
                }
            }
        #endif

        @Test(arguments: [SIGABRT, SIGSEGV, SIGKILL])
        func `ten crashes in a row leave the history sound`(_ signal: Int32) async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(40), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder, "--latency", "20"])
                try stage.watch(watchlist(terms(40), ["com.example.app4"], parallelism: 2))
                for round in 1...10 {
                    let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin)
                    try await rankd.says(round.isMultiple(of: 2) ? "pass started" : "watchlist adopted")
                    rankd.signal(signal)
                    #expect(try await rankd.ends() == .signal(signal), "\(rankd.errors)")
                    try await stage.isSound("round \(round)")
                }
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                #expect(try RecordedHistory(stage.database).checkCount == 40)
                try await stage.isSound()
                let left = try FileManager.default.contentsOfDirectory(atPath: stage.path)
                    .filter { $0.hasPrefix("history") }
                #expect(
                    Set(left) == [
                        "history.sqlite", "history.sqlite-wal", "history.sqlite-shm", "history.sqlite.lock",
                        "history.sqlite.turns",
                    ])
            }
        }
    }
}
