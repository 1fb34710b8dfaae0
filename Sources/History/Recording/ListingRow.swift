import GRDB
import RankKit

/// A row of `listing`: what changes seldom about an app in a storefront.
struct ListingRow {
    /// Column by column, in the order of `columns`.
    let values: [DatabaseValue]

    static let columns = [
        "name", "developer", "seller", "version", "released_at", "version_released_at", "price", "currency", "genre",
        "icon_url", "store_url", "screenshot_urls",
    ]

    init(_ details: AppDetails) {
        let values: [(any DatabaseValueConvertible)?] = [
            Self.short(details.name), Self.short(details.developer), Self.short(details.seller),
            Self.short(details.version),
            details.releasedAt?.secondsSinceEpoch, details.versionReleasedAt?.secondsSinceEpoch,
            details.price, Self.short(details.currency), Self.short(details.genre), Self.short(details.iconURL),
            Self.short(details.storeURL),
            Self.stored(details.screenshotURLs.joined(separator: "\n")).cut(toBytes: Self.longestText * 16),
        ]
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    /// In bytes: more than any name or link that Apple lets pass, and a bound for what a stranger may write.
    private static let longestText = 2_048

    private static func short(_ text: String?) -> String? { text.map(stored)?.cut(toBytes: longestText) }

    /// SQLite keeps a text up to its first U+0000. What is compared with it is to be what it keeps.
    private static func stored(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix { $0 != "\0" }))
    }

    func insert(app: Int64, storefront: Int64, in database: Database) throws {
        try Self.insert(values, app: app, storefront: storefront, in: database)
    }

    /// - Parameter values: in the order of `columns`.
    static func insert(_ values: [DatabaseValue], app: Int64, storefront: Int64, in database: Database) throws {
        try database.cachedStatement(sql: insertion)
            .execute(arguments: StatementArguments([app.databaseValue, storefront.databaseValue] + values))
    }

    /// Writes what differs, and what it was before. What is not known changes nothing, nor does a currency without a
    /// price in it. Where something later is known, dated by a clock that was ahead or recorded before, what it said is
    /// taken to have been so from this moment on.
    func update(app: Int64, storefront: Int64, at moment: Timestamp, in database: Database) throws {
        if try isSettled(app, storefront, after: moment, in: database) { return }
        let before = try Row.fetchOne(
            database.cachedStatement(sql: Self.selection), arguments: [app, storefront])
        guard let before else { return try insert(app: app, storefront: storefront, in: database) }
        let later = try Self.laterChanges(of: app, storefront, after: moment, in: database)
        for (index, column) in Self.columns.enumerated() {
            guard isKnown(index) else { continue }
            if let next = later[column] {
                try enter(values[index], of: column, app, storefront, at: moment, before: next, in: database)
                continue
            }
            let was = before.value(index)
            guard was != values[index] else { continue }
            try database.execute(
                literal: """
                    UPDATE listing SET \(SQL(sql: column)) = \(values[index])
                    WHERE app = \(app) AND storefront = \(storefront)
                    """)
            try database.cachedStatement(
                sql: """
                    INSERT INTO listing_change (app, storefront, at, field, was)
                    VALUES (?, ?, ?, ?, CAST(? AS TEXT)) ON CONFLICT DO NOTHING
                    """
            ).execute(
                arguments: [app, storefront, moment.secondsSinceEpoch, column, was])
        }
    }

    /// Whether the row says all of this already, and nothing is known of later: as nearly always where only the ratings
    /// have changed.
    private func isSettled(
        _ app: Int64, _ storefront: Int64, after moment: Timestamp, in database: Database
    ) throws -> Bool {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: Self.settled), arguments: [app, storefront, moment.secondsSinceEpoch])
        guard let row = try rows.next(), try !(row[Self.columns.count] as Bool) else { return false }
        return values.indices.allSatisfy { !isKnown($0) || row.holds(values[$0], at: $0) }
    }

    /// When each column changed first after a moment.
    private static func laterChanges(
        of app: Int64, _ storefront: Int64, after moment: Timestamp, in database: Database
    ) throws -> [String: Int64] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT field, min(at) FROM listing_change WHERE app = ? AND storefront = ? AND at > ? GROUP BY field
                    """), arguments: [app, storefront, moment.secondsSinceEpoch])
        return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether an app has changes after a moment.
    static func hasLaterChanges(
        _ app: Int64, _ storefront: Int64, after moment: Timestamp, in database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM listing_change WHERE app = ? AND storefront = ? AND at > ?)"),
            arguments: [app, storefront, moment.secondsSinceEpoch]) ?? false
    }

    /// Enters a value between what was known before a change of the column at `next` and that change.
    private func enter(
        _ value: DatabaseValue, of column: String, _ app: Int64, _ storefront: Int64, at moment: Timestamp,
        before next: Int64, in database: Database
    ) throws {
        try database.execute(
            literal: """
                INSERT INTO listing_change (app, storefront, at, field, was)
                SELECT app, storefront, \(moment.secondsSinceEpoch), field, was FROM listing_change
                WHERE app = \(app) AND storefront = \(storefront) AND at = \(next) AND field = \(column)
                    AND was IS NOT CAST(\(value) AS TEXT)
                ON CONFLICT DO NOTHING
                """)
        try database.execute(
            literal: """
                UPDATE listing_change SET was = CAST(\(value) AS TEXT)
                WHERE app = \(app) AND storefront = \(storefront) AND at = \(next) AND field = \(column)
                """)
        // What was to come is there already.
        try database.execute(
            literal: """
                DELETE FROM listing_change
                WHERE app = \(app) AND storefront = \(storefront) AND at = \(next) AND field = \(column)
                    AND was IS ifnull(
                        (SELECT later.was FROM listing_change AS later
                            WHERE later.app = \(app) AND later.storefront = \(storefront) AND later.field = \(column)
                                AND later.at > \(next) ORDER BY later.at LIMIT 1),
                        (SELECT CAST(\(SQL(sql: column)) AS TEXT) FROM listing
                            WHERE app = \(app) AND storefront = \(storefront)))
                """)
    }

    private func isKnown(_ index: Int) -> Bool {
        if index == Self.currency, values[index - 1].isNull { return false }
        return switch values[index].storage {
        case .null: false
        // No screenshots are an empty text.
        case .string(let text): !text.isEmpty
        default: true
        }
    }

    /// Stands behind the price.
    private static let currency = columns.firstIndex(of: "currency")

    private static let insertion = """
        INSERT INTO listing (app, storefront, \(columns.joined(separator: ", ")))
        VALUES (?, ?\(String(repeating: ", ?", count: columns.count)))
        """

    private static let settled = """
        SELECT \(columns.joined(separator: ", ")),
            EXISTS (SELECT 1 FROM listing_change AS change
                WHERE change.app = listing.app AND change.storefront = listing.storefront AND change.at > ?3)
        FROM listing WHERE app = ?1 AND storefront = ?2
        """

    private static let selection = """
        SELECT \(columns.joined(separator: ", ")) FROM listing WHERE app = ? AND storefront = ?
        """
}
