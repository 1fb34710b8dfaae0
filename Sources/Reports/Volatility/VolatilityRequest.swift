import ArgumentParser
import History
import Judging
import RankKit

struct VolatilityRequest: ReportRequest {
    static let about = ReportAbout(
        "volatility", "The weather: days on which a whole store moved or failed.",
        discussion: """
            Each country is judged over all of its queries. --app, --query, --platform and --tag choose which countries \
            you see. The first day is that of --since, or 60 days ago.
            """)

    static let answers: [any ReportValue.Type] = [VolatilityReport.self]

    @OptionGroup var options: ScopeOptions

    func answer(in context: ReportContext) throws -> any ReportValue {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        var report = VolatilityReport(
            try Volatility(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, now: context.now))
        if scope.until == nil, context.isForPeople {
            let stores = Set(report.volatility.stores.map(\.store))
            for query in Set(try context.reader.trackedPairs(scope.filter).map(\.query))
            where stores.isEmpty || stores.contains(query.store) {
                guard let first = try context.reader.firstCheck(of: query)?.reportDay else { continue }
                report.begins = min(report.begins ?? first, first)
            }
        }
        return report
    }
}
