import Console
import RankKit

/// A watchlist that a command changes: read, edited as text, and put back whole.
struct EditedWatchlist {
    let path: String

    /// The file's contents, or those of a new file where there is none.
    func open() throws -> WatchlistEditor {
        do {
            return try WatchlistEditor(try WatchlistFile.read(path))
        } catch WatchlistFile.Failure.missing {
            return try WatchlistEditor(WatchlistEditor.emptyDocument)
        }
    }

    func save(_ editor: WatchlistEditor) throws {
        try WatchlistFile.write(editor.bytes, to: path)
    }
}
