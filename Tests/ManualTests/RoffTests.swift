import Testing

@testable import Manual

@Suite struct RoffTests {
    @Test(arguments: [
        (#"a\b"#, #"a\eb"#), (".SH is no request", #"\&.SH is no request"#), ("'tis", #"\&'tis"#),
        ("well-known", "well-known"), ("use --once now", #"use \-\-once now"#), ("2026-11-20", #"2026\-11\-20"#),
        ("“hábitos” × 2", #"\[u201C]h\[u00E1]bitos\[u201D] \[u00D7] 2"#), ("~/x", #"\(ti/x"#),
        ("type `rankd --once`.", #"type \fBrankd \-\-once\fR."#), ("one ` alone", #"one \(ga alone"#),
        ("two\nlines", "two lines"), ("`'`", #"\fB\(aq\fR"#),
    ])
    func `prose keeps what it says, whatever it says`(_ text: String, _ roff: String) {
        #expect(Roff.prose(text) == roff)
    }

    @Test func `an argument of a macro stays one argument`() {
        #expect(Roff.argument(#"a "b" c-d"#) == #""a \(dqb\(dq c\-d""#)
    }
}
