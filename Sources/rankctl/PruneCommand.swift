internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports
import UnixSignals

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Deletes the history of apps or queries for good, by name.",
        discussion: "What the watchlist still has is refused, because it would come back: take it off first. rankd has "
            + "to be stopped.")

    @Option(help: ArgumentHelp("The app to forget.", valueName: "alias or bundle id"))
    var app: [String] = []

    @Option(help: ArgumentHelp("The search text to forget; with --app, only that app on it.", valueName: "text"))
    var query: [String] = []

    @Option(help: ArgumentHelp("Only in this country.", valueName: "code"))
    var country: [Country] = []

    @Option(help: "Only on this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(
        help: ArgumentHelp("Only what is older: a day, or a time such as 2026-11-20T12:00:00Z.", valueName: "time"))
    var before: Timestamp?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var database: DatabaseOption

    func validate() throws {
        if app.isEmpty, query.isEmpty { throw ValidationError("name what to delete with --app or --query") }
    }

    func run() async throws {
        let surroundings = Surroundings()
        let path = surroundings.locations.database(flag: database.database)
        // A missing one must not be made.
        _ = try HistoryReader(path: path)
        let store = try HistoryStore(path: path)
        do {
            try await prune(store)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    private func prune(_ store: HistoryStore) async throws {
        let request = PruneRequest(apps: app, queries: query, countries: country, platforms: platform, before: before)
        let plan = try await store.plan(request)
        guard !plan.isEmpty else {
            Terminal.say("nothing like that is in the history")
            return
        }
        if before == nil, let first = plan.active.first {
            let others = plan.active.count > 1 ? " and \(Figures.counted(plan.active.count - 1, "other"))" : ""
            Terminal.say(
                SafeText.escaped("\(first)\(others) is still in the watchlist and would come back: ")
                    + "take it off (rankctl watch remove), run rankd once, and prune then; or name a time with --before"
            )
            throw ExitStatus.data
        }
        let what = words(plan)
        guard yes || confirm(what) else {
            Terminal.say("nothing was deleted")
            throw ExitStatus.usage
        }
        let line = ProgressLine()
        defer { line.end() }
        let total = Int64(plan.positions + plan.checks)
        try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await store.prune(plan) { line.show("deleting", done: Int64($0), of: total) }
        }
        line.end()
        Terminal.say("deleted \(what)")
    }

    private func words(_ plan: PrunePlan) -> String {
        var parts: [String] = []
        if !plan.queries.isEmpty {
            parts.append(
                plan.before == nil
                    ? Figures.counted(plan.queries.count, "query", "queries")
                    : "of \(Figures.counted(plan.queries.count, "query", "queries"))")
        }
        if !plan.pairs.isEmpty {
            parts.append((plan.before == nil ? "" : "of ") + Figures.counted(plan.pairs.count, "pair"))
        }
        if plan.checks > 0 { parts.append(Figures.counted(plan.checks, "check")) }
        parts.append(Figures.counted(plan.positions, "position"))
        return parts.joined(separator: ", ") + (plan.before.map { " from before \($0)" } ?? "")
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
