import GRDB
import RankKit

extension Schema {
    /// Which rule the texts of listings, and of former ones, were held against when the file was opened: another number
    /// for each version whose rule (`AppDetails.plausible`) takes other texts for nothing.
    private static let textsRule: Int64 = 2

    /// Takes out of listings what earlier versions took for said, and this one takes for unknown: texts of nothing.
    /// White space around the others goes too, as where they are read and imported. The rule is Swift's, so that no SQL
    /// has one of its own.
    static func renewTexts(_ queue: DatabaseQueue) throws {
        do {
            try queue.write { database in
                guard try Setting.listingTextsRule.integer(in: database) != textsRule else { return }
                try renewListings(in: database)
                try renewFormerListings(in: database)
                try Setting.listingTextsRule.set(textsRule, in: database)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // A damaged file is opened all the same: whoever reads the damage tells of it. The next opening tries
            // again.
        }
    }

    private static let texts = [
        "name", "developer", "seller", "version", "currency", "genre", "icon_url", "store_url",
    ]

    private static func renewListings(in database: Database) throws {
        for column in texts {
            let rows = try Row.fetchCursor(
                database,
                SQLRequest(
                    literal: """
                        SELECT app, storefront, \(SQL(sql: column)) FROM listing WHERE \(sql: mayChange(column))
                        """))
            // Few of those that begin or end with what is no letter of ASCII change.
            var changed: [(app: Int64, storefront: Int64, text: DatabaseValue)] = []
            while let row = try rows.next() {
                guard let text = try row[2] as String?, let plausible = other(than: text, of: column) else { continue }
                try changed.append((row[0], row[1], plausible))
            }
            for (app, storefront, plausible) in changed {
                try database.execute(
                    literal: """
                        UPDATE listing SET \(SQL(sql: column)) = \(plausible)
                        WHERE app = \(app) AND storefront = \(storefront)
                        """)
            }
        }
    }

    /// That an app has no screenshots is said.
    private static func renewFormerListings(in database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            SQLRequest(
                literal: """
                    SELECT app, storefront, at, field, was FROM listing_change
                    WHERE field <> 'screenshot_urls' AND (\(sql: mayChange("was"))
                        OR field = 'currency' AND was NOT GLOB '[A-Z][A-Z][A-Z]')
                    """))
        var changed: [(app: Int64, storefront: Int64, at: Int64, field: String, text: DatabaseValue)] = []
        while let row = try rows.next() {
            guard let text = try row[4] as String?, let plausible = try other(than: text, of: row[3]) else { continue }
            try changed.append((row[0], row[1], row[2], row[3], plausible))
        }
        for (app, storefront, at, field, plausible) in changed {
            try database.execute(
                literal: """
                    UPDATE listing_change SET was = \(plausible)
                    WHERE app = \(app) AND storefront = \(storefront) AND at = \(at) AND field = \(field)
                    """)
        }
    }

    /// A text that begins and ends with what everybody sees is what it is.
    private static func mayChange(_ column: String) -> String {
        column == "currency"
            ? "currency NOT GLOB '[A-Z][A-Z][A-Z]'"
            : "(\(column) = '' OR \(column) GLOB '[^!-~]*' OR \(column) GLOB '*[^!-~]')"
    }

    /// What is known of a text of a column; `nil` if it is just that.
    private static func other(than text: String, of column: String) -> DatabaseValue? {
        let plausible = AppDetails.plausible(text, of: column)
        return plausible == text ? nil : plausible.databaseValue
    }
}
