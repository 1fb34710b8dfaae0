import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization
import TestSupport

/// Where a test runs its programs: a folder of its own, and every process that it started.
package final class Stage: Sendable {
    private let folder: TemporaryFolder
    private let programs = Mutex<[Program]>([])

    /// What no program may ever show or keep.
    package static let secret = "canary-5f1c9a"

    private init() throws { folder = try TemporaryFolder() }

    /// Every process that was started here.
    package var started: [Program] { programs.withLock { $0 } }

    /// Runs `body`, and then ends whatever still runs.
    package static func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Stage) async throws -> Value
    ) async throws -> Value {
        let stage = try Stage()
        defer { for program in stage.programs.withLock({ $0 }) { program.end() } }
        return try await body(stage)
    }

    package var path: String { folder.path }
    package var database: String { folder.file("history.sqlite") }
    package var watchlistFile: String { folder.file("watchlist.json") }

    package func file(_ name: String) -> String { folder.file(name) }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

    /// Writes the watchlist that `rankd` is given.
    package func watch(_ text: String) throws { try write(text, to: "watchlist.json") }

    /// What every process gets to see of the environment: nothing that the person who runs the tests has set.
    private var environment: [String: String] {
        var environment = ["HOME": path, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        // Or else the handler of a crash looks for a minute at the symbols of a debug build.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        // Where secrets usually lie, and a proxy that nobody is to use.
        environment["API_TOKEN"] = Self.secret
        environment["http_proxy"] = "http://user:\(Self.secret)@127.0.0.1:1"
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }

    package func start(
        _ name: Program.Name, _ arguments: [String], environment more: [String: String] = [:]
    ) throws -> Program {
        try start(path: name.path, arguments, environment: more)
    }

    /// - Parameters:
    ///   - output: where stdout leads, such as a pipe; a file of its own unless given.
    ///   - isJournal: whether its stderr is to look like systemd's journal.
    package func start(
        path: String, _ arguments: [String], environment more: [String: String] = [:], output: String? = nil,
        isJournal: Bool = false
    ) throws -> Program {
        try programs.withLock { programs in
            let log = folder.file("\(URL(fileURLWithPath: path).lastPathComponent)-\(programs.count)")
            let errors = log + ".err"
            var more = more
            if isJournal {
                _ = FileManager.default.createFile(atPath: errors, contents: nil)
                var status = stat()
                _ = stat(errors, &status)
                more["JOURNAL_STREAM"] = "\(status.st_dev):\(status.st_ino)"
            }
            let program = try Program(
                path: path, arguments: arguments, environment: environment.merging(more) { $1 },
                output: output ?? log + ".out", errors: errors)
            programs.append(program)
            return program
        }
    }

    // MARK: The programs as they are mostly started

    package func rankd(
        _ arguments: [String] = [], store: String, environment: [String: String] = [:], output: String? = nil,
        isJournal: Bool = false
    ) throws -> Program {
        try start(
            path: Program.Name.rankd.path,
            ["--watchlist", watchlistFile, "--database", database, "--search-url", store] + arguments,
            environment: environment, output: output, isJournal: isJournal)
    }

    /// Runs one pass to its end.
    package func pass(store: String, environment: [String: String] = [:]) async throws -> Program {
        let rankd = try rankd(["--once"], store: store, environment: environment)
        _ = try await rankd.ends()
        return rankd
    }

    /// Runs `rankctl` to its end.
    package func rankctl(_ arguments: [String], environment: [String: String] = [:]) async throws -> Program {
        let rankctl = try start(.rankctl, arguments, environment: environment)
        _ = try await rankctl.ends()
        return rankctl
    }

    package func simulator(_ arguments: [String]) async throws -> Simulator {
        let program = try start(.simulator, ["--port", "0"] + arguments)
        let line = try await program.prints("listening on ")
        return Simulator(origin: String(line.dropFirst("listening on ".count)))
    }
}

/// A store that runs in a process of its own.
package struct Simulator: Sendable {
    package let origin: String

    /// How many searches it was asked so far.
    package func searches() async throws -> Int { try await stats().search }

    /// How many look-ups it was asked so far.
    package func lookups() async throws -> Int { try await stats().lookup }

    private struct Stats: Decodable {
        let search: Int
        let lookup: Int
    }

    private func stats() async throws -> Stats {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: origin + "/_stats"), timeout: .minutes(20))
        let body = try await response.body.collect(upTo: 1 << 16)
        return try JSONDecoder().decode(Stats.self, from: Data(body.readableBytesView))
    }
}
