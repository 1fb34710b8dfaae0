import ArgumentParser
import Foundation
import RankKit
import Reports
import Testing

/// What people ask, each answered on the first screen of a terminal of 80 columns and 24 lines.
@Suite struct FirstScreenTests {
    struct Question: Sendable, CustomTestStringConvertible {
        let words: String
        let report: String
        let arguments: [String]
        /// Regular expressions, each of which the first screen has.
        let answers: [String]

        var testDescription: String { words }
    }

    private static let app = "com.northwind.daylight"
    /// A line is the prompt's.
    private static let lines = 23

    static let questions = [
        Question(
            words: "which queries lost places this month, and to whom?", report: "movers",
            arguments: ["--since", "30d"],
            answers: [
                "streaks +gb +iPhone .*#\\d+ → #\\d+ +▼\\d+",
                "passed by Habitly \\(competitor\\).* and \\d+ more, between \\d+",
            ]),
        Question(
            words: "was it the store or me?", report: "movers", arguments: [],
            answers: ["likely its own: the US store was calm that day; 1 of 49 others"]),
        Question(
            words: "did version 2.4 work?", report: "release", arguments: [app, "2.4"],
            answers: ["looks as if version 2\\.4 helped"]),
        Question(
            words: "what next?", report: "opportunities", arguments: [],
            answers: ["streaks +us +daylight +#\\d+ +recover", " push "]),
        Question(
            words: "who is new in the top ten?", report: "digest", arguments: ["--since", "7d"],
            answers: [
                "new in the top 10: Daylight: Habit Tracker \\(mine\\) #\\d+ habit tracker \\(\\w\\w, iPhone\\).* \\d+ more apps"
            ]),
        Question(
            words: "who is new in the top ten since yesterday?", report: "digest", arguments: [],
            answers: ["new in the top 10: [^#]+ #\\d+ ", "New in the top 10", "\\S  +#\\d+ [^(]+\\(\\w\\w, \\w+\\)\\n"]),
        Question(
            words: "where was I on 10 November at noon?", report: "standings", arguments: ["--at", "2026-11-10 12:00"],
            answers: ["as of 2026-11-10 12:00", "habit tracker +us +iPhone +#\\d+", "focus timer +us +iPhone +#\\d+"]),
        Question(
            words: "what did a competitor do this month?", report: "timeline",
            arguments: ["--app", "habitly", "--since", "30d"],
            answers: ["changed: version .* → free on \\d+ Nov", "\\d+ moves", "19 Nov +version"]),
        Question(
            words: "where do I beat it?", report: "compare", arguments: ["--app", app, "--with", "habitly"],
            answers: ["is ahead in \\d+ list", "◆ #\\d+"]),
    ]

    @Test(arguments: questions)
    func `a question is answered on the first screen`(_ question: Question) async throws {
        let demo = try await GoldenDemo.shared.value
        let request = try #require(ReportCatalogue.reports.first { $0.about.name == question.report })
        let context = try ReportContext(try demo.reader(), now: demo.now, zone: .gmt)
        let text = try request.parse(question.arguments).answer(in: context)
            .render(as: .table, style: TerminalStyle(colour: false, width: 80))
        let screen = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.lines)
            .joined(separator: "\n")
        // A sentence goes on in the next line.
        let sentence = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for answer in question.answers {
            let found = [screen, sentence].contains { $0.range(of: answer, options: .regularExpression) != nil }
            #expect(found, "\(answer) is not on the first screen:\n\(screen)")
        }
    }
}
