package import History
package import Judging
package import RankKit

/// Who an app meets on its queries: the value behind `rankctl report competitors`.
package struct Rivals: Sendable {
    package var generatedAt: Timestamp
    package var app: ReportedApp
    /// What overtaking is counted from.
    package var since: Timestamp
    /// The moment that the lists are of: `generatedAt`, or an earlier one.
    package var until: Timestamp
    /// The app's queries with a good list, in the watchlist's order.
    package var standings: [Standing]
    /// Listed competitors in their order, then my other apps, then the strongest of the others.
    package var rows: [Row]
    /// Apps met that are neither listed nor among `rows`.
    package var unshown: Int
    /// Lists that would have been read or compared with, and cannot be: their queries are left out.
    package var damaged: [DamagedLists] = []

    /// The lists count down to this place as the top.
    package static let top = 10

    /// Where the app stands on one query.
    package struct Standing: Sendable, Hashable {
        package var query: Query
        package var now: Reading
        /// The last good check of `since`; `nil` if there is none.
        package var then: Reading?
    }

    package struct Row: Sendable, Hashable {
        package var app: ReportedApp
        /// Whether the watchlist lists it as a competitor of the app.
        package var isListed: Bool
        /// On how many of the queries it is in the list.
        package var seen = 0
        /// On how many of them it stands above the app, which may be absent there.
        package var above = 0
        /// On how many it is among the first `top`, and on how many of those the app is as well.
        package var inTop = 0
        package var sharedTop = 0
        package var best: Position?
        /// Where it stood below the app then and stands above it now.
        package var overtook: [Meeting] = []
        /// Where it stood above the app then and stands below it now.
        package var fellBehind: [Meeting] = []

        init(app: ReportedApp, isListed: Bool) {
            self.app = app
            self.isListed = isListed
        }
    }

    /// Two apps on one query, then and now; `nil` for not in the list.
    package struct Meeting: Sendable, Hashable {
        package var query: Query
        package var was: Position?
        package var position: Position?
        package var appWas: Position?
        package var appPosition: Position?
    }
}
