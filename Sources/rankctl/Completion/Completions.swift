internal import ArgumentParser
import Console
import History
import RankKit

/// What shells complete the values of options with. The words come from the history that the command would read.
extension CompletionKind {
    /// The apps of the watchlist in force.
    static var app: CompletionKind { .history { try apps($0, beginning: $1) } }

    /// Those, and once something is typed every app that was ever seen.
    static var everyApp: CompletionKind {
        .history { reader, beginning in
            let watched = try apps(reader, beginning: beginning)
            guard !beginning.isEmpty else { return watched }
            let known = Set(watched.map { $0.text.lowercased() })
            return try watched
                + reader.bundleIDs(beginning: beginning, limit: mostOffered)
                .filter { !known.contains($0.lowercased()) }.map { Candidate($0) }
        }
    }

    static var query: CompletionKind {
        .history { try $0.queryTexts(beginning: $1, limit: mostOffered).map { Candidate($0) } }
    }

    static var queryOrApp: CompletionKind {
        .history { reader, beginning in
            try reader.queryTexts(beginning: beginning, limit: mostOffered).map { Candidate($0) }
                + apps(reader, beginning: beginning)
        }
    }

    static var tag: CompletionKind { .history { reader, _ in try reader.tags().map { Candidate($0) } } }

    /// The countries asked in; where that cannot be known, or none of them fits, every country of the App Store.
    static var country: CompletionKind {
        let every = Country.codes.sorted().map { Candidate($0) }
        return .history(otherwise: every) { reader, _ in try reader.values(of: .country).map { Candidate($0) } }
    }

    static var language: CompletionKind {
        .history { reader, _ in try reader.values(of: .language).map { Candidate($0) } }
    }

    static var source: CompletionKind {
        .history { reader, _ in try reader.values(of: .source).map { Candidate($0) } }
    }

    /// Times as people name them.
    static var time: CompletionKind { .list(times) }

    /// Those, and what a report can begin with as well.
    static var since: CompletionKind { .list(times + ["release"]) }

    private static var times: [String] { ["now", "today", "yesterday", "release", "1d", "7d", "30d", "365d"] }

    /// More than this nobody looks through.
    private static var mostOffered: Int { 500 }

    /// By alias where there is one; bundle identifiers as well, once one is begun.
    private static func apps(_ reader: HistoryReader, beginning: String) throws -> [Candidate] {
        let apps = try reader.watchedApps()
        let names = apps.map { app in
            app.alias.map { Candidate($0, detail: app.bundleID.text) } ?? Candidate(app.bundleID.text)
        }
        guard !beginning.isEmpty else { return names }
        return names + apps.filter { $0.alias != nil }.map { Candidate($0.bundleID.text) }
    }

    /// - Parameters:
    ///   - otherwise: what is offered where the history cannot be read, or has nothing that fits.
    ///   - words: told how the word begins, which it may heed to save time.
    private static func history(
        otherwise: [Candidate] = [], _ words: @escaping @Sendable (HistoryReader, String) throws -> [Candidate]
    ) -> CompletionKind {
        .custom { line, index, _ in
            let surroundings = Surroundings()
            let line = CompletedLine(words: line, index: index, environment: surroundings.environment)
            let beginning = line.beginning
            let fitting = { (candidates: [Candidate]) in
                candidates.filter { $0.isPlain && $0.text.lowercased().hasPrefix(beginning.lowercased()) }
            }
            var found: [Candidate] = []
            do {
                let path = surroundings.locations.database(flag: line.value(of: "--database"))
                found = fitting(try words(HistoryReader(path: path), beginning))
            } catch {
                // Words in the middle of somebody's typing help nobody: the command itself will say what is wrong.
            }
            if found.isEmpty { found = fitting(otherwise) }
            return found.map { $0.line(for: .requesting) }
        }
    }
}

extension Country {
    static var defaultCompletionKind: CompletionKind { .country }
}
