import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// What can be done with a backup from before an upgrade.
    @Suite struct OlderBackupTests {
        /// Records one pass of some queries.
        private func record(_ stage: Stage) async throws {
            let recordings = try Recordings.ofFiveApps(for: terms(3), on: stage)
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(watchlist(terms(3), ["com.example.app2"]))
            try #require(try await stage.pass(store: store.origin).ending == .code(0))
        }

        @Test func `an older backup is verified and exported from a copy, and stays as it is`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let backup = stage.file("backup.sqlite")
                #expect(try await stage.rankctl(["backup", backup, "--database", stage.database]).ending == .code(0))
                // As though it were of before there were days of countries.
                let queue = try DatabaseQueue(path: backup)
                try await queue.write {
                    try $0.execute(
                        sql: "DROP TABLE country_day; DROP TABLE country_day_due; PRAGMA user_version = 4")
                }
                try queue.close()
                let before = try Data(contentsOf: URL(fileURLWithPath: backup))
                let folder = stage.file("tmp")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let verify = try await stage.rankctl(["verify", backup], environment: ["TMPDIR": folder])
                #expect(verify.ending == .code(0), "\(verify.output) \(verify.errors)")
                #expect(verify.errors.contains("has schema 4: it stays as it is, and a copy in \(folder)"))
                let export = try await stage.rankctl(["export", "--database", backup], environment: ["TMPDIR": folder])
                #expect(export.ending == .code(0) && export.errors.contains("exported 3 checks"), "\(export.errors)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                let report = try await stage.rankctl(["report", "--database", backup])
                #expect(report.ending == .code(65) && report.errors.contains("has schema 4"), "\(report.errors)")
            }
        }
    }
}
