package import RankKit

extension TurnsFile {
    /// Whether whoever writes the history says its turns in this file, as it has to before anybody else goes by it.
    package func isShared(by writer: HistoryWriter) throws(Trouble) -> Bool {
        switch writer {
        case .running(let pid):
            let keeper = try keeper()
            // A process of another container has no number here.
            return pid <= 0 || keeper == pid
        case .nobody, .unknown:
            _ = try keeper()
            return true
        }
    }
}

extension Pace {
    /// The pace of a program that does not write the history and takes its turns by a file. It goes on from the pause that
    /// the program noted there in an earlier life.
    ///
    /// - Parameters:
    ///   - program: what its pauses are noted by.
    ///   - requestsPerMinute: 1–100,000.
    ///   - now: the wall clock.
    package static func sharing(
        _ turns: TurnsFile, of endpoint: Endpoint, as program: String, requestsPerMinute: Int,
        now: @escaping @Sendable () -> Timestamp, clock: C
    ) throws(TurnsFile.Trouble) -> Pace<C> {
        let left = try turns.pauseLeft(of: endpoint, by: program)?.components.seconds ?? 0
        let health =
            left > 0
            ? EndpointHealth(pause: .throttled, pausedAt: now(), pauseLength: left, pausesInARow: 1) : EndpointHealth()
        return Pace(
            requestsPerMinute: requestsPerMinute, health: health, now: now(),
            shared: SharedTurns(turns, of: endpoint, for: program, now: now), clock: clock)
    }
}
