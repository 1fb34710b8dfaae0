import RankKit

/// The watchlist on disk, as far as "Track this" needs it: where a line belongs, and whether it is there already.
struct WatchedFile: Sendable {
    /// As its reader, who sees everything, is told.
    let path: String
    private let pairs: [Query: Set<BundleID>]

    /// Of a file that is not there, that may not be read or that has a mistake in it, only the name is known.
    init(_ path: String) {
        self.path = path
        do {
            let queries = try WatchlistFile.decode(path).watchlist.queries
            pairs = Dictionary(
                queries.map { ($0.query, Set($0.pairs.map(\.bundleID))) }, uniquingKeysWith: { $0.union($1) })
        } catch { pairs = [:] }
    }

    func names(_ app: BundleID, on query: Query) -> Bool { pairs[query]?.contains(app) ?? false }
}
