import History
import RankKit
import TestSupport
import Testing

@testable import Tracking

@Suite struct WaitingEntriesTests {
    private let start = time("2026-11-01T00:00:00Z")

    private func check(
        _ number: Int, _ outcome: Check.Outcome = .answered(list(["com.a"])), _ asking: SearchAnswer.Asking = .alone
    ) -> Entry {
        .answer(Check(query: query("q\(number)"), at: start + Int64(number), outcome: outcome), asking)
    }

    /// The answer that is first in line.
    private func first(_ waiting: WaitingEntries) -> SearchAnswer? {
        guard case .answer(let answer)? = waiting.first else { return nil }
        return answer
    }

    @Test func `what waits comes out in order, with every place`() throws {
        var waiting = WaitingEntries()
        let asking = SearchAnswer.Asking.second(PassID(of: .itunes, number: 7))
        waiting.add(check(1, .answered(list(["com.a", nil, "com.B-2", "x"])), asking))
        waiting.add(check(2, .failed(Failure(.status, "503"))))
        let answer = try #require(first(waiting))
        guard case .list(let back) = answer.reply else { Issue.record("no list"); return }
        #expect(back.places.map { $0?.bundleID.text } == ["com.a", nil, "com.B-2", "x"])
        #expect(back.places.map { $0?.id } == list(["com.a", nil, "com.B-2", "x"]).places.map { $0?.id })
        #expect(back.places.allSatisfy { $0?.fingerprint == nil })
        #expect(answer.asking == asking && answer.query == query("q1") && answer.at == start + 1)
        waiting.removeFirst()
        guard case .failed(let failure)? = first(waiting)?.reply else { Issue.record("no failure"); return }
        #expect(failure == Failure(.status, "503"))
    }

    @Test func `the number of an entry without a bundle identifier waits with it`() throws {
        let places = list(["com.a", nil, nil, "com.b"]).places
        var waiting = WaitingEntries()
        waiting.add(check(1, .answered(ResultList(places: places, unnamed: [2: AppID(7)]))))
        guard case .list(let back)? = first(waiting)?.reply else { Issue.record("no list"); return }
        #expect(back.unnamed == [2: AppID(7)])
        #expect(back.places.map { $0 == nil } == [false, true, true, false])
    }

    @Test func `nothing of an answer's body is kept`() {
        final class Body: Sendable {}
        weak var body: Body?
        var waiting = WaitingEntries()
        do {
            let held = Body()
            body = held
            waiting.add(
                check(
                    1,
                    .answered(
                        list(["com.a"]) { _ in
                            _ = held
                            return AppDetails()
                        })))
        }
        #expect(waiting.count == 1)
        #expect(body == nil)
    }

    @Test func `an hour of long lists fits into a few megabytes`() {
        var waiting = WaitingEntries()
        let long = list((0..<200).map { "com.example.some-company.application\($0)" })
        for number in 0..<900 { waiting.add(check(number, .answered(long))) }
        #expect(waiting.count == 900)
        #expect(waiting.dropped == 0)
        #expect(waiting.bytes < 10_000_000)
    }

    @Test func `beyond the limit the oldest give way, and are counted`() {
        var waiting = WaitingEntries()
        for number in 0..<(WaitingEntries.most + 5) { waiting.add(check(number)) }
        #expect(waiting.count == WaitingEntries.most)
        #expect(waiting.dropped == 5)
        #expect(first(waiting)?.query == query("q5"))
    }

    @Test func `lists of any length keep to the limit`() {
        var waiting = WaitingEntries()
        let longest = list((0..<1_000).map { "\($0)." + String(repeating: "x", count: 250) })
        for number in 0..<300 { waiting.add(check(number, .answered(longest))) }
        #expect(waiting.bytes <= WaitingEntries.mostBytes)
        #expect(waiting.count + waiting.dropped == 300)
    }

    @Test func `what waits counts as tried`() {
        var waiting = WaitingEntries()
        waiting.add(check(1))
        waiting.add(check(2, .failed(Failure(.status))))
        waiting.add(check(100))
        let before = [query("q2"): Attempts(lastGood: start - 100)]
        #expect(
            waiting.added(to: before, asOf: start + 10) == [
                query("q1"): Attempts(lastGood: start + 1),
                query("q2"): Attempts(lastGood: start - 100, lastFailed: start + 2, failuresInARow: 1),
            ])
    }

    @Test func `what waits from before the clock was set back counts within its slot, but for failures`() {
        var waiting = WaitingEntries()
        waiting.add(check(20))
        waiting.add(check(21, .failed(Failure(.status))))
        waiting.add(check(40))
        let ends = Dictionary(uniqueKeysWithValues: [20, 21, 40].map { (query("q\($0)"), start + 30) })
        #expect(
            waiting.added(to: [:], asOf: start + 10, slotEnds: ends) == [query("q20"): Attempts(lastGood: start + 20)])
    }

    @Test func `what is no answer waits in its place, is not counted as one, and is not kept for ever`() {
        var waiting = WaitingEntries()
        waiting.add(check(1))
        for number in 0..<Int64(WaitingEntries.mostOthers) + 50 {
            waiting.add(.pass(.ended(PassID(of: .itunes, number: number + 1), at: start, nil)))
        }
        waiting.add(check(2))
        #expect(waiting.count == 2 && waiting.dropped == 0)
        #expect(first(waiting)?.query == query("q1"))
        waiting.removeFirst()
        guard case .pass(.ended(let pass, _, _))? = waiting.first else { Issue.record("no pass"); return }
        #expect(pass.number == 51)
    }
}
