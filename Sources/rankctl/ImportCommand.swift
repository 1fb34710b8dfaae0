internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct ImportCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports an exported history, or another tool's table of ranks.",
        usage: """
            rankctl import <file> [--database <file>]
            rankctl import <table> [--csv] [--source <name>] [--app <app>] [--country <code>]
                           [--date <time>] [<options>]
            """,
        discussion: """
            Stop rankd first. What is already there is skipped, so you can run an import again.

            In another tool's table rankctl finds the columns by their names, and reads dates, numbers and marks as the \
            whole column has them. It imports all rows or, if one is not understood, none. The rows get a source of their \
            own and never mix with Apple's checks.
            """)

    @Argument(
        help: ArgumentHelp(
            "A file made by rankctl export (- reads it from stdin), or a table whose name ends in .csv.",
            valueName: "file"),
        completion: .file())
    var file: String

    @Flag(help: "Treat FILE as another tool's table, whatever its name.")
    var csv = false

    @Option(help: ArgumentHelp("Table: the tool's name, one word (default: the file's name).", valueName: "name"))
    var source: String?

    @Option(
        help: ArgumentHelp(
            "Table: the values that mean “not found” beside the usual ones (-, 0, unranked, '>100'), such as 999,empty.",
            valueName: "marks"))
    var absent: String = ""

    @Option(help: ArgumentHelp("Table: how many results the tool looked at.", valueName: "places"))
    var within: Int?

    @Option(help: "Table: the country of rows without one.")
    var country: Country?

    @Option(help: "Table: the platform of rows without one: iphone, ipad or mac.")
    var platform: Platform = .iphone

    @Option(
        help: ArgumentHelp(
            "Table: the time zone of days, and of times without one (default: the watchlist's for days, UTC for times).",
            valueName: "zone"))
    var timeZone: String?

    @Option(
        help: ArgumentHelp(
            "Table: the app of rows without one. An alias of the watchlist is taken too.",
            valueName: "alias or bundle id"),
        completion: .words(.everyApp)
    )
    var app: BundleID?

    @Option(help: ArgumentHelp("Table: the day or time of rows without one.", valueName: "time"))
    var date: String?

    @OptionGroup var database: DatabaseOption

    private var isStandardInput: Bool { file == "-" }
    private var isTable: Bool { csv || file.lowercased().hasSuffix(".csv") }

    func validate() throws {
        if isStandardInput, isatty(STDIN_FILENO) == 1 {
            throw ValidationError("there is nothing on stdin: write rankctl export | rankctl import -")
        }
        if isStandardInput, csv {
            throw ValidationError("another tool's table must be a file, not stdin")
        }
        if let within, !(1...ForeignTableOptions.largestDepth).contains(within) {
            throw ValidationError("--within goes from 1 to \(ForeignTableOptions.largestDepth)")
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("there is no time zone “\(timeZone)”: write one such as Europe/Berlin")
        }
        if let source, !Self.isName(source) {
            throw ValidationError("“\(source)” cannot be a source: write up to 40 letters, digits, dots or hyphens")
        }
        if let date, NamedTime(date, now: Surroundings().now, zone: .gmt) == nil {
            throw ValidationError("--date: “\(date)” is no time: write one such as 2026-11-01 or yesterday")
        }
        if !isTable, source != nil || !absent.isEmpty || within != nil || country != nil || app != nil || date != nil {
            throw ValidationError(
                "--source, --absent, --within, --country, --app and --date are for another tool's table: add --csv")
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 < 0x80
                    && (Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0) || $0 == 0x2D
                        || $0 == 0x2E)
            }
    }

    func run() async throws {
        let surroundings = Surroundings()
        guard isStandardInput || FileManager.default.fileExists(atPath: file) else { throw ImportMissing(path: file) }
        // Before a history is made for it.
        let watchlist = isTable ? watchlist(surroundings) : WatchlistNames()
        var input: Input =
            try isTable
            ? .table(tableOptions(watchlist, watchlist.zone, surroundings.now))
            : .export(ExportFile(file, temporaryFolder: surroundings.temporaryFolder))
        let path = surroundings.locations.database(flag: database.database)
        let isNew = !FileManager.default.fileExists(atPath: path)
        let (file, now) = (file, surroundings.now)
        if case .table(let options) = input, isNew {
            try await Interruption.cancelling(on: .sigint, .sigterm) {
                try await HistoryStore.checkTable(file, options: options, now: now)
            }
        }
        let store = try HistoryStore(path: path)
        if isTable, let plan = try await store.planZone() {
            input = .table(try tableOptions(watchlist, plan, surroundings.now))
        }
        let source = input
        let line = ProgressLine()
        defer { line.end() }
        let result: ImportResult
        do {
            result = try await Interruption.cancelling(on: .sigint, .sigterm) {
                let progress: @Sendable (Int64, Int64) -> Void = { line.show("importing", done: $0, of: $1) }
                switch source {
                case .export(let export): return try await store.importExport(export, now: now, progress: progress)
                case .table(let options):
                    return try await store.importTable(file, options: options, now: now, progress: progress)
                }
            }
        } catch {
            line.end()
            try await store.close(discarding: isNew ? store.isBlank() : false)
            if error is CancellationError {
                Terminal.say(
                    isTable
                        ? "interrupted: everything up to here is imported; run the import again for the rest"
                        : "interrupted: nothing was imported; run the import again")
            }
            throw error
        }
        line.end()
        try await store.close()
        say(result)
    }

    private enum Input: Sendable {
        case export(ExportFile)
        case table(ForeignTableOptions)
    }

    /// What a table is read by of the watchlist.
    private struct WatchlistNames {
        /// What it calls apps, by alias and by bundle ID, in lower case.
        var apps: [String: BundleID] = [:]
        /// The texts of its queries, folded.
        var queries: Set<String> = []
        var zone: TimeZone?
    }

    /// The import does without a watchlist that cannot be read.
    private func watchlist(_ surroundings: Surroundings) -> WatchlistNames {
        let path = surroundings.locations.watchlist(flag: nil)
        guard FileManager.default.fileExists(atPath: path) else { return WatchlistNames() }
        do {
            let watchlist = try WatchlistFile.decode(path).watchlist
            let apps = watchlist.apps
            let named = apps.compactMap { app in app.alias.map { ($0.lowercased(), app.bundleID) } }
            let aliases = Dictionary(named + apps.map { ($0.bundleID.folded, $0.bundleID) }) { first, _ in first }
            return WatchlistNames(
                apps: aliases, queries: Set(watchlist.queries.map(\.query.folded)),
                zone: watchlist.timeZone.flatMap { TimeZone(identifier: $0) })
        } catch {
            Terminal.say(SafeText.escaped("note: the apps of \(path) are not used: \(error)"))
            return WatchlistNames()
        }
    }

    /// - Parameter days: the zone whose days are meant unless the command names one.
    private func tableOptions(
        _ watchlist: WatchlistNames, _ days: TimeZone?, _ now: Timestamp
    ) throws -> ForeignTableOptions {
        let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        guard let name = source ?? (Self.isName(stem) ? stem : nil) else {
            throw ValidationError("the file's name cannot be a source: add --source with a word for the tool")
        }
        let zone = timeZone.flatMap { TimeZone(identifier: $0) }
        let time = date.flatMap { NamedTime($0, now: now, zone: zone ?? days ?? .gmt) }
        var options = ForeignTableOptions(
            name: name.lowercased(), absent: ForeignTableOptions.marks(absent), within: within, country: country,
            platform: platform, timeZone: zone ?? .gmt, app: app.map { watchlist.apps[$0.folded] ?? $0 },
            date: time?.first)
        options.dayZone = zone ?? days
        options.dateIsDay = time.map { $0.first < $0.last } ?? false
        (options.aliases, options.queries) = (watchlist.apps, watchlist.queries)
        options.reports = ReportCatalogue.ownTables
        return options
    }

    private func say(_ result: ImportResult) {
        let there = isTable ? "row" : "check"
        Terminal.say(
            "imported \(Figures.counted(result.checks, "check")) with \(Figures.counted(result.positions, "position"))"
                + (result.duplicates > 0
                    ? "; \(Figures.counted(result.duplicates, there)) \(result.duplicates == 1 ? "was" : "were") already there"
                    : ""))
        for note in result.notes { Terminal.say(SafeText.escaped("note: \(note)")) }
        if let line = result.firstContradiction {
            let isOne = result.contradictions == 1
            Terminal.say(
                "warning: \(Figures.counted(result.contradictions, "row")), \(isOne ? "in" : "the first in") line \(line), "
                    + "\(isOne ? "disagrees" : "disagree") with the history or with a line before; "
                    + "what was there first stays")
        }
    }
}
