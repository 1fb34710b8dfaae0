import ArgumentParser
import Judging

struct OpportunitiesRequest: ReportRequest {
    static let about = ReportAbout(
        "opportunities", "What to do first: queries to push, recover, defend or drop, each with its gain and reason.",
        discussion: "Always looks at the weeks before --until, so --since is refused.", refused: ["since"])

    static let answers: [any ReportValue.Type] = [OpportunitiesReport.self]

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    var asked: [RequestParameter] { options.asked + judgement.asked }

    func validate() throws {
        guard options.since == nil else {
            throw ValidationError("opportunities always looks at the weeks before --until: leave out --since")
        }
    }

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        var report = OpportunitiesReport(
            try Opportunities(
                from: context.reader, filter: scope.filter, until: scope.until, now: context.now,
                sensitivity: judgement.sensitivity))
        if scope.until == nil { report.firstVerdict = try FirstVerdict(scope.filter, in: context) }
        return report
    }
}
