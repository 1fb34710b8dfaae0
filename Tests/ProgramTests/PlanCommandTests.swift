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
