import Foundation
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct CommandTransportTests {
    private func run(_ arguments: [String], input: String = "{}\n") async throws -> DeliveryAnswer {
        // Its limit never comes.
        try await CommandTransport(arguments, limit: .seconds(30), clock: ManualClock()).run(Array(input.utf8))
    }

    private func shell(_ script: String) async throws -> DeliveryAnswer { try await run(["/bin/sh", "-c", script]) }

    @Test func `the exit code decides`() async throws {
        #expect(try await shell("exit 0") == .delivered)
        #expect(try await shell("exit 75") == .retry(after: nil, why: "it ended with 75, try later"))
        #expect(try await shell("exit 3") == .refused(why: "it ended with 3"))
        #expect(try await shell("kill -9 $$") == .refused(why: "it was ended by signal 9"))
    }

    @Test func `the JSON comes on standard input, long ones too, and the output goes nowhere`() async throws {
        let folder = try TemporaryFolder()
        let input = String(repeating: "{\"x\":1}\n", count: 60_000)
        let answer = try await run(
            ["/bin/sh", "-c", "cat >\"$1\"; echo out; echo err >&2", "sh", folder.file("in")], input: input)
        #expect(answer == .delivered)
        #expect(try String(contentsOfFile: folder.file("in"), encoding: .utf8) == input)
    }

    @Test func `a program that reads nothing is not waited for`() async throws {
        #expect(try await run(["/bin/true"], input: String(repeating: "x", count: 300_000)) == .delivered)
    }

    @Test func `nothing is a shell's word`() async throws {
        let folder = try TemporaryFolder()
        let words = ["$(touch x)", "; touch x", "a b", "*"]
        let answer = try await run(
            ["/bin/sh", "-c", "f=$1; shift; printf '%s\\n' \"$@\" >\"$f\"", "sh", folder.file("out")] + words)
        #expect(answer == .delivered)
        #expect(
            try String(contentsOfFile: folder.file("out"), encoding: .utf8) == words.joined(separator: "\n") + "\n")
    }

    @Test func `it sees neither our environment nor our files`() async throws {
        let folder = try TemporaryFolder()
        let answer = try await run([
            "/bin/sh", "-c", "{ env; echo; ls /proc/$$/fd; } >\"$1\"", "sh", folder.file("out"),
        ])
        #expect(answer == .delivered)
        let parts = try String(contentsOfFile: folder.file("out"), encoding: .utf8).split(separator: "\n\n")
        let names = try #require(parts.first).split(separator: "\n").map { $0.prefix { $0 != "=" } }.filter {
            !["PWD", "_", "SHLVL", "OLDPWD"].contains($0)
        }
        #expect(Set(names) == ["PATH", "LANG", "RANKD_COMMAND"])
        // A shell keeps another descriptor of its own from 10 on.
        let files = try #require(parts.last).split(separator: "\n").compactMap { Int($0) }.filter { $0 < 10 }
        #expect(files == [0, 1, 2], "\(parts)")
    }

    @Test func `what cannot be started is said`() async throws {
        #expect(
            try await run(["/no/such/program"])
                == .refused(why: "/no/such/program cannot be started: No such file or directory"))
        #expect(try await run(["true"]) == .refused(why: "the command does not begin with an absolute path"))
    }

    @Test(arguments: [false, true])
    func `after its time the whole group is ended, even one that does not listen`(isStubborn: Bool) async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let script =
            (isStubborn ? "trap '' TERM; " : "")
            + "sleep 3600 & echo $! >\"$1/new\"; mv \"$1/new\" \"$1/child\"; while :; do wait; sleep 1; done"
        let way = CommandTransport(["/bin/sh", "-c", script, "sh", folder.path], limit: .seconds(30), clock: clock)
        let running = Task { try await way.run([]) }
        while !FileManager.default.fileExists(atPath: folder.file("child")) { await Task.yield() }
        let child = try #require(
            try Int32(String(contentsOfFile: folder.file("child"), encoding: .utf8).split(separator: "\n").joined()))
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        if isStubborn {
            await clock.sleepers(1)
            clock.advance(by: CommandTransport.grace)
        }
        #expect(try await running.value == .retry(after: nil, why: "it ran for 30 s and was stopped"))
        while isRunning(child) { await Task.yield() }
    }

    @Test func `what a program leaves running ends with it`() async throws {
        let folder = try TemporaryFolder()
        let script =
            "sleep 3600 & echo $! >\"$1/child\"; (trap '' TERM HUP; sleep 3600) & echo $! >>\"$1/child\"; exit 0"
        #expect(try await run(["/bin/sh", "-c", script, "sh", folder.path]) == .delivered)
        let children = try String(contentsOfFile: folder.file("child"), encoding: .utf8).split(separator: "\n")
        #expect(children.count == 2)
        for child in children.compactMap({ Int32($0) }) { while isRunning(child) { await Task.yield() } }
    }

    #if os(Linux)
        /// Starts a shell in a session of its own, which writes its number to a file and then sleeps.
        private static let leave = """
            leave() { setsid sh -c 'trap "" TERM HUP; echo $$ >"$1.new"; mv "$1.new" "$1"; sleep 3600' sh "$1" & }

            """

        private func number(_ file: String) throws -> Int32 {
            try #require(Int32(String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").joined()))
        }

        private func parent(of pid: Int32) throws -> Int32? {
            let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        }

        @Test func `a daemon that a program leaves behind ends with it, and so does what that one starts`() async throws
        {
            let folder = try TemporaryFolder()
            let script =
                Self.leave + "leave \"$1/one\"; (leave \"$1/two\"; exit) & while ! [ -e \"$1/one\" -a -e \"$1/two\" ]; "
                + "do sleep 0.01; done; exit 0"
            #expect(try await run(["/bin/sh", "-c", script, "sh", folder.path]) == .delivered)
            for name in ["one", "two"] {
                let child = try number(folder.file(name))
                #expect(!FileManager.default.fileExists(atPath: "/proc/\(child)"))
            }
        }

        @Test func `a child that is starting another program is looked at again`() {
            let left = LeftChildren()
            #expect(left.owner(environment: Data()) == .unclear)
            #expect(left.owner(environment: nil) == .unclear)
            #expect(left.owner(environment: Data("PATH=/bin\0\(left.mark)\0".utf8)) == .program)
            #expect(left.owner(environment: Data("PATH=/bin\0RANKD_COMMAND=another\0".utf8)) == .other)
        }

        @Test func `a daemon of somebody else is left alone, though it is a child of ours as well`() async throws {
            let folder = try TemporaryFolder()
            LeftChildren.adopt()
            let program = Process()
            program.executableURL = URL(filePath: "/bin/sh")
            program.arguments = [
                "-c", Self.leave + "leave \"$1\"; while ! [ -e \"$1\" ]; do sleep 0.01; done", "sh",
                folder.file("other"),
            ]
            try program.run()
            // Whoever waits for the program's end waits for the daemon too, which has inherited what tells of it.
            while !FileManager.default.fileExists(atPath: folder.file("other")) { await Task.yield() }
            let other = try number(folder.file("other"))
            while try parent(of: other) != getpid() { await Task.yield() }
            defer { kill(-other, SIGKILL) }
            #expect(try await shell("exit 0") == .delivered)
            #expect(isRunning(other))
        }
    #endif

    @Test func `a cancelled one is ended`() async throws {
        let way = CommandTransport(["/bin/sleep", "3600"], limit: .seconds(30), clock: ManualClock())
        let running = Task { try await way.run([]) }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    /// One that has ended, and that nobody has reaped yet, runs no more.
    private func isRunning(_ pid: Int32) -> Bool {
        do {
            let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return text.split(separator: ")").last?.hasPrefix(" Z") == false
        } catch { return false }
    }
}
