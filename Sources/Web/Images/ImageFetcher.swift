import AppStore
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Outgoing
import RankKit

/// Who is asked for the images of Apple's addresses.
enum ImageSource: Hashable, Sendable {
    /// The host that the address names, over TLS.
    case apple
    /// Somebody on this machine, for the demo and for tests: under the same paths, and Apple's hosts not at all.
    case standIn(scheme: String, host: String, port: Int)
    /// Nobody: pages show placeholders.
    case nobody

    /// - Parameter search: who is asked to search. A stand-in of the App Store on loopback stands in for the image
    ///   hosts as well: its apps are invented, and Apple need not hear of them.
    init(search: Origin) {
        guard let parts = URLComponents(string: search.description), let scheme = parts.scheme,
            let host = parts.host, host == "localhost" || IPAddress(Self.bare(host))?.isLoopback == true
        else {
            self = .apple
            return
        }
        self = .standIn(
            scheme: scheme, host: Self.bare(host), port: parts.port ?? (scheme == "https" ? 443 : 80))
    }

    /// Without the brackets that IPv6 has in addresses.
    private static func bare(_ host: String) -> String { host.trimmingCharacters(in: ["[", "]"]) }
}

/// Gets images, and nothing else, from Apple's image hosts, and from nobody else.
struct ImageFetcher: Sendable {
    /// Why there is no picture.
    enum Failure: Error, Equatable {
        /// Images come from nobody.
        case switchedOff
        case status(UInt)
        /// More than `Picture.largest`.
        case tooLarge
        /// Neither PNG, JPEG nor WebP.
        case noPicture
        case timedOut
    }

    private let source: ImageSource
    private let clients: PinnedClients
    private let patience: Patience

    /// - Parameters:
    ///   - patience: what a fetch has from its question for the host's address to the last byte.
    ///   - clock: measures the patience, and for how long an address stays good.
    init(
        _ source: ImageSource, resolver: HostResolver = .system, patience: Duration = .seconds(20),
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        let isStandIn = if case .standIn = source { true } else { false }
        clients = PinnedClients(
            resolver: resolver, admits: { isStandIn ? $1.isLoopback : $1.isPublic }, elapsed: clock.elapsed())
        self.patience = Patience(patience, clock: clock)
    }

    /// - Throws: `Failure`, `PinnedClients.Refused`, `HostResolver.Unknown`, what the client throws, or
    ///   `CancellationError`. A cancelled fetch closes its connection.
    func picture(_ image: SizedImage) async throws -> Picture {
        let (host, url): (String, String)
        switch source {
        case .apple: (host, url) = (image.host, "https://\(image.host)\(image.path)")
        case .standIn(let scheme, let name, let port):
            let written = name.contains(":") ? "[\(name)]" : name
            (host, url) = (name, "\(scheme)://\(written):\(port)\(image.path)")
        case .nobody: throw Failure.switchedOff
        }
        do {
            return try await patience.run { [clients] in
                try await clients.withClient(for: host) { try await Self.get(url, $0) }
            }
        } catch is Patience.Over { throw Failure.timedOut }
    }

    func shutdown() async { await clients.shutdown() }

    private static func get(_ url: String, _ client: PinnedClient) async throws -> Picture {
        var request = HTTPClientRequest(url: url)
        request.headers.add(
            name: "User-Agent", value: "rankweb/\(Release.version) (self-hosted App Store rank tracker)")
        request.headers.add(name: "Accept", value: "image/webp, image/png, image/jpeg")
        let response = try await client.execute(request)
        guard response.status == .ok else { throw Failure.status(response.status.code) }
        let announced = response.headers.first(name: "content-length").flatMap { Int($0) }
        if let announced, announced > Picture.largest { throw Failure.tooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, announced ?? 0))
        for try await piece in response.body {
            guard bytes.count + piece.readableBytes <= Picture.largest else { throw Failure.tooLarge }
            piece.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
        }
        guard let picture = Picture(bytes) else { throw Failure.noPicture }
        return picture
    }
}
