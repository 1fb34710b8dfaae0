internal import ArgumentParser
import Console
import Foundation
import RankKit
import ReportCommands
import Reports

struct NoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Notes in the watchlist what you did and when.", subcommands: [NoteAdd.self])
}

struct NoteAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a note to the watchlist.",
        usage: """
            rankctl note add <text> [--on <date>] [--app <app>] [--version <version>]
                             [--added <text> ...] [--removed <text> ...] [<options>]
            """,
        discussion: """
            rankctl report release APP VERSION compares the queries of a version's note, those to gain and those given up, \
            with the others.
            """)

    @Argument(help: ArgumentHelp("What you did.", valueName: "text"))
    var text: String

    @Option(
        help: ArgumentHelp("The day, YYYY-MM-DD (default: today in the watchlist's time zone).", valueName: "date"))
    var on: String?

    @Option(
        help: ArgumentHelp("The app that the note is about.", valueName: "alias or bundle id"), completion: .words(.app)
    )
    var app: String?

    @Option(help: ArgumentHelp("The version of the app that came out.", valueName: "version"))
    var version: String?

    @Option(help: ArgumentHelp("The same as --version.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("A query to gain.", valueName: "text"), completion: .words(.query))
    var added: [String] = []

    @Option(help: ArgumentHelp("A query given up.", valueName: "text"), completion: .words(.query))
    var removed: [String] = []

    @OptionGroup var watchlist: WatchlistOption
    @OptionGroup var database: DatabaseOption

    func validate() throws {
        if version != nil, appVersion != nil {
            throw ValidationError("--version and --app-version mean the same: give only one")
        }
    }

    private var release: String? { version ?? appVersion }

    func run() async throws {
        let surroundings = Surroundings()
        let path = watchlist.path(surroundings)
        let file = EditedWatchlist(path: path)
        let before = try file.read()
        let today = CivilTime.date(.startOfDay(before.watchlist.days.day(of: surroundings.now)))
        let app = app.map {
            KnownNames(database, of: before.watchlist, surroundings).watched($0, in: before.watchlist)
        }
        var warnings: [Warning] = []
        let typed = [
            "on": "--on", "app": "--app", "version": version == nil ? "--app-version" : "--version", "text": "TEXT",
            "added": "--added", "removed": "--removed",
        ]
        try file.change(read: before, typed: typed) { editor in
            // The note may have moved the lines below it.
            let known = Set(editor.warnings.map(\.description))
            try editor.addNote(on: on ?? today, app: app, version: release, text: text, added: added, removed: removed)
            warnings = editor.warnings.filter { !known.contains($0.description) }
        }
        Terminal.say("noted in \(path): \(words(on: on ?? today, of: app))")
        Complaint.warn(warnings)
    }

    /// The note as the reports tell of it.
    private func words(on day: String, of app: String?) -> String {
        let subject = [app, release.map { "version \($0)" }].compactMap(\.self).joined(separator: " ")
        let queries = [("to gain", added), ("given up", removed)].filter { !$0.1.isEmpty }
            .map { "\($0): \($1.joined(separator: ", "))" }
        return SafeText.escaped(
            ([day] + (subject.isEmpty ? [] : [subject]) + ["“\(text)”"] + queries).joined(separator: " · "))
    }
}
