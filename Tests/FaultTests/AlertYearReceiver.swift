import Alerts
import Synchronization
import TestSupport

/// Whoever gets the messages: it drops what it knows by its id.
final class AlertYearReceiver: Sendable {
    struct Arrival: Sendable {
        var message: AlertMessage
        var count: Int
    }

    private struct State {
        var isDown = false
        var arrivals: [String: Arrival] = [:]
        var order: [String] = []
        var turned = 0
        var random = SplitMix(seed: 5)
        var killsInSending = 0
        var differing: [String] = []
    }

    private let state = Mutex(State())

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }
    var arrivals: [String: Arrival] { state.withLock { $0.arrivals } }
    /// In the order in which they came first.
    var messages: [AlertMessage] { state.withLock { state in state.order.compactMap { state.arrivals[$0]?.message } } }
    var killsInSending: Int { state.withLock { $0.killsInSending } }
    var refusals: Int { state.withLock { $0.turned } }
    /// The ids under which something else came again.
    var differing: [String] { state.withLock { $0.differing } }

    /// The sender may die before the message has left, or when it has arrived and nobody knows yet.
    func take(_ message: AlertMessage, _ doom: Doom) throws -> DeliveryAnswer {
        try state.withLock { state in
            let draw = state.random.unit()
            if draw < 0.05 {
                state.killsInSending += 1
                doom.kill()
                throw CancellationError()
            }
            guard !state.isDown else {
                state.turned += 1
                return .retry(after: nil, why: "status 503")
            }
            if let known = state.arrivals[message.id] {
                state.arrivals[message.id]?.count += 1
                if known.message.events != message.events { state.differing.append(message.id) }
            } else {
                state.arrivals[message.id] = Arrival(message: message, count: 1)
                state.order.append(message.id)
            }
            if draw < 0.1 {
                state.killsInSending += 1
                doom.kill()
                throw CancellationError()
            }
            return .delivered
        }
    }
}

/// A clock on which short waits are over at once, and long ones only when whoever waits is cancelled: who waits long has
/// nothing to do.
final class IdleClock: Clock, Sendable {
    private let clock = InstantClock()
    private let still = ManualClock()
    private let doom: Doom
    private let rests = AsyncStream<Void>.makeStream()

    init(_ doom: Doom) { self.doom = doom }

    var now: InstantClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        if clock.now.duration(to: deadline) <= .seconds(1), !doom.isDead {
            return try await clock.sleep(until: deadline, tolerance: tolerance)
        }
        rests.continuation.yield()
        try await still.sleep(for: .seconds(1))
    }

    /// Returns when somebody rests.
    func rested() async { for await _ in rests.stream { return } }
}
