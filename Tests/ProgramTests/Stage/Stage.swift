import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization
import TestSupport

/// Where a test runs its programs: a folder of its own, and every process that it started.
final class Stage: Sendable {
    private let folder: TemporaryFolder
    private let programs = Mutex<[Program]>([])

    private init() throws { folder = try TemporaryFolder() }

    /// Runs `body`, and then ends whatever still runs.
    static func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Stage) async throws -> Value
    ) async throws -> Value {
        let stage = try Stage()
        defer { for program in stage.programs.withLock({ $0 }) { program.end() } }
        return try await body(stage)
    }

    var path: String { folder.path }
    var database: String { folder.file("history.sqlite") }
    var watchlistFile: String { folder.file("watchlist.json") }

    func file(_ name: String) -> String { folder.file(name) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

    /// Writes the watchlist that `rankd` is given.
    func watch(_ text: String) throws { try write(text, to: "watchlist.json") }

    /// What every process gets to see of the environment: nothing that the person who runs the tests has set.
    private var environment: [String: String] {
        var environment = ["HOME": path, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return environment
    }

    func start(
        _ name: Program.Name, _ arguments: [String], environment more: [String: String] = [:]
    ) throws -> Program {
        try start(path: name.path, arguments, environment: more)
    }

    func start(path: String, _ arguments: [String], environment more: [String: String] = [:]) throws -> Program {
        try programs.withLock { programs in
            let log = folder.file("\(URL(fileURLWithPath: path).lastPathComponent)-\(programs.count)")
            let program = try Program(
                path: path, arguments: arguments, environment: environment.merging(more) { $1 },
                output: log + ".out", errors: log + ".err")
            programs.append(program)
            return program
        }
    }

    // MARK: The programs as they are mostly started

    func rankd(
        _ arguments: [String] = [], store: String, environment: [String: String] = [:]
    ) throws -> Program {
        try start(
            .rankd,
            ["--watchlist", watchlistFile, "--database", database, "--search-url", store] + arguments,
            environment: environment)
    }

    /// Runs one pass to its end.
    func pass(store: String) async throws -> Program {
        let rankd = try rankd(["--once"], store: store)
        _ = try await rankd.ends()
        return rankd
    }

    /// Runs `rankctl` to its end.
    func rankctl(_ arguments: [String], environment: [String: String] = [:]) async throws -> Program {
        let rankctl = try start(.rankctl, arguments, environment: environment)
        _ = try await rankctl.ends()
        return rankctl
    }

    func simulator(_ arguments: [String]) async throws -> Simulator {
        let program = try start(.simulator, ["--port", "0"] + arguments)
        let line = try await program.prints("listening on ")
        return Simulator(origin: String(line.dropFirst("listening on ".count)))
    }
}

/// A store that runs in a process of its own.
struct Simulator: Sendable {
    let origin: String

    /// How many searches it was asked so far.
    func searches() async throws -> Int { try await stats().search }

    /// How many look-ups it was asked so far.
    func lookups() async throws -> Int { try await stats().lookup }

    private struct Stats: Decodable {
        let search: Int
        let lookup: Int
    }

    private func stats() async throws -> Stats {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: origin + "/_stats"), timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 1 << 16)
        return try JSONDecoder().decode(Stats.self, from: Data(body.readableBytesView))
    }
}
