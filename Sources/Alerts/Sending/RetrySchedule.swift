/// When a message that did not arrive is tried again.
///
/// The waits are those of Standard Webhooks (standardwebhooks.com, “Retry schedule and number of retries”), so that what is
/// down for a night is not lost, and what is gone is not asked for ever.
package enum RetrySchedule {
    /// In seconds, after the first try that failed, the second and so on.
    package static let waits: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400]
    /// By how much a wait is longer at most, so that many who were turned away do not come back together.
    private static let spread = 0.2
    /// In seconds: who asks for a longer wait is asked again before that.
    private static let longestWanted: Int64 = 86_400

    /// - Parameters:
    ///   - tries: so far, from 1.
    ///   - wanted: what the other side asked for, in seconds.
    ///   - chance: 0 to 1, for the spread.
    /// - Returns: in seconds; `nil` if it is given up.
    package static func wait(after tries: Int, wanted: Int64?, chance: Double) -> Int64? {
        guard (1...waits.count).contains(tries) else { return nil }
        let usual = Double(waits[tries - 1])
        return max(Int64(usual * (1 + spread * chance)), Self.wanted(wanted))
    }

    /// What is granted of the wait that the other side asked for, in seconds; 0 if it asked for none.
    static func wanted(_ wanted: Int64?) -> Int64 { max(0, min(wanted ?? 0, longestWanted)) }
}
