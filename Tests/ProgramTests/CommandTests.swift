import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl search` and `rankctl status`.
    @Suite struct CommandTests {
        private struct SearchDocument: Decodable {
            struct Entry: Decodable {
                let position: Int
                let bundleId: String?
                let appName: String?
                let mark: String?
            }
            let version: Int
            let query: String
            let country: String
            let platform: String
            let results: [Entry]
        }

        private func store(_ stage: Stage, _ arguments: [String] = []) async throws -> Simulator {
            let recordings = try Recordings.ofFiveApps(for: ["habits"], on: stage)
            return try await stage.simulator(["--replay", recordings.folder] + arguments)
        }

        @Test func `search shows the list in its order`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                let table = try await stage.rankctl(["search", "habits", "--search-url", store.origin])
                #expect(table.ending == .code(0), "\(table.errors)")
                var rest = table.output[...]
                for number in 1...5 {
                    let place = try #require(rest.range(of: "\(number). App \(number) "), "\(table.output)")
                    rest = rest[place.upperBound...]
                    #expect(rest.contains("com.example.app\(number)") && rest.contains("id600000000\(number - 1)"))
                }
                #expect(!table.output.contains("\u{1B}"), "there is no terminal to colour")
            }
        }

        @Test func `search as JSON is a document, with mine and competitors marked`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(
                    """
                    { "apps": {
                        "mine": { "bundleId": "com.example.app4", "competitors": ["com.example.APP2"] } },
                      "watch": [ { "app": "mine", "query": "habits" } ],
                      "service": { "requestsPerMinute": 100000 } }
                    """)
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                let json = try await stage.rankctl([
                    "search", "habits", "--format", "json", "--search-url", store.origin, "--database", stage.database,
                ])
                let document = try JSONDecoder().decode(SearchDocument.self, from: Data(json.output.utf8))
                #expect(document.version == 1 && document.query == "habits")
                #expect(document.country == "us" && document.platform == "iphone")
                #expect(document.results.map(\.position) == Array(1...10))
                #expect(
                    document.results.map(\.bundleId).prefix(5) == ArraySlice((1...5).map { "com.example.app\($0)" }))
                #expect(document.results.map(\.mark).prefix(5) == [nil, "competitor", nil, "mine", nil])
                // Nothing is recorded.
                #expect(try RecordedHistory(stage.database).checkCount == 1)
            }
        }

        #if os(Linux)
            /// Nanoseconds since the machine was started, by which turns are kept.
            private var sinceStart: Int64 {
                var time = timespec()
                clock_gettime(CLOCK_BOOTTIME, &time)
                return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            }

            @Test func `a search takes its turn where the history is, and heeds the pause of another program`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let store = try await store(stage)
                    try stage.watch(watchlist(["habits"], ["com.example.app1"]))
                    try #require(try await stage.pass(store: store.origin).ending == .code(0))
                    let turns = stage.database + ".turns"
                    func search() async throws -> Program {
                        try await stage.rankctl([
                            "search", "habits", "--search-url", store.origin, "--database", stage.database,
                        ])
                    }
                    func taken() throws -> Int64? {
                        let data = try #require(FileManager.default.contents(atPath: turns))
                        let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                        let row = (root?["rows"] as? [[String: Any]])?.first { $0["name"] as? String == "search" }
                        return (row?["taken"] as? NSNumber)?.int64Value
                    }
                    let before = try #require(try taken())
                    #expect(try await search().ending == .code(0))
                    #expect(try #require(try taken()) > before)

                    try stage.write(
                        """
                        {"version": 1, "rows": [{"name": "search", "origin": "\(store.origin)", "interval": 1,
                          "pauses": {"rankweb": {"from": \(sinceStart), "seconds": 3600}}}]}
                        """, to: "history.sqlite.turns")
                    let asked = try await store.searches()
                    let refused = try await search()
                    #expect(refused.ending == .code(69) && refused.errors.contains("nothing is asked until"))
                    #expect(try await store.searches() == asked && refused.output.isEmpty)

                    // A file that is of no use stops nobody.
                    try FileManager.default.removeItem(atPath: turns)
                    #expect(try await search().ending == .code(0))
                    #expect(!FileManager.default.fileExists(atPath: turns))
                    try FileManager.default.createDirectory(atPath: turns, withIntermediateDirectories: false)
                    #expect(try await search().ending == .code(0))
                }
            }
        #endif

        @Test func `a search that finds nothing says so and is fine`() async throws {
            try await Stage.run { stage async throws in
                var recordings = try Recordings("recordings", on: stage)
                try recordings.add(Recordings.list([]), as: "empty.json", for: ["habits"])
                let store = try await stage.simulator(["--replay", recordings.folder])
                let search = try await stage.rankctl(["search", "habits", "--search-url", store.origin])
                #expect(search.ending == .code(0))
                #expect(search.output == "The App Store finds nothing for “habits” in us on iPhone.\n")
            }
        }

        @Test(arguments: [
            ("403", "refused the request (status 403)"),
            ("500", "the App Store answered with an error status (status 500)"),
            ("html", "the answer was not well-formed JSON"), ("reset", "the connection broke"),
            ("400", "the App Store refused the query (Invalid value(s) for key(s): [country])"),
        ]) func `a search without an answer says why, and is 69`(_ fault: String, _ words: String) async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, ["--fault", "\(fault)=1"])
                for format in ["table", "json"] {
                    let search = try await stage.rankctl([
                        "search", "habits", "--format", format, "--search-url", store.origin,
                    ])
                    #expect(search.ending == .code(69))
                    #expect(search.output.isEmpty && search.errors.contains(words), "\(search.errors)")
                }
            }
        }

        @Test func `a store that cannot be reached is 69`() async throws {
            try await Stage.run { stage async throws in
                let search = try await stage.rankctl(["search", "habits", "--search-url", "http://127.0.0.1:1"])
                #expect(search.ending == .code(69) && search.errors.contains("could not be reached"))
            }
        }

        @Test func `Ctrl-C ends a search that waits`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, ["--latency", "600000"])
                let search = try stage.start(.rankctl, ["search", "habits", "--search-url", store.origin])
                try await eventually("the request is held") { try await store.searches() == 1 ? true : nil }
                search.signal(SIGINT)
                #expect(try await search.ends() == .code(130))
                #expect(search.output.isEmpty && search.errors == "the request was cancelled\n")
            }
        }

        @Test(arguments: [["search", "  "], ["search"], ["search", "habits", "--country", "xx"], ["serch"]])
        func `a question that cannot be asked is 64`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                let rankctl = try await stage.rankctl(arguments)
                #expect(rankctl.ending == .code(64), "\(rankctl.output) \(rankctl.errors)")
            }
        }

        // MARK: Status

        private struct StatusDocument: Decodable {
            struct Status: Decodable {
                struct Daemon: Decodable {
                    let running: Bool
                    let pid: Int32?
                }
                struct Pass: Decodable {
                    let asked, succeeded, failed, throttled: Int
                }
                struct Queries: Decodable { let total, overdue: Int }
                struct Failure: Decodable {
                    let reason: String
                    let queries: Int
                }
                let level: String
                let daemon: Daemon
                let lastPass: Pass?
                let queries: Queries
                let failures: [Failure]
            }
            let version: Int
            let status: Status
        }

        private func status(_ stage: Stage) async throws -> (ending: Program.Ending?, status: StatusDocument.Status) {
            let program = try await stage.rankctl(["status", "--format", "json", "--database", stage.database])
            let document = try JSONDecoder().decode(StatusDocument.self, from: Data(program.output.utf8))
            #expect(document.version == 1)
            return (program.ending, document.status)
        }

        @Test func `status is 0 when all is fine, and says who records`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(["habits"], ["com.example.app1"]))
                let rankd = try stage.rankd(store: store.origin)
                try await rankd.says("pass ended")
                let (ending, status) = try await status(stage)
                #expect(ending == .code(0) && status.level == "fine")
                #expect(status.daemon.running && status.daemon.pid == rankd.pid)
                #expect(status.lastPass?.asked == 1 && status.lastPass?.succeeded == 1)
                #expect(status.queries.total == 1 && status.queries.overdue == 0 && status.failures.isEmpty)
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0))
                let (_, after) = try await self.status(stage)
                #expect(!after.daemon.running && after.daemon.pid == nil)
                let table = try await stage.rankctl(["status", "--database", stage.database])
                #expect(table.output.contains(stage.database) && !table.output.contains("\u{1B}"))
            }
        }

        @Test func `status is 1 when a query fails, with the reason`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(["habits", "unrecorded"], ["com.example.app1"]))
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                let (ending, status) = try await status(stage)
                #expect(ending == .code(1) && status.level == "degraded")
                #expect(status.failures.map(\.reason) == ["status"] && status.failures.map(\.queries) == [1])
                #expect(status.lastPass?.succeeded == 1 && status.lastPass?.failed == 1)
            }
        }
    }
}
