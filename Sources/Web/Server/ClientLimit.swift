import HTTPTypes
import Hummingbird
import Synchronization

/// So many requests a minute from one client, with some at once: a script that runs wild slows down nobody else.
///
/// A token bucket each; who has been away for as long as it takes to fill one is forgotten.
final class ClientLimits<C: Clock>: Sendable where C.Duration == Duration {
    private struct Bucket {
        var tokens: Double
        var at: C.Instant
    }

    private let clock: C
    private let perMinute: Double
    private let burst: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    private static var mostClients: Int { 10_000 }

    /// - Parameters:
    ///   - perMinute: requests a minute, above 0; a third of them, and at least one, may come at once.
    init(perMinute: Int, clock: C) {
        self.perMinute = Double(max(1, perMinute))
        burst = max(1, self.perMinute / 3)
        self.clock = clock
    }

    /// Takes one off what `client` has.
    ///
    /// - Returns: how long it has to wait, where it has none left.
    func take(_ client: String) -> Duration? {
        let now = clock.now
        return buckets.withLock { buckets in
            var bucket = buckets[client] ?? Bucket(tokens: burst, at: now)
            let seconds = bucket.at.duration(to: now) / .seconds(1)
            bucket.tokens = min(burst, bucket.tokens + seconds * perMinute / 60)
            bucket.at = now
            defer {
                if buckets[client] == nil, buckets.count >= Self.mostClients { forget(&buckets, now) }
                buckets[client] = bucket
            }
            guard bucket.tokens >= 1 else { return .seconds((1 - bucket.tokens) * 60 / perMinute) }
            bucket.tokens -= 1
            return nil
        }
    }

    private func forget(_ buckets: inout [String: Bucket], _ now: C.Instant) {
        let full = Duration.seconds(burst * 60 / perMinute)
        buckets = buckets.filter { $0.value.at.advanced(by: full) > now }
        // So many at the same time are an attack: they share what is left.
        if buckets.count >= Self.mostClients { buckets.removeAll() }
    }
}

/// So many requests of one client at the same time: what one client waits for keeps nobody else's from being begun.
final class ClientShares: Sendable {
    private let underWay = Mutex<[Client: Int]>([:])

    /// Of whoever has logged in: more than a browser asks at once.
    static let ofKnown = 64
    /// Of an address over which nobody has; behind a web server on a port, all such visitors together.
    static let ofUnknown = 32

    /// - Returns: whether there is room for one more; `leave` has to follow then.
    func enter(_ client: Client) -> Bool {
        underWay.withLock { underWay in
            let count = underWay[client] ?? 0
            guard count < (client.isKnown ? Self.ofKnown : Self.ofUnknown) else { return false }
            underWay[client] = count + 1
            return true
        }
    }

    func leave(_ client: Client) {
        underWay.withLock { underWay in
            let count = (underWay[client] ?? 1) - 1
            underWay[client] = count > 0 ? count : nil
        }
    }
}

struct ClientGuard<C: Clock>: RouterMiddleware where C.Duration == Duration {
    typealias Context = SiteContext

    let limits: ClientLimits<C>
    let shares = ClientShares()

    func handle(
        _ request: Request, context: SiteContext, next: (Request, SiteContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        // A page brings its pictures and its style with it.
        guard !path.hasPrefix("/images/"), !path.hasPrefix("/assets/") else { return try await next(request, context) }
        if let wait = limits.take("\(context.visitor?.name ?? "") \(context.place(request))") {
            throw Refusal.tooMany(
                "This client has made too many requests. Try again after the time that Retry-After names.",
                retryAfter: wait.components.seconds + 1, logged: "a client that asks too often")
        }
        guard shares.enter(context.client) else {
            throw Refusal.tooMany(
                "This client already waits for as many answers as one client may. Try again when one has arrived.",
                retryAfter: 2,
                logged: "a client that asks for many answers at once")
        }
        defer { shares.leave(context.client) }
        return try await next(request, context)
    }
}
