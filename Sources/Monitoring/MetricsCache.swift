/// Gives out a text that costs something to make: one is made at a time, and for a while everybody gets that.
actor MetricsCache<C: Clock> where C.Duration == Duration {
    private let clock: C
    private let age: Duration
    private let make: @Sendable () async throws -> String
    private var kept: (text: String, at: C.Instant)?
    private var making: Task<String, any Error>?

    /// - Parameter age: how old a text may be that is given out again.
    init(clock: C, age: Duration, make: @escaping @Sendable () async throws -> String) {
        self.clock = clock
        self.age = age
        self.make = make
    }

    /// Whoever asks while one is being made waits for that one. Whoever goes away meanwhile does not break it off.
    func text() async throws -> String {
        if let kept, kept.at.duration(to: clock.now) < age { return kept.text }
        if let making { return try await making.value }
        // A pass beside it goes first.
        let task = Task.detached(priority: .background) { [make] in try await make() }
        making = task
        defer { making = nil }
        let text = try await task.value
        kept = (text, clock.now)
        return text
    }
}
