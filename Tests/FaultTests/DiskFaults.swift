import Foundation
import GRDB
import ProgramStage
import Testing

extension FaultTests {
    /// Disks that are full, fail, or are changed behind the program's back.
    @Suite struct DiskFaults {
        private static let count = 30

        private func store(_ stage: Stage) async throws -> Simulator {
            let recordings = try Recordings.ofFiveApps(for: terms(Self.count), on: stage)
            try stage.watch(watchlist(terms(Self.count), [Stage.mine, Stage.nowhere]))
            return try await stage.simulator(["--replay", recordings.folder])
        }

        #if os(Linux)
            /// A file system of 2 MB, and the service on it, asking every second.
            private func onSmallDisk(
                _ body: (_ stage: Stage, _ disk: String, _ database: String, _ rankd: Program) async throws -> Void
            ) async throws {
                try await Stage.run { stage async throws in
                    let disk = stage.file("disk")
                    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
                    try await run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], on: stage)
                    do {
                        let recordings = try Recordings.ofFiveApps(for: terms(4), on: stage)
                        let store = try await stage.simulator(["--replay", recordings.folder])
                        try stage.watch(watchlist(terms(4), [Stage.mine, Stage.nowhere], every: "1s"))
                        let database = disk + "/history.sqlite"
                        let rankd = try stage.start(
                            .rankd,
                            [
                                "--watchlist", stage.watchlistFile, "--database", database, "--search-url",
                                store.origin,
                                "--log-level", "debug",
                            ])
                        try await eventually("checks: \(rankd.errors)") { stage.told.count > 8 ? true : nil }
                        try await body(stage, disk, database, rankd)
                        rankd.signal(SIGTERM)
                        #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                        for flaw in try await stage.flaws(in: database) { Issue.record(Comment(rawValue: flaw)) }
                        // What was answered is recorded: at most what was under way at the end is not.
                        let missing = try await store.searches() - RecordedHistory(database).checkCount
                        #expect((0...4).contains(missing))
                    } catch {
                        for program in stage.started { program.end() }
                        try await run("umount", ["-l", disk], on: stage)
                        throw error
                    }
                    try await run("umount", ["-l", disk], on: stage)
                }
            }

            private func run(_ tool: String, _ arguments: [String], on stage: Stage) async throws {
                let program = try stage.start(path: FaultTests.tool(tool) ?? tool, arguments)
                #expect(try await program.ends() == .code(0), "\(tool): \(program.errors)")
            }

            @Test(.longRun, .asRoot) func `on a full disk results wait, and are recorded when there is room`()
                async throws
            {
                try await onSmallDisk { stage, disk, database, rankd async throws in
                    let filler = try stage.start(path: "/bin/sh", ["-c", "cat /dev/zero > \(disk)/filler"])
                    #expect(try await filler.ends() != .code(0))
                    try await rankd.says("results wait in memory")
                    try await eventually("many waiting results") {
                        rankd.errors.components(separatedBy: "check waits to be recorded").count > 20 ? true : nil
                    }
                    let status = try await stage.rankctl(["status", "--database", database])
                    #expect(status.ending == .code(1), "\(status.output)")
                    try FileManager.default.removeItem(atPath: disk + "/filler")
                    try await rankd.says("the waiting results are recorded")
                    #expect(rankd.errors.components(separatedBy: "results wait in memory").count == 2)
                }
            }

            @Test(.longRun, .asRoot)
            func `on a disk that became read-only results wait, and are recorded when it is writable`()
                async throws
            {
                try await onSmallDisk { stage, disk, _, rankd async throws in
                    // A file that is open for writing stands in the way, but for one that the system itself forces.
                    let mount = try stage.start(
                        path: FaultTests.tool("mount") ?? "mount", ["-o", "remount,ro", disk])
                    guard try await mount.ends() == .code(0) else { return }
                    try await rankd.says("results wait in memory")
                    try await run("mount", ["-o", "remount,rw", disk], on: stage)
                    try await rankd.says("the waiting results are recorded")
                }
            }

            @Test(.longRun, .needs("strace"), arguments: ["5..7", "5+"])
            func `a sync that fails is a commit that did not happen`(_ when: String) async throws {
                try await Stage.run { stage async throws in
                    let store = try await store(stage)
                    // The file is made before its disk fails.
                    try await stage.remember(terms(Self.count))
                    let strace = try stage.start(
                        path: FaultTests.tool("strace") ?? "strace",
                        [
                            "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                            "inject=fdatasync:error=EIO:when=\(when)", Program.Name.rankd.path, "--once", "--watchlist",
                            stage.watchlistFile, "--database", stage.database, "--search-url", store.origin,
                        ])
                    let ending = try await strace.ends()
                    #expect(ending == .code(when == "5+" ? 74 : 0), "\(strace.errors)")
                    try await stage.isSound()
                    _ = try await stage.pass(store: store.origin)
                    #expect(try RecordedHistory(stage.database).checkCount == 2 * Self.count)
                    try await stage.isSound("afterwards")
                }
            }

            @Test(.longRun, .needs("strace"))
            func `nothing is reported as recorded on a device that no longer syncs`() async throws {
                try await Stage.run { stage async throws in
                    let store = try await store(stage)
                    try stage.watch(watchlist(terms(4), [Stage.mine], every: "1s"))
                    let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin)
                    try await eventually("checks: \(rankd.errors)") { stage.told.count > 4 ? true : nil }
                    let strace = try stage.start(
                        path: FaultTests.tool("strace") ?? "strace",
                        [
                            "-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO", "-p",
                            "\(rankd.pid)",
                        ])
                    try await eventually("strace: \(strace.errors)") {
                        strace.errors.contains("attached") ? true : nil
                    }
                    let told = stage.told.count
                    #expect(try await rankd.ends() == .code(74), "\(rankd.errors)")
                    _ = try await strace.ends()
                    // What had been synced when the device began to fail may be told a moment later.
                    #expect(stage.told.count <= told + 1, "\(rankd.errors)")
                    try await stage.isSound()
                }
            }

            @Test(.asRoot, .needs("setpriv"))
            func `a folder that may not be written is reported, and nothing spins`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let store = try await store(stage)
                    _ = try await stage.pass(store: store.origin)
                    for file in ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm", "history.sqlite.lock"] {
                        try #require(chmod(stage.file(file), 0o444) == 0)
                    }
                    try #require(chmod(stage.path, 0o755) == 0)
                    let rankd = try stage.start(
                        path: FaultTests.tool("setpriv") ?? "setpriv",
                        [
                            "--reuid", "65534", "--clear-groups", Program.Name.rankd.path, "--once", "--watchlist",
                            stage.watchlistFile, "--database", stage.database, "--search-url", store.origin,
                        ])
                    #expect(try await rankd.ends() == .code(74), "\(rankd.errors)")
                    #expect(rankd.errors.contains(stage.database), "\(rankd.errors)")
                    try await stage.isSound()
                }
            }
        #endif

        @Test(.longRun) func `rankd waits for another program's lock and loses nothing`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(terms(4), [Stage.mine], every: "1s"))
                let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin)
                try await eventually("checks") { stage.told.count > 4 ? true : nil }
                var configuration = Configuration()
                configuration.allowsUnsafeTransactions = true
                configuration.busyMode = .timeout(10)
                let other = try DatabaseQueue(path: stage.database, configuration: configuration)
                try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
                try await rankd.says("results wait in memory")
                try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
                try other.close()
                try await rankd.says("the waiting results are recorded")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                let missing = try await store.searches() - RecordedHistory(stage.database).checkCount
                #expect((0...4).contains(missing))
                try await stage.isSound()
            }
        }

        @Test func `a reader that stays keeps the log from shrinking, but no check from being recorded`()
            async throws
        {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try await stage.remember(terms(Self.count))
                var configuration = Configuration()
                configuration.readonly = true
                configuration.allowsUnsafeTransactions = true
                let reader = try DatabaseQueue(path: stage.database, configuration: configuration)
                try reader.inDatabase {
                    try $0.execute(sql: "BEGIN")
                    _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log")
                }
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                #expect(
                    try reader.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log") } == Self.count)
                try reader.inDatabase { try $0.execute(sql: "ROLLBACK") }
                try reader.close()
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                #expect(try RecordedHistory(stage.database).checkCount == 2 * Self.count)
                let log = try FileManager.default.attributesOfItem(atPath: stage.database + "-wal")[.size] as? Int
                #expect(try #require(log) <= 16 << 20)
                try await stage.isSound()
            }
        }

        /// What is done to the file, and whether rankd refuses it. What it takes up must be whole.
        private static let damages: [(String, mustBeRefused: Bool)] = [
            ("printf 'XXXXXXXXXXXXXXXX' | dd of=history.sqlite conv=notrunc", true),
            ("head -c 8192 /dev/urandom | dd of=history.sqlite bs=4096 seek=1 conv=notrunc", true),
            ("truncate -s 5000 history.sqlite", true), (": > history.sqlite", true),
            ("printf 'nobody' | dd of=history.sqlite bs=1 seek=68 conv=notrunc", true),
            ("printf '\\000\\000\\003\\347' | dd of=history.sqlite bs=1 seek=60 conv=notrunc", true),
            ("rm history.sqlite; mkdir history.sqlite", true),
            ("head -c 300 /dev/urandom | dd of=history.sqlite-wal bs=1 seek=5000 conv=notrunc", false),
            ("head -c 100000 /dev/urandom > history.sqlite-wal", false), ("rm history.sqlite-wal", false),
            ("rm history.sqlite-shm", false), ("head -c 32768 /dev/urandom > history.sqlite-shm", false),
        ]

        @Test(arguments: damages, [true, false])
        func `a damaged file is refused and left as it is, or it is whole`(
            _ damage: (String, mustBeRefused: Bool), _ wasKilled: Bool
        ) async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(terms(Self.count), [Stage.mine]))
                if wasKilled {
                    let rankd = try stage.rankd(store: store.origin)
                    try await rankd.says("pass ended")
                    rankd.signal(SIGKILL)
                    _ = try await rankd.ends()
                } else {
                    _ = try await stage.pass(store: store.origin)
                }
                let shell = try stage.start(path: "/bin/sh", ["-c", "cd \(stage.path) && { \(damage.0); }"])
                #expect(try await shell.ends() == .code(0), "\(shell.errors)")
                let before = FileManager.default.contents(atPath: stage.database)
                let asked = try await store.searches()
                for _ in 1...2 {
                    let rankd = try stage.rankd(["--once"], store: store.origin)
                    let ending = try await rankd.ends()
                    if damage.mustBeRefused, !(wasKilled && ending == .code(0)) {
                        #expect(ending == .code(65), "\(damage.0): \(rankd.errors)")
                    }
                    guard ending == .code(65) else {
                        #expect(ending == .code(0), "\(damage.0): \(rankd.errors)")
                        // The log may have lost what it held, but nothing is half there.
                        #expect(try RecordedHistory(stage.database).flaws == [], "\(damage.0)")
                        continue
                    }
                    #expect(rankd.errors.contains(stage.database), "\(rankd.errors)")
                    #expect(FileManager.default.contents(atPath: stage.database) == before, "\(damage.0)")
                    #expect(try await store.searches() == asked)
                }
            }
        }

        @Test func `a file put in the place of the history is left alone`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(terms(3), [Stage.mine]))
                let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin)
                try await rankd.says("pass ended")
                let elsewhere = stage.file("elsewhere.sqlite")
                try FileManager.default.moveItem(atPath: stage.database, toPath: elsewhere)
                try FileManager.default.copyItem(atPath: elsewhere, toPath: stage.database)
                let before = FileManager.default.contents(atPath: stage.database)
                try stage.watch(watchlist(terms(4), [Stage.mine]))
                rankd.signal(SIGHUP)
                #expect(try await rankd.ends() == .code(74), "\(rankd.errors)")
                #expect(FileManager.default.contents(atPath: stage.database) == before)
                for flaw in try await stage.flaws(in: elsewhere) { Issue.record(Comment(rawValue: flaw)) }
            }
        }
    }
}
