import Foundation

/// The most memory that rankctl's commands need on a year's file.
struct CommandMemory {
    let bench: Workbench
    /// Whom `rankctl search` asks.
    let origin: String

    /// One call of rankctl.
    struct Command {
        var arguments: [String]
        /// What else than 0 it may end with.
        var otherStatus: Int32?

        init(_ arguments: [String], mayEndWith status: Int32? = nil) {
            self.arguments = arguments
            otherStatus = status
        }

        /// The same with `options` at its end.
        func on(_ options: [String]) -> Command { Command(arguments + options, mayEndWith: otherStatus) }

        /// What tells it from the others in a line.
        var name: String {
            arguments.prefix { !$0.hasPrefix("/") && $0 != "--database" && $0 != "--search-url" }
                .joined(separator: " ")
        }
    }

    /// Every command of rankctl beside the reports; one that is added is measured with the rest.
    ///
    /// - Parameters:
    ///   - apps: bundle identifiers of an app that is tracked on the query, and of one that never was.
    ///   - pruned: a query that loses its first days.
    ///   - watchlist: names all pairs of the history; it is changed.
    func commands(
        database: String, query: String, apps: (tracked: String, untracked: String), pruned: String, watchlist: String
    ) -> [Command] {
        let export = bench.file("export.ndjson")
        // Beside the examples that the catalogue's rows have: what needs more than they do.
        let reports = [
            ["--format", "json"], ["history", "--query", query, "--app", apps.untracked],
            ["results", "--query", query, "--compare", "90d"], ["--all", "--format", "html"],
        ].map { ["report"] + $0 }
        // Written out, three days of lists and a quarter's positions are some hundred megabytes each: what comes after
        // them needs no more memory, and much time.
        let others = [
            ["apps", "app1"], ["plan", watchlist, "--all"],
            ["search", PassWork.term(1), "--search-url", origin, "--watchlist", watchlist],
            ["export", "--since", Self.day(ago: 3), "--output", export],
            ["export", "--format", "csv", "--since", Self.day(ago: 90)],
            ["backup", bench.file("backup.sqlite")],
        ]
        let watch = [
            ["watch", "check", watchlist], ["watch", "list", "--watchlist", watchlist],
            ["watch", "add", "another query", apps.tracked, "--watchlist", watchlist],
            ["watch", "remove", "another query", apps.tracked, "--watchlist", watchlist],
            ["note", "add", "a note", "--watchlist", watchlist],
        ]
        let last = ["prune", "--query", pruned, "--before", Self.day(ago: 360), "--yes"]
        let onFile = ["--database", database]
        return (reports + others).map { Command($0 + onFile) }
            + watch.map { Command($0) }
            // What the file was made of leaves out what only reports of apps need.
            + [Command(["verify", "--format", "json"] + onFile, mayEndWith: 65)]
            + [Command(["import", export, "--database", bench.file("import.sqlite")]), Command(last + onFile)]
    }

    private static func day(ago days: Double) -> String {
        String(ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -days * 86_400)).prefix(10))
    }

    /// The peak of the one that needs most, in bytes.
    func most(of commands: [Command]) throws -> Double {
        var peaks: [(command: String, peak: Double, seconds: Double)] = []
        for command in commands {
            let began = ContinuousClock.now
            let child = try bench.start("rankctl", command.arguments)
            let peak = try child.usage(orStatus: command.otherStatus).peakMemory
            peaks.append((command.name, peak, began.duration(to: .now) / .seconds(1)))
        }
        let words = peaks.map { "\($0.command): \(Int($0.peak / 1e6)) MB, \(Int($0.seconds.rounded())) s" }
        bench.say("memory of rankctl: " + words.joined(separator: "; "))
        return peaks.map(\.peak).max() ?? 0
    }
}
