import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct FiguresTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_299, "1.2 kB"), (99_999, "99.9 kB"), (100_000, "100 kB"),
            (12_345_678, "12.3 MB"), (999_999_999, "999 MB"), (4_000_000_000, "4.0 GB"), (-5, "0 B"),
            (Int64.max, "more than 900 PB"),
        ] as [(Int64, String)])
    func `sizes have one decimal below a hundred`(bytes: Int64, shown: String) {
        #expect(Figures.bytes(bytes) == shown)
    }

    @Test func `thousands are grouped`() {
        #expect(Figures.grouped(0) == "0")
        #expect(Figures.grouped(999) == "999")
        #expect(Figures.grouped(21_600) == "21,600")
        #expect(Figures.grouped(-1_234_567) == "-1,234,567")
    }

    @Test func `decimals are rounded and padded`() {
        #expect(Figures.decimal(4.894_96, places: 2) == "4.89")
        #expect(Figures.decimal(5, places: 2) == "5.00")
        #expect(Figures.decimal(4.999, places: 2) == "5.00")
        #expect(Figures.decimal(0.04, places: 2) == "0.04")
        #expect(Figures.decimal(-0.001, places: 2) == "0.00")
        #expect(Figures.decimal(15, places: 0) == "15")
        #expect(Figures.decimal(.nan, places: 1) == "–")
    }

    @Test func `one is singular`() {
        #expect(Figures.counted(1, "query", "queries") == "1 query")
        #expect(Figures.counted(0, "pair") == "0 pairs")
    }
}

@Suite struct RelativeAgeTests {
    @Test(
        arguments: [
            (0, "now", "just now"), (59, "now", "just now"), (60, "1m", "1m ago"), (3599, "59m", "59m ago"),
            (3600, "1h", "1h ago"), (86_399, "23h", "23h ago"), (86_400, "1d", "1d ago"),
            (13 * 86_400, "13d", "13d ago"),
            (35 * 86_400, "5w", "5w ago"), (364 * 86_400, "52w", "52w ago"), (730 * 86_400, "2y", "2y ago"),
            (-30, "now", "just now"), (-720, "now", "in 12m"),
        ] as [(Int64, String, String)])
    func `ages are in one unit, rounded down`(seconds: Int64, short: String, phrase: String) {
        let age = RelativeAge(of: noon - seconds, at: noon)
        #expect(age.short == short)
        #expect(age.phrase == phrase)
    }
}
