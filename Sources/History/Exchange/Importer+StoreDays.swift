import Foundation
import GRDB
import RankKit

/// Days of stores.
extension Importer {
    /// What is known of them while a file is read.
    struct StoreDays {
        /// What the file's watchlist says.
        var planZone: String?
        /// How many were not taken.
        var left = 0
        private var zones: Zones?
        private var planZones: (here: ZoneDays, there: ZoneDays)?

        private struct Zones {
            let here: String
            /// `nil` if it cannot be told.
            let there: String?
        }
    }

    /// Only a day that is not there, and where lists are missing here too. It is counted anew from the checks; how far
    /// apps moved stays as it is told here. A day of another zone than this history counts is not taken: under its date
    /// other checks count here.
    mutating func take(_ line: ExchangeLine.CountryDay, _ database: Database) throws {
        guard let country = Country(code: line.country) else { throw Unfitting(what: "has a country that cannot be") }
        let store = Store(try Self.source(line.source), in: country)
        guard line.day.magnitude <= Self.lastDay else { throw Unfitting(what: "has a day that cannot be") }
        guard let since = try Setting.listsSince.integer(in: database),
            CountryDayRow.needs(line.day, of: try CountryDayRow.zone(in: database), listsSince: since)
        else { return }
        let known = try CountryDayRow.all(line.day...line.day, of: store, in: database)
        guard known.isEmpty else { return }
        guard try storeDays.are(of: header?.countryDaysZone, in: database) else {
            storeDays.left += 1
            return
        }
        var day = CountryDay(store: store, day: line.day)
        (day.queries, day.good, day.suspect, day.failed) = (line.queries, line.good, line.suspect, line.failed)
        day.moves.compared = line.compared
        (day.moves.apps, day.moves.entered, day.moves.left) = (line.apps, line.entered, line.left)
        if let median = line.median {
            day.moves.spread = .init(
                lowerQuartile: line.lowerQuartile ?? median, median: median,
                upperQuartile: line.upperQuartile ?? median,
                ninthDecile: line.ninthDecile ?? median)
        }
        try CountryDayRow.insert(day, in: database)
        try CountryDayRow.noteChange(of: store, on: line.day, in: database)
    }

    /// Some millions of years: a day's seconds can be counted.
    private static let lastDay: UInt64 = 1 << 32
}

extension Importer.StoreDays {
    /// By whose days each of the two histories says when it saw an app last: those of their watchlists' zones.
    mutating func zones(in database: Database) throws -> (here: ZoneDays, there: ZoneDays) {
        if let planZones { return planZones }
        let zones = (here: try CountryDayRow.wantedZone(in: database), there: ZoneDays(kept: planZone))
        planZones = zones
        return zones
    }

    /// The day of this history's that a day of the file's is on which an app was seen last. Where the two zones differ,
    /// that is the one in which it begins: nobody saw the app later than is known.
    mutating func lastSeenDay(_ day: Int64, in database: Database) throws -> Int64 {
        let (here, there) = try zones(in: database)
        return here.name == there.name ? day : here.day(of: there.start(of: day))
    }

    /// Whether the file's days are those that this history counts. A history that has none yet counts the file's, until the
    /// clean-up takes up the watchlist's zone.
    ///
    /// - Parameter told: what the header says of the zone.
    fileprivate mutating func are(of told: String?, in database: Database) throws -> Bool {
        let zones = try self.zones ?? settle(told, in: database)
        self.zones = zones
        return zones.here == zones.there
    }

    private func settle(_ told: String?, in database: Database) throws -> Zones {
        let here = try CountryDayRow.zoneName(in: database)
        let there = told ?? earlierZone
        let hasNone =
            try CountryDayRow.lastDay(in: database) == nil
            && !(Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM country_day)") ?? false)
        guard hasNone, here != there else { return Zones(here: here, there: there) }
        // Earlier versions knew no other days than UTC's, but for the last of them.
        let taken = there ?? ZoneDays.utc.name
        try Setting.countryDaysZone.set(taken, in: database)
        return Zones(here: taken, there: taken)
    }

    /// Whose days an export has that does not say: the version before this one counted those of its watchlist's zone, all
    /// before it UTC's.
    private var earlierZone: String? {
        guard let planZone else { return ZoneDays.utc.name }
        return TimeZone(identifier: planZone).flatMap { ZoneDays($0).isUTC ? ZoneDays.utc.name : nil }
    }

    /// What people are told of those that were not taken; `nil` if all were.
    var note: String? {
        guard left > 0, let zones else { return nil }
        let whose =
            zones.there.map { "the export counts days of stores in \($0)" }
            ?? "an earlier version made this export, which does not say in which zone it counts days of stores"
        return whose + ", this history counts them in \(zones.here): how far apps moved on \(left) "
            + "\(left == 1 ? "day" : "days") was not taken over, as the lists of that time were dropped"
    }
}
