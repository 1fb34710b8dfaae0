import RankKit
import TestSupport
import Testing

@testable import Tracking

@Suite struct DoubtfulAnswersTests {
    private let start = time("2026-11-01T00:00:00Z")

    private func check(_ number: Int, _ list: ResultList) -> Check {
        Check(query: query("q\(number)"), at: start + Int64(number), outcome: .answered(list))
    }

    @Test func `nothing of a doubtful answer's body is kept, and its places are`() throws {
        final class Body: Sendable {}
        weak var body: Body?
        var doubtful = DoubtfulAnswers()
        do {
            let held = Body()
            body = held
            let answer = list(["com.a", nil, "com.b"]) { _ in
                _ = held
                return AppDetails()
            }
            let waits = doubtful.take(check(1, answer), (.collapsed, false))
            #expect(waits)
        }
        #expect(body == nil)
        let kept = try #require(doubtful.entries.first)
        guard case .answered(let back) = kept.check.outcome else { Issue.record("no list"); return }
        #expect(back.places.map { $0?.bundleID.text } == ["com.a", nil, "com.b"])
        #expect(kept.check.query == query("q1") && kept.check.at == start + 1)
    }

    @Test func `what there is no room for does not wait, and counts for the day all the same`() {
        let many = list((0..<90).map { "com.example.some-company.application\($0)" })
        var (small, large) = (DoubtfulAnswers(mostBytes: 40_000), DoubtfulAnswers())
        for number in 0..<50 {
            _ = small.take(check(number, many), (.collapsed, false))
            _ = large.take(check(number, many), (.collapsed, false))
        }
        #expect(small.bytes <= 40_000 && (1..<50).contains(small.entries.count))
        #expect(large.entries.count == 50)
        for answered in [0, 20, 49, 50, 51, 100, 1_000] {
            #expect(small.areOfBadDay(whole: answered) == large.areOfBadDay(whole: answered))
        }
    }
}
