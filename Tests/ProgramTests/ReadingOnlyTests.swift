#if os(Linux)
    import Foundation
    import ProgramStage
    import Testing

    extension ProgramTests {
        /// Nothing that `rankweb` or `rankctl mcp` can be asked writes to the history or the watchlist, and nothing but
        /// Search asks the App Store.
        @Suite struct ReadingOnlyTests {
            /// What must stay as it is, byte for byte, with when it was last written.
            private struct Kept: Equatable {
                let bytes: Data?
                let modified: Date?

                init(_ path: String) throws {
                    bytes = FileManager.default.contents(atPath: path)
                    modified =
                        bytes == nil
                        ? nil : try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
                }
            }

            private func kept(_ stage: Stage) throws -> [Kept] {
                try [stage.database, stage.database + "-wal", stage.watchlistFile].map(Kept.init)
            }

            /// Searches and look-ups so far.
            private func asked(_ store: Simulator) async throws -> [Int] {
                [try await store.searches(), try await store.lookups()]
            }

            /// A history of one pass, whose files nobody but root may write.
            private func record(_ stage: Stage) async throws -> Simulator {
                let store = try await stage.simulator(["--seed", "3", "--apps", "60"])
                try stage.watch(watchlist(terms(3), ["com.example.app1", "com.example.app2"]))
                try #require(try await stage.pass(store: store.origin).ending == .code(0))
                for file in [stage.database, stage.database + "-wal", stage.watchlistFile]
                where FileManager.default.fileExists(atPath: file) {
                    try #require(chmod(file, 0o444) == 0)
                }
                return store
            }

            /// What tells a kind of page from others: its address without the names in it.
            private func kind(_ address: String) -> String {
                let path = address.prefix { $0 != "?" }
                let steps = path.split(separator: "/")
                // Every report is of a kind of its own.
                return path.contains("/reports/")
                    ? String(path) : steps.prefix(path.hasPrefix("/images") ? 2 : 1).joined()
            }

            /// Addresses of every kind that the site has: what the description of the API names, and whatever pages lead to,
            /// three of a kind at most.
            private func everything(_ site: Website) throws -> [String] {
                let description = try site.ask("GET /api/v1/openapi.json")
                let root = try JSONSerialization.jsonObject(with: Data(description.body.utf8)) as? [String: Any]
                let paths = try #require(root?["paths"] as? [String: Any]).keys.filter { !$0.contains("{") }
                try #require(paths.count > 10)
                var known = Set(paths).union(["/", "/metrics", "/login", "/search"])
                var counts: [String: Int] = [:]
                var left = known.sorted()
                while let path = left.popLast() {
                    guard !path.hasPrefix("/api/v1/search") else { continue }
                    let answer = try site.ask("GET \(path)")
                    #expect(answer.status < 500, "\(path): \(answer.head)")
                    for link in answer.body.matches(of: /(?:href|src|action)="(\/[^"#]*)/) {
                        let next = String(link.1).replacing("&amp;", with: "&")
                        guard !next.hasPrefix("/search?"), !next.hasPrefix("/api/v1/search"), !known.contains(next),
                            counts[kind(next), default: 0] < 3
                        else { continue }
                        counts[kind(next), default: 0] += 1
                        known.insert(next)
                        left.append(next)
                    }
                }
                return known.sorted()
            }

            @Test func `rankweb changes no byte of the history or the watchlist, and Search alone asks the App Store`()
                async throws
            {
                try await Stage.run { stage async throws in
                    let store = try await record(stage)
                    let site = try await stage.rankweb([
                        "--open", "--listen", "127.0.0.1:0", "--search-url", store.origin, "--watchlist",
                        stage.watchlistFile, "--requests-per-minute", "1000000", "--cache", stage.file("cache"),
                    ])
                    let (before, searches, lookups) = (
                        try kept(stage), try await store.searches(), try await store.lookups()
                    )
                    try #require(before[0].bytes != nil && before[2].bytes != nil)
                    let events = try site.listens()
                    let addresses = try everything(site)
                    for part in ["/app", "/quer", "/images/", "/reports/movers", "/assets/", "/api/v1/status"] {
                        #expect(addresses.contains { $0.hasPrefix(part) }, "\(part) of \(addresses)")
                    }
                    for path in addresses where kind(path) != "login" && kind(path) != "logout" {
                        #expect(try site.ask("POST \(path)", form: "query=a&app=b").status >= 400, "\(path)")
                    }
                    for method in ["HEAD", "PUT", "DELETE", "PATCH"] {
                        _ = try site.ask("\(method) /", form: "query=a")
                    }
                    _ = try site.link()
                    #expect(try kept(stage) == before)
                    #expect(try await asked(store) == [searches, lookups])

                    let page = try site.ask("GET /search/results?query=query+1&country=us")
                    #expect(page.status == 200 && page.body.contains(stage.watchlistFile), "\(page.body)")
                    #expect(try await asked(store) == [searches + 1, lookups])
                    #expect(try kept(stage) == before)
                    withExtendedLifetime(events) {}
                }
            }

            /// What `rankctl mcp` answers to these requests, by their ids.
            private func answers(
                _ stage: Stage, _ requests: [(method: String, params: [String: Any])]
            ) async throws -> [Int: [String: Any]] {
                let lines = try requests.enumerated().map { id, request in
                    String(
                        decoding: try JSONSerialization.data(withJSONObject: [
                            "jsonrpc": "2.0", "id": id, "method": request.method, "params": request.params,
                        ]), as: UTF8.self) + "\n"
                }
                try stage.write(lines.joined(), to: "input")
                let program = try stage.start(
                    path: "/bin/sh",
                    [
                        "-c", "exec \"$0\" mcp --database \"$1\" < \"$2\"", Program.Name.rankctl.path, stage.database,
                        stage.file("input"),
                    ])
                #expect(try await program.ends() == .code(0), "\(program.errors)")
                let answers = try program.output.split(separator: "\n").compactMap {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                }
                return Dictionary(
                    answers.compactMap { answer in (answer["id"] as? Int).map { ($0, answer) } },
                    uniquingKeysWith: { first, _ in first })
            }

            @Test func `no tool, resource or prompt of rankctl mcp changes a byte or asks the App Store`() async throws
            {
                try await Stage.run { stage async throws in
                    let store = try await record(stage)
                    let (before, searches, lookups) = (
                        try kept(stage), try await store.searches(), try await store.lookups()
                    )
                    let lists = try await answers(
                        stage, [("tools/list", [:]), ("resources/list", [:]), ("prompts/list", [:])])
                    func listed(_ id: Int, _ key: String) throws -> [[String: Any]] {
                        let result = lists[id]?["result"] as? [String: Any]
                        return try #require(result?[key] as? [[String: Any]], "\(lists[id] ?? [:])")
                    }
                    let (tools, resources, prompts) = (
                        try listed(0, "tools"), try listed(1, "resources"), try listed(2, "prompts")
                    )
                    #expect(tools.count > 10 && resources.count >= 5 && prompts.count == 3)
                    let told = ["app": "com.example.app1", "rival": "com.example.app2", "query": "query 1"]
                    var requests: [(method: String, params: [String: Any])] = []
                    for tool in tools {
                        let schema = tool["inputSchema"] as? [String: Any]
                        let known = (schema?["properties"] as? [String: Any] ?? [:]).keys
                        let arguments = told.filter { known.contains($0.key) }
                        for given in [[:], arguments] {
                            requests.append(("tools/call", ["name": tool["name"] ?? "", "arguments": given]))
                        }
                    }
                    for resource in resources { requests.append(("resources/read", ["uri": resource["uri"] ?? ""])) }
                    for prompt in prompts {
                        requests.append(("prompts/get", ["name": prompt["name"] ?? "", "arguments": told]))
                    }
                    requests.append(
                        ("tools/call", ["name": "search", "arguments": ["query": "query 1"]]))
                    let answered = try await answers(stage, requests)
                    #expect(answered.count == requests.count)
                    #expect(try kept(stage) == before)
                    #expect(try await asked(store) == [searches, lookups])
                }
            }
        }
    }
#endif
