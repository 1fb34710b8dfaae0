import RankKit

/// The watchlist's file, read anew at every reload.
struct WatchlistSource: Sendable {
    let path: String

    /// - Throws: `WatchlistFile.Failure` or `WatchlistError`.
    func load() throws -> DecodedWatchlist {
        try Watchlist.decode(try WatchlistFile.read(path))
    }
}
