package import History
package import RankKit

extension WaitedResults {
    /// Whether it is to be said still: within a week.
    package func isRecent(at now: Timestamp) -> Bool { abs(now - until) < 7 * Timestamp.secondsPerDay }

    /// For people: when, how many, and what became of them.
    package var words: String {
        let end = lost > 0 ? "\(Figures.grouped(lost)) more were lost" : "none was lost"
        return "\(Figures.counted(written, "result")) waited for the disk from \(CivilTime.minute(from)) to "
            + "\(CivilTime.minuteInZone(until)), and \(end)"
    }
}
