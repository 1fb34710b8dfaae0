import JudgingStage
import RankKit
import Testing

@testable import Reports

@Suite struct StandingsPagingTests {
    private func report(_ options: StandingsReport.Options) throws -> StandingsReport {
        var rows = try [("alpha", 30), ("beta", 2), ("gamma", nil), ("delta", 7)].map { name, position in
            try row(name, position: position)
        }
        rows[0].change7d = .places(3)
        rows[1].change7d = .left
        rows[2].change7d = .entered
        return StandingsReport(Standings(generatedAt: noon, rows: rows), options: options)
    }

    private func queries(_ options: StandingsReport.Options) throws -> [String] {
        try report(options).csv(try #require(CSVSelection("query"))).split(separator: "\r\n").dropFirst().map(
            String.init)
    }

    @Test func `rows are sorted by place, with an absence behind every place`() throws {
        #expect(try queries(.init(order: .now)) == ["beta", "delta", "alpha", "gamma"])
        #expect(try queries(.init(order: .now, isReversed: true)) == ["gamma", "alpha", "delta", "beta"])
    }

    @Test func `what was gained most comes first, and what is unknown last either way`() throws {
        #expect(try queries(.init(order: .week)) == ["gamma", "alpha", "beta", "delta"])
        #expect(try queries(.init(order: .week, isReversed: true)) == ["beta", "alpha", "gamma", "delta"])
    }

    @Test func `every form has the rows of one page`() throws {
        let options = StandingsReport.Options(limit: 3, page: 2)
        #expect(try queries(options) == ["delta"])
        let text = try report(options).render(as: .table)
        #expect(text.contains("rows 4 to 4 of 4: page 2 of 2"))
        #expect(text.contains("delta") && !text.contains("alpha"))
        #expect(try report(options).paging == Paging(page: 2, limit: 3, count: 4))
    }

    @Test func `a page far behind the last one is empty`() {
        #expect(Paging(page: .max, limit: .max, count: 4).rows.isEmpty)
        #expect(Paging(page: .max, limit: .max, count: 4).pages == 1)
        #expect(Paging(page: 1, limit: 10, count: 0).pages == 1)
    }

    @Test(arguments: [
        [RequestParameter("page", "2")], [RequestParameter("limit", "0")], [RequestParameter("reverse", "true")],
        [RequestParameter("all", "true"), RequestParameter("limit", "5")], [RequestParameter("sort", "colour")],
    ])
    func `options that mean nothing together are refused`(parameters: [RequestParameter]) {
        #expect(throws: ReportRefusal.self) { try StandingsRequest.request(parameters) }
    }
}
