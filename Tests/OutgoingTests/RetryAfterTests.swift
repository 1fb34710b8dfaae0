import Testing

@testable import Outgoing

@Suite struct RetryAfterTests {
    private let sent = "Fri, 20 Nov 2026 10:00:00 GMT"

    @Test(arguments: [
        ("120", 120), (" 5 ", 5), ("1000000000", 1_000_000_000), ("99999999999999999999", Int64.max),
        ("Fri, 20 Nov 2026 10:02:00 GMT", 120), ("Sat, 21 Nov 2026 10:00:00 GMT", 86_400),
    ])
    func `seconds and dates are read`(value: String, seconds: Int64) {
        #expect(RetryAfter.seconds(value, sentAt: sent) == seconds)
    }

    @Test(arguments: [
        "", "0", "-5", "soon", "1.5", "Fri, 20 Nov 2026 09:00:00 GMT", "Fri, 20 Nix 2026 10:02:00 GMT",
        "Fri, 20 Nov 2026 noon GMT", "Friday, 20-Nov-26 10:02:00 GMT",
    ])
    func `what is neither, or past, asks for nothing`(value: String) {
        #expect(RetryAfter.seconds(value, sentAt: sent) == nil)
    }

    @Test func `a date without the server's own time says nothing`() {
        #expect(RetryAfter.seconds("Fri, 20 Nov 2026 10:02:00 GMT", sentAt: nil) == nil)
    }
}
