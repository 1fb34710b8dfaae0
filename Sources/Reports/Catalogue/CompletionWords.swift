package import ArgumentParser
import Synchronization

/// What shells complete the value of an option with: words from the history that the command would read.
package enum CompletionWords: Sendable {
    /// The apps of the watchlist in force.
    case app
    /// Those, and once something is typed every app that was ever seen.
    case everyApp
    case query, queryOrApp, tag, country, language, source
    /// Times as people name them, and the same with what a report can begin with as well.
    case time

    /// How they are found.
    private struct Finder: Sendable {
        let find: @Sendable (_ words: CompletionWords, _ line: [String], _ index: Int) -> [String]
    }

    private static let finder = Mutex<Finder?>(nil)

    /// Has the words found by `find`, from the words of the command line and which of them is begun: what a program that
    /// completes command lines says once, when it starts.
    package static func find(
        by find: @escaping @Sendable (_ words: CompletionWords, _ line: [String], _ index: Int) -> [String]
    ) {
        finder.withLock { $0 = Finder(find: find) }
    }

    fileprivate func found(in line: [String], at index: Int) -> [String] {
        Self.finder.withLock { $0 }?.find(self, line, index) ?? []
    }
}

extension CompletionKind {
    package static func words(_ words: CompletionWords) -> CompletionKind {
        .custom { line, index, _ in words.found(in: line, at: index) }
    }
}
