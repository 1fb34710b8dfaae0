package import RankKit

/// How a pace shares its turns with the other programs that ask from this address.
package struct SharedTurns: Sendable {
    let file: TurnsFile
    let endpoint: Endpoint
    let program: String
    let keeper: Int32?
    let now: @Sendable () -> Timestamp
    let report: @Sendable (TurnsFile.Trouble?) -> Void

    /// - Parameters:
    ///   - program: what its pauses are noted by: `rankweb`.
    ///   - keeper: the process, where it is the one that writes the history. It never depends on the file: while that is
    ///     of no use, it is removed and the process goes by its own pace. Everybody else does not ask then. And `Pace`
    ///     believes what others wrote there for a minute at most.
    ///   - now: the wall clock.
    ///   - report: told what is wrong with the file, once, and `nil` when it is of use again.
    package init(
        _ file: TurnsFile, of endpoint: Endpoint, for program: String, keeper: Int32? = nil,
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (TurnsFile.Trouble?) -> Void = { _ in }
    ) {
        self.file = file
        self.endpoint = endpoint
        self.program = program
        self.keeper = keeper
        self.now = now
        self.report = report
    }

    /// Asks for a turn.
    ///
    /// - Returns: `nil` where the file is of no use to its keeper, who then asks without it.
    func turn(
        interval: Duration, holding place: TurnsFile.Place?, heedsPauses: Bool, was trouble: inout TurnsFile.Trouble?
    ) throws(TurnsFile.Trouble) -> TurnsFile.Answer? {
        do throws(TurnsFile.Trouble) {
            if keeper != nil { try file.makeIfMissing() }
            let answer = try file.turn(
                of: endpoint, for: program, interval: interval, holding: place, keeper: keeper,
                heedsPauses: heedsPauses)
            if trouble != nil { report(nil) }
            trouble = nil
            return answer
        } catch {
            guard keeper != nil else { throw error }
            file.discard()
            if trouble == nil { report(error) }
            trouble = error
            return nil
        }
    }

    /// Takes the turn without waiting for others, and says once that it does. What cannot be written there the others do
    /// not learn.
    func take(interval: Duration, was trouble: inout TurnsFile.Trouble?) {
        let held = TurnsFile.Trouble.held(path: file.path)
        if trouble != held { report(held) }
        trouble = held
        do throws(TurnsFile.Trouble) {
            try file.makeIfMissing()
            try file.take(of: endpoint, interval: interval, keeper: keeper)
        } catch { file.discard() }
    }

    /// A place that cannot be given back is lost, which costs the others one interval.
    func giveBack(_ place: TurnsFile.Place) {
        do throws(TurnsFile.Trouble) { try file.giveBack(place, of: endpoint) } catch { return }
    }

    /// A pause that cannot be noted is one that the others find out for themselves.
    func notePause(_ seconds: Int64) {
        do throws(TurnsFile.Trouble) { try file.notePause(seconds, of: endpoint, by: program) } catch { return }
    }
}
