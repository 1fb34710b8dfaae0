internal import ArgumentParser
import Console
import History
import RankKit
import ReportCommands
import Reports

extension CompletionWords {
    /// The words for an option's value, from the history that the command would read.
    @Sendable static func fromHistory(_ words: CompletionWords, line: [String], index: Int) -> [String] {
        let surroundings = Surroundings()
        let line = CompletedLine(words: line, index: index, environment: surroundings.environment)
        let beginning = line.beginning
        let fitting = { (candidates: [Candidate]) in
            candidates.filter { $0.isPlain && $0.text.lowercased().hasPrefix(beginning.lowercased()) }
        }
        var found: [Candidate] = []
        do {
            let path = surroundings.locations.database(flag: line.value(of: "--database"))
            found = fitting(try words.candidates({ try HistoryReader(path: path) }, beginning: beginning))
        } catch {
            // Words in the middle of somebody's typing help nobody: the command itself will say what is wrong.
        }
        if found.isEmpty, case .country = words {
            // Where the countries asked in cannot be known, or none of them fits: every country of the App Store.
            found = fitting(Country.codes.sorted().map { Candidate($0) })
        }
        return found.map { $0.line(for: .requesting) }
    }

    private func candidates(_ reader: () throws -> HistoryReader, beginning: String) throws -> [Candidate] {
        switch self {
        case .app: try Self.apps(reader(), beginning)
        case .everyApp: try Self.everyApp(reader(), beginning)
        case .query: try Self.queries(reader(), beginning)
        case .queryOrApp: try Self.queries(reader(), beginning) + Self.apps(reader(), beginning)
        case .tag: try reader().tags().map { Candidate($0) }
        case .country: try reader().values(of: .country).map { Candidate($0) }
        case .language: try (reader().values(of: .language) + [Query.noLanguage]).map { Candidate($0) }
        case .source: try reader().values(of: .source).map { Candidate($0) }
        case .time: Self.times.map { Candidate($0) }
        }
    }

    private static let times = ["now", "today", "yesterday", "release", "1d", "7d", "30d", "365d"]

    /// More than this nobody looks through.
    private static let mostOffered = 500

    private static func queries(_ reader: HistoryReader, _ beginning: String) throws -> [Candidate] {
        try reader.queryTexts(beginning: beginning, limit: mostOffered).map { Candidate($0) }
    }

    /// By alias where there is one; bundle identifiers as well, once one is begun.
    private static func apps(_ reader: HistoryReader, _ beginning: String) throws -> [Candidate] {
        let apps = try reader.watchedApps()
        let names = apps.map { app in
            app.alias.map { Candidate($0, detail: app.bundleID.text) } ?? Candidate(app.bundleID.text)
        }
        guard !beginning.isEmpty else { return names }
        return names + apps.filter { $0.alias != nil }.map { Candidate($0.bundleID.text) }
    }

    /// Those, and once something is typed every app that was ever seen.
    private static func everyApp(_ reader: HistoryReader, _ beginning: String) throws -> [Candidate] {
        let watched = try apps(reader, beginning)
        guard !beginning.isEmpty else { return watched }
        let known = Set(watched.map { $0.text.lowercased() })
        return try watched
            + reader.bundleIDs(beginning: beginning, limit: mostOffered)
            .filter { !known.contains($0.lowercased()) }.map { Candidate($0) }
    }
}

/// rankctl as the shells are told of it: a report that is not named offers the options of the standings, which it is.
struct CompletedRankctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Rankctl.configuration.commandName,
        subcommands: Rankctl.configuration.subcommands.map {
            $0 == ReportCommand<DigestCommand>.self ? CompletedReport.self : $0
        })

    /// The program's; no command has it.
    @Flag(help: "Show the version.") var version = false

    struct CompletedReport: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: ReportCommand<DigestCommand>._commandName,
            abstract: ReportCommand<DigestCommand>.configuration.abstract,
            subcommands: ReportCommand<DigestCommand>.configuration.subcommands)

        @OptionGroup var standings: CatalogueCommand<StandingsRequest>
    }

    /// Whether it is a shell that asks: for the words that fit, or for its completion script.
    static func isMeant(by arguments: [String]) -> Bool {
        arguments.dropFirst().first.map { $0 == "---completion" || $0.hasPrefix("--generate-completion-script") }
            ?? false
    }
}
