import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Monitoring

@Suite struct MetricsServerTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` with the address of a server that gives out `text`.
    private func serving(
        _ text: @escaping @Sendable () async throws -> String, _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let (addresses, announcement) = AsyncStream.makeStream(of: String.self)
        let server = MetricsServer(HostPort(host: "127.0.0.1", port: 0), log: Self.silent, text: text) {
            announcement.yield($0)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { announcement.finish() }
                try await server.run()
            }
            for await address in addresses {
                try await body(address)
                break
            }
            group.cancelAll()
            _ = await group.nextResult()
        }
    }

    /// It waits for a connection as long as a busy machine takes.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(timeout: .init(connect: .minutes(20), read: .minutes(20))))

    private static func ask(
        _ url: String, _ method: String = "GET"
    ) async throws -> (status: UInt, type: String?, length: String?, body: String) {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        let response = try await client.execute(request, timeout: .minutes(20))
        let body = try await response.body.collect(upTo: 1 << 24)
        return (
            response.status.code, response.headers.first(name: "content-type"),
            response.headers.first(name: "content-length"), String(buffer: body)
        )
    }

    @Test func `it answers GET and HEAD of its one path, and nothing else`() async throws {
        try await serving({ "rankd_up 1\n" }) { address in
            let whole = try await Self.ask(address)
            #expect(whole == (200, "text/plain; version=0.0.4; charset=utf-8", "11", "rankd_up 1\n"))
            let head = try await Self.ask(address, "HEAD")
            #expect(head == (200, "text/plain; version=0.0.4; charset=utf-8", "11", ""))
            #expect(try await Self.ask(address + "?name[]=up").status == 200)
            for path in ["/", "/metrics/", "/metrics/..", "//metrics", "/%6Detrics"] {
                #expect(try await Self.ask(address.replacing("/metrics", with: path)).status == 404, "\(path)")
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                #expect(try await Self.ask(address, method).status == 405, "\(method)")
            }
        }
    }

    @Test func `many who ask at once get one text`() async throws {
        let made = Mutex(0)
        try await serving({
            made.withLock { $0 += 1 }
            return "rankd_up 1\n"
        }) { address in
            try await withThrowingTaskGroup(of: UInt.self) { group in
                for _ in 0..<50 { group.addTask { try await Self.ask(address).status } }
                for try await status in group { #expect(status == 200) }
            }
        }
        // On a machine so busy that fifty requests outlast a text's 5 seconds it is made again.
        let count = made.withLock { $0 }
        #expect(count < 10)
    }

    @Test func `a port in use is told`() async throws {
        try await serving({ "" }) { address in
            let port = try #require(Int(address.split(separator: ":").last?.prefix { $0.isNumber } ?? ""))
            let second = MetricsServer(
                HostPort(host: "127.0.0.1", port: port), log: Self.silent, text: { "" }, onReady: { _ in })
            let failure = await #expect(throws: ListeningFailure.self) { try await second.run() }
            #expect(
                failure?.description
                    == "cannot listen on 127.0.0.1:\(port) (--metrics): another program already listens there; "
                    + "stop that program, or choose another port, or port 0 for a free one")
        }
    }

    @Test func `a text is given out again until it is old, and one that failed is not`() async throws {
        struct Broken: Error {}
        let clock = ManualClock()
        let made = Mutex(0)
        let cache = MetricsCache(clock: clock, age: .seconds(5)) {
            let count = made.withLock {
                $0 += 1
                return $0
            }
            if count == 1 { throw Broken() }
            return "\(count)"
        }
        await #expect(throws: Broken.self) { try await cache.text() }
        #expect(try await cache.text() == "2")
        clock.advance(by: .seconds(4))
        #expect(try await cache.text() == "2")
        clock.advance(by: .seconds(1))
        #expect(try await cache.text() == "3")
    }

    @Test func `a history that cannot be read leaves what rankd knows itself`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("no history", to: "history.sqlite")
        let metrics = DaemonMetrics(database: path, startedAt: time("2026-11-01T00:00:00Z")) {
            time("2026-11-01T01:00:00Z")
        }
        metrics.note(.init(.asking, done: 3, of: 9, waiting: 2))
        let lines = try await metrics.text().split(separator: "\n")
        #expect(lines.contains("rankd_history_readable 0"))
        #expect(lines.contains("rankd_waiting_results 2"))
        #expect(lines.contains("rankd_activity{activity=\"asking\"} 1"))
        #expect(lines.contains("rankd_activity{activity=\"idle\"} 0"))
        #expect(lines.contains("rankd_pass_queries 9") && lines.contains("rankd_pass_queries_done 3"))
        #expect(!lines.contains { $0.hasPrefix("rankd_pairs") || $0.hasPrefix("rankd_queries") })
    }
}
