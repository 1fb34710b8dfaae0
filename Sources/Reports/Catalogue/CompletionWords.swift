package import ArgumentParser

/// What shells complete the value of an option with: words from the history that the command would read.
package enum CompletionWords: Sendable {
    /// The apps of the watchlist in force.
    case app
    /// Those, and once something is typed every app that was ever seen.
    case everyApp
    case query, queryOrApp, tag, country, language, source
    /// Times as people name them, and the same with what a report can begin with as well.
    case time, since

    /// How the program that is asked finds them: by the words of the command line and which of them is begun.
    @TaskLocal package static var finder: (@Sendable (CompletionWords, [String], Int) -> [String])?
}

extension CompletionKind {
    package static func words(_ words: CompletionWords) -> CompletionKind {
        .custom { line, index, _ in CompletionWords.finder?(words, line, index) ?? [] }
    }
}
