import GRDB
package import RankKit

extension HistoryStore {
    /// The apps of the active pairs that neither a list of their country nor a look-up has shown yet, and those that lists
    /// have not shown for `AppPresence.secondsToMiss`; and what is known of each.
    package func unseenApps() async throws -> [StorefrontApp: AppPresence] {
        try await read { try AppPresenceRow.lookedUp(in: $0) }
    }

    /// Those that were never shown and are tracked on `query`.
    package func unseenApps(on query: Query) async throws -> [StorefrontApp: AppPresence] {
        try await read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return [:] }
            return try AppPresenceRow.unseen(on: id, in: database)
        }
    }

    /// Those of `numbers` of whose listing in `country` nothing is known.
    package func unlisted(_ numbers: [AppID], in country: Country) async throws -> [AppID] {
        try await read { database in
            let known = try database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM app JOIN sighting ON sighting.app = app.id
                        JOIN storefront ON storefront.id = sighting.storefront
                        WHERE app.app_id = ? AND country = ? AND language = '')
                    """)
            return try numbers.filter { number in
                try Bool.fetchOne(known, arguments: [number.number, country.code]) != true
            }
        }
    }

    /// Whether `app` is tracked, and a list of its country or a look-up has shown it.
    package func hasSeen(_ app: StorefrontApp) async throws -> Bool {
        try await read { try AppPresenceRow.isTrackedAndSeen(app, in: $0) }
    }

    /// Takes up how a look-up that began at `moment` ended for each of its apps.
    ///
    /// - Parameter names: under which bundle identifiers the answer had the numbers that were asked for.
    /// - Returns: what was known of each app before, and what is known of it now.
    package func record(
        _ outcomes: [StorefrontApp: AppPresence.Outcome], names: [AppID: BundleID] = [:], at moment: Timestamp
    ) async throws -> [StorefrontApp: (before: AppPresence, after: AppPresence)] {
        try await apply(.lookup(LookupAnswer(at: moment, outcomes: outcomes, names: names))).presences
    }
}

extension LookupAnswer {
    func keep(in database: Database) throws -> [StorefrontApp: (before: AppPresence, after: AppPresence)] {
        var presences: [StorefrontApp: (before: AppPresence, after: AppPresence)] = [:]
        for (app, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
            let before = try AppPresenceRow.presence(of: app, in: database)
            var after = before
            if !before.holds(outcome, of: at) { after.note(outcome, at: at) }
            try AppPresenceRow.keep(after, of: app, in: database)
            if after.isUnknown {
                after.wasListed = try after.foundAt != nil || AppPresenceRow.wasListed(app, in: database)
            }
            presences[app] = (before, after)
        }
        for (id, bundleID) in names.sorted(by: { $0.key < $1.key }) {
            try AppRegister.see(id, as: bundleID, at: at, in: database)
        }
        try LaneRow.note(requestAt: at, of: Endpoint.lookupName, in: database)
        if outcomes.values.contains(where: { $0 != .failed }) {
            try Setting.lookupsFailingSince.set(nil, in: database)
        } else if !outcomes.isEmpty {
            try AppPresenceRow.note(failureAt: at, in: database)
        }
        return presences
    }
}

extension AppPresence {
    /// Whether the outcome of the look-up at `moment` has been noted.
    fileprivate func holds(_ outcome: Outcome, of moment: Timestamp) -> Bool {
        switch outcome {
        case .found: foundAt == moment
        case .empty: emptyAt == moment
        case .failed: failedAt == moment
        }
    }
}

extension HistoryReader {
    /// The tracked apps that their storefronts are taken not to sell, and what is known of each.
    package func unknownApps() throws(HistoryError) -> [StorefrontApp: AppPresence] {
        try read { try AppPresenceRow.unknown(in: $0) }
    }
}
