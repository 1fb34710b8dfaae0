import History
import Judging
import RankKit
import Testing

@testable import Reports

/// Why a move of mine happened is told alike wherever it is told.
@Suite struct CausesTests {
    @Test func `a card of Today has the cause that movers names`() async throws {
        let demo = try await GoldenDemo.shared.value
        let standings = try Standings(from: demo.reader(), withTrend: false, now: demo.now)
        let changed = try WhatChanged(StandingsReport(standings), from: demo.reader())
        let movers = try Movers(from: demo.reader(), now: demo.now)
        let falls = try Fall.of(movers, withPassers: false, from: demo.reader())
        var compared = 0
        for card in changed.cards where card.common == nil {
            let row = card.moves[0].row
            guard let fall = falls.first(where: { $0.query == row.question && $0.app.bundleID == row.bundleID }) else {
                continue
            }
            compared += 1
            #expect(card.causes.contains(.app) == (fall.context.likely == .app), "\(row.question)")
            #expect(card.causes.contains(.store) == (fall.context.likely == .store), "\(row.question)")
            let release = card.causes.compactMap { if case .release(let release) = $0 { release } else { nil } }.first
            #expect(release == fall.context.release, "\(row.question)")
        }
        #expect(compared > 0)
    }
}
