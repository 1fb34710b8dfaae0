internal import ArgumentParser
import Console
import History
import RankKit
import Reports

struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "The whole list of a query at a moment, and what changed since another.",
        discussion: "Shows the last good list at that moment or before it.")

    @OptionGroup var query: QueryOption

    @Option(help: ArgumentHelp("When: 2026-11-01, 7d, yesterday; now without it.", valueName: "time"))
    var at: String?

    @Option(help: ArgumentHelp("The moment to compare with.", valueName: "time"))
    var compare: String?

    @OptionGroup var database: DatabaseOption

    @Option(help: "table, json or csv.")
    var format: ReportFormat = .table

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let times = try TimeReading(reader, surroundings)
        let moment = try at.map { try times.time($0, for: "--at").last } ?? surroundings.now
        let earlier = try compare.map { try times.time($0, for: "--compare").last }
        if let earlier, earlier > moment { throw ValidationError("--compare is later than --at: swap them") }
        let question = try query.choose(reader)
        let results: Results
        do {
            results = try Results(
                on: question, at: moment, comparedWith: earlier, from: reader, now: surroundings.now)
        } catch {
            throw Self.explained(error, question)
        }
        let style = Terminal.style(environment: surroundings.environment)
        try Terminal.deliver(ResultsReport(results).render(as: format, style: style))
    }

    private static func explained(_ reason: Results.Refusal, _ query: Query) -> any Error {
        switch reason {
        case .history(let error): return error
        case .noList(let moment, let since):
            let began = since.map { "; it was first asked at \($0)" } ?? "; it was never asked"
            return refusal(
                "no good list of “\(SafeText.escaped(query.text))” is kept from \(moment) or before" + began)
        }
    }
}
