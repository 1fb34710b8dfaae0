import Foundation
import History
import Judging
import RankKit
import Testing

@testable import Reports

/// A pair's page says what every report says of the pair.
@Suite struct PairStoryTests {
    private func stories(_ demo: GoldenDemo) throws -> [(row: Standings.Row, story: PairStory)] {
        let context = try ReportContext(demo.reader(), now: demo.now, zone: .gmt)
        let standings = try Standings(from: demo.reader(), withTrend: false, now: demo.now)
        return try standings.rows.map { row in
            let query = row.question
            let found = try PairStory.found(
                [
                    RequestParameter("app", row.bundleID.text), RequestParameter("query", query.text),
                    RequestParameter("country", query.country.code),
                    RequestParameter("platform", query.platform.rawValue),
                ], in: context)
            guard case .one(let story) = found else { throw Several() }
            return (row, story)
        }
    }

    private struct Several: Error {}

    @Test func `the verdict of each pair has the places of the standings`() async throws {
        let stories = try stories(try await GoldenDemo.shared.value)
        var moved = 0
        for (row, story) in stories {
            #expect(story.row?.judgement == row.judgement && story.row?.monthMove == row.monthMove, "\(row.question)")
            let text = story.verdict.markdown.replacing("\\", with: "").replacing("&gt;", with: ">")
            let now = row.position?.description ?? row.within.map { ">\($0)" } ?? "last good one"
            #expect(text.contains(now), "\(row.question): \(text)")
            guard let told = row.monthMove ?? row.judgement, told.isMove, !row.isBack else { continue }
            moved += 1
            for place in [told.from, told.to].compactMap(\.self) {
                #expect(text.contains(place.description), "\(row.question): \(text)")
            }
        }
        #expect(moved > 15 && stories.count > moved)
    }

    @Test func `who passed a loss is told as movers tells it`() async throws {
        let stories = try stories(try await GoldenDemo.shared.value)
        for (row, story) in stories { #expect(story.besideLoss.isEmpty || row.hasConfirmedLoss, "\(row.question)") }
        let streaks = try #require(
            stories.first { $0.row.query == "streaks" && $0.row.country.code == "us" && $0.row.mine })
        #expect(streaks.story.besideLoss.contains { $0.text.contains("passed by ") })
    }

    @Test func `the lists around each pair show it where the newest check does`() async throws {
        for (row, story) in try stories(try await GoldenDemo.shared.value) {
            guard row.state == .ranked || row.state == .absent else { continue }
            let now = try #require(story.around.now, "\(row.question)")
            #expect(now.own == row.position, "\(row.question)")
            #expect(now.places.count <= 7 && !now.places.isEmpty, "\(row.question)")
            #expect(story.around.then.map { $0.at < now.at } ?? true, "\(row.question)")
        }
    }
}
