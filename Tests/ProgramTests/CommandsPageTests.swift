import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// `docs/commands.md` as `rankdocs` makes it from what the programs say about themselves.
    @Suite struct CommandsPageTests {
        private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/commands.md")

        private static let isRenewing = ProcessInfo.processInfo.environment["RANKD_RENEW_GOLDENS"] == "1"

        private static let script = """
            set -e
            "$0/rankctl" --experimental-dump-help | "$0/rankdocs" rankctl --markdown
            echo
            "$0/rankd" --experimental-dump-help | "$0/rankdocs" rankd --markdown
            echo
            "$0/rankweb" --experimental-dump-help | "$0/rankdocs" rankweb --markdown
            """

        @Test func `the commands in the documentation are what the programs say`() async throws {
            try await Stage.run { stage async throws in
                let programs = URL(filePath: Program.Name.rankctl.path).deletingLastPathComponent().path
                let shell = try stage.start(path: "/bin/sh", ["-c", Self.script, programs])
                try #require(try await shell.ends() == .code(0) && shell.errors.isEmpty, "\(shell.errors)")
                let made = shell.output
                if Self.isRenewing {
                    try Data(made.utf8).write(to: Self.page)
                    Issue.record(
                        "renewed: look at what git says has changed, then run again without RANKD_RENEW_GOLDENS")
                    return
                }
                let kept = try String(contentsOf: Self.page, encoding: .utf8)
                let command = "RANKD_RENEW_GOLDENS=1 swift test --filter CommandsPageTests"
                #expect(
                    kept == made,
                    "docs/commands.md is not what the programs say, first in \(difference(kept, made)): \(command) renews it"
                )
            }
        }

        /// The first line that differs, as both have it.
        private func difference(_ kept: String, _ made: String) -> String {
            let (kept, made) = (kept.components(separatedBy: "\n"), made.components(separatedBy: "\n"))
            let number = zip(kept, made).prefix { $0 == $1 }.count
            let (before, after) = (kept.dropFirst(number).first ?? "", made.dropFirst(number).first ?? "")
            return "line \(number + 1) (“\(before)”, now “\(after)”)"
        }
    }
}
