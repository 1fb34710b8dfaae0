import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// Whatever happened to a pair, every report says the same of it over the same time.
@Suite struct SameVerdictTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private static let days = 80

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// Places of one pair day by day, 0 where it is absent: wobble, and perhaps a step, a drift, an entry or an exit.
    private func places(_ random: inout SplitMix) -> [Int] {
        let usual = 2 + Int(random.unit() * 60)
        let (step, stepOn) = (random.unit() < 0.5 ? Int(random.unit() * 30) - 15 : 0, 40 + Int(random.unit() * 39))
        let drift = random.unit() < 0.3 ? random.unit() - 0.5 : 0
        let (gone, goneOn) = (random.unit() < 0.2, 45 + Int(random.unit() * 34))
        let isLate = random.unit() < 0.1
        let rate = 0.5 * random.unit()
        return (0..<Self.days).map { day in
            if gone, day >= goneOn { return 0 }
            if isLate, day < goneOn { return 0 }
            let wobble = random.unit() < rate ? Int(random.unit() * 9) - 4 : 0
            let level = Double(usual + (day >= stepOn ? step : 0)) + drift * Double(max(0, day - 50))
            return min(max(1, Int(level) + wobble), 100)
        }
    }

    private func fill(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let queries = (0..<6).map { query("timer \($0)") }
        let plan = watchlist(
            queries.map { ($0, ["com.me", "com.rival"]) }, every: day, competitors: ["com.rival"])
        try await store.adopt(plan, now: noon - 90 * day)
        for query in queries {
            let (mine, rival) = (places(&random), places(&random))
            for index in 0..<Self.days {
                var names = (1...100).map { "com.x\($0)" }
                if rival[index] > 0 { names[rival[index] - 1] = "com.rival" }
                if mine[index] > 0, mine[index] != rival[index] { names[mine[index] - 1] = "com.me" }
                let moment = noon - Int64(Self.days - 1 - index) * day - 60
                try await store.record(Check(query: query, at: moment, outcome: .answered(list(names))))
            }
        }
    }

    private struct Pair: Hashable {
        var query: Query
        var bundleID: BundleID
    }

    private func byPair(_ movers: Movers) -> [Pair: Movers.Row] {
        Dictionary(movers.rows.map { (Pair(query: $0.query, bundleID: $0.app.bundleID), $0) }) { first, _ in first }
    }

    @Test(arguments: zip(0..<9 as Range<UInt64>, Array(repeating: Sensitivity.allCases, count: 3).flatMap(\.self)))
    func `a pair has one verdict in all of them`(seed: UInt64, sensitivity: Sensitivity) async throws {
        try await fill(seed)
        let reader = try HistoryReader(path: store.path)
        let standings = try Standings(from: reader, withTrend: false, now: noon, sensitivity: sensitivity)
        let week = byPair(try Movers(from: reader, now: noon, sensitivity: sensitivity))
        let month = byPair(try Movers(from: reader, since: noon - 30 * day, now: noon, sensitivity: sensitivity))
        let digest = byPair(try Digest(from: reader, zone: .gmt, now: noon, sensitivity: sensitivity).movers)
        let doing = Dictionary(
            try Opportunities(from: reader, now: noon, sensitivity: sensitivity).rows.map {
                (Pair(query: $0.query, bundleID: $0.app.bundleID), $0)
            }, uniquingKeysWith: { first, _ in first })
        var told = 0
        for row in standings.rows {
            let pair = Pair(query: row.question, bundleID: row.bundleID)
            let judgement = try #require(row.judgement)
            let comment = Comment(rawValue: "\(pair.query.text) \(pair.bundleID) \(judgement)")
            if judgement.isBeyondNoise || row.monthMove != nil { told += 1 }
            // The week: who has no row in movers stands still.
            #expect(week[pair].map { $0.judgement == judgement } ?? !judgement.isBeyondNoise, comment)
            #expect(digest[pair].map { $0.judgement == judgement } ?? !judgement.isBeyondNoise, comment)
            // The month: what the week does not tell.
            var moved: LastingMove?
            if case .real(let move)? = month[pair]?.judgement { moved = move }
            let ofMonth = month[pair]?.judgement.isBeyondNoise == true ? month[pair]?.judgement : nil
            if judgement.isBeyondNoise {
                #expect(row.monthMove == nil && week[pair]?.monthMove == nil, comment)
            } else {
                #expect(row.monthMove == ofMonth && week[pair]?.monthMove == ofMonth, comment)
            }
            guard row.mine else { continue }
            #expect(digest[pair]?.monthMove == week[pair]?.monthMove, comment)
            let found = doing[pair]
            #expect(found.map { $0.move == moved } ?? true, comment)
            let codes = Set(found?.reasons.map(\.code) ?? [])
            let isUp = moved?.direction == .up
            #expect(!codes.contains("rising") || isUp, comment)
            #expect(codes.isDisjoint(with: ["fell", "sliding", "slipping"]) || (moved != nil && !isUp), comment)
            if isUp, let place = row.position?.number, (11...30).contains(place) {
                #expect(codes.contains("rising"), comment)
            }
            if judgement.isBeyondNoise {
                let past = try Timeline(
                    of: pair.bundleID, on: [pair.query], since: noon - 30 * day, until: noon, sensitivity: sensitivity,
                    from: reader, zone: .gmt, now: noon)
                let moves = past.events.compactMap { event in
                    if case .moved(_, let move) = event.what { move.judgement } else { nil }
                }
                #expect(moves.contains(judgement), comment)
            }
        }
        #expect(told > 0 || sensitivity == .calm)
    }

    @Test func `reports are as keen as the watchlist says, unless they are asked otherwise`() async throws {
        var plan = watchlist([(query("timer"), ["com.me"])], every: day)
        plan.sensitivity = .keen
        try await store.adopt(plan, now: noon - 90 * day)
        let reader = try HistoryReader(path: store.path)
        #expect(try Movers(from: reader, now: noon).sensitivity == .keen)
        #expect(try Movers(from: reader, now: noon, sensitivity: .calm).sensitivity == .calm)
        #expect(try Digest(from: reader, zone: .gmt, now: noon).movers.sensitivity == .keen)
    }
}
