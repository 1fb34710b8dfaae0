import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// The reports that are computed from the days of all pairs.
    @Suite struct DayReportCommandTests {
        /// A history of one pass over “habits” in two countries: mine fourth, its competitor second.
        private func record(_ stage: Stage) async throws {
            var recordings = try Recordings("recordings", on: stage)
            let five = Recordings.list((1...5).map { "com.example.app\($0)" })
            try recordings.add(five, as: "us.json", for: ["habits"])
            try recordings.add(five, as: "de.json", for: ["habits"], country: "de")
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(
                """
                { "apps": { "mine": { "bundleId": "com.example.app4", "competitors": ["com.example.app2"] } },
                  "watch": [ { "app": "mine", "query": "habits", "countries": ["us", "de"], "every": "4w" } ],
                  "service": { "requestsPerMinute": 100000 } }
                """)
            let pass = try await stage.pass(store: store.origin)
            try #require(pass.ending == .code(0), "\(pass.errors)")
        }

        private func report(_ stage: Stage, _ arguments: [String]) async throws -> Program {
            try await stage.rankctl(["report"] + arguments + ["--database", stage.database])
        }

        private func document(_ program: Program) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(program.output.utf8)) as? [String: Any], "\(program.errors)"
            )
        }

        @Test func `each has all five forms`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let words = ["distribution": "4–10", "visibility": "43.1", "volatility": "There is no day to show"]
                for (name, words) in words {
                    for format in ["table", "markdown", "html"] {
                        let report = try await report(stage, [name, "--format", format])
                        #expect(report.ending == .code(0), "\(report.errors)")
                        #expect(report.output.contains(words), "\(name) \(format): \(report.output)")
                    }
                    let json = try document(try await report(stage, [name, "--format", "json"]))
                    #expect(json["version"] as? Int == 1)
                    #expect(json[name] is [[String: Any]])
                    let csv = try await report(stage, [name, "--format", "csv"])
                    #expect(csv.output.contains("day,") && csv.output.hasSuffix("\r\n"))
                }
            }
        }

        @Test func `what is asked for narrows them`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                func pairs(_ arguments: [String]) async throws -> [Int] {
                    let json = try document(try await report(stage, ["distribution", "--format", "json"] + arguments))
                    let rows = try #require(json["distribution"] as? [[String: Any]])
                    return rows.map { row in
                        (row["now"] as? [String: Int] ?? [:]).values.reduce(0, +)
                    }
                }
                #expect(try await pairs([]) == [2])
                #expect(try await pairs(["--country", "de"]) == [1])
                #expect(try await pairs(["--competitors"]) == [2, 2])
                #expect(try await pairs(["--app", "com.example.app2"]) == [2])
                let visibility = try document(
                    try await report(stage, ["visibility", "--country", "us", "--format", "json"]))
                let rows = try #require(visibility["visibility"] as? [[String: Any]])
                #expect(rows.map { $0["bundleId"] as? String } == ["com.example.app4", "com.example.app2"])
                // 1 / log2(5) and 1 / log2(3).
                #expect(rows.compactMap { $0["score"] as? Double }.map { Int($0 * 100) } == [4_306, 6_309])
            }
        }

        @Test func `as of a time before the first check nothing is known, and nothing is absent`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let arguments = ["distribution", "--since", "10d", "--until", "10d", "--format", "json"]
                let json = try document(try await report(stage, arguments))
                let mine = try #require(json["mine"] as? [String: Any])
                let now = try #require(mine["now"] as? [String: Int])
                #expect((now["noFreshCheck"], now["absent"], now["to10"]) == (2, 0, 0))
                #expect(mine["notYetChecked"] as? [Int] == Array(repeating: 2, count: 11))
                let swapped = try await report(stage, ["visibility", "--since", "yesterday", "--until", "7d"])
                #expect(swapped.ending == .code(64), "\(swapped.errors)")
            }
        }

        @Test(arguments: ["movers", "standings", "digest", "distribution"])
        func `days ago are counted back from the moment that is told of`(_ name: String) async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let json = try document(
                    try await report(stage, [name, "--since", "7d", "--until", "2026-03-15", "--format", "json"]))
                let members = name == "digest" ? json["digest"] as? [String: Any] : json
                let since = try #require(members?["since"] as? String)
                // A day goes to its last second.
                #expect(since == (name == "distribution" ? "2026-03-08" : "2026-03-08T23:59:59Z"))
            }
        }
    }
}
