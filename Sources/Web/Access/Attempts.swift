import RankKit
import Synchronization

/// Wrong passwords and tokens: by where they came from, and of all places together.
///
/// After a few from one place each further one there has to wait twice as long. After many from all places together
/// passwords are looked at a few times a minute only: whoever has many addresses has no more tries than that. Sessions and
/// right tokens go on all the while, and so do places from which the owner came in with the password.
final class Attempts<C: Clock>: Sendable where C.Duration == Duration {
    private struct Record {
        var failures = 0
        var next: C.Instant
    }

    private struct State {
        var records: [String: Record] = [:]
        /// Tries that all places together have left.
        var left = Double(Attempts.mostTogether)
        var at: C.Instant
        /// Where the owner came in from, and when.
        var known: [String: C.Instant] = [:]
    }

    /// What became of a try.
    enum Verdict: Sendable {
        /// Nothing was looked at.
        case waits(Duration, isEverybody: Bool)
        case wrong
        case right(Credentials.Entry)
    }

    private let clock: C
    private let state: Mutex<State>

    /// Mistyping is free.
    private static var free: Int { 5 }
    private static var longest: Duration { .seconds(15 * 60) }
    /// What is remembered at most. Beyond that, the oldest go first.
    private static var most: Int { 10_000 }
    /// Wrong passwords of all places together that are looked at without a wait.
    static var mostTogether: Int { 100 }
    /// After these: whoever may guess ten times a minute needs longer than anybody lives for eight random characters.
    static var perMinuteTogether: Double { 10 }

    init(clock: C) {
        self.clock = clock
        state = Mutex(State(at: clock.now))
    }

    /// Looks at a secret, unless it has to wait, and counts it if it is wrong. Two tries are never looked at at once.
    ///
    /// A right token never waits: it is long, and nobody guesses it. Nor does it end a wait. A program may ask with its
    /// token every few seconds from where somebody guesses, as all of this machine is one place.
    ///
    /// - Parameter entry: whose the secret is; `nil` if it is nobody's.
    func judge(_ place: String, _ entry: () -> Credentials.Entry?) -> Verdict {
        let now = clock.now
        return state.withLock { state in
            let found = entry()
            if let found, found.isToken { return .right(found) }
            if let wait = Self.wait(place, now, state) { return .waits(wait, isEverybody: false) }
            if state.known[place] == nil, let wait = Self.waitTogether(now, &state) {
                return .waits(wait, isEverybody: true)
            }
            guard let found else {
                Self.fail(place, now, &state)
                return .wrong
            }
            Self.welcome(place, now, &state)
            return .right(found)
        }
    }

    /// How long whoever is there has to wait before the next try; `nil` if it may come at once.
    func wait(_ place: String) -> Duration? {
        let now = clock.now
        return state.withLock { Self.wait(place, now, $0) }
    }

    private static func wait(_ place: String, _ now: C.Instant, _ state: State) -> Duration? {
        guard let next = state.records[place]?.next else { return nil }
        let left = now.duration(to: next)
        return left > .zero ? left : nil
    }

    private static func waitTogether(_ now: C.Instant, _ state: inout State) -> Duration? {
        let seconds = state.at.duration(to: now) / .seconds(1)
        state.left = min(Double(mostTogether), state.left + seconds * perMinuteTogether / 60)
        state.at = now
        return state.left >= 1 ? nil : .seconds((1 - state.left) * 60 / perMinuteTogether)
    }

    private static func fail(_ place: String, _ now: C.Instant, _ state: inout State) {
        state.left = max(0, state.left - 1)
        var record = state.records[place] ?? Record(next: now)
        // Whoever has been quiet for as long as the longest wait begins anew.
        if record.next.advanced(by: longest) < now { record = Record(next: now) }
        record.failures += 1
        let over = record.failures - free
        if over >= 0 { record.next = now.advanced(by: min(longest, .seconds(1 << min(over, 20)))) }
        if state.records[place] == nil, state.records.count >= most,
            let oldest = state.records.min(by: { $0.value.next < $1.value.next })
        {
            state.records[oldest.key] = nil
        }
        state.records[place] = record
    }

    /// Only for whoever has the password.
    private static func welcome(_ place: String, _ now: C.Instant, _ state: inout State) {
        state.records[place] = nil
        if state.known[place] == nil, state.known.count >= most,
            let oldest = state.known.min(by: { $0.value < $1.value })
        {
            state.known[oldest.key] = nil
        }
        state.known[place] = now
    }
}
