#if os(Linux)
    import Foundation
    import History
    import ProgramStage
    import RankKit
    import Synchronization
    import TestSupport
    import Testing
    import Tracking

    extension FaultTests {
        /// What a kill leaves is compared list by list and position by position.
        @Suite(.longRun, .needs("strace"), .timeLimit(.minutes(30))) struct UpkeepSweep {
            private static let queries = ["habits", "timer"]
            private static let late = "com.past.app7"
            private static let days: Int64 = 50
            private static let failures = 150
            /// At which calls a thread is killed: at every sync, and at every so many of its writes.
            private static let calls = [("pwrite64", 4), ("fdatasync", 1), ("fsync", 1), ("ftruncate", 1)]

            @Test func `a clean-up that is killed at writes and syncs loses no list and no position`()
                async throws
            {
                try await Stage.run { outer async throws in
                    let recordings = try Recordings.ofFiveApps(for: Self.queries, on: outer)
                    let store = try await outer.simulator(["--replay", recordings.folder])
                    try await Self.prepare(on: outer)
                    let before = try Remains(of: outer.database, queries: Self.queries, late: Self.late)
                    #expect(before.lists.count == 2 * Int(Self.days))

                    var met: Set<String> = []
                    var kills = 0
                    for (call, stride) in Self.calls {
                        var number = 1
                        while try await Self.kill(
                            at: call, number, from: outer.database, before, store: store, &met)
                        {
                            kills += 1
                            number += stride
                        }
                    }
                    print("SWEEP upkeep: killed \(kills) times, while \(met.sorted().joined(separator: ", "))")
                    #expect(
                        met.isSuperset(of: [
                            "filling in", "rolling up", "deriving days", "compacting", "dropping lists",
                            "thinning failures", "giving back room",
                        ]))
                }
            }

            @Test(.cutsPower, .needs("cc"))
            func `a power cut in a clean-up loses no list and no position`() async throws {
                try await Stage.run { outer async throws in
                    let shim = try await PowerCutShim.built(on: outer)
                    let recordings = try Recordings.ofFiveApps(for: Self.queries, on: outer)
                    let store = try await outer.simulator(["--replay", recordings.folder])
                    try await Self.prepare(on: outer)
                    let before = try Remains(of: outer.database, queries: Self.queries, late: Self.late)
                    var met: Set<String> = []
                    var cuts = 0
                    for (call, stride) in Self.cutCalls {
                        var number = 1
                        while try await Self.kill(
                            at: call, number, from: outer.database, before, store: store, shim: shim, &met)
                        {
                            cuts += 1
                            number += stride
                        }
                    }
                    print("SWEEP upkeep: power cut \(cuts) times, while \(met.sorted().joined(separator: ", "))")
                    #expect(cuts >= 40)
                }
            }

            /// The same for power cuts. What lies between two syncs is lost wherever in between the power goes.
            private static let cutCalls = [("pwrite64", 5), ("fdatasync", 1)]

            /// One run that ends at the `number`th such call of a thread, and what the next one makes of it.
            ///
            /// - Parameter shim: where given, only what was synced is left.
            /// - Returns: `false` where the run reached its end.
            private static func kill(
                at call: String, _ number: Int, from template: String, _ before: Remains, store: Simulator,
                shim: String? = nil, _ met: inout Set<String>
            ) async throws -> Bool {
                try await Stage.run { stage async throws -> Bool in
                    try watch(on: stage, late: true)
                    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: template + suffix) {
                        try FileManager.default.copyItem(atPath: template + suffix, toPath: stage.database + suffix)
                    }
                    let moment = "\(call) \(number)"
                    let disk = stage.file("disk")
                    if shim != nil { try copyHistory(stage.path, to: disk) }
                    let traced = try await KillSweep.run(
                        on: stage, call, number, store,
                        environment: shim.map { ["LD_PRELOAD": $0, "SHADOW": disk] } ?? [:])
                    let hasEnded = traced.ending == .code(0)
                    #expect(hasEnded || traced.ending == .signal(SIGKILL), "\(moment): \(traced.errors)")
                    if shim != nil { try copyHistory(disk, to: stage.path) }
                    met.formUnion(try stages(of: stage.database))
                    try await compare(before, stage.database, isDone: hasEnded && shim == nil, moment)
                    if hasEnded { return false }
                    let last = try await stage.pass(store: store.origin)
                    #expect(last.ending == .code(0), "\(moment): \(last.errors)")
                    // A pass of which nothing was due any more leaves the clean-up to the next one.
                    let history = try RecordedHistory(stage.database)
                    let isDone =
                        try history.number("SELECT count(*) FROM setting WHERE name = 'last_housekeeping_at'") == 1
                    if !isDone {
                        let store = try HistoryStore(path: stage.database)
                        _ = try await Housekeeping(history: store).run(now: Timestamp(Date()))
                        try await store.close()
                    }
                    try await compare(before, stage.database, isDone: true, moment + ", afterwards")
                    return true
                }
            }

            /// Puts the history in one folder, without its index of the log, in the place of that in another.
            private static func copyHistory(_ folder: String, to other: String) throws {
                let files = FileManager.default
                try files.createDirectory(atPath: other, withIntermediateDirectories: true)
                for suffix in ["", "-wal", "-shm"] {
                    let (from, to) = (folder + "/history.sqlite" + suffix, other + "/history.sqlite" + suffix)
                    if files.fileExists(atPath: to) { try files.removeItem(atPath: to) }
                    if suffix != "-shm", files.fileExists(atPath: from) { try files.copyItem(atPath: from, toPath: to) }
                }
            }

            /// Each list and position that was there is there, once and as it was, but for lists that may be dropped;
            /// those of the pair that is filled in are what the lists say; nothing has come of nothing.
            private static func compare(
                _ before: Remains, _ database: String, isDone: Bool, _ moment: String
            ) async throws {
                let after = try Remains(of: database, queries: queries, late: late)
                let kept = Timestamp.startOfDay(Timestamp(Date()).day - 14 + (isDone ? 0 : 1))
                let fresh = Timestamp(Date()) - Timestamp.secondsPerDay / 2
                for (key, list) in before.lists where after.lists[key] != list {
                    let isGone = after.lists[key] == nil
                    #expect(
                        isGone && list.at < kept, "\(moment): the list of \(list.at) is \(isGone ? "gone" : "another")")
                }
                for (key, list) in after.lists where before.lists[key] == nil {
                    #expect(list.at > fresh, "\(moment): a list of \(list.at) is new")
                }
                #expect(after.doubles == 0, "\(moment)")
                let known = before.positions.union(before.expected)
                #expect(before.positions.isSubset(of: after.positions), "\(moment): positions are lost")
                let invented = after.positions.subtracting(known).filter { Int64($0.at) < fresh.secondsSinceEpoch }
                #expect(invented.isEmpty, "\(moment): \(invented.first.map { "\($0)" } ?? "")")
                if isDone {
                    #expect(before.expected.isSubset(of: after.positions), "\(moment): the past is not filled in")
                    #expect(after.lists.count < before.lists.count, "\(moment): nothing was dropped")
                }
                let findings = Mutex<[String]>([])
                _ = try await HistoryReader(path: database).verify { finding in
                    findings.withLock { $0.append(finding.description) }
                }
                let found = findings.withLock { $0 }
                #expect(found.isEmpty, "\(moment): \(found.prefix(5))")
            }

            /// What was under way when the end came, as the file tells.
            private static func stages(of database: String) throws -> Set<String> {
                let history = try RecordedHistory(database)
                func number(_ sql: String) throws -> Int { try history.number(sql) }
                let today = Timestamp(Date()).day
                func setting(_ name: String) -> String {
                    "SELECT coalesce(max(value), 0) FROM setting WHERE name = '\(name)'"
                }
                let closed =
                    "SELECT count(*) FROM result_list JOIN check_log ON check_log.id = check_id WHERE at < \(today * 86_400)"
                var met: Set<String> = []
                guard try number("SELECT count(*) FROM pair WHERE bundle_id = '\(late)'") > 0 else { return met }
                let fills = try number("SELECT count(*) FROM pair_fill")
                if fills > 0 { met.insert("filling in") }
                guard fills == 0, try number(setting("last_housekeeping_at")) == 0 else { return met }
                let rolledUp = try number(setting("rolled_up_through_day"))
                if rolledUp < today - 1 {
                    if try number("SELECT count(*) FROM pair_day WHERE day = \(rolledUp)") > 0 {
                        met.insert("rolling up")
                    }
                    return met
                }
                let derived = try number(setting("country_days_through_day"))
                if derived < today - 1 {
                    if derived > 0 { met.insert("deriving days") }
                    return met
                }
                let loose = try number(closed)
                if loose > 0 {
                    if loose < 2 * unpaged { met.insert("compacting") }
                    return met
                }
                let failed = try number("SELECT count(*) FROM check_log WHERE outcome = 'failed'")
                if try failed == failures && number(setting("lists_since")) > 0 { met.insert("dropping lists") }
                if 0 < failed, failed < failures { met.insert("thinning failures") }
                if failed == 0 { met.insert("giving back room") }
                return met
            }

            /// Lists of each query that are in no page when the clean-up begins.
            private static let unpaged = 20

            private static func watch(on stage: Stage, late: Bool) throws {
                let apps = [Stage.mine, Stage.nowhere] + (late ? [Self.late] : [])
                try stage.watch(
                    ProgramStage.watchlist(queries, apps, every: "6h").replacing(
                        "\"service\": {",
                        with: "\"service\": { \"retention\": { \"lists\": \"14d\", \"failures\": \"14d\" },"))
            }

            /// Leaves pages, lists that are yet to go into them, and failures that are too old. One query's lists change so
            /// much that it has a page that goes whole; the other's is long enough to be cut.
            private static func prepare(on stage: Stage) async throws {
                var random = SplitMix(seed: 4)
                let apps = [Stage.mine, Stage.nowhere]
                let now = Timestamp(Date())
                let history = try HistoryStore(path: stage.database)
                let start = now - (days + 100) * Timestamp.secondsPerDay
                try await history.adopt(TestSupport.watchlist(queries.map { (query($0), apps) }), now: start)
                for hour in 0..<failures {
                    let at = start + Int64(hour) * 600
                    try await history.record(
                        Check(query: query(queries[0]), at: at, outcome: .failed(Failure(.timedOut))))
                }
                var orders = queries.map { _ in (1...200).map { "com.past.app\($0)" } + [Stage.mine] }
                for day in 0..<days {
                    for (index, term) in queries.enumerated() {
                        if index == 0 {
                            orders[0].shuffle(using: &random)
                        } else {
                            orders[1].swapAt(Int(day) % 200, Int(day) % 7)
                        }
                        try await history.record(
                            Check(
                                query: query(term), at: now - (days - day) * Timestamp.secondsPerDay,
                                outcome: .answered(list(orders[index]))))
                    }
                }
                let paged = now - Int64(unpaged) * Timestamp.secondsPerDay
                for query in try await history.queriesToCompact(before: paged) {
                    var mark: HistoryStore.CompactionMark?
                    repeat {
                        mark = try await history.compact(query: query, after: mark, before: paged, limit: 10).next
                    } while mark != nil
                }
                while let day = try await history.nextDayToRollUp(today: now.day - 3) {
                    _ = try await history.rollUp(day: day, after: 0, limit: 100)
                }
                try await history.close()
            }
        }
    }
#endif
