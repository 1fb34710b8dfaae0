import Foundation
import RankKit
import Testing

/// The plan and the remarks that a text decodes to.
func decoded(_ text: String) throws -> DecodedWatchlist { try Watchlist.decode(Array(text.utf8)) }

/// Every mistake of a text, as it is printed.
func mistakes(_ text: String) -> [String] { mistakes(Array(text.utf8)) }

func mistakes(_ bytes: [UInt8]) -> [String] {
    do throws(WatchlistError) {
        _ = try Watchlist.decode(bytes)
        return []
    } catch { return error.mistakes.map(\.description) }
}

/// A watchlist with the given members beside a line that watches something.
func watchlist(with members: String) -> String {
    "{ \"watch\": [{ \"query\": \"q\", \"bundleId\": \"com.a\" }], \(members) }"
}

/// A watchlist of one line, with the given members beside query and app.
func watchlist(line members: String) -> String {
    "{ \"watch\": [{ \"query\": \"q\", \"bundleId\": \"com.a\", \(members) }] }"
}

func bundle(_ text: String) -> BundleID { BundleID(text)! }

extension Watchlist {
    /// One line a pair: `query|country|platform|bundleId`.
    var pairLines: [String] {
        queries.flatMap { query in
            query.pairs.map {
                "\(query.query.text)|\(query.query.country)|\(query.query.platform.rawValue)|\($0.bundleID)"
            }
        }
    }
}
