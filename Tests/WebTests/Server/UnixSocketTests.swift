import Foundation
import RankKit
import Testing

@testable import Web

@Suite struct UnixSocketTests {
    @Test func `a socket that this user may not talk to is told as that, and not as one in use`() async {
        await #expect(processExitsWith: .success) {
            // The rules do not hold for root.
            if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
            let path = "/tmp/rankd-closed-\(getpid()).sock"
            defer { unlink(path) }
            let listener = try UnixSocketTests.listener(at: path)
            func trouble() -> ListeningFailure.Cause? {
                do throws(ListeningFailure) { try UnixSocket.requireFree(path) } catch { return error.cause }
                return nil
            }
            #expect(trouble() == .inUse)
            try #require(chmod(path, 0) == 0)
            #expect(trouble() == .closedSocket)
            try #require(chmod(path, 0o700) == 0)
            close(listener)
            #expect(trouble() == nil)
        }
    }

    private static func listener(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(descriptor, 5) == 0)
        return descriptor
    }
}
