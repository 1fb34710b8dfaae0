#if os(Linux)
    import Foundation
    import GRDB
    import History
    import ProgramStage
    import RankKit
    import TestSupport
    import Testing

    extension FaultTests {
        /// Killed at each write and each sync in turn, until the program reaches its own end.
        ///
        /// strace counts the calls of each thread for itself, so one number may stop two runs at different places of the
        /// program; how many different places were met is printed.
        @Suite(.longRun, .needs("strace"), .timeLimit(.minutes(30))) struct KillSweep {
            /// What is under way when the end comes.
            enum Scene: String, Sendable, CaseIterable {
                case firstPass, recovery, housekeeping, migration
            }

            private static let calls = ["pwrite64", "fdatasync", "fsync", "ftruncate"]
            private static let queries = ["habits", "timer"]

            @Test(arguments: Scene.allCases) func `a kill at any write or sync loses nothing that was reported`(
                _ scene: Scene
            )
                async throws
            {
                try await Stage.run { outer async throws in
                    let recordings = try Recordings.ofFiveApps(for: Self.queries, on: outer)
                    let store = try await outer.simulator(["--replay", recordings.folder])
                    let template = try await Self.prepare(scene, on: outer, store: store)
                    var places: [String: Set<Int>] = [:]
                    var runs = 0
                    for call in Self.calls {
                        for number in 1... {
                            runs += 1
                            let place = try await Self.kill(at: call, number, from: template, store: store, scene)
                            guard let place else { break }
                            places[call, default: []].insert(place)
                        }
                    }
                    let met = places.mapValues(\.count).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                    print("SWEEP \(scene): \(runs) runs, killed at \(met.joined(separator: ", "))")
                    #expect(places.values.reduce(0) { $0 + $1.count } >= 10)
                }
            }

            /// One run that ends at the `number`th such call of a thread, and what came after it.
            ///
            /// - Returns: the how-manieth such call of the process it was; `nil` where the run reached its end.
            private static func kill(
                at call: String, _ number: Int, from template: String?, store: Simulator, _ scene: Scene
            ) async throws -> Int? {
                try await Stage.run { stage async throws -> Int? in
                    try stage.watch(ProgramStage.watchlist(queries, [Stage.mine, Stage.nowhere], every: "6h"))
                    for suffix in ["", "-wal", "-shm"] {
                        guard let template, FileManager.default.fileExists(atPath: template + suffix) else { continue }
                        try FileManager.default.copyItem(atPath: template + suffix, toPath: stage.database + suffix)
                    }
                    let moment = "\(scene), \(call) \(number)"
                    let traced = try await run(on: stage, call, number, store)
                    let hasEnded = traced.ending == .code(0)
                    #expect(hasEnded || traced.ending == .signal(SIGKILL), "\(moment): \(traced.errors)")
                    try await stage.isSound(moment)
                    // The one that comes after it may be killed as well.
                    if number.isMultiple(of: 3), !hasEnded {
                        _ = try await run(on: stage, call, 1 + number % 7, store)
                        try await stage.isSound(moment + ", and again")
                    }
                    let last = try await stage.pass(store: store.origin)
                    #expect(last.ending == .code(0), "\(moment): \(last.errors)")
                    let unfinished = try RecordedHistory(stage.database).number(
                        """
                        SELECT count(*) FROM query WHERE retired_at IS NULL
                            AND id NOT IN (SELECT query FROM check_log WHERE outcome = 'good' AND at > unixepoch() - 21600)
                        """)
                    #expect(unfinished == 0, "\(moment)")
                    try await stage.isSound(moment + ", afterwards")
                    if hasEnded { return nil }
                    let trace = String(
                        decoding: FileManager.default.contents(atPath: stage.file("trace")) ?? Data(), as: UTF8.self)
                    return trace.components(separatedBy: " \(call)(").count - 1
                }
            }

            /// Runs `rankd --once`, which is killed at the `number`th such call of a thread.
            static func run(
                on stage: Stage, _ call: String, _ number: Int, _ store: Simulator, environment: [String: String] = [:]
            ) async throws -> Program {
                let strace = try stage.start(
                    path: FaultTests.tool("strace") ?? "strace",
                    [
                        "-f", "-qq", "-o", stage.file("trace"), "-e", "trace=\(call)", "-e",
                        "inject=\(call):signal=KILL:when=\(number)",
                    ] + environment.flatMap { ["-E", "\($0.key)=\($0.value)"] } + [
                        Program.Name.rankd.path, "--once", "--watchlist", stage.watchlistFile, "--database",
                        stage.database, "--search-url", store.origin,
                    ])
                _ = try await strace.ends()
                return strace
            }

            /// Leaves the history that a scene begins with.
            private static func prepare(_ scene: Scene, on stage: Stage, store: Simulator) async throws -> String? {
                switch scene {
                case .firstPass:
                    return nil
                case .recovery:
                    // Killed with a log that has not been merged.
                    try await stage.remember(queries)
                    let rankd = try stage.rankd(store: store.origin)
                    try await rankd.says("pass started")
                    rankd.signal(SIGKILL)
                    _ = try await rankd.ends()
                case .housekeeping:
                    try await stage.remember(queries, days: 4)
                    let history = try HistoryStore(path: stage.database)
                    for hour in 0..<40 {
                        let at = Timestamp(Date()) - 100 * Timestamp.secondsPerDay - Int64(hour) * 3_600
                        try await history.record(
                            Check(query: query(queries[0]), at: at, outcome: .failed(Failure(.timedOut))))
                    }
                    try await history.close()
                case .migration:
                    let dump = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                        .appendingPathComponent("HistoryTests/Schemas/version1.sql")
                    let queue = try DatabaseQueue(path: stage.database)
                    try await queue.writeWithoutTransaction {
                        try $0.execute(sql: String(contentsOf: dump, encoding: .utf8))
                        try $0.execute(sql: "PRAGMA journal_mode = WAL")
                    }
                    try queue.close()
                }
                return stage.database
            }
        }
    }
#endif
