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

@Suite struct ClientSharesTests {
    @Test(arguments: [(true, ClientShares.ofKnown), (false, ClientShares.ofUnknown)])
    func `a client has so many requests under way, and others have theirs`(_ isKnown: Bool, _ most: Int) {
        let shares = ClientShares()
        let (one, other) = (Client(name: "one", isKnown: isKnown), Client(name: "other", isKnown: isKnown))
        #expect((0..<most).allSatisfy { _ in shares.enter(one) })
        #expect(!shares.enter(one) && shares.enter(other))
        shares.leave(one)
        #expect(shares.enter(one) && !shares.enter(one))
    }
}
