import GRDB
import RankKit

/// Single values that the history keeps.
enum Setting: String {
    case rolledUpThrough = "rolled_up_through_day"
    /// The day that is being rolled up, pair by pair; not there between two.
    case rollingUp = "rolling_up_day"
    case lastHousekeeping = "last_housekeeping_at"
    /// What the last clean-up did, as `CleanUp` writes it.
    case lastCleanUp = "last_housekeeping"
    /// Through which day `country_day` is there.
    case countryDaysThrough = "country_days_through_day"
    /// Through which day they are to be derived anew because of another rule, or because of what two apps turned out to be;
    /// `CountryDayRow.everyDay` before that has begun, not there where none are.
    case countryDaysOutdated = "country_days_outdated_through_day"
    /// By which rule they are (`CountryTally.rule`); not there in a history of a version that knew one alone.
    case countryDaysRule = "country_days_rule"
    /// Whose days they are; not there before the first clean-up, and in a history of a version that had UTC's alone.
    case countryDaysZone = "country_days_zone"
    /// The zone that they had before, while they are derived anew by those of another.
    case countryDaysFormerZone = "country_days_former_zone"
    /// Up to which moment they had been derived by those of the zone before the last change; not there before the first.
    case countryDaysFormerUntil = "country_days_former_until"
    /// By which zone's days alerts were last judged; not there in a history of a version that looked for newcomers by UTC's.
    case judgedZone = "alerts_judged_in_zone"
    /// How often checks that were recorded before came to count otherwise, as `CountryDayRow` writes it.
    case countryDayRulings = "country_day_rulings"
    /// The newest check that a version may have recorded which took a place that it could not name for another app's.
    case misnamedThrough = "misnamed_places_through_check"
    /// By which rule texts of listings are taken for nothing (`Schema.renewTexts`); not there in a history of a version
    /// that knew blanks alone.
    case listingTextsRule = "listing_texts_rule"
    /// Queries of which names of pairs stand for other apps than when their places were recorded, as `Derivation` reads it.
    case misplaced = "queries_to_place"
    /// Seconds that lists are kept; not there where they are for ever.
    case keepLists = "keep_lists_seconds"
    /// Seconds that failed checks are kept; 0 for ever, not there in a history of before there was a choice.
    case keepFailures = "keep_failures_seconds"
    /// From when on every list is kept: some of the older ones were dropped. Not there where all are kept.
    case listsSince = "lists_since"
    /// How many lists the last clean-up found damaged that the one before did not; not there where none.
    case newDamage = "last_housekeeping_new_damage"
    case timeZone = "time_zone"
    /// How keenly moves are told from wobble; not there in a history of before there was a choice.
    case sensitivity
    case requestsPerMinute = "requests_per_minute"
    case parallelism
    case adoptedAt = "adopted_at"
    /// When a watchlist was refused that is newer than the one in force; not there where none was.
    case refusedAt = "refused_at"
    case refusal
    /// Since when the service runs; not there once it was stopped.
    case serviceSince = "service_since"
    /// When it was stopped; not there while it runs, and once somebody asks by `--once` instead.
    case serviceStopped = "service_stopped_at"
    /// Its last heartbeat.
    case serviceSeen = "service_seen_at"
    /// Searches that left no check, of passes that did not tell how many they made, as `UnfinishedRequests` writes it.
    case unfinishedRequests = "unfinished_requests"
    /// When the first of the look-ups failed, or the first pause of their endpoint began, since one was answered; not there
    /// where none has, and in a history of a version that only counted them.
    case lookupsFailingSince = "lookups_failing_since"
    /// Results that waited until the file could be written, as `WaitedResults` writes it.
    case waitedResults = "waited_results"
    /// Which checks were imported, as `RecordedOrder` reads it.
    case imports
    /// By which zones' days other tools' tables were imported, as `TableDays` writes it; not there where by UTC's alone.
    case tableZones = "table_day_zones"
    /// From when on checks do not count, because the clock has not got there; not there where all count.
    case countedUntil = "checks_counted_until"
    /// When the newest check began that counts; not there in a history in which checks went by the order of recording.
    case newestCounted = "newest_counted_check_at"
    /// Queries whose standings are to be derived anew, as `Derivation` reads it.
    case underived
    /// Queries of which other checks count now than when they were derived, as `CountedChecks` reads it.
    case uncounted = "queries_to_count"
    /// Pairs whose older positions were deleted, as `PrunedPairs` reads it.
    case prunedPairs = "pruned_pairs"
    /// Seconds between the service's own backups; not there where the watchlist wants none.
    case backupEvery = "backup_every"
    case backupWantedSince = "backup_wanted_since"
    case lastBackup = "last_backup_at"
    /// The name of the newest of them in which no lists are damaged.
    case soundBackup = "last_sound_backup"
    /// How many lists in the newest backup are damaged; not there if it is of a version that did not note that.
    case backupDamage = "last_backup_damage"
    /// How many of these were not in the backup before it; not there where none.
    case newBackupDamage = "last_backup_new_damage"
    case backupFailedAt = "backup_failed_at"
    case backupFailure = "backup_failure"
    /// Until when each channel of alerts is to be left alone, or what failed there holds up the rest, as `ChannelHold` writes
    /// it.
    case channelHolds = "alert_holds"

    func integer(in database: Database) throws -> Int64? { try read(in: database) }

    /// A number from 1.
    func positive(in database: Database) throws -> Int? {
        let number: Int? = try read(in: database)
        if let number, number < 1 { throw misfit("a number from 1") }
        return number
    }

    func moment(in database: Database) throws -> Timestamp? { try read(in: database) }

    func text(in database: Database) throws -> String? { try read(in: database) }

    /// The ids of some queries.
    func queries(in database: Database) throws -> Set<Int64> {
        Set(try text(in: database)?.split(separator: " ").compactMap { Int64($0) } ?? [])
    }

    func set(queries: Set<Int64>, in database: Database) throws {
        try set(queries.isEmpty ? nil : queries.sorted().map(String.init).joined(separator: " "), in: database)
    }

    private func read<Value: StoredValue>(in database: Database) throws -> Value? {
        let row = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [rawValue]
        ).next()
        guard let row else { return nil }
        guard let value = Value(stored: row.value(0).storage) else { throw misfit(Value.kind) }
        return value
    }

    private func misfit(_ kind: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "setting \(rawValue): \(kind) belongs there")
    }

    func set(_ value: (any DatabaseValueConvertible)?, in database: Database) throws {
        guard let value else {
            try database.cachedStatement(sql: "DELETE FROM setting WHERE name = ?").execute(arguments: [rawValue])
            return
        }
        try database.cachedStatement(
            sql: "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        ).execute(arguments: [rawValue, value])
    }
}
