import GRDB
package import RankKit

/// An app by the number that lists are made of, and what it is called.
package struct NumberedApp: Sendable, Hashable {
    package var number: DenseID
    package var id: AppID
    package var bundleID: BundleID
    /// As last seen in the storefront asked for, else in any; `nil` if Apple named none.
    package var name: String?
    package var developer: String?
}

extension HistoryReader {
    /// What the numbers of lists stand for. A number that no app has is left out.
    ///
    /// - Parameters:
    ///   - country: whose storefront's names are preferred; `nil` for any.
    ///   - moment: when they were called so; an app that was seen only later is left out. `nil` for the reader's own.
    package func apps(
        _ numbers: some Sequence<DenseID>, namedIn country: Country?, at moment: Timestamp? = nil
    ) throws(HistoryError) -> [DenseID: NumberedApp] {
        let wanted = "[" + Set(numbers).map { "\($0.number)" }.joined(separator: ",") + "]"
        let moment = moment ?? self.moment
        return try read { database in
            var arguments: StatementArguments = [country?.code, wanted]
            if let moment { arguments += [moment.secondsSinceEpoch] }
            let rows = try Row.fetchCursor(
                database.cachedStatement(sql: Self.apps(at: moment, in: database)),
                arguments: arguments)
            var apps: [DenseID: NumberedApp] = [:]
            while let row = try rows.next() {
                let number = try DenseID(row[0])
                // The preferred storefront comes first.
                guard apps[number] == nil, let bundleID = try BundleID(row[2]) else { continue }
                apps[number] = try NumberedApp(
                    number: number, id: AppID(row.wide(1)), bundleID: bundleID, name: row[3], developer: row[4])
            }
            return apps
        }
    }

    private static func apps(at moment: Timestamp?, in database: Database) throws -> String {
        try moment == nil ? appsByNumber(of: PresentListing(in: database)) : formerApps
    }

    static let appsByNumber = appsByNumber(of: .whole)

    private static func appsByNumber(of present: PresentListing) -> String {
        """
        SELECT app.id, app.app_id, \(AppNames.shown), \(present.column("name")), \(present.column("developer")),
            storefront.country = ? AS isPreferred
        FROM json_each(?) AS asked
        CROSS JOIN app ON app.id = asked.value
        LEFT JOIN listing ON listing.app = app.id
        LEFT JOIN storefront ON storefront.id = listing.storefront
        ORDER BY isPreferred DESC, listing.name IS NULL
        """
    }

    /// As `appsByNumber`, of a moment. In an expression, SQLite takes a name for a table's column before it takes it
    /// for one of these: what an app was called then is not `name`.
    private static let formerApps = """
        SELECT app.id, app.app_id, \(FormerListing.bundleID),
            CASE WHEN \(FormerListing.isListed) THEN \(FormerListing.name) END AS called,
            CASE WHEN \(FormerListing.isListed) THEN \(FormerListing.developer) END,
            ifnull(storefront.country = ?1, 0) AND \(FormerListing.isListed) AS isPreferred
        FROM (SELECT ?3 AS moment) AS asOf
        CROSS JOIN json_each(?2) AS asked
        CROSS JOIN app ON app.id = asked.value AND \(FormerListing.isSeen)
        LEFT JOIN listing ON listing.app = app.id
        LEFT JOIN storefront ON storefront.id = listing.storefront
        ORDER BY isPreferred DESC, called IS NULL
        """

    /// The other numbers that each of these apps has had: Apple may number one anew. Apps with one number are left out.
    package func otherNumbers(of apps: Set<DenseID>) throws(HistoryError) -> [DenseID: Set<DenseID>] {
        guard !apps.isEmpty else { return [:] }
        return try read { database in
            let others = try OtherNumbers(of: apps.map(\.number), by: moment?.secondsSinceEpoch, in: database)
            return Dictionary(
                uniqueKeysWithValues: try apps.map { app in
                    (app, try seen(Set(others[app.number].map(DenseID.init)), at: moment, in: database))
                }
            ).filter { !$0.value.isEmpty }
        }
    }

    /// Which of these bundle identifiers Apple's numbers stand for: those of `numbers(of:)`.
    package func namesByAppID(of bundleIDs: [BundleID]) throws(HistoryError) -> [AppID: BundleID] {
        try read { database in
            var names: [AppID: BundleID] = [:]
            for bundleID in bundleIDs {
                for number in try AppNumbers(of: bundleID.folded, in: database).at(.max) {
                    let id = try Row.fetchOne(
                        database.cachedStatement(sql: "SELECT app_id FROM app WHERE id = ?"), arguments: [number.number]
                    )?.wide(0)
                    if let id { names[AppID(id)] = bundleID }
                }
            }
            return names
        }
    }

    /// The numbers of all apps that have this bundle identifier, or had it and nobody has it since: more than one where
    /// Apple numbered an app anew, and of an app that has an edition of its own for another platform.
    ///
    /// - Parameter moment: when it was so; a number that was seen only later is left out. A bundle identifier that nobody
    ///   had by then is a later name of the app that is asked for. `nil` for the reader's own.
    package func numbers(of bundleID: BundleID, at moment: Timestamp? = nil) throws(HistoryError) -> Set<DenseID> {
        let moment = moment ?? self.moment
        return try read { try numbers(of: bundleID.folded, at: moment, in: $0) }
    }

    private func numbers(of key: String, at moment: Timestamp?, in database: Database) throws -> Set<DenseID> {
        let seconds = moment?.secondsSinceEpoch
        var numbers = try AppNumbers(of: key, by: seconds, in: database)
        if numbers.isEmpty, moment != nil { numbers = try AppNumbers(of: key, in: database) }
        return try seen(numbers.at(seconds ?? .max), at: moment, in: database)
    }

    /// The numbers of the watchlist's apps that ever came under several bundle identifiers, by those of the watchlist.
    package func numbersOfRenamedWatchedApps() throws(HistoryError) -> [BundleID: Set<DenseID>] {
        let moment = moment
        return try read { database in
            let names = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT bundle_id FROM watched_app WHERE EXISTS (
                            SELECT 1 FROM main.bundle_name AS name WHERE name.bundle_key = watched_app.bundle_key)
                        """))
            var numbers: [BundleID: Set<DenseID>] = [:]
            for name in names.compactMap({ BundleID($0) }) {
                numbers[name] = try self.numbers(of: name.folded, at: moment, in: database)
            }
            return numbers
        }
    }

    /// Those that this reader may see, and that had been seen at `moment`, if it is not `nil`.
    func seen(_ numbers: Set<DenseID>, at moment: Timestamp?, in database: Database) throws -> Set<DenseID> {
        guard moment != nil || isNarrowed, !numbers.isEmpty else { return numbers }
        let seen = try database.cachedStatement(sql: "SELECT first_seen_at <= ? FROM app WHERE id = ?")
        return try numbers.filter { number in
            try Bool.fetchOne(seen, arguments: [moment?.secondsSinceEpoch ?? .max, number.number]) ?? false
        }
    }
}
