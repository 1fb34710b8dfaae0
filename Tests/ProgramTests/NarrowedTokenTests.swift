#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    extension ProgramTests {
        /// Two clients, each with a token for its own tag, and the owner.
        @Suite struct NarrowedTokenTests {
            private static let tokens = [
                "owner": "00000000000000000000", "north": "11111111111111111111", "south": "22222222222222222222",
            ]

            private func site(_ stage: Stage) async throws -> Website {
                let recordings = try Recordings.ofFiveApps(for: ["northern query", "southern query"], on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(
                    """
                    {
                      "watch": [
                        { "query": "northern query", "bundleId": "com.example.app1", "tags": ["north"] },
                        { "query": "southern query", "bundleId": "com.example.app2", "tags": ["south"] },
                      ],
                      "service": { "requestsPerMinute": 100000 },
                    }
                    """)
                try #require(try await stage.pass(store: store.origin).ending == .code(0))
                let file = try stage.secret(
                    """
                    owner \(Self.tokens["owner"]!)
                    north \(Self.tokens["north"]!) tags=north
                    south \(Self.tokens["south"]!) tags=south

                    """, to: "tokens")
                return try await stage.rankweb([
                    "--listen", "127.0.0.1:0", "--token-file", file, "--search-url", store.origin, "--watchlist",
                    stage.watchlistFile,
                ])
            }

            private func bearing(_ name: String) -> String { "Authorization: Bearer \(Self.tokens[name]!)" }

            @Test func `a token asking for another's tag, app or query gets nothing of it`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await site(stage)
                    func ask(_ path: String, as name: String) throws -> RawConnection.Answer {
                        try site.ask("GET \(path)", [bearing(name)])
                    }
                    for path in [
                        "/api/v1/reports/standings", "/api/v1/reports/standings?tag=south", "/api/v1/apps",
                        "/api/v1/reports/standings?tag=north&tag=south", "/", "/?tag=south",
                        "/api/v1/reports/standings?query=southern+query", "/api/v1/reports/movers?tag=south",
                        "/apps/com.example.app2", "/api/v1/reports/history?app=com.example.app2&query=southern+query",
                        "/api/v1/reports/results?query=southern+query", "/metrics", "/api/v1/status",
                        "/reports/watchlist",
                        "/api/v1/reports/digest", "/api/v1/reports/timeline?app=com.example.app2",
                    ] {
                        let mine = try ask(path, as: "north")
                        #expect(
                            !mine.body.contains("outhern query</") && !mine.body.contains("\"southern query\""),
                            "\(path)")
                        #expect(mine.status < 500, "\(path): \(mine.head)")
                        #expect(!mine.body.contains(stage.path), "\(path)")
                    }
                    #expect(try ask("/api/v1/reports/standings", as: "north").body.contains("northern query"))
                    #expect(try ask("/api/v1/reports/standings?tag=south", as: "south").body.contains("southern query"))
                    // The owner is told the file's name, and not where it lies.
                    let status = try ask("/api/v1/status", as: "owner").body
                    #expect(status.contains("\"history.sqlite\"") && !status.contains(stage.path))
                    let terminal = try await stage.rankctl(["status", "--format", "json", "--database", stage.database])
                    #expect(terminal.output.replacing("\\/", with: "/").contains(stage.database))
                }
            }

            @Test func `the tag of one token's answer is never another's`() async throws {
                try await Stage.run { stage async throws in
                    let site = try await site(stage)
                    for path in [
                        "/api/v1/reports/standings", "/", "/apps/com.example.app1", "/metrics", "/api/v1/status",
                    ] {
                        // The minute may turn between two requests.
                        try await eventually("\(path) is known again") {
                            let first = try site.ask("GET \(path)", [bearing("south")])
                            let tag = first["ETag"] ?? "W/\"none\""
                            for name in ["north", "owner"] {
                                let other = try site.ask("GET \(path)", [bearing(name), "If-None-Match: \(tag)"])
                                #expect(other.status != 304 && other["ETag"] != tag, "\(path) \(name)")
                            }
                            guard first.status == 200 else { return true }
                            let again = try site.ask("GET \(path)", [bearing("south"), "If-None-Match: \(tag)"])
                            return again.status == 304 ? true : nil
                        }
                    }
                }
            }

            @Test func `a search marks what its visitor may know, and tells the watchlist's place to the owner alone`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let site = try await site(stage)
                    func marks(_ name: String) throws -> [String: String] {
                        let answer = try site.ask("GET /api/v1/search?query=northern+query", [bearing(name)])
                        let root = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
                        let found = try #require(root?["results"] as? [[String: Any]], "\(answer.head)\n\(answer.body)")
                        return Dictionary(
                            found.compactMap { row in
                                (row["bundleId"] as? String).flatMap { id in (row["mark"] as? String).map { (id, $0) } }
                            }, uniquingKeysWith: { first, _ in first })
                    }
                    #expect(try marks("owner") == ["com.example.app1": "mine", "com.example.app2": "mine"])
                    #expect(try marks("north") == ["com.example.app1": "mine"])
                    #expect(try marks("south") == ["com.example.app2": "mine"])
                    let results = "GET /search/results?query=northern+query"
                    let owner = try site.ask(results, [bearing("owner")]).body
                    #expect(
                        owner.contains(stage.watchlistFile)
                            && owner.contains("in the watchlist for this search already"))
                    let south = try site.ask(results, [bearing("south")]).body
                    #expect(!south.contains(stage.path) && south.contains("Track this") && !south.contains("already"))
                }
            }
        }
    }
#endif
