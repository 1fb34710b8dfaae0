import Alerts
internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct PruneCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Deletes the history of named apps or queries for good.",
        usage: """
            rankctl prune --app <app> ... [--query <text> ...] [<options>]
            rankctl prune --query <text> ... [<options>]
            """,
        discussion: """
            Stop rankd first. rankctl refuses to delete what the watchlist still names, because it would come back: \
            remove it there first. Messages about it are deleted too.
            """)

    @Option(help: ArgumentHelp("The app to delete.", valueName: "alias or bundle id"), completion: .words(.everyApp))
    var app: [String] = []

    @Option(
        help: ArgumentHelp("The query to delete; with --app, only that app on it.", valueName: "text"),
        completion: .words(.query))
    var query: [String] = []

    @Option(help: ArgumentHelp("Only in this country, or these: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "Only on this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(
        help: ArgumentHelp("Only in this language of Apple's, such as en_us; none: without one.", valueName: "code"),
        completion: .words(.language))
    var language: [String] = []

    @Option(help: ArgumentHelp("Delete only what is older than this: 2026-11-01, 90d, yesterday.", valueName: "time"))
    var before: String?

    @Flag(help: "Delete without asking.")
    var yes = false

    @OptionGroup var database: DatabaseOption

    func validate() throws {
        if app.isEmpty, query.isEmpty { throw ValidationError("name what to delete with --app or --query") }
        try TimeReading.validate(before, for: "--before")
    }

    func run() async throws {
        let surroundings = Surroundings()
        let path = surroundings.locations.database(flag: database.database)
        // A missing one must not be made.
        let (moment, days) = try moment(in: try HistoryReader(path: path), surroundings)
        let store = try HistoryStore(path: path)
        do {
            try await prune(store, before: moment, days)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    /// What `--before` names, and by whose days. Nothing is left open on the history, which is about to be written.
    private func moment(in reader: HistoryReader, _ surroundings: Surroundings) throws -> (Timestamp?, ZoneDays) {
        let context = try ReportContext(reader, now: surroundings.now, zone: .gmt)
        let times = TimeReading(context)
        return (try before.map { try times.time($0, for: "--before").first }, ZoneDays(context.zone))
    }

    private func prune(_ store: HistoryStore, before: Timestamp?, _ days: ZoneDays) async throws {
        let request = PruneRequest(
            apps: app, queries: query, countries: country.countries, platforms: platform,
            languages: language, before: before)
        let plan = try await store.plan(request)
        // Even beside others that are there: what is deleted is gone for good.
        if let unknown = plan.unknown.first {
            let name = "“\(SafeText.escaped(unknown.name))”"
            let meant = unknown.near.map { "; did you mean “\(SafeText.escaped($0))”?" } ?? ""
            Terminal.say("the history has \(unknown.isQuery ? "no query" : "no pair of an app") \(name)\(meant)")
            throw ExitStatus.usage
        }
        guard !plan.isEmpty else {
            Terminal.say("the history has nothing like that")
            // That nothing is that old is no mistake.
            guard before != nil else { throw ExitStatus.usage }
            return
        }
        if before == nil, let first = plan.active.first {
            let others = plan.active.count > 1 ? " and \(Figures.counted(plan.active.count - 1, "other"))" : ""
            Terminal.say(
                SafeText.escaped(
                    "\(first)\(others) \(plan.active.count > 1 ? "are" : "is") still in the watchlist and would come back: "
                )
                    + "remove it (rankctl watch remove), run \(ReportAudience.command("rankd --once")), then prune; or name a time "
                    + "with --before"
            )
            throw ExitStatus.data
        }
        if !plan.otherNames.isEmpty {
            let names = SafeText.escaped(plan.otherNames.joined(separator: ", "))
            Terminal.say("the same app has pairs as \(names) too: they stay, unless you name them with --app")
        }
        let alerts = PrunedAlerts(try await store.names(of: plan))
        let what = words(plan, days, messages: try await alerts.count(in: store))
        guard yes || confirm(what) else {
            Terminal.say("nothing was deleted")
            throw ExitStatus.usage
        }
        let line = ProgressLine()
        defer { line.end() }
        let total = Int64(plan.positions + plan.checks)
        try await Interruption.cancelling(on: .sigint, .sigterm) {
            // First, because they are found by the names of what goes then.
            try await alerts.delete(from: store)
            try await store.prune(plan) { line.show("deleting", done: Int64($0), of: total) }
        }
        line.end()
        Terminal.say("deleted \(what)")
    }

    /// - Parameter messages: how many of those that rankd sent go, or say less.
    private func words(_ plan: PrunePlan, _ days: ZoneDays, messages: Int) -> String {
        let queries = plan.queries.isEmpty ? [] : [Figures.counted(plan.queries.count, "query", "queries")]
        let pairs = plan.pairs.isEmpty ? [] : [Figures.counted(plan.pairs.count, "pair")]
        let checks = plan.checks > 0 ? [Figures.counted(plan.checks, "check")] : []
        let told = messages > 0 ? [Figures.counted(messages, "message") + " about it"] : []
        let rows = checks + [Figures.counted(plan.positions, "position")] + told
        guard let before = plan.before else { return (queries + pairs + rows).joined(separator: ", ") }
        return rows.joined(separator: ", ") + " of " + (queries + pairs).joined(separator: ", ")
            + " from before \(days.minute(before))"
    }

    private func confirm(_ what: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            Terminal.say("this would delete \(what) for good: add --yes to do it")
            return false
        }
        Terminal.say("delete \(what) for good? Type yes to do it:")
        return readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes"
    }
}
