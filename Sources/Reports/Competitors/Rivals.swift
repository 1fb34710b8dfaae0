import History
import Judging
import RankKit

/// Who an app meets on its queries: the value behind `rankctl report competitors`.
struct Rivals: Sendable {
    var generatedAt: Timestamp
    var app: ReportedApp
    /// What overtaking is counted from.
    var since: Timestamp
    /// The moment that the lists are of: `generatedAt`, or an earlier one.
    var until: Timestamp
    /// The app's queries with a good list, in the watchlist's order.
    var standings: [Standing]
    /// Listed competitors in their order, then my other apps, then the strongest of the others.
    var rows: [Row]
    /// Apps met that are neither listed nor among `rows`.
    var unshown: Int
    /// Lists that would have been read or compared with, and cannot be: their queries are left out.
    var damaged: [DamagedLists] = []

    /// The lists count down to this place as the top.
    static let top = 10

    /// Where the app stands on one query.
    struct Standing: Sendable, Hashable {
        var query: Query
        var now: Reading
        /// The last good check of `since`; `nil` if there is none.
        var then: Reading?
    }

    struct Row: Sendable, Hashable {
        var app: ReportedApp
        /// Whether the watchlist lists it as a competitor of the app.
        var isListed: Bool
        /// On how many of the queries it is in the list.
        var seen = 0
        /// On how many of them it stands above the app, which may be absent there.
        var above = 0
        /// On how many it is among the first `top`, and on how many of those the app is as well.
        var inTop = 0
        var sharedTop = 0
        var best: Position?
        /// Where it stood below the app then and stands above it now.
        var overtook: [Meeting] = []
        /// Where it stood above the app then and stands below it now.
        var fellBehind: [Meeting] = []
    }

    /// Two apps on one query, then and now; `nil` for not in the list.
    struct Meeting: Sendable, Hashable {
        var query: Query
        var was: Position?
        var position: Position?
        var appWas: Position?
        var appPosition: Position?
    }
}
