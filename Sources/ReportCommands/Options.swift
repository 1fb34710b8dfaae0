package import ArgumentParser
package import Console
package import History
import RankKit
package import Reports
import UnixSignals

package struct DatabaseOption: ParsableArguments {
    @Option(help: ArgumentHelp("The history to use.", valueName: "file"), completion: .file())
    package var database: String?

    package init() {}

    package func reader(_ surroundings: Surroundings) throws -> HistoryReader {
        let reader = try HistoryReader(path: surroundings.locations.database(flag: database))
        if reader.isSettled {
            Terminal.say("rankd is not running and left no write-ahead log: reading the file as it is")
        }
        return reader
    }

    /// As `reader`, but of an older history a copy that is brought to this schema.
    ///
    /// - Parameter file: another history than that of `--database`.
    package func readerOfAny(_ file: String? = nil, _ surroundings: Surroundings, _ line: ProgressLine) async throws
        -> HistoryReader
    {
        do { return try file.map { try HistoryReader(path: $0) } ?? reader(surroundings) } catch HistoryError.older(
            let path, let version, let understood)
        {
            let folder = surroundings.temporaryFolder
            Terminal.say(
                SafeText.escaped(
                    "\(path) has schema \(version): rankctl leaves it unchanged and reads a copy in \(folder), migrated to "
                        + "schema \(understood); TMPDIR names another folder"))
            return try await Interruption.cancelling(on: .sigint, .sigterm) {
                try await HistoryReader.migratedCopy(of: path, in: folder) {
                    if case .copying(let done, let total) = $0 {
                        line.show("copying", done: Int64(done), of: Int64(total))
                    }
                }
            }
        }
    }
}

/// A command that reads a history, and may name other commands.
package protocol HistoryCommand: ParsableCommand {
    var database: DatabaseOption { get }
    /// What the commands that it names repeat.
    var asked: AskedOptions { get }
}

extension HistoryCommand {
    package var asked: AskedOptions { AskedOptions(database: database.database) }
}

package struct WatchlistOption: ParsableArguments {
    @Option(help: ArgumentHelp("The watchlist.", valueName: "file"), completion: .file())
    package var watchlist: String?

    package init() {}

    package func path(_ surroundings: Surroundings) -> String { surroundings.locations.watchlist(flag: watchlist) }
}
