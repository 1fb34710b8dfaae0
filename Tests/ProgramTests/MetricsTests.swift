import Foundation
import ProgramStage
import TestSupport
import Testing

extension ProgramTests {
    /// `rankd --metrics`.
    @Suite struct MetricsTests {
        private func serving(_ stage: Stage, _ texts: [String], watching: String) async throws -> (Program, String) {
            let recordings = try Recordings.ofFiveApps(for: texts, on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(watching)
            let rankd = try stage.rankd(["--metrics", "127.0.0.1:0"], store: store.origin)
            let line = try await rankd.says("address=http")
            let address = try #require(line.firstMatch(of: /address="?([^ "]+)/)).1
            try await rankd.says("pass ended")
            return (rankd, String(address))
        }

        /// Asks until a text was made after the pass.
        private func settled(_ address: String) async throws -> Scrape {
            try await eventually("a text with the pass") {
                let scrape = try await Scrape(address)
                let isDone = scrape.body.contains("rankd_last_pass_due ") && scrape.body.contains("\"idle\"} 1")
                if !isDone { try await Task.sleep(for: .milliseconds(200)) }
                return isDone ? scrape : nil
            }
        }

        @Test func `positions come with the watchlist's own words, whatever these are`() async throws {
            try await Stage.run { stage async throws in
                let text = #"say "hi" \ {x="1"} 1 #"#
                let written = #"say \"hi\" \\ {x=\"1\"} 1 #"#
                let (rankd, address) = try await serving(
                    stage, [text, "habits"],
                    watching: """
                        { "watch": [ { "queries": ["\(written)", "habits"], "every": "4w",
                            "bundleIds": ["com.example.app2", "com.example.nobody"] } ],
                          "service": { "requestsPerMinute": 100000 } }
                        """)
                let scrape = try await settled(address)
                #expect(scrape.status == 200)
                #expect(scrape.type == "text/plain; version=0.0.4; charset=utf-8")
                let head =
                    "{app=\"com.example.app2\",bundle_id=\"com.example.app2\",query=\"\(written)\",country=\"us\","
                #expect(scrape.lines.contains { $0.hasPrefix("rankd_position" + head) && $0.hasSuffix("} 2") })
                #expect(scrape.lines.filter { $0.hasPrefix("rankd_position{") }.count == 2)
                #expect(scrape.lines.filter { $0.hasPrefix("rankd_ranked{") && $0.hasSuffix("} 0") }.count == 2)
                #expect(scrape.lines.contains("rankd_last_pass_queries{outcome=\"succeeded\"} 2"))
                #expect(scrape.lines.contains("rankd_service_running 1"))
                #expect(scrape.lines.contains("rankd_waiting_results 0"))
                #expect(try await Scrape(address + "/").status == 404)

                if FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") {
                    let file = try stage.write(scrape.body, to: "metrics.txt")
                    let promtool = try stage.start(
                        path: "/bin/sh", ["-c", "exec /usr/bin/promtool check metrics < \"$0\"", file])
                    #expect(try await promtool.ends() == .code(0), "\(promtool.errors)\(promtool.output)")
                }
                // The lock is still rankd's: a look from inside did not let go of it.
                #expect(try await stage.pass(store: "http://127.0.0.1:1").ending == .code(75))
                rankd.signal(SIGTERM)
                #expect(try await rankd.ends() == .code(0), "\(rankd.errors)")
                #expect(rankd.output.isEmpty)
            }
        }

        @Test func `a port in use ends rankd before it asks`() async throws {
            try await Stage.run { stage async throws in
                let (_, address) = try await serving(
                    stage, terms(1), watching: watchlist(terms(1), ["com.example.app1"]))
                let place = address.replacing("http://", with: "").replacing("/metrics", with: "")
                let store = try await stage.simulator(["--seed", "1"])
                let second = try stage.start(
                    .rankd,
                    [
                        "--watchlist", stage.watchlistFile, "--database", stage.file("other.sqlite"), "--search-url",
                        store.origin, "--metrics", place,
                    ])
                #expect(try await second.ends() == .code(74), "\(second.errors)")
                #expect(
                    second.errors.contains("cannot listen on \(place) (--metrics): another program already listens"))
                #expect(try await store.searches() == 0)
            }
        }

        @Test(arguments: [["--metrics", "9483"], ["--metrics", "127.0.0.1:0", "--once"]])
        func `what makes no sense is refused`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(terms(1), ["com.example.app1"]))
                let rankd = try stage.rankd(arguments, store: "http://127.0.0.1:1")
                #expect(try await rankd.ends() == .code(64))
            }
        }
    }
}
