import Testing

@testable import Console

struct LiveScreenTests {
    @Test func `every line is cleared to its end, and what is below the last as well`() {
        #expect(LiveScreen.frame("one\ntwo\n", rows: 5) == "\u{1B}[Hone\u{1B}[K\ntwo\u{1B}[K\u{1B}[J")
    }

    @Test func `what does not fit is counted on the last line`() {
        #expect(
            LiveScreen.frame("1\n2\n3\n4\n", rows: 3)
                == "\u{1B}[H1\u{1B}[K\n2\u{1B}[K\n… 2 more lines\u{1B}[K\u{1B}[J")
    }

    @Test func `what just fits is whole`() {
        #expect(!LiveScreen.frame("1\n2\n3\n", rows: 3).contains("more"))
    }
}

struct PagerTests {
    @Test(arguments: ["", "cat", "  "]) func `who wants no pager gets none`(wanted: String) {
        #expect(Pager(environment: ["PAGER": wanted]) == nil)
    }

    @Test func `without a wish it is less`() {
        #expect(Pager(environment: [:])?.command == "less")
        #expect(Pager(environment: ["PAGER": "more -s"])?.command == "more -s")
    }
}
