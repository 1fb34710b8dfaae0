import NIOCore
import RankKit
import Testing

@testable import AppStore

/// What errors below HTTP mean for a check.
@Suite struct TransportFailureTests {
    @Test(arguments: [ChannelError.ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed, .eof])
    func `a connection that closed before the request was sent is lost, and tried again`(_ error: ChannelError) {
        let failure = Failure(transport: error)
        #expect(failure.reason == .connectionLost && failure.isTransient)
    }

    @Test func `no connection in time means that the store cannot be reached`() {
        #expect(Failure(transport: ChannelError.connectTimeout(.seconds(10))).reason == .cannotConnect)
    }
}
