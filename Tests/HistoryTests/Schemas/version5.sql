-- A history of schema 5, the first with pages of lists: what schema 1's dump became.
PRAGMA application_id = 1918987883;
PRAGMA user_version = 5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE app (
    id INTEGER PRIMARY KEY,
    app_id INTEGER NOT NULL UNIQUE,
    bundle_id TEXT NOT NULL,
    bundle_key TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_day INTEGER NOT NULL
) STRICT;
INSERT INTO "app" VALUES(1,6000001256,'com.example.a','com.example.a',1793491200,20761);
INSERT INTO "app" VALUES(2,6000001754,'com.example.other1','com.example.other1',1793491200,20762);
INSERT INTO "app" VALUES(3,6000001701,'com.example.rival','com.example.rival',1793491200,20761);
INSERT INTO "app" VALUES(4,6000001755,'com.example.other2','com.example.other2',1793491200,20761);
INSERT INTO "app" VALUES(5,6000001756,'com.example.other3','com.example.other3',1793491200,20761);
INSERT INTO "app" VALUES(6,6000001757,'com.example.other4','com.example.other4',1793491200,20761);
INSERT INTO "app" VALUES(7,6000001758,'com.example.other5','com.example.other5',1793491200,20761);
INSERT INTO "app" VALUES(8,6000001759,'com.example.other6','com.example.other6',1793491200,20761);
INSERT INTO "app" VALUES(9,6000001760,'com.example.other7','com.example.other7',1793491200,20761);
INSERT INTO "app" VALUES(10,6000001761,'com.example.other8','com.example.other8',1793491200,20761);
INSERT INTO "app" VALUES(11,6000001762,'com.example.other9','com.example.other9',1793491200,20761);
CREATE TABLE app_presence (
    country TEXT NOT NULL,
    bundle_key TEXT NOT NULL,
    found_at INTEGER,
    empty_since INTEGER,
    empty_at INTEGER,
    empty_answers INTEGER NOT NULL CHECK (empty_answers >= 0),
    failed_at INTEGER,
    failures_in_a_row INTEGER NOT NULL CHECK (failures_in_a_row >= 0),
    PRIMARY KEY (country, bundle_key),
    CHECK ((empty_answers = 0) = (empty_since IS NULL)),
    CHECK ((empty_answers = 0) = (empty_at IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO "app_presence" VALUES('us','com.example.tpyo',NULL,1793750400,1793836800,2,NULL,0);
CREATE TABLE check_log (
    id INTEGER PRIMARY KEY,
    query INTEGER NOT NULL REFERENCES query (id),
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('good', 'suspect', 'failed')),
    within INTEGER CHECK (within >= 0),
    reason TEXT,
    detail TEXT,
    CHECK ((outcome = 'failed') = (within IS NULL)),
    CHECK (outcome = 'good' OR reason IS NOT NULL)
) STRICT;
INSERT INTO "check_log" VALUES(1,3,1793491200,'good',1,NULL,NULL);
INSERT INTO "check_log" VALUES(2,1,1793491200,'good',11,NULL,NULL);
INSERT INTO "check_log" VALUES(3,2,1793494800,'good',9,NULL,NULL);
INSERT INTO "check_log" VALUES(4,1,1793577600,'good',11,NULL,NULL);
INSERT INTO "check_log" VALUES(5,2,1793581200,'good',9,NULL,NULL);
INSERT INTO "check_log" VALUES(6,1,1793664000,'good',11,NULL,NULL);
INSERT INTO "check_log" VALUES(7,2,1793667600,'good',9,NULL,NULL);
INSERT INTO "check_log" VALUES(8,1,1793750400,'good',11,NULL,NULL);
INSERT INTO "check_log" VALUES(9,2,1793754000,'good',9,NULL,NULL);
INSERT INTO "check_log" VALUES(10,1,1793772000,'failed',NULL,'timed-out','no byte in 30 s');
INSERT INTO "check_log" VALUES(11,2,1793840400,'suspect',1,'collapsed',NULL);
CREATE TABLE competitor (
    bundle_key TEXT NOT NULL,
    competitor_key TEXT NOT NULL,
    PRIMARY KEY (bundle_key, competitor_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE country_day (
    country TEXT NOT NULL,
    day INTEGER NOT NULL,
    queries INTEGER NOT NULL CHECK (queries >= 1),
    good INTEGER NOT NULL,
    suspect INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    compared INTEGER NOT NULL,
    apps INTEGER NOT NULL,
    entered INTEGER NOT NULL,
    dropped_out INTEGER NOT NULL,
    lower_quartile INTEGER,
    median INTEGER,
    upper_quartile INTEGER,
    ninth_decile INTEGER,
    PRIMARY KEY (country, day),
    CHECK ((apps = 0) = (median IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO "country_day" VALUES('de',20758,1,1,0,0,0,0,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "country_day" VALUES('de',20759,1,1,0,0,1,9,0,0,0,0,0,0);
INSERT INTO "country_day" VALUES('de',20760,1,1,0,0,1,9,0,0,0,0,0,0);
INSERT INTO "country_day" VALUES('de',20761,1,1,0,0,1,9,0,0,0,0,0,0);
INSERT INTO "country_day" VALUES('us',20758,2,2,0,0,0,0,0,0,NULL,NULL,NULL,NULL);
INSERT INTO "country_day" VALUES('us',20759,1,1,0,0,1,11,0,0,0,0,0,1);
INSERT INTO "country_day" VALUES('us',20760,1,1,0,0,1,11,0,0,0,0,0,2);
INSERT INTO "country_day" VALUES('us',20761,1,1,0,1,1,11,0,0,0,0,0,1);
CREATE TABLE country_day_due (
    country TEXT NOT NULL,
    day INTEGER NOT NULL,
    PRIMARY KEY (country, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE endpoint (
    name TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    pause TEXT CHECK (pause IN ('throttled', 'offline')),
    paused_at INTEGER NOT NULL,
    pause_length INTEGER NOT NULL,
    pauses_in_a_row INTEGER NOT NULL,
    unreachable_in_a_row INTEGER NOT NULL,
    slow_turns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "endpoint" VALUES('search','https://itunes.apple.com','throttled',1793844000,60,1,0,0);
CREATE TABLE failure_day (
    query INTEGER NOT NULL REFERENCES query (id),
    day INTEGER NOT NULL,
    reason TEXT NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (query, day, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE listing (
    app INTEGER NOT NULL REFERENCES app (id),
    storefront INTEGER NOT NULL REFERENCES storefront (id),
    name TEXT,
    developer TEXT,
    seller TEXT,
    version TEXT,
    released_at INTEGER,
    version_released_at INTEGER,
    price REAL,
    currency TEXT,
    genre TEXT,
    icon_url TEXT,
    store_url TEXT,
    screenshot_urls TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (app, storefront)
) STRICT;
INSERT INTO "listing" VALUES(1,1,'App com.example.a',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(2,1,'App com.example.other1',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(3,1,'App com.example.rival',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(4,1,'App com.example.other2',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(5,1,'App com.example.other3',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(6,1,'App com.example.other4',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(7,1,'App com.example.other5',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(8,1,'App com.example.other6',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(9,1,'App com.example.other7',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(10,1,'App com.example.other8',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(11,1,'App com.example.other9',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(2,2,'App com.example.other1',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(4,2,'App com.example.other2',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(5,2,'App com.example.other3',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(6,2,'App com.example.other4',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(7,2,'App com.example.other5',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(8,2,'App com.example.other6',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(9,2,'App com.example.other7',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(10,2,'App com.example.other8',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
INSERT INTO "listing" VALUES(11,2,'App com.example.other9',NULL,NULL,'1.0',NULL,NULL,0.0,'USD',NULL,NULL,NULL,'');
CREATE TABLE listing_change (
    app INTEGER NOT NULL,
    storefront INTEGER NOT NULL,
    at INTEGER NOT NULL,
    field TEXT NOT NULL,
    was TEXT,
    PRIMARY KEY (app, storefront, at, field),
    FOREIGN KEY (app, storefront) REFERENCES listing (app, storefront)
) STRICT, WITHOUT ROWID;
CREATE TABLE note (
    ordinal INTEGER PRIMARY KEY,
    on_date TEXT NOT NULL,
    bundle_key TEXT,
    version TEXT,
    text TEXT NOT NULL,
    added TEXT NOT NULL,
    removed TEXT NOT NULL
) STRICT;
CREATE TABLE pair (
    id INTEGER PRIMARY KEY,
    query INTEGER NOT NULL REFERENCES query (id),
    bundle_id TEXT NOT NULL,
    bundle_key TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    retired_at INTEGER,
    UNIQUE (query, bundle_key)
) STRICT;
INSERT INTO "pair" VALUES(1,1,'com.example.a','com.example.a','[]',NULL);
INSERT INTO "pair" VALUES(2,1,'com.example.rival','com.example.rival','[]',NULL);
INSERT INTO "pair" VALUES(3,1,'com.example.tpyo','com.example.tpyo','[]',NULL);
INSERT INTO "pair" VALUES(4,2,'com.example.a','com.example.a','[]',NULL);
INSERT INTO "pair" VALUES(5,3,'com.example.a','com.example.a','[]',1793844000);
CREATE TABLE pair_day (
    pair INTEGER NOT NULL REFERENCES pair (id),
    day INTEGER NOT NULL,
    good INTEGER NOT NULL,
    ranked INTEGER NOT NULL,
    best INTEGER,
    worst INTEGER,
    last_at INTEGER NOT NULL,
    last_position INTEGER,
    last_within INTEGER NOT NULL,
    PRIMARY KEY (pair, day)
) STRICT, WITHOUT ROWID;
INSERT INTO "pair_day" VALUES(1,20758,1,1,1,1,1793491200,1,11);
INSERT INTO "pair_day" VALUES(1,20759,1,1,2,2,1793577600,2,11);
INSERT INTO "pair_day" VALUES(1,20760,1,1,4,4,1793664000,4,11);
INSERT INTO "pair_day" VALUES(1,20761,1,1,5,5,1793750400,5,11);
INSERT INTO "pair_day" VALUES(2,20758,1,1,3,3,1793491200,3,11);
INSERT INTO "pair_day" VALUES(2,20759,1,1,3,3,1793577600,3,11);
INSERT INTO "pair_day" VALUES(2,20760,1,1,3,3,1793664000,3,11);
INSERT INTO "pair_day" VALUES(2,20761,1,1,3,3,1793750400,3,11);
INSERT INTO "pair_day" VALUES(3,20758,1,0,NULL,NULL,1793491200,NULL,11);
INSERT INTO "pair_day" VALUES(3,20759,1,0,NULL,NULL,1793577600,NULL,11);
INSERT INTO "pair_day" VALUES(3,20760,1,0,NULL,NULL,1793664000,NULL,11);
INSERT INTO "pair_day" VALUES(3,20761,1,0,NULL,NULL,1793750400,NULL,11);
INSERT INTO "pair_day" VALUES(4,20758,1,0,NULL,NULL,1793494800,NULL,9);
INSERT INTO "pair_day" VALUES(4,20759,1,0,NULL,NULL,1793581200,NULL,9);
INSERT INTO "pair_day" VALUES(4,20760,1,0,NULL,NULL,1793667600,NULL,9);
INSERT INTO "pair_day" VALUES(4,20761,1,0,NULL,NULL,1793754000,NULL,9);
INSERT INTO "pair_day" VALUES(5,20758,1,1,1,1,1793491200,1,1);
CREATE TABLE pair_fill (
    pair INTEGER PRIMARY KEY REFERENCES pair (id) ON DELETE CASCADE,
    through_at INTEGER,
    through_check INTEGER,
    CHECK ((through_at IS NULL) = (through_check IS NULL))
) STRICT;
CREATE TABLE pair_period (
    pair INTEGER NOT NULL REFERENCES pair (id),
    from_at INTEGER NOT NULL,
    until_at INTEGER,
    PRIMARY KEY (pair, from_at)
) STRICT, WITHOUT ROWID;
INSERT INTO "pair_period" VALUES(1,1793491200,NULL);
INSERT INTO "pair_period" VALUES(2,1793491200,NULL);
INSERT INTO "pair_period" VALUES(3,1793491200,NULL);
INSERT INTO "pair_period" VALUES(4,1793491200,NULL);
INSERT INTO "pair_period" VALUES(5,1793491200,1793844000);
CREATE TABLE pass (
    id INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    due INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    throttled INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    suspect INTEGER NOT NULL,
    bad_day INTEGER NOT NULL CHECK (bad_day IN (0, 1))
) STRICT;
INSERT INTO "pass" VALUES(1,1793491200,1793491220,3,3,0,0,3,0,0);
CREATE TABLE position (
    pair INTEGER NOT NULL REFERENCES pair (id),
    at INTEGER NOT NULL,
    check_id INTEGER NOT NULL,
    position INTEGER CHECK (position >= 1),
    within INTEGER NOT NULL,
    PRIMARY KEY (pair, at, check_id),
    CHECK (position <= within)
) STRICT, WITHOUT ROWID;
INSERT INTO "position" VALUES(1,1793491200,2,1,11);
INSERT INTO "position" VALUES(1,1793577600,4,2,11);
INSERT INTO "position" VALUES(1,1793664000,6,4,11);
INSERT INTO "position" VALUES(1,1793750400,8,5,11);
INSERT INTO "position" VALUES(2,1793491200,2,3,11);
INSERT INTO "position" VALUES(2,1793577600,4,3,11);
INSERT INTO "position" VALUES(2,1793664000,6,3,11);
INSERT INTO "position" VALUES(2,1793750400,8,3,11);
INSERT INTO "position" VALUES(3,1793491200,2,NULL,11);
INSERT INTO "position" VALUES(3,1793577600,4,NULL,11);
INSERT INTO "position" VALUES(3,1793664000,6,NULL,11);
INSERT INTO "position" VALUES(3,1793750400,8,NULL,11);
INSERT INTO "position" VALUES(4,1793494800,3,NULL,9);
INSERT INTO "position" VALUES(4,1793581200,5,NULL,9);
INSERT INTO "position" VALUES(4,1793667600,7,NULL,9);
INSERT INTO "position" VALUES(4,1793754000,9,NULL,9);
INSERT INTO "position" VALUES(5,1793491200,1,1,1);
CREATE TABLE query (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    folded TEXT NOT NULL,
    country TEXT NOT NULL,
    platform TEXT NOT NULL,
    source TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',
    cadences TEXT NOT NULL,
    cadence_seconds INTEGER NOT NULL CHECK (cadence_seconds > 0),
    popularity REAL,
    ordinal INTEGER NOT NULL,
    retired_at INTEGER,
    newest_check INTEGER,
    baseline_from INTEGER NOT NULL DEFAULT 0, unpaged_from INTEGER,
    UNIQUE (folded, country, platform, source, language)
) STRICT;
INSERT INTO "query" VALUES(1,'focus timer','focus timer','us','iphone','itunes','','every 21600',21600,NULL,0,NULL,10,0,1793750400);
INSERT INTO "query" VALUES(2,'timer','timer','de','ipad','itunes','','every 21600',21600,NULL,1,NULL,11,0,1793754000);
INSERT INTO "query" VALUES(3,'gone','gone','us','iphone','itunes','','every 21600',21600,NULL,2,1793844000,1,0,9223372036854775807);
CREATE TABLE query_app (
    query INTEGER NOT NULL REFERENCES query (id) ON DELETE CASCADE,
    app INTEGER NOT NULL REFERENCES app (id),
    best INTEGER NOT NULL CHECK (best >= 1),
    best_at INTEGER NOT NULL,
    PRIMARY KEY (query, app)
) STRICT, WITHOUT ROWID;
INSERT INTO "query_app" VALUES(1,1,1,1793491200);
INSERT INTO "query_app" VALUES(1,2,1,1793577600);
INSERT INTO "query_app" VALUES(1,3,3,1793491200);
INSERT INTO "query_app" VALUES(1,4,2,1793664000);
INSERT INTO "query_app" VALUES(1,5,4,1793750400);
INSERT INTO "query_app" VALUES(1,6,6,1793491200);
INSERT INTO "query_app" VALUES(1,7,7,1793491200);
INSERT INTO "query_app" VALUES(1,8,8,1793491200);
INSERT INTO "query_app" VALUES(1,9,9,1793491200);
INSERT INTO "query_app" VALUES(1,10,10,1793491200);
INSERT INTO "query_app" VALUES(1,11,11,1793491200);
INSERT INTO "query_app" VALUES(2,2,1,1793494800);
INSERT INTO "query_app" VALUES(2,4,2,1793494800);
INSERT INTO "query_app" VALUES(2,5,3,1793494800);
INSERT INTO "query_app" VALUES(2,6,4,1793494800);
INSERT INTO "query_app" VALUES(2,7,5,1793494800);
INSERT INTO "query_app" VALUES(2,8,6,1793494800);
INSERT INTO "query_app" VALUES(2,9,7,1793494800);
INSERT INTO "query_app" VALUES(2,10,8,1793494800);
INSERT INTO "query_app" VALUES(2,11,9,1793494800);
INSERT INTO "query_app" VALUES(3,1,1,1793491200);
CREATE TABLE query_fill (
    query INTEGER PRIMARY KEY REFERENCES query (id) ON DELETE CASCADE,
    through_at INTEGER,
    through_check INTEGER,
    CHECK ((through_at IS NULL) = (through_check IS NULL))
) STRICT;
CREATE TABLE result_list (
    check_id INTEGER PRIMARY KEY REFERENCES check_log (id) ON DELETE CASCADE,
    places BLOB NOT NULL
) STRICT;
INSERT INTO "result_list" VALUES(8,X'010204030501060708090A0B');
INSERT INTO "result_list" VALUES(9,X'01020405060708090A0B');
INSERT INTO "result_list" VALUES(11,X'0102');
CREATE TABLE result_page (
    id INTEGER PRIMARY KEY,
    query INTEGER NOT NULL REFERENCES query (id),
    first_at INTEGER NOT NULL,
    first_check INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    last_check INTEGER NOT NULL,
    lists INTEGER NOT NULL CHECK (lists >= 1),
    bytes BLOB NOT NULL,
    CHECK (first_at <= last_at)
) STRICT;
INSERT INTO "result_page" VALUES(1,1,1793491200,2,1793664000,6,3,X'0101C9DF1BBD456356E466E162E46666E663606042001616068686962DEB781B8E7131303033A0006E46267E046014640400');
INSERT INTO "result_page" VALUES(2,2,1793494800,3,1793667600,7,3,X'0101F32B43653C6396E664E162E46466E66460606161820036160686057BB6ACE36D38C6C5C0C0CC8004381918F8610000');
INSERT INTO "result_page" VALUES(3,3,1793491200,1,1793491200,1,1,X'0100D6EBD8351801010101050101010101000002028084B4AE0D010000010F');
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "setting" VALUES('adopted_at',1793844000);
INSERT INTO "setting" VALUES('country_days_through_day',20761);
INSERT INTO "setting" VALUES('last_housekeeping_at',1793750400);
INSERT INTO "setting" VALUES('last_request_at',1793840400);
INSERT INTO "setting" VALUES('parallelism',4);
INSERT INTO "setting" VALUES('requests_per_minute',15);
INSERT INTO "setting" VALUES('rolled_up_through_day',20761);
CREATE TABLE sighting (
    storefront INTEGER NOT NULL REFERENCES storefront (id),
    app INTEGER NOT NULL REFERENCES app (id),
    fingerprint INTEGER NOT NULL,
    rating REAL,
    rating_count INTEGER,
    PRIMARY KEY (storefront, app)
) STRICT, WITHOUT ROWID;
INSERT INTO "sighting" VALUES(1,1,13,4.5,12);
INSERT INTO "sighting" VALUES(1,2,18,4.5,12);
INSERT INTO "sighting" VALUES(1,3,17,4.5,12);
INSERT INTO "sighting" VALUES(1,4,18,4.5,12);
INSERT INTO "sighting" VALUES(1,5,18,4.5,12);
INSERT INTO "sighting" VALUES(1,6,18,4.5,12);
INSERT INTO "sighting" VALUES(1,7,18,4.5,12);
INSERT INTO "sighting" VALUES(1,8,18,4.5,12);
INSERT INTO "sighting" VALUES(1,9,18,4.5,12);
INSERT INTO "sighting" VALUES(1,10,18,4.5,12);
INSERT INTO "sighting" VALUES(1,11,18,4.5,12);
INSERT INTO "sighting" VALUES(2,2,18,4.5,12);
INSERT INTO "sighting" VALUES(2,4,18,4.5,12);
INSERT INTO "sighting" VALUES(2,5,18,4.5,12);
INSERT INTO "sighting" VALUES(2,6,18,4.5,12);
INSERT INTO "sighting" VALUES(2,7,18,4.5,12);
INSERT INTO "sighting" VALUES(2,8,18,4.5,12);
INSERT INTO "sighting" VALUES(2,9,18,4.5,12);
INSERT INTO "sighting" VALUES(2,10,18,4.5,12);
INSERT INTO "sighting" VALUES(2,11,18,4.5,12);
CREATE TABLE standing (
    pair INTEGER PRIMARY KEY REFERENCES pair (id),
    state TEXT NOT NULL CHECK (state IN ('ranked', 'absent', 'suspect', 'failed')),
    checked_at INTEGER NOT NULL,
    reason TEXT,
    good_at INTEGER,
    position INTEGER,
    within INTEGER,
    best INTEGER,
    best_at INTEGER,
    worst INTEGER,
    worst_at INTEGER
) STRICT;
INSERT INTO "standing" VALUES(1,'failed',1793772000,'timed-out',1793750400,5,11,1,1793491200,5,1793750400);
INSERT INTO "standing" VALUES(2,'failed',1793772000,'timed-out',1793750400,3,11,3,1793491200,3,1793491200);
INSERT INTO "standing" VALUES(3,'failed',1793772000,'timed-out',1793750400,NULL,11,NULL,NULL,NULL,NULL);
INSERT INTO "standing" VALUES(4,'suspect',1793840400,'collapsed',1793754000,NULL,9,NULL,NULL,NULL,NULL);
INSERT INTO "standing" VALUES(5,'ranked',1793491200,NULL,1793491200,1,1,1,1793491200,1,1793491200);
CREATE TABLE storefront (
    id INTEGER PRIMARY KEY,
    country TEXT NOT NULL,
    language TEXT NOT NULL,
    UNIQUE (country, language)
) STRICT;
INSERT INTO "storefront" VALUES(1,'us','');
INSERT INTO "storefront" VALUES(2,'de','');
CREATE TABLE watched_app (
    bundle_key TEXT PRIMARY KEY,
    bundle_id TEXT NOT NULL,
    alias TEXT,
    mine INTEGER NOT NULL CHECK (mine IN (0, 1)),
    ordinal INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "watched_app" VALUES('com.example.a','com.example.a',NULL,1,0);
INSERT INTO "watched_app" VALUES('com.example.rival','com.example.rival',NULL,0,1);
INSERT INTO "watched_app" VALUES('com.example.tpyo','com.example.tpyo',NULL,1,2);
CREATE INDEX check_log_query_at ON check_log (query, at);
CREATE INDEX check_log_failed ON check_log (at) WHERE outcome = 'failed';
CREATE INDEX app_bundle_key ON app (bundle_key);
CREATE VIEW position_history AS
    SELECT
        check_log.at AS at,
        query.text AS query,
        query.country AS country,
        query.platform AS platform,
        query.source AS source,
        pair.bundle_id AS bundle_id,
        (SELECT listing.name
            FROM app
            JOIN listing ON listing.app = app.id
            JOIN storefront ON storefront.id = listing.storefront
            WHERE app.bundle_key = pair.bundle_key AND storefront.country = query.country
            ORDER BY app.last_seen_day DESC, app.id DESC
            LIMIT 1) AS app_name,
        CASE
            WHEN check_log.outcome <> 'good' THEN check_log.outcome
            WHEN position.position IS NULL THEN 'absent'
            ELSE 'ranked'
        END AS state,
        position.position AS position,
        check_log.within AS within
    FROM pair
    JOIN query ON query.id = pair.query
    JOIN check_log ON check_log.query = pair.query
    LEFT JOIN position
        ON position.pair = pair.id AND position.at = check_log.at AND position.check_id = check_log.id
    WHERE position.pair IS NOT NULL
        OR check_log.outcome <> 'good'
            AND EXISTS (
                SELECT 1 FROM pair_period
                WHERE pair_period.pair = pair.id
                    AND pair_period.from_at <= check_log.at
                    AND (pair_period.until_at IS NULL OR check_log.at < pair_period.until_at));
CREATE UNIQUE INDEX result_page_start ON result_page (query, first_at, first_check);
CREATE INDEX check_log_unread ON check_log (query, at) WHERE outcome <> 'good';
COMMIT;
