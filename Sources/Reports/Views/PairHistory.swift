package import History
package import Judging
package import RankKit

/// What every check of a query said about one app.
package struct PairHistory: Sendable {
    package var generatedAt: Timestamp
    package var query: Query
    package var app: ReportedApp
    /// Oldest first.
    package var checks: [Check]
    /// Lists that would have said more, and cannot be read: what they said of the app is unknown.
    package var damaged: [DamagedLists]

    package init(
        generatedAt: Timestamp, query: Query, app: ReportedApp, checks: [Check], damaged: [DamagedLists] = []
    ) {
        self.generatedAt = generatedAt
        self.query = query
        self.app = app
        self.checks = checks
        self.damaged = damaged
    }

    package struct Check: Sendable, Hashable {
        package var checkedAt: Timestamp
        package var state: Standings.State
        /// Only where `state` is `ranked`.
        package var position: Position?
        /// How many places the check saw; `nil` where it failed.
        package var within: Int?
        /// Why it failed or is suspect.
        package var reason: String?

        package init(
            checkedAt: Timestamp, state: Standings.State, position: Position? = nil, within: Int? = nil,
            reason: String? = nil
        ) {
            self.checkedAt = checkedAt
            self.state = state
            self.position = position
            self.within = within
            self.reason = reason
        }

        /// `nil` for a check that no position comes from.
        package var reading: Reading? {
            guard state == .ranked || state == .absent, let within else { return nil }
            return Reading(position: position, within: within, checkedAt: checkedAt)
        }
    }

    /// Reads the history of an app, tracked or not, on `query`.
    package init(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp>, from reader: HistoryReader,
        now: Timestamp
    ) throws(HistoryError) {
        try self.init(
            of: bundleID, on: query, in: span, from: reader,
            app: try WatchedApps(reader).reported(bundleID, namedIn: query.country, reader), now: now)
    }

    init(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp>, from reader: HistoryReader,
        app: ReportedApp, now: Timestamp
    ) throws(HistoryError) {
        let past = try reader.history(of: bundleID, on: query, in: span)
        self.init(
            generatedAt: now, query: query, app: app,
            checks: past.checks.map {
                Check(
                    checkedAt: $0.at, state: Standings.State(rawValue: $0.state) ?? .failed, position: $0.position,
                    within: $0.within, reason: $0.reason)
            }, damaged: past.damaged)
    }
}
