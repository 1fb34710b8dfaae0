import History
import RankKit

/// Counts what becomes of the questions of a pass, each once, however often it is told of.
struct PassCounter {
    private enum Outcome { case succeeded, suspect, failed, throttled }

    private let startedAt: Timestamp
    private let due: Int
    /// Of each question that was answered: as what, whether that waits to be recorded, and whether it ever did.
    private var outcomes: [Query: (outcome: Outcome, waits: Bool, hasWaited: Bool)] = [:]
    /// Whether questions are being asked again: where that brings nothing, the first answer is what there is.
    var isAskingAgain = false

    /// - Parameter due: how many questions the pass sets out to ask.
    init(startedAt: Timestamp, due: Int) {
        self.startedAt = startedAt
        self.due = due
    }

    mutating func take(_ event: TrackingEvent) {
        switch event {
        case .recorded(let check): outcomes[check.query] = (Self.outcome(of: check), false, false)
        case .landed(let check) where outcomes[check.query]?.hasWaited == true:
            outcomes[check.query] = (Self.outcome(of: check), false, true)
        case .waits(let check, _):
            let nothing: Outcome = isAskingAgain ? .suspect : .failed
            outcomes[check.query] = (check.outcome.isGood ? .succeeded : nothing, true, true)
        case .throttled(let query, _): outcomes[query] = (.throttled, false, false)
        default: break
        }
    }

    private static func outcome(of check: RecordedCheck) -> Outcome {
        check.failure != nil ? .failed : check.suspicion != nil ? .suspect : .succeeded
    }

    /// How the pass went.
    ///
    /// - Parameters:
    ///   - requests: those made, further tries included.
    ///   - withWaiting: whether answers that wait to be recorded are counted, as what they seem to be.
    func result(finishedAt: Timestamp, requests: Int, withWaiting: Bool) -> PassResult {
        func count(_ outcome: Outcome) -> Int {
            outcomes.values.count { $0.outcome == outcome && (withWaiting || !$0.waits) }
        }
        return PassResult(
            startedAt: startedAt, finishedAt: finishedAt, due: due, succeeded: count(.succeeded),
            failed: count(.failed), throttled: count(.throttled), requests: requests, suspect: count(.suspect))
    }
}

/// Questions in the order in which they came, each once.
struct UniqueQueries {
    private(set) var queries: [Query] = []
    private var known: Set<Query> = []

    init(_ queries: [Query]) { add(queries) }

    func contains(_ query: Query) -> Bool { known.contains(query) }

    mutating func add(_ added: [Query]) {
        for query in added where known.insert(query).inserted { queries.append(query) }
    }
}
