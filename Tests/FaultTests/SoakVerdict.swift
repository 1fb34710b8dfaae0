import Foundation
import ProgramStage
import RankKit

/// Whether what a history holds is what its store answered, and why anything is missing from it.
struct SoakVerdict: CustomStringConvertible {
    private(set) var flaws: [String] = []
    private(set) var slots = 0
    private(set) var good = 0
    private(set) var suspect = 0
    private(set) var failed = 0
    private(set) var explained = 0

    /// In seconds: how long a pass may take to come round to a query, with its waits and further tries.
    private static let slack: Int64 = 900

    var description: String {
        "\(slots) slots: \(good) good, \(suspect) suspect, \(explained) explained; \(failed) failed checks"
    }

    init(
        _ path: String, _ plan: Watchlist, _ store: SoakStore, _ witness: SoakWitness, from start: Timestamp
    ) throws {
        let history = try RecordedHistory(path)
        flaws = try history.flaws
        failed = try history.number(
            """
            SELECT (SELECT count(*) FROM check_log WHERE outcome = 'failed')
                + (SELECT coalesce(sum(failed), 0) FROM failure_day)
            """)
        let end = witness.reasons.map(\.to).max() ?? start
        for watched in plan.queries {
            let finished = try Self.finished(watched.query, in: history)
            judgePositions(watched, finished, store.answers[watched.query] ?? [])
            let refusals = (store.refusals[watched.query] ?? []).map { moment in
                let wait = min(Schedule.longestRetry, watched.cadences[0].seconds)
                return SoakWitness.Reason(from: moment, to: moment + wait + Self.slack, why: "refused")
            }
            judgeSlots(
                watched, finished, (witness.reasons + refusals).sorted { $0.from < $1.from }, from: start, to: end)
        }
    }

    /// A good or suspect check.
    private struct Finished {
        let at: Timestamp
        let isGood: Bool
        let within: Int
        /// `nil` for an absence.
        var positions: [BundleID: Int?] = [:]
    }

    private static func finished(_ query: Query, in history: RecordedHistory) throws -> [Finished] {
        let rows = try history.table(
            """
            SELECT check_log.id, check_log.at, outcome, check_log.within, pair.bundle_id, position.position
            FROM check_log JOIN query ON query.id = check_log.query
            LEFT JOIN position ON position.check_id = check_log.id
            LEFT JOIN pair ON pair.id = position.pair
            WHERE outcome <> 'failed' AND text = '\(query.text)' AND country = '\(query.country)'
                AND platform = '\(query.platform.rawValue)'
            ORDER BY check_log.at, check_log.id
            """)
        var checks: [(id: String, check: Finished)] = []
        for row in rows {
            guard let id = row[0], let at = row[1].flatMap({ Int64($0) }), let within = row[3].flatMap({ Int($0) })
            else { continue }
            if checks.last?.id != id {
                checks.append(
                    (id, Finished(at: Timestamp(secondsSinceEpoch: at), isGood: row[2] == "good", within: within)))
            }
            if let app = row[4].flatMap({ BundleID($0) }) {
                checks[checks.count - 1].check.positions.updateValue(row[5].flatMap { Int($0) }, forKey: app)
            }
        }
        return checks.map(\.check)
    }

    private mutating func judgePositions(_ watched: WatchedQuery, _ finished: [Finished], _ answers: [SoakStore.Answer])
    {
        let byMoment = Dictionary(grouping: answers, by: \.at)
        for check in finished {
            let truths = byMoment[check.at] ?? []
            let isTrue = truths.contains { truth in
                guard truth.within == check.within else { return false }
                return !check.isGood
                    || check.positions.count == (truth.isWhole ? watched.pairs.count : truth.places.count)
                        && check.positions.allSatisfy { truth.places[$0.key] == $0.value }
            }
            if !isTrue {
                flaws.append("\(watched.query.text) at \(check.at): \(check) and not \(truths.map(\.within))")
            }
        }
    }

    private mutating func judgeSlots(
        _ watched: WatchedQuery, _ finished: [Finished], _ reasons: [SoakWitness.Reason], from start: Timestamp,
        to end: Timestamp
    ) {
        var bySlot: [Slot: [Finished]] = [:]
        for check in finished {
            bySlot[Slot.containing(check.at, cadences: watched.cadences), default: []].append(check)
        }
        for (slot, checks) in bySlot where checks.count > 1 {
            flaws.append("\(watched.query.text): \(checks.count) finished checks in the slot of \(slot.start)")
        }
        var slot = Slot.containing(start, cadences: watched.cadences)
        while slot.end <= end {
            slots += 1
            switch bySlot[slot]?.first {
            case let check? where check.isGood: good += 1
            case .some: suspect += 1
            case nil:
                explained += 1
                let open = Self.unexplained(from: max(start, slot.start), to: slot.end, reasons)
                if open > Self.slack {
                    flaws.append(
                        "\(watched.query.text): nothing in the slot of \(slot.start), \(open) s of it without a reason")
                }
            }
            slot = Slot.containing(slot.end, cadences: watched.cadences)
        }
    }

    /// How many seconds of a stretch no reason covers.
    private static func unexplained(from: Timestamp, to: Timestamp, _ reasons: [SoakWitness.Reason]) -> Int64 {
        var open: Int64 = 0
        var covered = from
        for reason in reasons where reason.to > from {
            if reason.from >= to { break }
            if reason.from > covered { open += reason.from - covered }
            covered = max(covered, min(to, reason.to))
        }
        return open + max(0, to - covered)
    }
}
