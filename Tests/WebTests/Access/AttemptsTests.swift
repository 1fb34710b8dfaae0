import TestSupport
import Testing

@testable import Web

@Suite struct AttemptsTests {
    private let clock = ManualClock()
    private let owner = Credentials.Entry(name: "owner", tags: nil, digest: [1], isToken: false)
    private let token = Credentials.Entry(name: "grafana", tags: nil, digest: [2])
    private let client = Credentials.Entry(name: "client", tags: ["a"], digest: [3])

    private typealias Tries = Attempts<ManualClock>

    /// Whether each of `count` tries was looked at.
    @discardableResult
    private func fail(_ attempts: Tries, _ place: String, _ count: Int = 1) -> Bool {
        (0..<count).allSatisfy { _ in if case .wrong = attempts.judge(place, { nil }) { true } else { false } }
    }

    private func comesIn(_ attempts: Tries, _ place: String, _ entry: Credentials.Entry) -> Bool {
        if case .right(let found) = attempts.judge(place, { entry }) { found == entry } else { false }
    }

    /// Wrong passwords from so many places that all have to wait.
    private func attack(_ attempts: Tries) {
        for number in 0..<Tries.mostTogether { fail(attempts, "place \(number)") }
    }

    @Test func `a few wrong passwords are free, then each waits twice as long`() {
        let attempts = Attempts(clock: clock)
        #expect(fail(attempts, "here", 4) && attempts.wait("here") == nil)
        fail(attempts, "here")
        #expect(attempts.wait("here") == .seconds(1) && !fail(attempts, "here"))
        clock.advance(by: .seconds(1))
        #expect(attempts.wait("here") == nil && fail(attempts, "here"))
        #expect(attempts.wait("here") == .seconds(2))
    }

    @Test func `the longest wait is a quarter of an hour`() {
        let attempts = Attempts(clock: clock)
        for _ in 0..<60 {
            clock.advance(by: attempts.wait("here") ?? .zero)
            #expect(fail(attempts, "here"))
        }
        #expect(attempts.wait("here") == .seconds(900))
    }

    @Test func `the right password waits with the wrong ones, and is not looked at`() {
        let attempts = Attempts(clock: clock)
        fail(attempts, "here", 5)
        #expect(!comesIn(attempts, "here", owner))
    }

    @Test func `others do not wait, and who comes in begins anew`() {
        let attempts = Attempts(clock: clock)
        fail(attempts, "here", 5)
        #expect(comesIn(attempts, "there", owner))
        clock.advance(by: .seconds(1))
        #expect(comesIn(attempts, "here", owner))
        #expect(fail(attempts, "here", 5))
    }

    @Test func `a token that asks between the guesses neither ends their wait nor is kept waiting by it`() {
        for token in [token, client] {
            let attempts = Attempts(clock: clock)
            var looked = 0
            // A guess whenever one is looked at, and a program that asks every five seconds, for a quarter of an hour.
            for second in 0..<900 {
                while fail(attempts, "here") { looked += 1 }
                if second % 5 == 0 { #expect(comesIn(attempts, "here", token)) }
                clock.advance(by: .seconds(1))
            }
            // After 5 at once the waits are of 1, 2, 4 … 512 seconds.
            #expect(looked == 5 + 9)
            // Nor does it make the place one of the owner's.
            clock.advance(by: .seconds(900))
            attack(attempts)
            #expect(comesIn(attempts, "here", token) && !comesIn(attempts, "here", owner))
        }
    }

    @Test func `wrong passwords from many places slow the whole log-in down`() {
        let attempts = Attempts(clock: clock)
        attack(attempts)
        #expect(!fail(attempts, "elsewhere") && !comesIn(attempts, "elsewhere", owner))
        var looked = 0
        for number in 0..<600 {
            clock.advance(by: .milliseconds(100))
            if fail(attempts, "further \(number)") { looked += 1 }
        }
        #expect(looked == Int(Tries.perMinuteTogether))
    }

    @Test func `tokens, and the places that the owner came in from, go on meanwhile`() {
        let attempts = Attempts(clock: clock)
        #expect(comesIn(attempts, "home", owner))
        attack(attempts)
        #expect(comesIn(attempts, "home", owner) && comesIn(attempts, "elsewhere", token))
        #expect(comesIn(attempts, "an office", client))
        // A token that sees a part allows no more guesses at the password.
        #expect(!comesIn(attempts, "an office", owner) && !comesIn(attempts, "elsewhere", owner))
    }

    @Test func `the whole log-in is as quick as before once it was quiet for a while`() {
        let attempts = Attempts(clock: clock)
        attack(attempts)
        clock.advance(by: .seconds(600))
        #expect((0..<20).allSatisfy { fail(attempts, "new \($0)") })
    }
}
