import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `rankctl search --source web`.
    @Suite struct WebStoreSearchTests {
        private struct SearchDocument: Decodable {
            struct Entry: Decodable {
                let position: Int
                let bundleId: String?
                let appId: Int64?
                let appName: String?
            }
            struct Advertisement: Decodable {
                let appName: String?
                let placesAbove: Int
            }
            let source: String
            let results: [Entry]
            let advertisements: [Advertisement]
            let otherItems: Int
            let unknownKinds: [String]
        }

        /// A history whose pace lets a test ask at once, and a store of invented apps.
        private func store(_ stage: Stage, _ arguments: [String] = []) async throws -> Simulator {
            let store = try await stage.simulator(["--seed", "5", "--apps", "800"])
            try stage.watch(
                """
                { "apps": { "mine": { "bundleId": "com.example.mine" } },
                  "watch": [ { "app": "mine", "query": "budget" } ],
                  "service": { "requestsPerMinute": 100000 } }
                """)
            #expect(try await stage.pass(store: store.origin).ending == .code(0))
            return arguments.isEmpty ? store : try await stage.simulator(["--seed", "5", "--apps", "800"] + arguments)
        }

        private func search(_ stage: Stage, _ store: Simulator, _ arguments: [String] = []) async throws -> Program {
            try await stage.rankctl(
                [
                    "search", "habit tracker", "--source", "web", "--search-url", store.origin, "--database",
                    stage.database,
                ]
                    + arguments)
        }

        @Test func `the page's list has a name at every place, and its advertisements apart`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                let json = try await search(stage, store, ["--format", "json"])
                #expect(json.ending == .code(0), "\(json.errors)")
                let page = try JSONDecoder().decode(SearchDocument.self, from: Data(json.output.utf8))
                #expect(page.source == "web" && page.results.count > 12 && page.unknownKinds.isEmpty)
                #expect(page.results.map(\.position) == Array(1...page.results.count))
                #expect(page.results.allSatisfy { $0.appId != nil && $0.appName != nil && $0.bundleId != nil })

                let api = try await stage.rankctl([
                    "search", "habit tracker", "--search-url", store.origin, "--database", stage.database, "--format",
                    "json",
                ])
                let other = try JSONDecoder().decode(SearchDocument.self, from: Data(api.output.utf8))
                #expect(other.source == "itunes" && other.advertisements.isEmpty && other.otherItems == 0)
                #expect(other.results.map(\.appId) != page.results.map(\.appId))

                let table = try await search(stage, store)
                #expect(
                    table.ending == .code(0) && table.output.contains("results that the App Store shows on the web"))
                let ads = page.advertisements
                if !ads.isEmpty {
                    let names = ads.map { $0.appName ?? "" }.joined(separator: ", ")
                    let said = "\(ads.count) ad\(ads.count == 1 ? "" : "s") above the first place: \(names)"
                    #expect(table.output.filter { !$0.isWhitespace }.contains(said.filter { !$0.isWhitespace }))
                }
                // Nothing is recorded.
                #expect(try RecordedHistory(stage.database).checkCount == 1)
            }
        }

        @Test(arguments: [
            (
                "consent-page",
                "sent another page than its results (a page without data of the store: “Before you continue”)"
            ),
            ("wrong-storefront", "answered from another country (asked in us, answered from gb)"),
            ("changed-page", "page has changed"), ("cut-page", "only a part of its list"), ("huge-page", "larger than"),
            ("403", "refused the request (status 403)"),
        ]) func `a page that cannot be believed is no list, and 69`(_ fault: String, _ words: String) async throws {
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--seed", "5", "--apps", "800", "--fault", "\(fault)=1"])
                for format in ["table", "json"] {
                    let search = try await stage.rankctl([
                        "search", "habit tracker", "--source", "web", "--search-url", store.origin, "--format", format,
                    ])
                    #expect(search.ending == .code(69))
                    #expect(search.output.isEmpty && search.errors.contains(words), "\(search.errors)")
                }
            }
        }

        @Test(arguments: [["--source", "phone"], ["--source", "web", "--language", "en_us"]])
        func `a source that is none, and a language for the page, are 64`(_ arguments: [String]) async throws {
            try await Stage.run { stage async throws in
                #expect(try await stage.rankctl(["search", "habits"] + arguments).ending == .code(64))
            }
        }
    }
}
