import TestSupport
import Testing

@testable import Web

@Suite struct AttemptsTests {
    private let clock = ManualClock()

    @Test func `a few wrong passwords are free, then each waits twice as long`() {
        let attempts = Attempts(clock: clock)
        for _ in 0..<4 { attempts.failed("here") }
        #expect(attempts.wait("here") == nil)
        attempts.failed("here")
        #expect(attempts.wait("here") == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(attempts.wait("here") == nil)
        attempts.failed("here")
        #expect(attempts.wait("here") == .seconds(2))
    }

    @Test func `the longest wait is a quarter of an hour`() {
        let attempts = Attempts(clock: clock)
        for _ in 0..<60 { attempts.failed("here") }
        #expect(attempts.wait("here") == .seconds(900))
    }

    @Test func `others do not wait, and who comes in begins anew`() {
        let attempts = Attempts(clock: clock)
        for _ in 0..<8 { attempts.failed("here") }
        #expect(attempts.wait("there") == nil)
        attempts.succeeded("here")
        #expect(attempts.wait("here") == nil)
    }
}
