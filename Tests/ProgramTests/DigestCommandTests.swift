import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// The page of each morning and the reports on updates, by the built program.
    @Suite struct DigestCommandTests {
        /// A history of one pass, with a release noted.
        private func record(_ stage: Stage) async throws {
            var recordings = try Recordings("recordings", on: stage)
            try recordings.add(
                Recordings.list((1...5).map { "com.example.app\($0)" }), as: "us.json", for: ["habits"])
            let store = try await stage.simulator(["--replay", recordings.folder])
            try stage.watch(
                """
                { "apps": { "mine": { "bundleId": "com.example.app4" } },
                  "watch": [ { "app": "mine", "query": "habits", "every": "4w" } ],
                  "notes": [ { "on": "2026-11-20", "app": "mine", "version": "2.4", "text": "new", "added": ["habits"] } ],
                  "service": { "requestsPerMinute": 100000 } }
                """)
            let pass = try await stage.pass(store: store.origin)
            try #require(pass.ending == .code(0), "\(pass.errors)")
        }

        private func digest(
            _ stage: Stage, _ arguments: [String], environment: [String: String] = [:]
        ) async throws -> Program {
            try await stage.rankctl(
                ["report", "digest", "--database", stage.database] + arguments, environment: environment)
        }

        /// A sendmail that keeps what it is given.
        private func sendmail(_ stage: Stage, ending code: Int = 0) throws -> [String: String] {
            let path = try stage.write(
                """
                #!/bin/sh
                printf '%s\\n' "$@" >'\(stage.file("arguments"))'
                cat >'\(stage.file("mail"))'
                exit \(code)
                """, to: "sendmail")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return ["RANKD_SENDMAIL": path]
        }

        private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

        @Test func `the digest comes in every form`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                for format in ["table", "json", "csv", "markdown", "html"] {
                    let program = try await digest(stage, ["--format", format, "--since", "7d"])
                    #expect(program.ending == .code(0), "\(program.errors)")
                    #expect(!program.output.isEmpty)
                }
            }
        }

        @Test func `the mail goes to sendmail, with its recipients in its head alone`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let program = try await digest(
                    stage, ["--mail", "me@example.com, root", "--mail-from", "rankd@example.com"],
                    environment: try sendmail(stage))
                #expect(program.ending == .code(0), "\(program.errors)")
                #expect(program.output.isEmpty)
                #expect(try text(stage.file("arguments")) == "-i\n-t\n")
                let mail = try text(stage.file("mail"))
                #expect(mail.hasPrefix("From: rankd@example.com\nTo: me@example.com,\n root\nSubject: "), "\(mail)")
                #expect(mail.contains("Content-Type: text/plain; charset=utf-8\n"))
                #expect(mail.contains("Content-Type: text/html; charset=utf-8\n"))
                #expect(mail.hasSuffix("--=_rankd_alternative--\n"))
            }
        }

        @Test func `the mail can be written into a file instead, and an empty address makes none`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let file = stage.file("digest.eml")
                let none = try await digest(stage, ["--mail", "", "--mail-from", "", "--output", file])
                #expect(none.ending == .code(0), "\(none.errors)")
                #expect(!FileManager.default.fileExists(atPath: file))
                let one = try await digest(stage, ["--mail=me@example.com", "--output", file, "--format", "html"])
                #expect(one.ending == .code(0), "\(one.errors)")
                let mail = try text(file)
                #expect(mail.hasPrefix("To: me@example.com\n"))
                #expect(mail.contains("text/html") && !mail.contains("multipart"))
                let other = try await digest(stage, ["--mail=me@example.com", "--output", stage.file("mail.csv")])
                #expect(other.ending == .code(0), "\(other.errors)")
                #expect(try text(stage.file("mail.csv")).hasPrefix("To: me@example.com\n"))
            }
        }

        @Test func `the mail goes to stdout where its output is a hyphen, and to no sendmail`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let mail = try await digest(
                    stage, ["--mail=me@example.com", "--output", "-"], environment: try sendmail(stage))
                #expect(mail.ending == .code(0), "\(mail.errors)")
                #expect(mail.output.hasPrefix("To: me@example.com\n"), "\(mail.output.prefix(200))")
                #expect(mail.output.hasSuffix("--=_rankd_alternative--\n"))
                for name in ["mail", "-"] { #expect(!FileManager.default.fileExists(atPath: stage.file(name))) }
            }
        }

        @Test func `a sendmail that is missing or refuses is told, and ends with 69`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let missing = try await digest(
                    stage, ["--mail", "me@example.com"], environment: ["RANKD_SENDMAIL": stage.file("none")])
                #expect(missing.ending == .code(69))
                #expect(missing.errors.contains("install a mail program"), "\(missing.errors)")
                let refusing = try await digest(
                    stage, ["--mail", "me@example.com"], environment: try sendmail(stage, ending: 75))
                #expect(refusing.ending == .code(69))
                #expect(refusing.errors.contains("ended with 75"), "\(refusing.errors)")
            }
        }

        @Test func `an address that could be more than one is refused before anything is read`() async throws {
            try await Stage.run { stage async throws in
                for address in ["a@b\nBcc: c@d", "-oQ/tmp", "a b@c"] {
                    let program = try await digest(stage, ["--mail=\(address)"], environment: try sendmail(stage))
                    #expect(program.ending == .code(64), "\(program.errors)")
                    #expect(program.errors.contains("write an address such as"), "\(program.errors)")
                }
                let table = try await digest(stage, ["--mail=a@b", "--format=csv"])
                #expect(table.ending == .code(64))
                #expect(!FileManager.default.fileExists(atPath: stage.file("mail")))
            }
        }

        @Test func `the known versions of an app are listed, and named where another is asked for`() async throws {
            try await Stage.run { stage async throws in
                try await record(stage)
                let arguments = ["report", "release", "--database", stage.database, "mine"]
                let known = try await stage.rankctl(arguments)
                #expect(known.ending == .code(0), "\(known.errors)")
                #expect(known.output.contains("2.4") && known.output.contains("2026-11-20"), "\(known.output)")
                let unknown = try await stage.rankctl(arguments + ["9.9"])
                #expect(unknown.ending == .code(64))
                #expect(unknown.errors.contains("no version “9.9” of ") && unknown.errors.contains("it knows: "))
                let effect = try await stage.rankctl(arguments + ["v2.4", "--format", "json", "--days", "7"])
                #expect(effect.ending == .code(0), "\(effect.errors)")
                #expect(effect.output.contains(#""verdict":"#))
                let long = try await stage.rankctl(arguments + ["2.4", "--days", "91"])
                #expect(long.ending == .code(64))
            }
        }
    }
}
