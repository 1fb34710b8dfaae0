import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// Whether storefronts sell the apps: what the programs ask, keep and say.
    @Suite struct LookupTests {
        private static let sold = "com.example.app1"
        private static let typo = "com.example.tpyo"

        /// A store that sells five apps in the United States, and has heard of Germany.
        private func store(_ stage: Stage, _ arguments: [String] = []) async throws -> Simulator {
            var recordings = try Recordings.ofFiveApps(for: ["habits", "timer"], on: stage)
            try recordings.add(Recordings.list(["com.example.app2"]), as: "de.json", for: ["habits"], country: "de")
            return try await stage.simulator(["--replay", recordings.folder] + arguments)
        }

        /// Moves everything that look-ups left into the past.
        private func age(_ stage: Stage, bySeconds seconds: Int) throws {
            let queue = try DatabaseQueue(path: stage.database)
            try queue.write { database in
                try database.execute(
                    sql: """
                        UPDATE app_presence SET empty_since = empty_since - ?, empty_at = empty_at - ?
                        """, arguments: [seconds, seconds])
            }
            try queue.close()
        }

        @Test func `apps that no list shows are looked up once a country after the pass`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(["habits", "timer"], [Self.sold, Self.typo, "com.example.other"]))
                let first = try await stage.pass(store: store.origin)
                #expect(first.ending == .code(0) && first.printedLines.count == 2, "\(first.errors)")
                #expect(try await store.lookups() == 1)
                let history = try RecordedHistory(stage.database)
                #expect(try history.number("SELECT count(*) FROM app_presence WHERE empty_answers = 1") == 2)
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                #expect(try await store.lookups() == 1)
                #expect(try history.flaws == [])
            }
        }

        @Test func `two empty answers a day apart are said in the log, the status and the report`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(watchlist(["habits"], [Self.sold, Self.typo]))
                _ = try await stage.pass(store: store.origin)
                let whole = ["report", "--format", "csv", "--columns", "all", "--database", stage.database]
                let positions = try await stage.rankctl(whole)
                #expect(!positions.output.contains("check the bundleId"))

                try age(stage, bySeconds: 86_400)
                let second = try await stage.pass(store: store.origin)
                #expect(second.ending == .code(0) && second.errors.hasPrefix("nothing is due"))
                #expect(
                    second.errors.contains("the App Store of us does not sell com.example.tpyo: check the bundleId"))

                let status = try await stage.rankctl(["status", "--database", stage.database])
                #expect(status.ending == .code(0), "an app that is not sold is no trouble of the service's")
                #expect(
                    status.output.contains("\nunknown    com.example.tpyo · us: not sold there"), "\(status.output)")
                let json = try await stage.rankctl(["status", "--format", "json", "--database", stage.database])
                #expect(json.output.contains(#""unknownApps":[{"bundleId":"com.example.tpyo","country":"us","since":"#))
                #expect(json.output.contains(#"{"name":"lookup","state":"asking","until":null}"#))

                let note = "the US store sells no app com.example.tpyo (looked up twice, last "
                let table = try await stage.rankctl(
                    ["report", "--database", stage.database], environment: ["COLUMNS": "160"])
                #expect(table.output.contains("\n" + note), "\(table.output)")
                let rows = try await stage.rankctl(["report", "--format", "json", "--database", stage.database])
                #expect(rows.output.components(separatedBy: #""note":null"#).count == 2)
                #expect(rows.output.components(separatedBy: #""note":""# + note).count == 2)

                // All else reads as before.
                let after = try await stage.rankctl(whole)
                func withoutNotes(_ csv: String) -> [String] {
                    csv.components(separatedBy: "\r\n").map { line -> String in
                        guard let start = line.range(of: "\"" + note)?.lowerBound,
                            let end = line[line.index(after: start)...].firstIndex(of: "\"")
                        else { return line }
                        return String(line[..<start] + line[line.index(after: end)...])
                    }
                }
                #expect(withoutNotes(after.output) == withoutNotes(positions.output))
                #expect(try RecordedHistory(stage.database).checkCount == 1)
            }
        }

        @Test func `look-ups that are turned away pause look-ups alone`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage, ["--limit-per-minute", "1"])
                try stage.watch(watchlist(["habits"], [Self.sold, Self.typo]))
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                try stage.watch(watchlist(["habits"], [Self.sold, Self.typo, "com.example.other"]))
                #expect(try await stage.pass(store: store.origin).ending == .code(0))
                let json = try await stage.rankctl(["status", "--format", "json", "--database", stage.database])
                #expect(json.ending == .code(0))
                #expect(json.output.contains(#"{"name":"search","state":"asking","until":null}"#))
                #expect(json.output.contains(#"{"name":"lookup","state":"cooling-down","until":"#))
                let check = try await stage.rankctl([
                    "watch", "check", stage.watchlistFile, "--online", "--search-url", store.origin, "--database",
                    stage.database,
                ])
                #expect(check.ending == .code(69) && check.errors.contains("not asked: the App Store refused rankd's"))
                let add = try await stage.rankctl([
                    "watch", "add", "https://apps.apple.com/us/app/x/id1", "--as", "rival", "--watchlist",
                    stage.watchlistFile, "--search-url", store.origin, "--database", stage.database,
                ])
                #expect(add.ending == .code(69) && add.errors.contains("not asked: the App Store refused rankd's"))
                #expect(try await store.lookups() == 2)
            }
        }

        // MARK: watch check --online

        private func check(_ stage: Stage, _ origin: String) async throws -> Program {
            try await stage.rankctl([
                "watch", "check", "--online", stage.watchlistFile, "--search-url", origin, "--database", stage.database,
            ])
        }

        @Test func `check --online says what one answer did not find where, and records nothing`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(
                    """
                    { "watch": [ { "query": "habits", "bundleIds": ["com.example.app2", "com.example.tpyo"],
                                   "countries": ["us", "de"] },
                                 { "query": "timer", "bundleId": "com.example.app1" } ],
                      "service": { "requestsPerMinute": 100000 } }
                    """)
                let program = try await check(stage, store.origin)
                #expect(program.ending == .code(1), "\(program.errors)")
                let offline = try await stage.rankctl(["watch", "check", stage.watchlistFile])
                #expect(program.output.hasPrefix(offline.output))
                #expect(
                    program.output.dropFirst(offline.output.count) == """
                        not found: com.example.tpyo in de
                        not found: com.example.tpyo in us
                        online: 3 of 5 found (each app counted once per country)
                        One answer is no proof. Check the spelling of the apps that were not found, and whether that \
                        country's store sells them.

                        """)
                #expect(try await store.lookups() == 2)
                #expect(!FileManager.default.fileExists(atPath: stage.database))
            }
        }

        @Test func `a country that does not answer is told apart from an app that is not sold`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(
                    """
                    { "watch": [ { "query": "habits", "bundleId": "com.example.app2", "countries": ["us", "jp"] } ],
                      "service": { "requestsPerMinute": 100000 } }
                    """)
                let program = try await check(stage, store.origin)
                #expect(program.ending == .code(0))
                #expect(program.output.hasSuffix("online: 1 of 1 found (each app counted once per country)\n"))
                #expect(
                    program.errors.hasSuffix(
                        "no answer about com.example.app2 in jp: the App Store answered with an error status (status 404)\n"
                    ))
            }
        }

        @Test func `without a network check --online says so and is 69`() async throws {
            try await Stage.run { stage async throws in
                try stage.watch(watchlist(["habits"], [Self.sold]))
                let program = try await check(stage, "http://127.0.0.1:1")
                #expect(program.ending == .code(69))
                #expect(program.output.contains("fits:"))
                #expect(program.errors.contains("the App Store could not be reached; is this machine online?"))
            }
        }

        @Test func `an invalid list is 78 and asks nobody`() async throws {
            try await Stage.run { stage async throws in
                let store = try await store(stage)
                try stage.watch(#"{ "watch": [ 7 ] }"#)
                #expect(try await check(stage, store.origin).ending == .code(78))
                #expect(try await store.lookups() == 0)
            }
        }
    }
}
