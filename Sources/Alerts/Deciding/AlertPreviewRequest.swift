internal import ArgumentParser
import History
package import RankKit
package import Reports

/// What would have been sent in the past, by the rules of a watchlist.
package struct AlertPreviewRequest: ReportRequest {
    package static let about = ReportAbout(
        "alerts-preview", "Shows what alerts would have been sent in the past. Sends nothing.",
        discussion: """
            Replays the past day by day with the rules that rankd uses after each pass. If the watchlist has no alerts, \
            it uses the usual rules.
            """, isTopLevel: true)

    package static let answers: [any ReportValue.Type] = [AlertPreviewReport.self]

    @Option(help: ArgumentHelp("The time to start from, such as 90d or 2026-11-01.", valueName: "time"))
    var since = "90d"

    @Option(
        help: ArgumentHelp(
            "Only this rule: its name, its number among the watchlist's rules, or what its when says, such as digest.",
            valueName: "rule"))
    var rule: String?

    package init() {}

    package func answer(in context: ReportContext) throws -> any ReportValue {
        try report(of: try context.watchlist(), in: context)
    }

    /// - Parameter giveBack: called when all has been read and judged.
    /// - Throws: `ReportRefusal` for a rule that is not there, a time that is none or to come, and a history without a
    ///   check.
    package func report(
        of watchlist: Watchlist, in context: ReportContext, giveBack: () -> Void = {}
    ) throws -> AlertPreviewReport {
        var settings = watchlist.alerts ?? AlertSettings(to: ["nobody yet"])
        if let rule { settings.rules = try settings.rules(rule) }
        let days = ZoneDays(context.zone)
        let wanted = days.day(of: try TimeReading(context).beginning(since, for: "--since"))
        guard let oldest = try context.reader.oldestCheck().map(days.day) else {
            throw ReportRefusal.option("the history has no checks yet, so there is no past to look at")
        }
        var preview = try AlertPreview(
            settings, since: max(wanted, oldest), until: context.now, now: context.now, zone: context.zone,
            from: context.reader, giveBack: giveBack)
        let unexplained = try preview.explain(zone: context.zone, from: context.reader)
        var report = preview.report(
            of: settings, apps: watchlist.apps, zone: context.zone, generatedAt: context.now, unexplained: unexplained,
            isOfUsualRules: watchlist.alerts == nil)
        if let verdict = try FirstVerdict(in: context) { report.notes.insert(verdict.words, at: 0) }
        if wanted < oldest { report.notes.insert("the history begins on that day", at: 0) }
        return report
    }
}

extension AlertSettings {
    /// The rule with that name, else with that number among the rules, else all that are about such a kind or about these.
    fileprivate func rules(_ wanted: String) throws(ReportRefusal) -> [AlertRule] {
        if let named = rules.first(where: { $0.name == wanted }) { return [named] }
        if let number = Int(wanted), (1...rules.count).contains(number) { return [rules[number - 1]] }
        let kinds = wanted.split(separator: ",").map { AlertKind(rawValue: String($0.drop { $0 == " " })) }
        let about = rules.filter { rule in !kinds.isEmpty && kinds.allSatisfy { $0.map(rule.when.contains) ?? false } }
        guard about.isEmpty else { return about }
        let all = rules.enumerated().map { index, rule in
            "\(index + 1) (\(rule.name ?? rule.when.map(\.rawValue).joined(separator: ", ")))"
        }
        throw .option(SafeText.escaped("there is no rule “\(wanted)”; there are: \(all.joined(separator: ", "))"))
    }
}
