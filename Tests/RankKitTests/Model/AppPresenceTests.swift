import RankKit
import TestSupport
import Testing

@Suite struct AppPresenceTests {
    private let start = time("2026-11-01T00:00:00Z")
    private let hour: Int64 = 3_600
    private let day: Int64 = 86_400

    private func presence(_ outcomes: [(AppPresence.Outcome, Int64)]) -> AppPresence {
        var presence = AppPresence()
        for (outcome, seconds) in outcomes { presence.note(outcome, at: start + seconds) }
        return presence
    }

    @Test func `an app that was never looked up is due at once`() {
        #expect(AppPresence().isNew)
        #expect(AppPresence().nextDue(now: start) == start)
    }

    @Test func `an app that was found is asked about again after a week, where no list shows it`() {
        let found = presence([(.empty, 0), (.found, day)])
        #expect(found.nextDue(now: start + 2 * day) == start + 8 * day)
        #expect(found.nextDue(now: start + 365 * day) == start + 365 * day)
        #expect(!found.isUnknown && !found.isNew)
    }

    @Test func `one empty answer proves nothing and is repeated a day later`() {
        let once = presence([(.empty, 0)])
        #expect(!once.isUnknown)
        #expect(once.nextDue(now: start + 60) == start + day)
        #expect(once.nextDue(now: start + 5 * day) == start + 5 * day)
    }

    @Test(arguments: [(82_800, false), (86_400, true), (864_000, true)] as [(Int64, Bool)])
    func `two empty answers count when they are a day apart`(_ apart: Int64, _ isUnknown: Bool) {
        #expect(presence([(.empty, 0), (.empty, apart)]).isUnknown == isUnknown)
    }

    @Test func `an app that is not sold is asked about again weekly`() {
        let unknown = presence([(.empty, 0), (.empty, day)])
        #expect(unknown.nextDue(now: start + day) == start + 8 * day)
        var reminded = unknown
        reminded.note(.empty, at: start + 8 * day)
        #expect(reminded.isUnknown && reminded.emptyAnswers == 3 && reminded.emptySince == start)
        #expect(reminded.nextDue(now: start + 8 * day) == start + 15 * day)
    }

    @Test func `a look-up that finds the app ends it`() {
        #expect(!presence([(.empty, 0), (.empty, day), (.found, 8 * day)]).isUnknown)
    }

    @Test func `a failed look-up changes nothing and comes back after 15 minutes, doubling up to a day`() {
        var unknown = presence([(.empty, 0), (.empty, day)])
        unknown.note(.failed, at: start + 8 * day)
        #expect(unknown.isUnknown && unknown.emptyAnswers == 2)
        #expect(unknown.nextDue(now: start + 8 * day) == start + 8 * day + 900)
        let delays = (1...9).map { AppPresence.retryDelay(afterFailures: $0) }
        #expect(delays == [900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400])
        #expect(AppPresence.retryDelay(afterFailures: .max) == 86_400)
        let failed = presence([(.failed, 0)])
        #expect(!failed.isNew && failed.nextDue(now: start) == start + 900)
    }

    @Test func `an answer ends the failures before it`() {
        let answered = presence([(.failed, 0), (.failed, hour), (.empty, 2 * hour)])
        #expect(answered.failuresInARow == 0 && answered.failedAt == nil)
    }

    // MARK: A clock that is set

    @Test func `times that lie in the future delay nothing`() {
        #expect(presence([(.empty, 3_650 * day)]).nextDue(now: start) == start)
        #expect(presence([(.failed, 3_650 * day)]).nextDue(now: start) == start)
        #expect(presence([(.empty, 3_649 * day), (.empty, 3_650 * day)]).nextDue(now: start) == start)
    }

    @Test func `a second between two answers that a clock made years is no day`() {
        // Asked, the clock jumps ten years, asked again, and it is set right.
        let jumped = presence([(.empty, 0), (.empty, 3_650 * day), (.empty, 600)])
        #expect(!jumped.isUnknown)
        #expect(jumped.nextDue(now: start + 600) == start + 600 + day)
    }

    @Test func `answers begun before the first one start the count anew`() {
        let back = presence([(.empty, 3_649 * day), (.empty, 3_650 * day), (.empty, 0)])
        #expect(!back.isUnknown && back.emptyAnswers == 1 && back.emptySince == start)
        #expect(presence([(.empty, 3_650 * day), (.empty, 0), (.empty, day)]).isUnknown)
    }

    @Test func `a clock that is set back a second leaves what is known`() {
        let known = presence([(.empty, 0), (.empty, 8 * day), (.empty, 8 * day - 1)])
        #expect(known.isUnknown && known.emptySince == start)
    }
}
