import JudgingStage
import Testing

@testable import Reports

@Suite struct SparklineTests {
    private func text(_ positions: [Int?]) -> String { Sparkline(trend(positions)).text }

    @Test func `better is higher, and the axis is logarithmic`() {
        #expect(text([128, 64, 32, 16, 8, 4, 2, 1]) == "▁▂▃▄▅▆▇█")
        #expect(text([200, 1]) == "▁█")
    }

    @Test func `a day without a good check is a gap and an absence its own mark`() {
        let readings = [reading(1), nil, reading(nil), reading(4)]
        #expect(Sparkline(readings).text == "█·_▁")
    }

    @Test func `an even series is an even line`() {
        #expect(text([1, 1, 1]) == "███")
        #expect(text([50, 50]) == "▃▃")
        #expect(Sparkline([reading(nil), reading(nil)]).text == "__")
    }

    @Test func `a jitter of a few percent stays flat and a lasting move does not`() {
        #expect(text([50, 52, 50, 51, 52]) == "▃▃▃▃▃")
        #expect(text([80, 80, 30, 30]) == "▁▁▆▆")
    }

    @Test func `a good place and a bad one that both stay lie apart`() {
        #expect(text([2, 2, 2]) == "▇▇▇")
        #expect(text([104, 104, 104]) == "▂▂▂")
    }

    @Test(arguments: 1...200) func `both ends of a move of less than a factor of four can be seen`(best: Int) {
        let levels = Sparkline(trend([best, best * 2, best])).levels
        let heights = levels.compactMap { if case .place(let height) = $0 { height } else { nil } }
        #expect(heights.count == 3 && abs(heights[0] - heights[1] - 0.5) < 0.001)
    }

    @Test func `nothing known is nothing drawn`() {
        #expect(text([]) == "")
        #expect(text([nil, nil]) == "")
    }

    @Test func `thirty days are thirty columns`() {
        #expect(TerminalText.width(text((0..<30).map { $0 % 9 == 0 ? nil : $0 })) == 30)
    }
}
