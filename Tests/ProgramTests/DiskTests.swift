import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// The programs on a disk, and with streams, that let them down.
    @Suite struct DiskTests {
        private static let mine = "com.example.app2"

        private func store(_ stage: Stage, _ count: Int) async throws -> Simulator {
            let recordings = try Recordings.ofFiveApps(for: terms(count), on: stage)
            try stage.watch(watchlist(terms(count), [Self.mine]))
            return try await stage.simulator(["--replay", recordings.folder])
        }

        /// Starts the service by way of a shell, which `redirects` its streams.
        private func redirected(
            _ stage: Stage, _ redirects: String, _ arguments: [String], _ store: Simulator
        ) throws -> Program {
            try stage.start(
                path: "/bin/sh",
                [
                    "-c", "exec \"$0\" \"$@\" \(redirects)", Program.Name.rankd.path, "--watchlist",
                    stage.watchlistFile,
                    "--database", stage.database, "--search-url", store.origin,
                ] + arguments)
        }

        @Test func `a log that nobody reads holds nothing up`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, 300)
                let fifo = stage.file("fifo")
                #expect(mkfifo(fifo, 0o600) == 0)
                let reader = open(fifo, O_RDONLY | O_NONBLOCK)
                defer { close(reader) }
                #if os(Linux)
                    // F_SETPIPE_SZ: as small as a pipe can be.
                    _ = fcntl(reader, 1_031, 4_096)
                #endif
                let rankd = try redirected(stage, "2>\(fifo)", ["--log-level", "debug"], store)
                try await eventually("300 checks") {
                    FileManager.default.fileExists(atPath: stage.database)
                        ? try RecordedHistory(stage.database).checkCountIfAny == 300 ? true : nil : nil
                }
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }

        @Test(arguments: ["2>&-", "0<&- 1>&- 2>&-"])
        func `streams that are closed at the start do no harm`(_ redirects: String) async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, 3)
                let rankd = try redirected(stage, redirects, ["--once", "--log-level", "debug"], store)
                #expect(try await rankd.ends() == .code(0))
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 3)
                #expect(try history.flaws == [])
            }
        }

        @Test func `a history that is taken away stops the service with 74, and the checks stay in it`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, 4)
                try stage.watch(watchlist(terms(3), [Self.mine]))
                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("pass ended")
                let elsewhere = stage.file("elsewhere.sqlite")
                try FileManager.default.moveItem(atPath: stage.database, toPath: elsewhere)
                try stage.watch(watchlist(terms(4), [Self.mine]))
                rankd.signal(SIGHUP)
                let ending = try await rankd.ends()
                #expect(ending == .code(74), "\(rankd.errors)")
                #expect(rankd.errors.contains("\(stage.database) was deleted or moved away"))
                let history = try RecordedHistory(elsewhere)
                #expect(try history.checkCount == 3)
                #expect(try history.flaws == [])

                let next = try await stage.pass(store: store.origin)
                #expect(next.ending == .code(65), "\(next.errors)")
                #expect(next.errors.contains("\(stage.database)-wal"))
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test(arguments: [["--once"], []])
        func `a damaged history is 65, with what to do, and is left as it is`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, 3)
                _ = try await stage.pass(store: store.origin)
                let handle = try #require(FileHandle(forUpdatingAtPath: stage.database))
                try handle.seek(toOffset: 100)
                try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_000))
                try handle.close()
                let before = FileManager.default.contents(atPath: stage.database)
                let rankd = try stage.rankd(arguments, store: store.origin)
                #expect(try await rankd.ends() == .code(65))
                #expect(rankd.errors.contains("sqlite3 \(stage.database) .recover"), "\(rankd.errors)")
                #expect(FileManager.default.contents(atPath: stage.database) == before)
            }
        }

        #if os(Linux)
            @Test func `a history that is locked at the start is waited for`() async throws {
                try await Stage.run { stage async throws in
                    let store = try await store(stage, 3)
                    _ = try await stage.pass(store: store.origin)
                    var configuration = Configuration()
                    configuration.allowsUnsafeTransactions = true
                    let other = try DatabaseQueue(path: stage.database, configuration: configuration)
                    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }

                    let once = try stage.rankd(["--once"], store: store.origin)
                    #expect(try await once.ends() == .code(74))
                    #expect(once.errors.contains("locked by another program"))

                    let socket = try NotifySocket(path: stage.file("notify"))
                    let rankd = try stage.rankd(store: store.origin, environment: ["NOTIFY_SOCKET": socket.path])
                    try await rankd.says("waiting for the history")
                    let waiting = try await socket.message { $0["EXTEND_TIMEOUT_USEC"] != nil }
                    #expect(waiting["STATUS"]?.hasPrefix("waiting: ") == true)
                    rankd.signal(SIGTERM)
                    #expect(try await rankd.ends() == .signal(SIGTERM))
                    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
                }
            }
        #endif
    }
}
