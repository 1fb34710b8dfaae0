import ArgumentParser
package import History
package import RankKit

package struct DigestRequest: ReportRequest {
    package static let about = ReportAbout(
        "digest", "The page for each morning: what is new since yesterday (or --since), and who is new in the top ten.",
        discussion: """
            --mail sends it through sendmail as text and HTML, or only as what --format markdown or html says. With \
            --output the mail goes to that file instead. An empty ADDRESS does nothing, which suits a unit with an \
            optional setting.
            """)

    package static let answers: [any ReportValue.Type] = [DigestReport.self]

    @OptionGroup var judgement: JudgementOptions
    @OptionGroup var options: ScopeOptions

    package var asked: [RequestParameter] { options.asked + judgement.asked }

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue { try report(in: context) }

    /// - Parameter unit: what systemd says of the service; `nil` if there is no such unit.
    package func report(in context: ReportContext, unit: ServiceUnit? = nil) throws -> DigestReport {
        let context = try context.asOf(options.end, apps: options.filter.app)
        let scope = try options.scope(in: context)
        var report = DigestReport(
            try Digest(
                from: context.reader, filter: scope.filter, since: scope.since, until: scope.until, zone: context.zone,
                unit: unit, now: context.now, sensitivity: judgement.sensitivity))
        if scope.until == nil { report.firstVerdict = try FirstVerdict(scope.filter, in: context) }
        return report
    }
}

extension DigestReport {
    /// The digest of everything since a moment.
    package init(since: Timestamp, in context: ReportContext) throws(HistoryError) {
        self.init(
            try Digest(
                from: context.reader, filter: PairFilter(), since: since, until: context.now, zone: context.zone,
                unit: nil, now: context.now, sensitivity: nil))
        firstVerdict = try FirstVerdict(in: context)
    }
}
