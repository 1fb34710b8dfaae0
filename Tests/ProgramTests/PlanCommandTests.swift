import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl plan`.
    @Suite struct PlanCommandTests {
        private struct Document: Decodable {
            struct Plan: Decodable {
                struct Counts: Decodable, Equatable { let added, retired, kept: Int }
                struct Search: Decodable {
                    let query, history: String
                    let because: String?
                }
                let adoptedAt: String?
                let countries: [String]
                let searches, pairs: Counts
                let added: [Search]
                let fitsBudget: Bool
            }
            let version: Int
            let plan: Plan
        }

        @Test func `a plan foretells what the next pass adopts, and changes nothing`() async throws {
            try await Stage.run { stage async throws in
                let recordings = try Recordings.ofFiveApps(for: ["habits", "mood"], on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(["habits", "mood"], ["com.example.app1"]))
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                let next = try stage.write(
                    watchlist(["habits", "streaks"], ["com.example.app1", "com.example.app2"]), to: "next.json")
                for _ in 1...2 {
                    let json = try await stage.rankctl([
                        "plan", next, "--database", stage.database, "--format", "json",
                    ])
                    #expect(json.ending == .code(0), "\(json.errors)")
                    let document = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
                    #expect(document.version == 1 && document.plan.adoptedAt != nil && document.plan.fitsBudget)
                    #expect(document.plan.searches == .init(added: 1, retired: 1, kept: 1))
                    #expect(document.plan.pairs == .init(added: 3, retired: 1, kept: 1))
                    #expect(document.plan.added.map(\.because) == ["query"])
                }
                let table = try await stage.rankctl(["plan", next, "--database", stage.database])
                #expect(
                    table.output.contains(
                        "+ streaks · us · iPhone · 4w · 2 apps: starts anew because `query` changed (was “mood”)\n"))
                let same = try await stage.rankctl([
                    "plan", "--watchlist", stage.watchlistFile, "--database", stage.database,
                ])
                #expect(same.output.hasPrefix("no change: rankd already asks exactly this\n"))
            }
        }

        @Test func `how it is written fits a screen`() async throws {
            try await Stage.run { stage async throws in
                let help = try await stage.rankctl(["plan", "--help"])
                let lines = help.output.split(separator: "\n").filter { $0.contains("rankctl plan") }
                #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 100 }, "\(help.output)")
            }
        }

        @Test func `without a history everything is new, and none is made`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(["habits"], ["com.example.app1"]))
                let plan = try await stage.rankctl([
                    "plan", "--watchlist", stage.watchlistFile, "--database", stage.database,
                ])
                #expect(plan.ending == .code(0))
                #expect(plan.errors.contains("there is no history at \(stage.database) yet, so everything is new"))
                #expect(plan.output.hasPrefix("rankd has not used a watchlist yet, so everything is new\n"))
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test func `more countries are costed without an edit, with a history and without`() async throws {
            try await Stage.run { stage async throws in
                let text = """
                    {
                      "apps": { "mine": { "bundleId": "com.example.app1" }, "other": { "bundleId": "com.example.app2" } },
                      "defaults": { "countries": ["us", "de"], "every": "6h" },
                      "watch": [
                        { "queries": ["habits", "mood"], "app": "mine", "tag": "core" },
                        { "query": "streaks", "app": "other", "country": "us" },
                      ],
                      "service": { "requestsPerMinute": 1 },
                    }

                    """
                try stage.watch(text)
                let plan = [
                    "plan", "--watchlist", stage.watchlistFile, "--database", stage.database, "--country", "fr,es,de",
                ]
                let table = try await stage.rankctl(plan)
                #expect(table.ending == .code(0) && table.errors.isEmpty, "\(table.errors)")
                for words in [
                    "asking in fr, es, de as well would cost 28 requests a day more; nothing is changed\n",
                    "queries    5 kept, 7 added, 0 retired\n",
                    "requests   20 → 48 of the 1,440 a day that the pace allows\n",
                    "budget     1.4 % → 3.3 % of what the pace allows\n",
                    "full pass  5 min → 12 min at 1 request a minute\n",
                    "fits       yes\n",
                ] { #expect(table.output.contains(words), "\(words) in \(table.output)") }
                let one = try await stage.rankctl(plan + ["--app", "mine", "--query", "Mood", "--tag", "core"])
                #expect(one.output.contains("queries    5 kept, 2 added, 0 retired\n"), "\(one.output) \(one.errors)")
                let json = try await stage.rankctl(plan + ["--format", "json"])
                let document = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
                #expect(
                    document.plan.searches == .init(added: 7, retired: 0, kept: 5) && document.plan.adoptedAt == nil)
                #expect(document.plan.countries == ["fr", "es", "de"])
                let same = try await stage.rankctl(Array(plan.dropLast()) + ["us", "--query", "habits"])
                #expect(same.output.hasPrefix("no change: all of this is asked in us already\n"), "\(same.output)")
                for (arguments, words) in [
                    (plan + ["--query", "moood"], "did you mean “mood”?"), (plan + ["--app", "nobody"], "nobody"),
                    (Array(plan.dropLast(2)) + ["--app", "mine"], "add --country"),
                ] {
                    let refused = try await stage.rankctl(arguments)
                    #expect(refused.ending == .code(64) && refused.errors.contains(words), "\(refused.errors)")
                }
                #expect(try String(contentsOfFile: stage.watchlistFile, encoding: .utf8) == text)
            }
        }

        @Test func `an invalid watchlist is 78, a missing one 66, and another program's database 65`() async throws {
            try await Stage.run { stage async throws in
                try stage.write("{ watch: [] }", to: "bad.json")
                try stage.write(String(repeating: "not a database\n", count: 200), to: "text.sqlite")
                try stage.watch(watchlist(["habits"], ["com.example.app1"]))
                for (file, database, code) in [
                    ("bad.json", "history.sqlite", 78), ("none.json", "history.sqlite", 66),
                    ("watchlist.json", "text.sqlite", 65),
                ] as [(String, String, Int32)] {
                    let plan = try await stage.rankctl([
                        "plan", stage.file(file), "--database", stage.file(database),
                    ])
                    #expect(plan.ending == .code(code) && plan.output.isEmpty, "\(plan.errors)")
                }
            }
        }
    }
}
