import Foundation
import History
import Judging
import RankKit
import Testing

@testable import Reports

/// A pair usually stands at one place now, whichever report is asked, and however far back it looks.
@Suite struct SameMoveTests {
    private struct Pair: Hashable {
        let query: Query
        let app: BundleID
    }

    /// Days before the demo's end on which the reports are asked.
    private static let daysAgo: [Int64] = [0, 1, 2, 3, 5, 7, 9, 11]

    /// The confirmed moves of so many days, or of a week, by pair.
    private func confirmed(_ demo: GoldenDemo, days: Int64?, until: Timestamp) throws -> [Pair: MoveJudgement] {
        let rows = try Movers(
            from: demo.reader(), since: days.map { until - $0 * Timestamp.secondsPerDay }, until: until, now: demo.now
        ).rows
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                row.judgement.isBeyondNoise && !row.isBack
                    ? (Pair(query: row.query, app: row.app.bundleID), row.judgement) : nil
            })
    }

    @Test func `a month leads to the place that its last week leads to`() async throws {
        let demo = try await GoldenDemo.shared.value
        var compared = 0
        for daysAgo in Self.daysAgo {
            let until = demo.now - daysAgo * Timestamp.secondsPerDay
            let week = try confirmed(demo, days: nil, until: until)
            for days in [14, 30] as [Int64] {
                for (pair, judgement) in try confirmed(demo, days: days, until: until) {
                    guard let newest = week[pair] else { continue }
                    compared += 1
                    #expect(judgement.place == newest.place, "\(pair) \(daysAgo) days ago over \(days) days")
                }
            }
            let standings = try Standings(
                from: demo.reader(), withTrend: false, since: until - 30 * Timestamp.secondsPerDay, until: until,
                now: demo.now)
            for row in standings.rows {
                guard let judgement = row.judgement, judgement.isBeyondNoise, !row.isBack,
                    let newest = week[Pair(query: row.question, app: row.bundleID)]
                else { continue }
                #expect(judgement.place == newest.place, "\(row.question) \(daysAgo) days ago in the standings")
            }
        }
        #expect(compared > 50)
    }

    @Test func `what movers confirms today is in the timeline of its app, with the same place`() async throws {
        let demo = try await GoldenDemo.shared.value
        let reader = try demo.reader()
        var compared = 0
        var timelines: [BundleID: Timeline] = [:]
        for (pair, judgement) in try confirmed(demo, days: nil, until: demo.now) {
            let timeline =
                try timelines[pair.app]
                ?? Timeline(
                    of: pair.app, on: reader.queries(tracking: pair.app), since: Timeline.start(before: demo.now),
                    until: demo.now, from: reader, zone: .gmt, now: demo.now)
            timelines[pair.app] = timeline
            let told = timeline.events.contains { event in
                guard case .moved(pair.query, let move) = event.what else { return false }
                return move.judgement.place == judgement.place && move.way == MoveDirection(judgement)
            }
            compared += 1
            #expect(told, "\(pair): \(judgement)")
        }
        #expect(compared > 5)
    }
}

extension MoveJudgement {
    /// The usual place since; `nil` for out of the list.
    fileprivate var place: Position? {
        switch self {
        case .real(let move), .unconfirmed(let move): move.to
        case .entered(let place, _): place
        case .left, .withinNoise, .notJudged: nil
        }
    }
}
