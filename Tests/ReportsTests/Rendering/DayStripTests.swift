import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct DayStripTests {
    private func boxes(_ positions: [Int?]) -> [String] {
        DayStrip(trend(positions)).svg(words: "words").components(between: "<rect ", "/>")
    }

    @Test func `days of one band that follow each other are one box`() {
        #expect(
            boxes([1, 2, 3, 12]) == [
                "class=\"part-0\" x=\"0\" width=\"30\" height=\"14\"",
                "class=\"part-1\" x=\"30\" width=\"60\" height=\"14\"",
                "class=\"part-3\" x=\"90\" width=\"30\" height=\"14\"",
            ])
    }

    @Test func `a day without a good check has no colour`() {
        #expect(
            boxes([5, nil, nil, 5]) == [
                "class=\"part-2\" x=\"0\" width=\"30\" height=\"14\"",
                "class=\"part-2\" x=\"90\" width=\"30\" height=\"14\"",
            ])
        #expect(DayStrip(trend([nil, nil])).svg(words: "").isEmpty && DayStrip([]).svg(words: "").isEmpty)
    }

    @Test func `an absence has the colour of none of the places`() {
        let absent = DayStrip([reading(nil), reading(200)]).svg(words: "").components(between: "part-", "\"")
        #expect(absent == ["7", "6"])
    }

    @Test func `every band of places has its colour in the legend`() {
        for band in Distribution.Band.allCases where band != .beyond200 {
            #expect(DayStrip.legend.contains("</svg> \(band.title)</li>"))
        }
    }
}
