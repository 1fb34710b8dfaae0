import RankKit
import Synchronization

/// Wrong passwords and tokens, by where they came from: after a few each further one has to wait twice as long.
final class Attempts<C: Clock>: Sendable where C.Duration == Duration {
    private struct Record {
        var failures = 0
        var next: C.Instant
    }

    private let clock: C
    private let records = Mutex<[String: Record]>([:])

    /// Mistyping is free.
    private static var free: Int { 5 }
    private static var longest: Duration { .seconds(15 * 60) }
    /// What is remembered at most. Beyond that, the oldest go first.
    private static var most: Int { 10_000 }

    init(clock: C) { self.clock = clock }

    /// How long whoever is there has to wait before the next try; `nil` if it may come at once.
    func wait(_ place: String) -> Duration? {
        guard let next = records.withLock({ $0[place]?.next }) else { return nil }
        let left = clock.now.duration(to: next)
        return left > .zero ? left : nil
    }

    func failed(_ place: String) {
        let now = clock.now
        records.withLock { records in
            var record = records[place] ?? Record(next: now)
            // Whoever has been quiet for as long as the longest wait begins anew.
            if record.next.advanced(by: Self.longest) < now { record = Record(next: now) }
            record.failures += 1
            let over = record.failures - Self.free
            if over >= 0 { record.next = now.advanced(by: min(Self.longest, .seconds(1 << min(over, 20)))) }
            if records[place] == nil, records.count >= Self.most,
                let oldest = records.min(by: { $0.value.next < $1.value.next })
            {
                records[oldest.key] = nil
            }
            records[place] = record
        }
    }

    func succeeded(_ place: String) { records.withLock { $0[place] = nil } }
}
