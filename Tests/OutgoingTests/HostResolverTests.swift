import RankKit
import Testing

@testable import Outgoing

@Suite struct HostResolverTests {
    @Test func `the system finds this machine`() async throws {
        let found = try await HostResolver.system.addresses("localhost")
        #expect(!found.isEmpty && found.allSatisfy { $0.isLoopback })
        await #expect(throws: HostResolver.Unknown.self) {
            try await HostResolver.system.addresses("no such host.invalid")
        }
    }
}
