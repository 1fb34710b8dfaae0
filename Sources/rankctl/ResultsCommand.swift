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

    @Option(
        help: ArgumentHelp("When: 2026-11-01, 7d, yesterday; now without it.", valueName: "time"), completion: .time)
    var at: String?

    @Option(help: ArgumentHelp("The moment to compare with, 7d before --at.", valueName: "time"), completion: .time)
    var compare: String?

    @Option(help: ArgumentHelp("The same as --compare.", valueName: "time"), completion: .time)
    var since: String?

    @Option(help: ArgumentHelp("The same as --at.", valueName: "time"), completion: .time)
    var until: String?

    @Option(help: ArgumentHelp("Only this app's places.", valueName: "alias or bundle id"))
    var app: [String] = []

    @Option(help: ArgumentHelp("Only a query that a pair has with this tag.", valueName: "tag"))
    var tag: [String] = []

    @OptionGroup var delivery: DeliveryOptions

    func validate() throws {
        if at != nil, until != nil { throw ValidationError("--at and --until mean the same: give one of them") }
        if compare != nil, since != nil {
            throw ValidationError("--compare and --since mean the same: give one of them")
        }
    }

    func run() async throws { try await delivery.deliver(report) }

    private func report(_ reader: HistoryReader, _ surroundings: Surroundings) throws -> Report {
        let times = try TimeReading(reader, surroundings)
        let moment =
            try (at ?? until).map { try times.time($0, for: at == nil ? "--until" : "--at").last }
            ?? surroundings.now
        let earlier = try (compare ?? since).map {
            try times.time($0, for: compare == nil ? "--since" : "--compare", before: moment).last
        }
        if let earlier, earlier > moment { throw ValidationError("--compare is later than --at: swap them") }
        let question = try query.choose(reader, tags: tag)
        let wanted = Set(try app.map { try knownApp($0, reader) })
        var results: Results
        do {
            results = try Results(
                on: question, at: moment, comparedWith: earlier, from: reader, now: surroundings.now)
        } catch {
            throw Self.explained(error, question)
        }
        if !wanted.isEmpty { results.keep(wanted) }
        return .results(ResultsReport(results))
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
