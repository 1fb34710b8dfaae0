import ArgumentParser
import History
import RankKit

struct ResultsRequest: ReportRequest {
    static let about = ReportAbout(
        "results", "The whole result list of a query, and what changed since an earlier one.",
        discussion: "Shows the last good list at --at or before it.")

    static let answers: [any ReportValue.Type] = [ResultsReport.self]

    static func examples(_ names: ExampleNames) -> [ReportExample] {
        let question = names.queryOptions(1) + names.countryOptions(1)
        return [ReportExample("results", question + ["--platform", "iphone", "--compare", "7d"])]
    }

    @OptionGroup var query: QueryOption

    @OptionGroup var end: EndOption

    @Option(
        help: ArgumentHelp(
            "Compare with the list of this time, the last of a day: 2026-11-01, yesterday, or 7d (counted back from --at).",
            valueName: "time"),
        completion: .words(.time))
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Compare with the list at the beginning of this time: as --compare, but before the first second of a day.",
            valueName: "time"),
        completion: .words(.time))
    var since: String?

    @Option(help: ArgumentHelp("Only this app's positions.", valueName: "alias or bundle id"))
    var app: [String] = []

    @Option(help: ArgumentHelp("Only if the query has this tag.", valueName: "tag"))
    var tag: [String] = []

    func validate() throws {
        if compare != nil, since != nil {
            throw ValidationError("--compare and --since both name the earlier list: give only one")
        }
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(end, isOfPairs: false)
        let times = TimeReading(context)
        let moment = try times.moment(end)
        let compared = try compare.map { try times.time($0, for: "--compare", before: moment).last }
        if let compared, compared > moment { throw ReportRefusal.option("--compare is later than --at: swap them") }
        let earlier = try compared ?? times.beginning(since, before: moment)
        let question = try query.choose(in: context, tags: tag)
        let wanted = Set(try app.map { try context.knownApp($0) })
        var results = try Results(
            on: question, at: moment, comparedWith: earlier, from: context.reader, now: context.now)
        if !wanted.isEmpty {
            // At that time they may have had other names.
            let numbers = try wanted.flatMap { try context.reader.numbers(of: $0) }
            let ids = try context.reader.apps(numbers, namedIn: nil).values.map(\.id)
            results.keep(wanted, or: Set(ids))
        }
        return ResultsReport(results)
    }
}
