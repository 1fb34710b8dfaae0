import Logging
import NIOCore
import NIOEmbedded
import RankKit
import Testing

@testable import Web

@Suite struct OpenConnectionsTests {
    private let here = "192.0.2.1"
    private let there = "192.0.2.2"

    private func connection(_ connections: OpenConnections, from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionWatcher(.init(), connections: connections))
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: try SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    @Test func `one address does not keep the others out, and loses its oldest`() throws {
        let connections = OpenConnections(most: 10)
        let greedy = try (0..<10).map { _ in try connection(connections, from: here) }
        let other = try connection(connections, from: there)
        #expect(connections.count == 10 && other.isActive)
        #expect(!greedy[0].isActive && greedy.dropFirst().allSatisfy(\.isActive))
        let more = try connection(connections, from: here)
        #expect(more.isActive && other.isActive && !greedy[1].isActive)
    }

    @Test func `all of loopback is one client`() throws {
        let connections = OpenConnections(most: 4)
        let local = try (1...3).map { try connection(connections, from: "127.0.0.\($0)") }
        let others = try [here, there].map { try connection(connections, from: $0) }
        #expect(!local[0].isActive && others.allSatisfy(\.isActive))
    }

    @Test func `those over which somebody has logged in stay before those over which nobody has`() throws {
        let connections = OpenConnections(most: 6)
        let known = try (0..<4).map { _ in try connection(connections, from: there) }
        for channel in known { connections.note(Client(name: "session 1", isKnown: true), over: channel) }
        let greedy = try (0..<6).map { _ in try connection(connections, from: here) }
        #expect(known.allSatisfy(\.isActive) && greedy.suffix(2).allSatisfy(\.isActive))
        #expect(greedy.count(where: \.isActive) == 2)
    }

    @Test func `who has logged in and holds nearly all of them lets another in`() throws {
        let connections = OpenConnections(most: 4)
        let known = try (0..<4).map { _ in try connection(connections, from: there) }
        for channel in known { connections.note(Client(name: "session 1", isKnown: true), over: channel) }
        let other = try connection(connections, from: here)
        #expect(other.isActive && !known[0].isActive && known.dropFirst().allSatisfy(\.isActive))
    }

    @Test func `a crowd of strangers with one each closes nobody's who has logged in`() throws {
        let connections = OpenConnections(most: 20)
        let known = try (0..<3).map { _ in try connection(connections, from: there) }
        for channel in known { connections.note(Client(name: "session 1", isKnown: true), over: channel) }
        let crowd = try (1...60).map { try connection(connections, from: "198.51.100.\($0)") }
        #expect(known.allSatisfy { $0.isActive })
        #expect(crowd.prefix(43).allSatisfy { !$0.isActive } && crowd.suffix(17).allSatisfy(\.isActive))
    }

    @Test func `connections are closed for others before no more are accepted, however few there may be`() {
        for most in [2, 16, 102, 938, 2_500, .max] {
            var settings = SiteSettings(database: "none.sqlite", listening: .tcp(host: "127.0.0.1", port: 0))
            settings.mostConnections = most
            let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
            let site = Site(settings, logger: quiet, now: { Timestamp(secondsSinceEpoch: 0) }) { _ in }
            let accepted = Site.acceptedConnections(settings)
            #expect(site.connections.most < accepted && accepted <= 2_500, "\(most)")
            #expect(site.connections.most * 2 >= accepted, "\(most)")
        }
    }

    @Test func `one that was closed holds no place, and a stop closes all`() throws {
        let connections = OpenConnections(most: 2)
        let first = try connection(connections, from: here)
        try first.close().wait()
        let rest = try (0..<2).map { _ in try connection(connections, from: here) }
        #expect(rest.allSatisfy(\.isActive) && connections.count == 2)
        connections.closeAll()
        #expect(rest.allSatisfy { !$0.isActive } && connections.count == 0)
    }
}
