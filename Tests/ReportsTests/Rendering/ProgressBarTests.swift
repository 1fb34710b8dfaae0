import Testing

@testable import Reports

@Suite struct ProgressBarTests {
    private let bar = ProgressBar(done: 34, failed: 2, total: 100, perMinute: 15)

    @Test func `a wide line says everything`() {
        #expect(
            bar.line(width: 66)
                == "[████░░░░░░░░] 34/100 · 2 failed · about 4 min left at 15 a minute")
    }

    @Test func `a narrow line keeps what matters most`() {
        #expect(bar.line(width: 50) == "[███░░░░░░░░] 34/100 · 2 failed · about 4 min left")
        #expect(bar.line(width: 30) == "[███░░░░░░░] 34/100 · 2 failed")
        #expect(bar.line(width: 20) == "34/100 · 2 failed")
    }

    @Test func `every width from 20 up holds the line`() {
        for width in 20...200 {
            for bar in [bar, ProgressBar(done: 123_456, failed: 98_765, total: 1_234_567, perMinute: 0.5)] {
                #expect(TerminalText.width(bar.line(width: width)) <= width)
            }
        }
    }

    @Test func `the end, nothing to do and a pace unknown foretell no time`() {
        #expect(ProgressBar(done: 4, failed: 0, total: 4, perMinute: 15).line(width: 18) == "[████████████] 4/4")
        #expect(ProgressBar(done: 0, failed: 0, total: 0, perMinute: 15).line(width: 16) == "[██████████] 0/0")
        #expect(ProgressBar(done: 1, failed: 0, total: 2, perMinute: 0).line(width: 16) == "[█████░░░░░] 1/2")
        #expect(ProgressBar(done: 1, failed: 0, total: 2).line(width: 16) == "[█████░░░░░] 1/2")
    }

    @Test func `the time left is in words that fit its size`() {
        #expect(
            ProgressBar(done: 90, failed: 0, total: 100, perMinute: 15).line(width: 100).contains("less than a minute"))
        #expect(ProgressBar(done: 0, failed: 0, total: 3600, perMinute: 15).line(width: 100).contains("about 4 h left"))
        #expect(ProgressBar(done: 0, failed: 0, total: 9, perMinute: 0.5).line(width: 100).contains("at 0.5 a minute"))
    }

    @Test func `more done than there was to do is a full bar`() {
        #expect(ProgressBar(done: 5, failed: 0, total: 4).line(width: 16) == "[██████████] 5/4")
    }
}
