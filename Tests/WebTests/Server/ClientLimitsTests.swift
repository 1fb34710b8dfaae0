import TestSupport
import Testing

@testable import Web

@Suite struct ClientLimitsTests {
    @Test func `a client has some at once, and then so many a minute`() {
        let clock = ManualClock()
        let limits = ClientLimits(perMinute: 60, clock: clock)
        for _ in 0..<20 { #expect(limits.take("a") == nil) }
        #expect(limits.take("a") == .seconds(1))
        #expect(limits.take("b") == nil)
        clock.advance(by: .seconds(1))
        #expect(limits.take("a") == nil)
        #expect(limits.take("a") != nil)
    }
}
