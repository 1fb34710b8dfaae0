import History
import RankKit
import TestSupport
import Testing
import Tracking

@Suite struct WaitingChecksTests {
    private let start = time("2026-11-01T00:00:00Z")

    private func check(_ number: Int, _ outcome: Check.Outcome = .answered(list(["com.a"]))) -> Check {
        Check(query: query("q\(number)"), at: start + Int64(number), outcome: outcome)
    }

    @Test func `what waits comes out in order, with every place`() throws {
        var waiting = WaitingChecks()
        waiting.add(check(1, .answered(list(["com.a", nil, "com.B-2", "x"]))), .badDay)
        waiting.add(check(2, .failed(Failure(.status, "503"))), .usual)
        let first = try #require(waiting.first)
        guard case .answered(let back) = first.check.outcome else { Issue.record("no list"); return }
        #expect(back.places.map { $0?.bundleID.text } == ["com.a", nil, "com.B-2", "x"])
        #expect(back.places.map { $0?.id } == list(["com.a", nil, "com.B-2", "x"]).places.map { $0?.id })
        #expect(back.places.allSatisfy { $0?.fingerprint == nil })
        #expect(first.circumstances == .badDay && first.check.query == query("q1") && first.check.at == start + 1)
        waiting.removeFirst()
        guard case .failed(let failure)? = waiting.first?.check.outcome else { Issue.record("no failure"); return }
        #expect(failure == Failure(.status, "503"))
    }

    @Test func `the number of an entry without a bundle identifier waits with it`() throws {
        let places = list(["com.a", nil, nil, "com.b"]).places
        var waiting = WaitingChecks()
        waiting.add(check(1, .answered(ResultList(places: places, unnamed: [2: AppID(7)]))), .usual)
        guard case .answered(let back)? = waiting.first?.check.outcome else { Issue.record("no list"); return }
        #expect(back.unnamed == [2: AppID(7)])
        #expect(back.places.map { $0 == nil } == [false, true, true, false])
    }

    @Test func `nothing of an answer's body is kept`() {
        final class Body: Sendable {}
        weak var body: Body?
        var waiting = WaitingChecks()
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
                        })), .usual)
        }
        #expect(waiting.count == 1)
        #expect(body == nil)
    }

    @Test func `an hour of long lists fits into a few megabytes`() {
        var waiting = WaitingChecks()
        let long = list((0..<200).map { "com.example.some-company.application\($0)" })
        for number in 0..<900 { waiting.add(check(number, .answered(long)), .usual) }
        #expect(waiting.count == 900)
        #expect(waiting.dropped == 0)
        #expect(waiting.bytes < 10_000_000)
    }

    @Test func `beyond the limit the oldest give way, and are counted`() {
        var waiting = WaitingChecks()
        for number in 0..<(WaitingChecks.most + 5) { waiting.add(check(number), .usual) }
        #expect(waiting.count == WaitingChecks.most)
        #expect(waiting.dropped == 5)
        #expect(waiting.first?.check.query == query("q5"))
    }

    @Test func `lists of any length keep to the limit`() {
        var waiting = WaitingChecks()
        let longest = list((0..<1_000).map { "\($0)." + String(repeating: "x", count: 250) })
        for number in 0..<300 { waiting.add(check(number, .answered(longest)), .usual) }
        #expect(waiting.bytes <= WaitingChecks.mostBytes)
        #expect(waiting.count + waiting.dropped == 300)
    }

    @Test func `what waits counts as tried`() {
        var waiting = WaitingChecks()
        waiting.add(check(1), .usual)
        waiting.add(check(2, .failed(Failure(.status))), .usual)
        waiting.add(check(100), .usual)
        let before = [query("q2"): Attempts(lastGood: start - 100)]
        #expect(
            waiting.added(to: before, asOf: start + 10) == [
                query("q1"): Attempts(lastGood: start + 1),
                query("q2"): Attempts(lastGood: start - 100, lastFailed: start + 2, failuresInARow: 1),
            ])
    }

    @Test func `what waits from before the clock was set back counts within its slot, but for failures`() {
        var waiting = WaitingChecks()
        waiting.add(check(20), .usual)
        waiting.add(check(21, .failed(Failure(.status))), .usual)
        waiting.add(check(40), .usual)
        let ends = Dictionary(uniqueKeysWithValues: [20, 21, 40].map { (query("q\($0)"), start + 30) })
        #expect(
            waiting.added(to: [:], asOf: start + 10, slotEnds: ends) == [query("q20"): Attempts(lastGood: start + 20)])
    }
}
