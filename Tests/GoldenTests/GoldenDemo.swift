import Foundation
import History
import ProgramStage
import RankKit
import Testing

/// The month that the goldens are made of: rankd's own passes over a simulated App Store, from one seed to one end.
struct GoldenDemo: Sendable {
    /// The wall clock of every report.
    static let now = "2026-11-20T08:20:00Z"

    let now: Timestamp
    let database: String

    /// Made once, whatever the number of tests that ask for it: it takes most of their time.
    static let shared = Task { try await GoldenDemo() }

    /// In a folder beside the tests, where the next run replaces it and anybody can look into it.
    private init() async throws {
        let folder = URL(fileURLWithPath: Program.Name.demo.path).deletingLastPathComponent()
            .appendingPathComponent("golden-demo")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (output, errors) = (folder.path + "/stdout", folder.path + "/stderr")
        for file in [output, errors] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
        let program = try Program(
            path: Program.Name.demo.path, arguments: ["--folder", folder.path, "--seed", "1", "--end", Self.now],
            environment: [:], output: output, errors: errors)
        let ending = try await program.ends()
        try #require(ending == .code(0), "\(program.errors)")
        now = try #require(Timestamp(iso8601: Self.now))
        database = folder.appendingPathComponent("history.sqlite").path
    }

    func reader() throws -> HistoryReader { try HistoryReader(path: database) }
}
