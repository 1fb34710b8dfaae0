/// The waits between the tries of one question.
package enum BackOff {
    /// How often something is asked in one go where the tries before came to nothing that lasts.
    package static let mostTries = 3

    /// Exponential with full jitter: up to 2 s, then up to 4 s, so that those who failed together do not come back
    /// together (Brooker, "Exponential Backoff and Jitter").
    package static func wait(afterTries tries: Int) -> Duration {
        .milliseconds(Int64.random(in: 0...(1_000 << Int64(tries))))
    }
}
