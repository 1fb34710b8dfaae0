package import AsyncHTTPClient
import Foundation
package import NIOCore
import NIOPosix
package import NIOSSL
package import RankKit

/// HTTP clients of which each knows one host, at one address that was looked at before.
///
/// A client that resolves names by itself could be led elsewhere between the look and the connection. These connect to
/// the address that was looked at, whatever the name means by then, while TLS goes on demanding the host's certificate.
package actor PinnedClients {
    /// A host that may not be asked, with its address that says so.
    package struct Refused: Error, Equatable, CustomStringConvertible {
        package let host: String
        package let address: String

        package init(host: String, address: String) { (self.host, self.address) = (host, address) }

        package var description: String { "\(host) is at \(address), which is not on the public Internet" }
    }

    private struct Pin {
        let client: HTTPClient
        let address: IPAddress
        let since: Duration
        var users = 0
        /// To be shut down once nobody uses it.
        var isRetired = false
    }

    private let resolver: HostResolver
    private let admits: @Sendable (_ host: String, IPAddress) -> Bool
    private let elapsed: @Sendable () -> Duration
    private let trust: NIOSSLTrustRoots
    private var pins: [Int: Pin] = [:]
    private var current: [String: Int] = [:]
    /// The addresses that could not be reached last.
    private var unreachable: [String: IPAddress] = [:]
    private var lastPin = 0
    private var isClosed = false

    /// After this a host is resolved anew: its owner may have moved it.
    private static let lifetime = Duration.seconds(300)
    private static let mostHosts = 16

    /// - Parameters:
    ///   - admits: asked about every address of a host; one that it refuses refuses the host.
    ///   - elapsed: the time since some beginning.
    ///   - trust: whose certificates are believed.
    package init(
        resolver: HostResolver, admits: @escaping @Sendable (_ host: String, IPAddress) -> Bool,
        elapsed: @escaping @Sendable () -> Duration, trust: NIOSSLTrustRoots = .default
    ) {
        self.resolver = resolver
        self.admits = admits
        self.elapsed = elapsed
        self.trust = trust
    }

    /// Runs `body` with a client for `host`, and for no other.
    ///
    /// - Parameter host: as `AlertAddress.host` spells it, and as the addresses that are asked do.
    /// - Throws: `Refused`, `HostResolver.Unknown`, or what `body` throws.
    package func withClient<Value: Sendable>(
        for host: String, _ body: @Sendable (PinnedClient) async throws -> Value
    ) async throws -> Value {
        let number = try await pin(for: host)
        guard let client = pins[number]?.client else { throw CancellationError() }
        do {
            let value = try await body(PinnedClient(host: host, client: client))
            await leave(number)
            return value
        } catch {
            if Self.isUnreachable(error), let pin = pins[number] {
                unreachable[host] = pin.address
                retire(host, number)
            }
            await leave(number)
            throw error
        }
    }

    /// Closes every connection that nobody uses; those in use close when their users are done. Nobody gets a client
    /// afterwards.
    package func shutdown() async {
        isClosed = true
        for (host, number) in current { retire(host, number) }
        for number in pins.keys { await dropIfIdle(number) }
    }

    /// The number of a pin, which has one user more.
    private func pin(for host: String) async throws -> Int {
        if let number = current[host], let pin = pins[number] {
            if elapsed() - pin.since < Self.lifetime { return use(number) }
            retire(host, number)
            await dropIfIdle(number)
        }
        // A host that is an address by itself needs no look-up, and gets none: nobody can say that it is another.
        let addresses = if let written = IPAddress(host) { [written] } else { try await resolver.addresses(host) }
        if let refused = addresses.first(where: { !admits(host, $0) }) {
            throw Refused(host: host, address: refused.description)
        }
        let reachable = addresses.first { $0 != unreachable[host] }
        guard let address = reachable ?? addresses.first else {
            throw HostResolver.Unknown(host: host, reason: "the name has no address")
        }
        if current.count >= Self.mostHosts, let oldest = current.min(by: { $0.value < $1.value }) {
            retire(oldest.key, oldest.value)
            await dropIfIdle(oldest.value)
        }
        // While this one waited, somebody else may have resolved the host, or everything may have been closed.
        if isClosed { throw CancellationError() }
        if let number = current[host] { return use(number) }
        lastPin += 1
        pins[lastPin] = Pin(
            client: .pinned(host, at: address, trust: trust), address: address, since: elapsed())
        current[host] = lastPin
        return use(lastPin)
    }

    private func use(_ number: Int) -> Int {
        pins[number]?.users += 1
        return number
    }

    private func retire(_ host: String, _ number: Int) {
        pins[number]?.isRetired = true
        if current[host] == number { current[host] = nil }
    }

    private func leave(_ number: Int) async {
        pins[number]?.users -= 1
        await dropIfIdle(number)
    }

    private func dropIfIdle(_ number: Int) async {
        guard let pin = pins[number], pin.isRetired, pin.users == 0 else { return }
        pins[number] = nil
        // It fails only where requests are under way, of which there are none.
        try? await pin.client.shutdown()
    }

    private static func isUnreachable(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, is ChannelError, is IOError: true
        case let error as HTTPClientError: error == .connectTimeout
        default: false
        }
    }
}

/// Asks one host, at the address that was looked at. The client below it knows that address by the very spelling of the
/// host and would look up any other spelling by itself, so an address that spells it otherwise is not asked.
package struct PinnedClient: Sendable {
    /// A request for another host, or for the same under another spelling.
    package struct Strayed: Error, Equatable, CustomStringConvertible {
        package let host: String
        package var description: String { "a request for another host than \(host)" }
    }

    package let host: String
    fileprivate let client: HTTPClient

    /// - Throws: `Strayed`, or what the client throws.
    package func execute(
        _ request: HTTPClientRequest, deadline: NIODeadline = .distantFuture
    ) async throws -> HTTPClientResponse {
        let named = URL(string: request.url)?.host?.trimmingCharacters(in: ["[", "]"])
        guard named == host else { throw Strayed(host: host) }
        return try await client.execute(request, deadline: deadline)
    }
}

extension HTTPClient {
    /// A client that connects to `address` whenever it is asked for `host`, follows nothing and unpacks nothing.
    fileprivate static func pinned(_ host: String, at address: IPAddress, trust: NIOSSLTrustRoots) -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = trust
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            // How long an answer may take is the caller's patience.
            timeout: .init(connect: .seconds(10)), decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.guardAnswers()
        configuration.dnsOverride = [host: address.description]
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(30)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
