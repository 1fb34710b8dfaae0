import Synchronization
import Testing

@testable import Monitoring

@Suite struct AcceptedConnectionsTests {
    private final class World: Sendable {
        let hasRoom = Mutex(true)
        let said = Mutex<[String]>([])

        func connections(_ most: Int) -> AcceptedConnections {
            AcceptedConnections(most: most, hasRoom: { self.hasRoom.withLock { $0 } }) { why in
                self.said.withLock { $0.append(why) }
            }
        }
    }

    @Test func `so many are taken, and that no more are is said once`() {
        let world = World()
        var connections = world.connections(20)
        for _ in 0..<20 {
            #expect(connections.isAcceptingNewConnections())
            connections.connectionOpened()
        }
        for _ in 0..<3 { #expect(!connections.isAcceptingNewConnections()) }
        #expect(world.said.withLock { $0 } == ["new connections have to wait: 20 are open"])
        // One that goes makes room for one that comes, which is no news.
        connections.connectionClosed()
        #expect(connections.isAcceptingNewConnections())
        connections.connectionOpened()
        #expect(!connections.isAcceptingNewConnections())
        #expect(world.said.withLock { $0.count } == 1)
        for _ in 0..<5 { connections.connectionClosed() }
        for _ in 0..<5 { connections.connectionOpened() }
        #expect(!connections.isAcceptingNewConnections())
        #expect(world.said.withLock { $0.count } == 2)
    }

    @Test func `none is taken while nothing more may be opened, and the first always is`() {
        let world = World()
        world.hasRoom.withLock { $0 = false }
        var connections = world.connections(20)
        #expect(connections.isAcceptingNewConnections())
        connections.connectionOpened()
        #expect(!connections.isAcceptingNewConnections())
        #expect(world.said.withLock { $0 } == ["new connections have to wait: the limit of open files is reached"])
        world.hasRoom.withLock { $0 = true }
        #expect(connections.isAcceptingNewConnections())
    }

    @Test func `what may be opened is tried, and nothing is left open`() {
        #expect(AcceptedConnections.mayOpen())
    }
}
