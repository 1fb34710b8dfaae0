import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// What the reports and the upkeep say where a list is damaged.
    @Suite struct DamagedListsTests {
        /// A history of one pass over three queries, with the list of “query 1” damaged.
        private func record(_ stage: Stage) async throws {
            let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(watchlist(terms(3), ["com.example.app2"]))
            try #require(try await stage.pass(store: store.origin).ending == .code(0))
            let queue = try DatabaseQueue(path: stage.database)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        UPDATE result_list SET places = x'0180' WHERE check_id =
                            (SELECT newest_check FROM query WHERE text = 'query 1')
                        """)
                try #require(database.changesCount == 1)
            }
            try queue.close()
        }

        private func rankctl(_ stage: Stage, _ arguments: [String]) async throws -> Program {
            try await stage.rankctl(arguments + ["--database", stage.database])
        }

        @Test func `a report shows what can be read and says what cannot, in every form`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let reports = [
                    ["history", "--app", "com.example.app1", "--query", "query 1"],
                    ["competitors", "--app", "com.example.app2"], ["compare", "--app", "com.example.app2"],
                ]
                for arguments in reports {
                    let table = try await rankctl(stage, ["report"] + arguments)
                    #expect(table.ending == .code(0), "\(arguments) \(table.errors)")
                    #expect(
                        table.output.contains("is damaged and left out: rankctl verify"), "\(arguments) \(table.output)"
                    )
                    #expect(!table.output.contains(">10"))
                    let json = try await rankctl(stage, ["report"] + arguments + ["--format", "json"])
                    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
                    let damaged = try #require(document?["damagedLists"] as? [[String: Any]], "\(json.output)")
                    #expect(damaged.map { $0["query"] as? String } == ["query 1"], "\(json.output)")
                    let csv = try await rankctl(stage, ["report"] + arguments + ["--format", "csv"])
                    #expect(csv.ending == .code(0))
                    #expect(csv.errors.contains("warning: “query 1” in us on iPhone: the list of "), "\(csv.errors)")
                }
            }
        }

        @Test func `an outcome that no rankd writes ends a report with 65, and is told with its place`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let queue = try DatabaseQueue(path: stage.database)
                let check = try await queue.writeWithoutTransaction { database in
                    try database.execute(
                        sql: """
                            PRAGMA ignore_check_constraints = ON;
                            UPDATE check_log SET outcome = 'perhaps' WHERE id =
                                (SELECT newest_check FROM query WHERE text = 'query 2');
                            """)
                    return try Int64.fetchOne(database, sql: "SELECT id FROM check_log WHERE outcome = 'perhaps'")
                }
                try queue.close()
                let place = "check_log \(try #require(check)): outcome “perhaps”"
                for arguments in [["history", "--app", "com.example.app2"], ["results", "--query", "query 2"]] {
                    let report = try await rankctl(stage, ["report"] + arguments)
                    #expect(report.ending == .code(65) && report.output.isEmpty, "\(report.output)")
                    #expect(report.errors.contains(place), "\(report.errors)")
                }
            }
        }

        @Test func `the list that was asked for and is damaged is refused with 65`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let damaged = try await rankctl(stage, ["report", "results", "--query", "query 1"])
                #expect(damaged.ending == .code(65) && damaged.output.isEmpty, "\(damaged.output)")
                #expect(damaged.errors.contains("cannot be read") && damaged.errors.contains("rankctl verify"))
                #expect(try await rankctl(stage, ["report", "results", "--query", "query 2"]).ending == .code(0))
            }
        }

        @Test func `an export without a damaged list says so and ends with 65`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let export = try await rankctl(stage, ["export"])
                #expect(export.ending == .code(65), "\(export.errors)")
                #expect(export.errors.contains("exported 3 checks without 1 list that cannot be decoded"))
                #expect(export.output.hasSuffix("}\n"))
            }
        }

        @Test func `a backup has damaged lists as they are, and ends with 65`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let backup = try await rankctl(stage, ["backup", stage.file("copy.sqlite")])
                #expect(backup.ending == .code(65), "\(backup.errors)")
                #expect(
                    backup.errors.contains("warning: the history has damaged lists, and so has the copy (the list"))
                let report = try await stage.rankctl(["report", "--database", stage.file("copy.sqlite")])
                #expect(report.ending == .code(0) && report.output.contains("#2"), "\(report.errors)")
                let again = try await rankctl(stage, ["backup", stage.file("copy.sqlite"), "--force"])
                #expect(again.ending == .code(65) && again.errors.contains("was left unchanged"), "\(again.errors)")
            }
        }

        @Test func `a new pair is filled in as far as lists can be read, and the pass says where not`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
                let store = try await stage.simulator(["--replay", recordings.folder])
                try stage.watch(watchlist(terms(3), ["com.example.app2", "com.example.app3"]))
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.ending == .code(0), "\(pass.errors)")
                #expect(
                    pass.errors.contains("the lists of “query 1” (us, iPhone) from ")
                        && pass.errors.contains("leave a gap in the history of new pairs"), "\(pass.errors)")
                let positions = try RecordedHistory(stage.database).number(
                    "SELECT count(*) FROM position JOIN pair ON pair.id = pair WHERE bundle_id = 'com.example.app3'")
                #expect(positions == 2)
            }
        }
    }
}
