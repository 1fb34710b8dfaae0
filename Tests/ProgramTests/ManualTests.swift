import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// The manual and the completions as `script/shell-files` writes them.
    @Suite struct ManualTests {
        private static let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

        private static let man = ["/usr/bin/man", "/bin/man"].first(where: FileManager.default.isExecutableFile)
        private static let mandoc = ["/usr/bin/mandoc"].first(where: FileManager.default.isExecutableFile)
        private static let pages = ["man1/rankctl.1", "man5/rankd-watchlist.5", "man8/rankd.8", "man8/rankweb.8"]

        /// Writes everything, and says where the manual is.
        private func write(_ stage: Stage) async throws -> String {
            let programs = URL(fileURLWithPath: Program.Name.rankctl.path).deletingLastPathComponent().path
            let script = try stage.start(
                path: Self.root.appendingPathComponent("script/shell-files").path, [programs, stage.file("made")],
                environment: ["SOURCE_DATE_EPOCH": "1795132800"])
            #expect(try await script.ends() == .code(0) && script.errors.isEmpty, "\(script.errors)")
            return stage.file("made/share/man")
        }

        private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

        @Test func `each page has its sections, the same ones every time`() async throws {
            try await Stage.run { stage async throws in
                let manual = try await write(stage)
                let files = ["FILES", "ENVIRONMENT", "EXIT STATUS"]
                let sections = [
                    [
                        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS OF EVERY COMMAND",
                        "OPTIONS WITHOUT A COMMAND", "TIMES",
                    ] + files + ["SEE ALSO"],
                    ["NAME", "DESCRIPTION", "OBJECTS AND KEYS", "LENGTHS OF TIME", "EXAMPLES", "FILES", "SEE ALSO"],
                    ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SIGNALS"] + files + ["EXAMPLES", "SEE ALSO"],
                    ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "PASSWORD AND TOKENS", "SIGNALS"] + files
                        + ["EXAMPLES", "SEE ALSO"],
                ]
                for (page, wanted) in zip(Self.pages, sections) {
                    let lines = try text("\(manual)/\(page)").split(separator: "\n")
                    let found = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4).filter { $0 != "\"" } }
                    #expect(found == wanted)
                    #expect(lines[1].contains(#""2026-11-20" "rankd "#), "\(lines[1])")
                }
                let options = try text("\(manual)/man1/rankctl.1")
                #expect(options.contains(#".SS "rankctl report [standings]""#))
                #expect(options.contains(#"\fB\-\-competitors\fR"#) && !options.contains("rankctl help"))
            }
        }

        @Test(.enabled(if: Self.man != nil, "needs the man program"), arguments: ["C", "C.UTF-8"])
        func `man shows every page without a warning`(_ locale: String) async throws {
            try await Stage.run { stage async throws in
                let manual = try await write(stage)
                for page in Self.pages {
                    let man = try stage.start(
                        path: try #require(Self.man), ["--warnings=w", "-l", "\(manual)/\(page)"],
                        environment: ["LC_ALL": locale, "MANWIDTH": "80"])
                    #expect(try await man.ends() == .code(0) && man.errors.isEmpty, "\(page): \(man.errors)")
                    #expect(man.output.contains("SEE ALSO"))
                    let widest = man.output.split(separator: "\n").map(\.count).max() ?? 0
                    #expect(widest <= 80, "\(page) has a line of \(widest) characters")
                }
            }
        }

        @Test(.enabled(if: Self.mandoc != nil, "needs the mandoc program"))
        func `mandoc finds nothing worse than a matter of style`() async throws {
            try await Stage.run { stage async throws in
                let manual = try await write(stage)
                for page in Self.pages {
                    let mandoc = try stage.start(
                        path: try #require(Self.mandoc), ["-T", "lint", "-W", "warning", "\(manual)/\(page)"])
                    #expect(try await mandoc.ends() == .code(0), "\(mandoc.output)")
                }
            }
        }

        @Test func `every variable that the programs read is in a page`() async throws {
            try await Stage.run { stage async throws in
                let manual = try await write(stage)
                let pages = try Self.pages.map { try text("\(manual)/\($0)").replacing(#"\-"#, with: "-") }.joined()
                let reads = /(?:environment\[|value\(|variable: |variable = |systemd: |userFolder\()"([A-Z][A-Z_]+)"/
                var variables: Set<String> = []
                for folder in ["rankd", "rankctl", "rankweb", "Console", "Reports", "Web"] {
                    let path = Self.root.appendingPathComponent("Sources/\(folder)").path
                    for file in FileManager.default.enumerator(atPath: path)?.allObjects ?? [] {
                        guard let file = file as? String, file.hasSuffix(".swift") else { continue }
                        variables.formUnion(try text("\(path)/\(file)").matches(of: reads).map { String($0.output.1) })
                    }
                }
                #expect(
                    variables.isSuperset(of: ["RANKD_DATABASE", "RANKD_SEARCH_URL", "STATE_DIRECTORY", "NO_COLOR"]))
                for variable in variables where variable != "HOME" {
                    #expect(pages.contains(variable), "Sources/Manual says nothing of \(variable)")
                }
            }
        }
    }
}
