import Foundation
import ProgramStage
import TestSupport

/// `Tests/Tools/recompute.py`, run over the golden demo.
enum Recomputation {
    /// The first `python3` in `PATH`.
    static let python: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { $0 + "/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Tools/recompute.py").path

    /// How it ended, and what it said.
    static func run(over demo: GoldenDemo, reports: String) async throws -> (ending: Program.Ending, words: String) {
        let folder = try TemporaryFolder()
        let program = try Program(
            path: python ?? "python3",
            arguments: [script, demo.database, "--now", GoldenDemo.now, "--reports", reports],
            environment: ProcessInfo.processInfo.environment, output: folder.file("output"),
            errors: folder.file("errors"))
        let ending = try await program.ends()
        return (ending, program.output + program.errors)
    }
}
