import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankd` as a service.
    @Suite struct DaemonTests {
        private static let mine = "com.example.app2"

        /// A store that answers `count` queries, and the service watching all but the last `held` of them.
        private func serving(
            _ stage: Stage, _ count: Int, watching: Int, _ arguments: [String] = []
        ) async throws -> (store: Simulator, rankd: Program) {
            let recordings = try Recordings.ofFiveApps(for: terms(count), on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder] + arguments)
            try stage.watch(watchlist(terms(watching), [Self.mine]))
            return (store, try stage.rankd(store: store.origin))
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `it records what is due, waits, and ends with 0 when told to`(_ signal: Int32) async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 3, watching: 3)
                try await rankd.says("pass ended")
                #expect(rankd.ending == nil)
                rankd.signal(signal)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(rankd.output.isEmpty)
                #expect(try await store.searches() == 3)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 3)
                #expect(try history.flaws == [])
            }
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `requests that are held do not hold it up, and leave no trace`(_ signal: Int32) async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 20, watching: 20, ["--latency", "600000"])
                try await eventually("four requests are held") { try await store.searches() == 4 ? true : nil }
                rankd.signal(signal)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(try await store.searches() == 4)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 0)
                #expect(try history.flaws == [])
            }
        }

        @Test func `waiting for its pace does not hold it up`() async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(3), [Self.mine]).replacing("100000", with: "1"))
                let rankd = try stage.rankd(["--log-level", "debug"], store: store.origin)
                try await rankd.says("check recorded")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(try await store.searches() == 1)
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 1)
                #expect(try history.unasked.count == 2)
            }
        }

        @Test func `more signals while it stops change nothing`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 20, watching: 20, ["--latency", "600000"])
                try await eventually("four requests are held") { try await store.searches() == 4 ? true : nil }
                for signal in [SIGTERM, SIGTERM, SIGHUP, SIGINT, SIGTERM, SIGHUP] { rankd.signal(signal) }
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
            }
        }

        @Test func `a line added on reload is asked, and nothing else`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 4, watching: 3)
                try await rankd.says("pass ended")
                try stage.watch(watchlist(terms(4), [Self.mine]))
                rankd.signal(SIGHUP)
                try await rankd.says("watchlist reloaded")
                try await eventually("a second pass: \(rankd.errors)") {
                    rankd.errors.components(separatedBy: "pass ended").count == 3 ? true : nil
                }
                #expect(try await store.searches() == 4)
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                let history = try RecordedHistory(stage.database)
                #expect(try history.checkCount == 4)
                #expect(try history.unasked.isEmpty)
            }
        }

        @Test func `a line taken away on reload is retired and keeps its history`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 3, watching: 3)
                try await rankd.says("pass ended")
                try stage.watch(watchlist(terms(2), [Self.mine]))
                rankd.signal(SIGHUP)
                try await rankd.says("watchlist reloaded")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(try await store.searches() == 3)
                let report = try await stage.rankctl(["report", "--format", "json", "--database", stage.database])
                #expect(try StandingsDocument(report.output).standings.map(\.query) == ["query 1", "query 2"])
                #expect(try RecordedHistory(stage.database).checkCount == 3)
            }
        }

        @Test func `of many mistakes on reload the log holds the first ten, after what they come to`() async throws {
            try await Stage.run { stage async throws in
                let (_, rankd) = try await serving(stage, 1, watching: 1)
                try await rankd.says("pass ended")
                let entries = (0..<30).map { #"{ "query": "q\#($0)", "bundleId": "a b" }"# }
                try stage.watch(#"{ "watch": ["# + entries.joined(separator: ",") + "] }")
                rankd.signal(SIGHUP)
                try await rankd.says("and 20 more: rankctl watch check \(stage.watchlistFile)")
                let lines = rankd.errors.split(separator: "\n")
                let first = try #require(lines.firstIndex { $0.contains("watchlist not reloaded") })
                #expect(lines[first].contains("mistakes=30"))
                #expect(lines.dropFirst(first).filter { $0.contains("watchlist invalid") }.count == 10)
                #expect(!lines.prefix(first).contains { $0.contains("watchlist invalid") })
            }
        }

        @Test func `an invalid watchlist on reload is told, and the running one stays`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 4, watching: 3)
                try await rankd.says("pass ended")
                try stage.watch(#"{ "watch": [ { "query": "", "bundleId": "com.example.app2", "evry": "6h" } ] }"#)
                rankd.signal(SIGHUP)
                try await rankd.says("watchlist not reloaded: the previous one stays in force")
                try await rankd.says("watch[0].query")
                try await rankd.says("watch[0].evry")

                try FileManager.default.removeItem(atPath: stage.watchlistFile)
                rankd.signal(SIGHUP)
                try await rankd.says("no such file")

                // It goes on, and takes the next valid one.
                try stage.watch(watchlist(terms(4), [Self.mine]))
                rankd.signal(SIGHUP)
                try await eventually("the added query is asked") { try await store.searches() == 4 ? true : nil }
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(
                    try RecordedHistory(stage.database).number("SELECT count(*) FROM pair WHERE retired_at IS NULL")
                        == 4)
            }
        }

        @Test func `a second rankd on the same history ends with 75 and names the first`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 3, watching: 3)
                try await rankd.says("pass ended")
                for arguments in [[], ["--once"]] {
                    let second = try stage.rankd(arguments, store: store.origin)
                    #expect(try await second.ends() == .code(75))
                    #expect(second.errors.contains("(pid \(rankd.pid))"), "\(second.errors)")
                }
                #expect(rankd.ending == nil)
                let status = try await stage.rankctl(["status", "--format", "json", "--database", stage.database])
                #expect(
                    status.output.contains("\"pid\": \(rankd.pid)") || status.output.contains("\"pid\":\(rankd.pid)"))
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }

        @Test func `status misses a service that was killed, and says of one that was stopped that it was`()
            async throws
        {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 2, watching: 1)
                try await rankd.says("pass ended")
                rankd.signal(SIGKILL)
                _ = try await rankd.ends()
                let missed = try await stage.rankctl(["status", "--database", stage.database])
                #expect(missed.ending == .code(1))
                #expect(
                    missed.output.hasPrefix("status     ○ degraded: rankd is not running, though nobody stopped it"),
                    "\(missed.output)")
                try stage.watch(watchlist(terms(2), [Self.mine]))
                let next = try stage.rankd(store: store.origin)
                try await next.says("pass ended")
                next.signal(SIGTERM)
                #expect(try await next.ends() == .code(0))
                let stopped = try await stage.rankctl(["status", "--database", stage.database])
                #expect(stopped.ending == .code(1), "\(stopped.output)")
                let words = stopped.output.replacing(/\s+/, with: " ")
                #expect(
                    words.hasPrefix("status ○ degraded: rankd is not running, stopped just now; nothing is due until "),
                    "\(stopped.output)")
                #expect(words.contains("daemon not running, stopped just now"))
                // Whoever asks by --once has no service to be missed.
                let once = try stage.rankd(["--once"], store: store.origin)
                #expect(try await once.ends() == .code(0))
                let fine = try await stage.rankctl(["status", "--database", stage.database])
                #expect(fine.ending == .code(0) && !fine.output.contains("not running"), "\(fine.output)")
            }
        }

        @Test func `status tells of a watchlist that was refused on reload, until one is taken up`() async throws {
            try await Stage.run { stage async throws in
                let (_, rankd) = try await serving(stage, 1, watching: 1)
                try await rankd.says("pass ended")
                try stage.watch(#"{ "watch": [ { "query": "", "bundleId": "com.example.app2" } ] }"#)
                rankd.signal(SIGHUP)
                try await rankd.says("watchlist not reloaded: the previous one stays in force")
                let refused = try await eventually("the refusal is in the file") {
                    let status = try await stage.rankctl(["status", "--database", stage.database])
                    return status.ending == .code(1) ? status : nil
                }
                #expect(
                    refused.output.replacing(/\s+/, with: " ").contains(
                        "degraded: the watchlist was refused just now, and the one before stays in force: watch[0].query: "
                            + "the query is empty"), "\(refused.output)")
                try stage.watch(watchlist(terms(1), [Self.mine]))
                rankd.signal(SIGHUP)
                try await rankd.says("watchlist reloaded")
                let fine = try await stage.rankctl(["status", "--database", stage.database])
                #expect(fine.ending == .code(0), "\(fine.output)")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
            }
        }

        @Test(arguments: [[], ["--once"]])
        func `status tells of a watchlist that was refused at the start, until one is taken up`(
            arguments: [String]
        ) async throws {
            try await Stage.run { stage async throws in
                let wrong = #"{ "watch": [ { "query": "", "bundleId": "com.example.app2" } ] }"#
                try stage.watch(wrong)
                let early = try stage.rankd(arguments, store: "http://127.0.0.1:1")
                #expect(try await early.ends() == .code(78))
                #expect(!FileManager.default.fileExists(atPath: stage.database))
                let (store, rankd) = try await serving(stage, 1, watching: 1)
                try await rankd.says("pass ended")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                try stage.watch(wrong)
                let refused = try stage.rankd(arguments, store: store.origin)
                #expect(try await refused.ends() == .code(78))
                let status = try await stage.rankctl(["status", "--database", stage.database])
                #expect(status.ending == .code(1))
                #expect(
                    status.output.replacing(/\s+/, with: " ").contains(
                        "; the watchlist was refused just now: watch[0].query: the query is empty"),
                    "\(status.output)")
                try stage.watch(watchlist(terms(1), [Self.mine]))
                let next = try stage.rankd(["--once"], store: store.origin)
                #expect(try await next.ends() == .code(0))
                let fine = try await stage.rankctl(["status", "--database", stage.database])
                #expect(fine.ending == .code(0), "\(fine.output)")
            }
        }

        @Test func `a backup of a history that rankd writes is fine`() async throws {
            try await Stage.run { stage async throws in
                let (_, rankd) = try await serving(stage, 1, watching: 1)
                try await rankd.says("pass ended")
                let copy = stage.file("copy.sqlite")
                let backup = try await stage.rankctl(["backup", copy, "--database", stage.database])
                #expect(backup.ending == .code(0), "\(backup.errors)")
                let status = try await stage.rankctl(["status", "--database", copy])
                #expect(status.ending == .code(0), "\(status.output)")
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
            }
        }

        @Test func `the next start after a kill finds the lock free`() async throws {
            try await Stage.run { stage async throws in
                let (store, rankd) = try await serving(stage, 3, watching: 3)
                try await rankd.says("pass ended")
                rankd.signal(SIGKILL)
                _ = try await rankd.ends()
                let next = try await stage.pass(store: store.origin)
                #expect(next.ending == .code(0) && next.errors.hasPrefix("nothing is due"))
            }
        }
    }
}
