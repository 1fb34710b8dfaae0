package import ArgumentParser
import RankKit

package struct ResultsRequest: ReportRequest {
    package static let about = ReportAbout(
        "results", "The whole list of a query at a moment, and what changed since another.",
        discussion: "Shows the last good list at that moment or before it.")

    package static let answers: [any ReportValue.Type] = [ResultsReport.self]

    package static func examples(_ names: ExampleNames) -> [ReportExample] {
        let question = names.queryOptions(1) + names.countryOptions(1)
        return [ReportExample("results", question + ["--platform", "iphone", "--compare", "7d"])]
    }

    @OptionGroup package var query: QueryOption

    @Option(
        help: ArgumentHelp("When: 2026-11-01, 7d, yesterday; now without it.", valueName: "time"),
        completion: .words(.time))
    package var at: String?

    @Option(
        help: ArgumentHelp("The moment to compare with, 7d before --at.", valueName: "time"), completion: .words(.time))
    package var compare: String?

    @Option(help: ArgumentHelp("The same as --compare.", valueName: "time"), completion: .words(.time))
    package var since: String?

    @Option(help: ArgumentHelp("The same as --at.", valueName: "time"), completion: .words(.time))
    package var until: String?

    @Option(help: ArgumentHelp("Only this app's places.", valueName: "alias or bundle id"))
    package var app: [String] = []

    @Option(help: ArgumentHelp("Only a query that a pair has with this tag.", valueName: "tag"))
    package var tag: [String] = []

    package init() {}

    package func validate() throws {
        if at != nil, until != nil { throw ValidationError("--at and --until mean the same: give one of them") }
        if compare != nil, since != nil {
            throw ValidationError("--compare and --since mean the same: give one of them")
        }
    }

    package func answer(in context: ReportContext) throws -> any ReportValue {
        let times = TimeReading(context)
        let moment =
            try (at ?? until).map { try times.time($0, for: at == nil ? "--until" : "--at").last } ?? context.now
        let earlier = try (compare ?? since).map {
            try times.time($0, for: compare == nil ? "--since" : "--compare", before: moment).last
        }
        if let earlier, earlier > moment { throw ReportRefusal.option("--compare is later than --at: swap them") }
        let question = try query.choose(in: context, tags: tag)
        let wanted = Set(try app.map { try context.knownApp($0) })
        var results: Results
        do {
            results = try Results(
                on: question, at: moment, comparedWith: earlier, from: context.reader, now: context.now)
        } catch {
            throw Self.explained(error, question)
        }
        if !wanted.isEmpty { results.keep(wanted) }
        return ResultsReport(results)
    }

    private static func explained(_ reason: Results.Refusal, _ query: Query) -> any Error {
        switch reason {
        case .history(let error): error
        case .noList(let moment, let since): ReportRefusal.noList(query: query.text, at: moment, since: since)
        }
    }
}
