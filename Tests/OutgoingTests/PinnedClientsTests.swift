import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Outgoing

@Suite struct PinnedClientsTests {
    private static let host = "is1-ssl.mzstatic.com"

    /// Counts how often it is asked, and says what it is told to.
    private final class Names: Sendable {
        let answers: Mutex<[String]>
        let asked = Mutex(0)

        init(_ answers: [String]) { self.answers = Mutex(answers) }

        var resolver: HostResolver {
            HostResolver { [self] _ in
                asked.withLock { $0 += 1 }
                return answers.withLock { $0 }.compactMap { IPAddress($0) }
            }
        }
    }

    private func asking(_ clients: PinnedClients, _ url: String) async throws -> Int {
        try await clients.withClient(for: Self.host) { client in
            Int(try await client.execute(HTTPClientRequest(url: url), deadline: .now() + .minutes(20)).status.code)
        }
    }

    @Test func `the connection goes to the address that was looked at, under the host's name`() async throws {
        let server = try await ListeningServer.start(
            answer: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        let port = try #require(server.origin.split(separator: ":").last)
        let clients = PinnedClients(
            resolver: Names(["127.0.0.1"]).resolver, admits: { _, _ in true }, elapsed: { .zero })
        #expect(try await asking(clients, "http://\(Self.host):\(port)/x") == 200)
        #expect(await server.nextRequest().lowercased().contains("host: \(Self.host):\(port)\r\n"))
        await clients.shutdown()
        try await server.stop()
    }

    @Test(.enabled(if: TestCertificate.openssl != nil))
    func `TLS goes on demanding the host's certificate`() async throws {
        let server = try await ListeningServer.start(
            answer: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
            tls: TestCertificate.selfSigned())
        let port = try #require(server.origin.split(separator: ":").last)
        let clients = PinnedClients(
            resolver: Names(["127.0.0.1"]).resolver, admits: { _, _ in true }, elapsed: { .zero })
        await #expect(throws: (any Error).self) { try await asking(clients, "https://\(Self.host):\(port)/x") }
        #expect(await server.nextEvent() == .closed)
        await clients.shutdown()
        try await server.stop()
    }

    @Test func `a name that means another place a moment later changes nothing for five minutes`() async throws {
        let server = try await ListeningServer.start(
            answer: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        let port = try #require(server.origin.split(separator: ":").last)
        let (names, clock) = (Names(["127.0.0.1"]), ManualClock())
        let clients = PinnedClients(
            resolver: names.resolver, admits: { $1.description == "127.0.0.1" }, elapsed: clock.elapsed())
        #expect(try await asking(clients, "http://\(Self.host):\(port)/1") == 200)
        names.answers.withLock { $0 = ["10.0.0.1"] }
        clock.advance(by: .seconds(299))
        #expect(try await asking(clients, "http://\(Self.host):\(port)/2") == 200)
        #expect(names.asked.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: PinnedClients.Refused(host: Self.host, address: "10.0.0.1")) {
            try await asking(clients, "http://\(Self.host):\(port)/3")
        }
        await clients.shutdown()
        try await server.stop()
    }

    @Test func `an address that cannot be reached is passed over the next time`() async throws {
        let server = try await ListeningServer.start(
            answer: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        let port = try #require(server.origin.split(separator: ":").last)
        let clients = PinnedClients(
            resolver: Names(["::1", "127.0.0.1"]).resolver, admits: { _, _ in true }, elapsed: { .zero })
        await #expect(throws: (any Error).self) { try await asking(clients, "http://\(Self.host):\(port)/1") }
        #expect(try await asking(clients, "http://\(Self.host):\(port)/2") == 200)
        await clients.shutdown()
        try await server.stop()
    }

    /// The client below would look up by itself what is spelled in another way.
    @Test(arguments: [
        "http://IS1-ssl.mzstatic.com", "http://is1-ssl.mzstatic.com.", "http://localhost", "http://127.0.0.1",
        "http://%69s1-ssl.mzstatic.com.", "http://x@localhost", "not an address",
    ])
    func `a request for another spelling of the host is not made`(origin: String) async throws {
        let names = Names(["127.0.0.1"])
        let clients = PinnedClients(resolver: names.resolver, admits: { _, _ in true }, elapsed: { .zero })
        await #expect(throws: PinnedClient.Strayed(host: Self.host)) { try await asking(clients, "\(origin):1/x") }
        await clients.shutdown()
    }

    @Test func `a host that is an address is not looked up`() async throws {
        let names = Names(["10.0.0.1"])
        let clients = PinnedClients(
            resolver: names.resolver, admits: { $1.description == "10.0.0.1" }, elapsed: { .zero })
        await #expect(throws: PinnedClients.Refused(host: "127.0.0.1", address: "127.0.0.1")) {
            try await clients.withClient(for: "127.0.0.1") { _ in }
        }
        #expect(names.asked.withLock { $0 } == 0)
        await clients.shutdown()
    }

    @Test func `a host without an address is an error`() async throws {
        let clients = PinnedClients(resolver: Names([]).resolver, admits: { _, _ in true }, elapsed: { .zero })
        await #expect(throws: HostResolver.Unknown.self) { try await asking(clients, "http://\(Self.host)/") }
    }
}
