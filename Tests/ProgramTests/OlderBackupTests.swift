import Foundation
import GRDB
import ProgramStage
import Testing

extension ProgramTests {
    /// What can be done with a backup from before an upgrade.
    @Suite struct OlderBackupTests {
        /// The dump of the first schema that was released, with 11 checks.
        private static let dump = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "HistoryTests/Schemas/version1.sql")

        @Test func `an older backup is verified and exported from a copy, and stays as it is`() async throws {
            try await Stage.run { stage async throws in
                let backup = stage.file("backup.sqlite")
                let queue = try DatabaseQueue(path: backup)
                try await queue.writeWithoutTransaction {
                    try $0.execute(sql: try String(contentsOf: Self.dump, encoding: .utf8))
                }
                try queue.close()
                let before = try Data(contentsOf: URL(fileURLWithPath: backup))
                let folder = stage.file("tmp")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let verify = try await stage.rankctl(["verify", backup], environment: ["TMPDIR": folder])
                #expect(verify.ending == .code(0), "\(verify.output) \(verify.errors)")
                #expect(
                    verify.errors.contains("has schema 1: rankctl leaves it unchanged and reads a copy in \(folder)"))
                let export = try await stage.rankctl(["export", "--database", backup], environment: ["TMPDIR": folder])
                #expect(export.ending == .code(0) && export.errors.contains("exported 11 checks"), "\(export.errors)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                let report = try await stage.rankctl(["report", "--database", backup])
                #expect(report.ending == .code(65) && report.errors.contains("has schema 1"), "\(report.errors)")
            }
        }
    }
}
