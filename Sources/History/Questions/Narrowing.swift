import Foundation
import GRDB

/// What makes a connection show a part of the watchlist only.
///
/// Views of the connection's own take the names of the file's tables: SQLite looks for a name among what is temporary
/// first (sqlite.org/lang_naming.html). So every statement is narrowed without a word in it, and none can forget to be.
enum Narrowing {
    /// Has `database` show the active pairs alone that have one of the tags of each of `tags`, and what belongs to
    /// them: as of the transaction that this is called in, so that it fits a connection to one moment.
    ///
    /// - Parameter database: a connection that reads, and that has prepared no statement on the history yet.
    static func narrow(_ database: Database, to tags: [Set<String>]) throws {
        let wanted = String(decoding: try JSONEncoder().encode(tags.map { $0.sorted() }), as: UTF8.self)
        // It keeps temporary tables from being written as well. The file itself is open for reading alone.
        try database.execute(sql: "PRAGMA query_only = OFF")
        try database.execute(sql: Self.tables)
        try database.execute(sql: Self.pairs, arguments: ["tags": wanted])
        try database.execute(sql: Self.whatPairsTell)
        try database.execute(sql: Self.pairView)
        try database.execute(sql: Self.views)
        try database.execute(sql: "PRAGMA query_only = ON")
    }

    private static let tables = """
        CREATE TEMP TABLE admitted_pair (id INTEGER PRIMARY KEY, tags TEXT NOT NULL);
        CREATE TEMP TABLE admitted_query (id INTEGER PRIMARY KEY);
        CREATE TEMP TABLE admitted_country (code TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TEMP TABLE admitted_key (bundle_key TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TEMP TABLE admitted_app (id INTEGER PRIMARY KEY);
        CREATE TEMP TABLE admitted_tracked_app (id INTEGER PRIMARY KEY);
        CREATE TEMP TABLE admitted_storefront (id INTEGER PRIMARY KEY);
        """

    /// `:tags` is a list of lists, of each of which a pair has to have one: as `PairFilter.condition` compares them. A
    /// pair's other tags may be other people's names.
    static let pairs = """
        INSERT INTO admitted_pair (id, tags)
        SELECT pair.id, (
            SELECT json_group_array(tag.value) FROM json_each(pair.tags) AS tag
            WHERE tag.value IN (
                SELECT wanted.value FROM json_each(:tags) AS choice CROSS JOIN json_each(choice.value) AS wanted))
        FROM main.pair AS pair
        WHERE pair.retired_at IS NULL AND pair.tags <> '[]' AND NOT EXISTS (
            SELECT 1 FROM json_each(:tags) AS choice
            WHERE NOT EXISTS (
                SELECT 1 FROM json_each(pair.tags) AS tag CROSS JOIN json_each(choice.value) AS wanted
                WHERE wanted.value = tag.value))
        """

    /// The apps are those of the pairs, as far as their names stand for them now, and all that a good check of their queries ever saw.
    private static let whatPairsTell = """
        INSERT OR IGNORE INTO admitted_query (id)
            SELECT pair.query FROM admitted_pair CROSS JOIN main.pair AS pair ON pair.id = admitted_pair.id;
        INSERT OR IGNORE INTO admitted_key (bundle_key)
            SELECT pair.bundle_key FROM admitted_pair CROSS JOIN main.pair AS pair ON pair.id = admitted_pair.id;
        INSERT OR IGNORE INTO admitted_country (code)
            SELECT query.country FROM admitted_query CROSS JOIN main.query AS query ON query.id = admitted_query.id;
        INSERT OR IGNORE INTO admitted_storefront (id)
            SELECT storefront.id
            FROM admitted_query CROSS JOIN main.query AS query ON query.id = admitted_query.id
            CROSS JOIN main.storefront AS storefront
                ON storefront.country = query.country AND storefront.language = query.language;
        INSERT OR IGNORE INTO admitted_tracked_app (id)
            SELECT app.id FROM admitted_key
            CROSS JOIN main.app AS app ON app.id IN \(AppNames.holders("admitted_key.bundle_key"));
        INSERT OR IGNORE INTO admitted_app (id) SELECT id FROM admitted_tracked_app;
        INSERT OR IGNORE INTO admitted_app (id)
            SELECT seen.app FROM admitted_query CROSS JOIN main.query_app AS seen ON seen.query = admitted_query.id;
        """

    private static let pairView = """
        CREATE TEMP VIEW pair AS
            SELECT id, query, bundle_id, bundle_key,
                (SELECT admitted_pair.tags FROM admitted_pair WHERE admitted_pair.id = pair.id) AS tags, retired_at
            FROM main.pair AS pair WHERE +id IN (SELECT id FROM admitted_pair);
        """

    /// The tables that are narrowed, by what a row has to fit. The `+` keeps SQLite from looking rows up by the condition
    /// (sqlite.org/optoverview.html): a narrowed question goes the way of any other, and drops what it does not admit.
    private static let conditions: [(condition: String, tables: [String])] = [
        ("+id IN admitted_query", ["query"]),
        (
            "+query IN admitted_query",
            ["check_log", "held_answer", "result_page", "query_app", "query_top", "query_fill", "failure_day"]
        ),
        (
            "+pair IN (SELECT id FROM admitted_pair)",
            ["pair_period", "pair_fill", "pair_day", "position", "standing"]
        ),
        (
            "EXISTS (SELECT 1 FROM main.check_log AS kept WHERE kept.id = check_id AND +kept.query IN admitted_query)",
            ["result_list", "unnumbered_place"]
        ),
        (
            "EXISTS (SELECT 1 FROM main.result_page AS kept WHERE kept.id = page AND +kept.query IN admitted_query)",
            ["page_top"]
        ),
        ("+id IN admitted_app", ["app"]),
        ("+app IN admitted_app", ["bundle_name"]),
        (
            "+app IN admitted_app AND +storefront IN admitted_storefront",
            ["listing", "listing_change", "sighting"]
        ),
        // They are kept of the apps of the watchlist alone, so that they would tell whom others track.
        ("+app IN admitted_tracked_app AND +storefront IN admitted_storefront", ["rating_day"]),
        ("+bundle_key IN admitted_key", ["watched_app"]),
        ("+bundle_key IN admitted_key AND +country IN admitted_country", ["app_presence"]),
        // What is noted of an app that others track as well may be about them.
        (
            """
            +bundle_key IN admitted_key AND NOT EXISTS (
                SELECT 1 FROM main.pair AS other
                WHERE other.bundle_key = note.bundle_key AND other.retired_at IS NULL
                    AND +other.id NOT IN (SELECT id FROM admitted_pair))
            """, ["note"]
        ),
        ("+bundle_key IN admitted_key AND +competitor_key IN admitted_key", ["competitor"]),
        // Why a watchlist was refused quotes it.
        ("name <> 'refusal'", ["setting"]),
        // One is for people's own SQL: no question reads it, and it would lead around all the others. The others count
        // everybody's queries, and tell of everybody's apps to whoever minds the whole watchlist. How a country's store
        // was is counted anew, over the queries that are left.
        (
            "false",
            [
                "position_history", "country_day", "country_day_due", "pass_under_way", "alert_mark", "alert_event",
                "alert_message", "alert_delivery", "alert_channel", "pass_answers", "pass_count",
            ]
        ),
    ]

    private static let views = conditions.flatMap { condition, tables in
        tables.map { "CREATE TEMP VIEW \($0) AS SELECT * FROM main.\($0) WHERE \(condition);" }
    }.joined(separator: "\n")

    /// What everybody may see: it names no app and no query.
    static let shared: Set<String> = ["storefront", "lane", "pass", "change"]
}
