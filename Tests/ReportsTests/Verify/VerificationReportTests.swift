import JudgingStage
import Testing

@testable import History
@testable import Reports

/// What a verification found, for people.
@Suite struct VerificationReportTests {
    private func report(_ parts: [Finding.Part]) -> VerificationReport {
        VerificationReport(
            generatedAt: noon, path: "history.sqlite", parts: VerifiedParts(queries: 1, checks: 2, positions: 2),
            findings: parts.map { Finding(part: $0, place: "“timer” us iphone", problem: "the list is not there") },
            findingCount: parts.count)
    }

    @Test func `each kind of finding says once what to do about it`() {
        let text = report([.lists, .lists, .apps, .standings]).render(as: .table)
        #expect(text.ranges(of: "a backup from before the damage").count == 1, "\(text)")
        #expect(text.ranges(of: "makes them anew").count == 1, "\(text)")
        #expect(!text.contains("stop rankd and put back a backup"), "\(text)")
        for part in Finding.Part.allCases { #expect(VerificationReport.advice(on: [part]).count == 1, "\(part)") }
        #expect(!report([]).render(as: .table).contains("backup"))
    }
}
