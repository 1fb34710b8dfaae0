import Foundation
import NIOPosix
package import RankKit

/// Finds the addresses of a host.
package struct HostResolver: Sendable {
    /// In the order in which they are to be tried; throws `Unknown`, or `CancellationError`.
    package var addresses: @Sendable (_ host: String) async throws -> [IPAddress]

    package struct Unknown: Error, CustomStringConvertible {
        package let host: String
        package let reason: String
        package var description: String { "no address for \(host): \(reason)" }
    }

    package init(addresses: @escaping @Sendable (_ host: String) async throws -> [IPAddress]) {
        self.addresses = addresses
    }

    /// The system's. A caller that is cancelled leaves at once; the question itself cannot be taken back.
    package static let system = HostResolver { host in
        let (answers, answer) = AsyncStream.makeStream(of: Result<[IPAddress], any Error>.self)
        NIOThreadPool.singleton.submit { _ in
            answer.yield(Result { try lookUp(host) })
            answer.finish()
        }
        for await found in answers { return try found.get() }
        throw CancellationError()
    }

    private static func lookUp(_ host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw Unknown(host: host, reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(first) }
        var found: [IPAddress] = []
        for entry in sequence(first: first, next: { $0?.pointee.ai_next }) {
            guard let entry = entry?.pointee else { break }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Whatever cannot be read as an address could not be judged either.
            guard code == 0, let address = IPAddress(numeric) else {
                throw Unknown(host: host, reason: "an address that cannot be read, “\(numeric)”")
            }
            found.append(address)
        }
        return found
    }
}
