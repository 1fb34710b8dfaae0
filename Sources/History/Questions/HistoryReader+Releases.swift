package import Foundation
import GRDB
package import RankKit

extension HistoryReader {
    /// The releases of an app, of every app of the watchlist where `bundleID` is `nil`: oldest first, those of the same
    /// moment in the watchlist's order. A version has a row for each day on which a note names it, else one by what the
    /// store has shown. One that was there when the app was first seen, and that Apple gave no date, has none. At an earlier
    /// moment of the reader's there is none that was noted of a later day or shown later.
    ///
    /// - Parameter machineZone: whose days the notes mean where the watchlist names no time zone.
    package func releases(
        of bundleID: BundleID? = nil, machineZone: TimeZone
    ) throws(HistoryError) -> [AppRelease] {
        try read { database in
            let zone = try Setting.timeZone.text(in: database).flatMap { TimeZone(identifier: $0) } ?? machineZone
            var sightings = try Self.versions(of: bundleID, at: moment, in: database)
            var releases: [AppRelease] = []
            for note in try Self.notes(in: database) {
                guard let app = note.bundleID, bundleID == nil || bundleID == app, let day = note.day(in: zone),
                    moment.map({ day.lowerBound <= $0 }) ?? true
                else { continue }
                let noted = AppRelease(
                    bundleID: app, version: note.version, at: day.lowerBound, source: .note, text: note.text,
                    added: note.added, removed: note.removed)
                let same = releases.firstIndex { $0.isNoted(with: noted) }
                if let same { releases[same].add(noted) } else { releases.append(noted) }
            }
            for index in releases.indices {
                guard let version = releases[index].version else { continue }
                let key = VersionKey(releases[index].bundleID, version)
                releases[index].releasedAt = sightings[key]?.releasedAt
                releases[index].seenAt = sightings[key]?.seenAt
                releases[index].confirmedAt = sightings[key]?.confirmedAt
            }
            for noted in releases { noted.version.map { sightings[VersionKey(noted.bundleID, $0)] = nil } }
            releases += sightings.values.compactMap(AppRelease.init)
            return try releases.map { try $0.confirmed(in: database) }.sorted {
                ($0.at, $0.bundleID, $0.version ?? "") < ($1.at, $1.bundleID, $1.version ?? "")
            }
        }
    }

    /// Versions of the watchlist's apps that gave way to the one before them so soon that they are no releases, with when
    /// a storefront first showed each and when it was gone: nobody knew better in between.
    package func passingVersions() throws(HistoryError) -> [(
        bundleID: BundleID, version: String, seen: Timestamp, gone: Timestamp
    )] {
        try read { database in
            try Self.versionHistories(of: nil, at: moment, in: database).flatMap { app, history in
                history.passing(of: app).map {
                    (bundleID: app, version: $0.version, seen: $0.seen, gone: $0.gone)
                }
            }
        }
    }

    private static func versions(
        of bundleID: BundleID?, at moment: Timestamp?, in database: Database
    ) throws -> [VersionKey: VersionSighting] {
        var versions: [VersionKey: VersionSighting] = [:]
        for (app, history) in try versionHistories(of: bundleID, at: moment, in: database) {
            for sighting in history.sightings(of: app) {
                versions[VersionKey(app, sighting.version), default: sighting].add(sighting)
            }
        }
        return versions
    }

    private static func versionHistories(
        of bundleID: BundleID?, at moment: Timestamp?, in database: Database
    ) throws -> [(BundleID, VersionHistory)] {
        let counted = try PresentListing(in: database).moment
        let known = [moment, counted].compactMap(\.self).min()
        let end = try CountedChecks.newest(by: known?.secondsSinceEpoch ?? .max, in: database) ?? .min
        var arguments: StatementArguments = ["app": bundleID?.folded]
        if let moment { arguments += ["moment": moment.secondsSinceEpoch] }
        let changes = Dictionary(
            grouping: try Row.fetchAll(
                database, sql: Self.versionChanges(at: moment == nil ? nil : ":moment"), arguments: arguments
            ).map(VersionChange.init), by: \.listing)
        let rows = try Row.fetchAll(
            database, sql: moment == nil ? Self.listedVersions : Self.formerlyListedVersions, arguments: arguments)
        return try rows.compactMap { row in
            guard let app = try BundleID(row[2]) else { return nil }
            let listing = try ListingKey(app: row[0], storefront: row[1])
            let history = try VersionHistory(
                version: row[3], date: row[4], changes: changes[listing] ?? [], end: end)
            return (app, known.map { history.asOf($0.secondsSinceEpoch) } ?? history)
        }
    }

    /// The apps asked for; the cross join holds SQLite to going from these few to what is known of them.
    private static func wantedApps(at moment: String? = nil) -> String {
        """
        (SELECT DISTINCT app.id, \(moment.map(AppNames.shown(at:)) ?? AppNames.shown) AS bundle_id FROM app
            WHERE app.id IN (
                SELECT id FROM \(AppNames.holders(":app", at: moment))
                UNION SELECT held.id FROM watched_app
                    CROSS JOIN app AS held ON held.id IN \(AppNames.holders("watched_app.bundle_key", at: moment))
                    WHERE :app IS NULL)) AS wanted
        """
    }

    static let listedVersions = """
        SELECT listing.app, listing.storefront, wanted.bundle_id, listing.version, listing.version_released_at
        FROM \(wantedApps()) CROSS JOIN listing ON listing.app = wanted.id
        """

    /// Those of storefronts that had shown the app by then.
    private static let formerlyListedVersions = """
        SELECT listing.app, listing.storefront, wanted.bundle_id, listing.version, listing.version_released_at
        FROM (SELECT :moment AS moment) AS asOf CROSS JOIN \(wantedApps(at: ":moment"))
        CROSS JOIN listing ON listing.app = wanted.id
        JOIN app ON app.id = listing.app JOIN storefront ON storefront.id = listing.storefront
        WHERE \(FormerListing.isListed)
        """

    static let versionChanges = versionChanges(at: nil)

    private static func versionChanges(at moment: String?) -> String {
        """
        SELECT change.app, change.storefront, change.at, change.field = 'version', change.was
        FROM \(wantedApps(at: moment)) CROSS JOIN listing_change AS change ON change.app = wanted.id
        WHERE change.field IN ('version', 'version_released_at')
        ORDER BY change.at
        """
    }
}

extension AppRelease {
    fileprivate func isNoted(with other: AppRelease) -> Bool {
        bundleID == other.bundleID && at == other.at
            && version.map(Self.fold) == other.version.map(Self.fold)
    }

    /// Takes in another note of the same day.
    fileprivate mutating func add(_ note: AppRelease) {
        text += "; " + note.text
        added += note.added.filter { !added.contains($0) }
        removed += note.removed.filter { !removed.contains($0) }
    }

    /// With the moment of the check that showed that it had stayed.
    fileprivate func confirmed(in database: Database) throws -> AppRelease {
        guard let stayed = confirmedAt else { return self }
        var release = self
        release.confirmedAt =
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT min((SELECT min(at) FROM check_log WHERE check_log.query = query.id AND at >= ?)) FROM query
                        """), arguments: [stayed.secondsSinceEpoch]
            ).map(Timestamp.init(secondsSinceEpoch:)) ?? stayed
        return release
    }

    /// `nil` if the store has never told when.
    fileprivate init?(_ sighting: VersionSighting) {
        guard let at = sighting.releasedAt ?? sighting.seenAt else { return nil }
        self.init(
            bundleID: sighting.bundleID, version: sighting.version, at: at, source: .sighting,
            releasedAt: sighting.releasedAt, seenAt: sighting.seenAt)
        confirmedAt = sighting.confirmedAt
    }
}

private struct ListingKey: Hashable {
    let app: Int64
    let storefront: Int64
}

private struct VersionKey: Hashable {
    let bundleID: BundleID
    let version: String

    init(_ bundleID: BundleID, _ version: String) {
        self.bundleID = bundleID
        self.version = AppRelease.fold(version: version)
    }
}

/// A version as the storefronts have shown it.
private struct VersionSighting {
    let bundleID: BundleID
    let version: String
    /// Where several storefronts differ, the earliest.
    var releasedAt: Timestamp?
    var seenAt: Timestamp?
    /// When it was known to be a release; `nil` where it never had to stay for that.
    var toldAt: Timestamp?

    /// The same where that is later than `seenAt`.
    var confirmedAt: Timestamp? { toldAt.flatMap { told in seenAt.map { told > $0 } ?? false ? told : nil } }

    mutating func add(_ other: VersionSighting) {
        toldAt = [toldAt, other.toldAt].compactMap(\.self).min()
        releasedAt = [releasedAt, other.releasedAt].compactMap(\.self).min()
        seenAt = [seenAt, other.seenAt].compactMap(\.self).min()
    }
}

/// What `listing.version` or `listing.version_released_at` held until `at`.
private struct VersionChange {
    let listing: ListingKey
    let at: Int64
    let isVersion: Bool
    let was: String?

    init(_ row: Row) throws {
        listing = try ListingKey(app: row[0], storefront: row[1])
        at = try row[2]
        isVersion = try row[3]
        was = try row[4]
    }
}

/// The versions that one storefront has shown one after another.
private struct VersionHistory {
    /// As they are now.
    let version: String?
    let date: Int64?
    /// In order of time.
    let changes: [VersionChange]
    /// When the newest check began, in seconds.
    let end: Int64

    /// One that comes back is none: it was there before, or Apple dates it before the one that it follows.
    func sightings(of app: BundleID) -> [VersionSighting] {
        var lastDate: Int64?
        var known: Set<String> = []
        return settled.compactMap { version, start, toldAt in
            let date = self.date(after: start ?? firstTold)
            guard known.insert(AppRelease.fold(version: version)).inserted else { return nil }
            if let date, let lastDate, start != nil, date < lastDate { return nil }
            defer { lastDate = date ?? lastDate }
            // A date that the version before had as well, or that lies after the first sight, is another's.
            let isItsOwn = date != lastDate && start.map { date ?? .max <= $0 } ?? true
            return VersionSighting(
                bundleID: app, version: version,
                releasedAt: isItsOwn ? date.map(Timestamp.init(secondsSinceEpoch:)) : nil,
                seenAt: start.map(Timestamp.init(secondsSinceEpoch:)),
                toldAt: toldAt.map(Timestamp.init(secondsSinceEpoch:)))
        }
    }

    /// Those that are not among the `sightings` because they gave way, and that were when they were new.
    func passing(of app: BundleID) -> [(version: String, seen: Timestamp, gone: Timestamp)] {
        let versions = changes.filter(\.isVersion)
        guard versions.count > 1 else { return [] }
        func key(_ text: String?) -> String? { text.flatMap(AppDetails.plausible).map(AppRelease.fold) }
        let lasting = Set(settled.compactMap(\.start))
        var known = Set([key(versions[0].was)])
        return zip(versions, versions.dropFirst()).compactMap { change, next in
            let (start, end) = (change.at, next.at)
            // One that comes again is told once it has stayed.
            guard known.insert(key(next.was)).inserted, !lasting.contains(start),
                !hasStayed(from: start, to: end)
            else { return nil }
            let sighting = asOf(start).sightings(of: app).first { $0.seenAt?.secondsSinceEpoch == start }
            return sighting.map {
                ($0.version, Timestamp(secondsSinceEpoch: start), Timestamp(secondsSinceEpoch: end))
            }
        }
    }

    /// What was known of it at a moment.
    func asOf(_ moment: Int64) -> VersionHistory {
        let later = changes.filter { $0.at > moment }
        let (version, date) = (later.first(where: \.isVersion), later.first { !$0.isVersion })
        return VersionHistory(
            version: version.map(\.was) ?? self.version, date: date.map { $0.was.flatMap { Int64($0) } } ?? self.date,
            changes: changes.filter { $0.at <= moment }, end: min(end, moment))
    }

    /// From when on the first version was said, in seconds; `nil` if it was from the beginning.
    private var firstTold: Int64? {
        let versions = changes.filter(\.isVersion)
        guard let first = versions.firstIndex(where: { $0.was.flatMap(AppDetails.plausible) != nil }) else {
            return versions.last?.at
        }
        return first == 0 ? nil : versions[first - 1].at
    }

    /// The versions, with when each was first seen and when it was known to be one. Both are `nil` for the first that any
    /// answer said: nobody knows since when the app had it. One that had to stay is known once it has, or when another one
    /// follows it. What an answer left out is no version. One that gave way before is none until it has stayed.
    private var settled: [(version: String, start: Int64?, toldAt: Int64?)] {
        let versions = changes.filter(\.isVersion)
        var told: [(version: String, key: String, start: Int64?)] = (0...versions.count).compactMap { index in
            let version = index < versions.count ? versions[index].was : version
            return version.flatMap(AppDetails.plausible).map {
                ($0, AppRelease.fold(version: $0), index == 0 ? nil : versions[index - 1].at)
            }
        }
        // Answers before it may have left it out: that it was said from then on makes it no release.
        if !told.isEmpty { told[0].start = nil }
        var settled: [(version: String, key: String, start: Int64?, toldAt: Int64?)] = []
        var gaveWay: Set<String> = []
        for (index, run) in told.enumerated() {
            let next = told[index...].first { $0.key != run.key }
            if let last = settled.last {
                if last.key == run.key { continue }
                if let next, next.key == last.key, let start = run.start, let end = next.start,
                    !hasStayed(from: start, to: end)
                {
                    gaveWay.insert(run.key)
                    continue
                }
                if next == nil, gaveWay.contains(run.key), let start = run.start, !hasStayed(from: start, to: end) {
                    continue
                }
            }
            let toldAt = run.start.map { start in
                gaveWay.contains(run.key) ? min(stayed(from: start), next?.start ?? .max) : start
            }
            settled.append((run.version, run.key, run.start, toldAt))
        }
        return settled.map { ($0.version, $0.start, $0.toldAt) }
    }

    /// Whether what was shown from one moment to another, in seconds, was shown for long enough.
    private func hasStayed(from start: Int64, to end: Int64) -> Bool { stayed(from: start) <= end }

    /// From when on what was shown first at `start` has been shown for long enough, in seconds.
    private func stayed(from start: Int64) -> Int64 {
        let (moment, overflows) = start.addingReportingOverflow(ListingPast.secondsToStay)
        return overflows ? .max : moment
    }

    /// Apple's date as it stood right after `moment`, at the beginning where that is `nil`.
    private func date(after moment: Int64?) -> Int64? {
        let next = changes.first { !$0.isVersion && $0.at > moment ?? .min }
        guard let next else { return date }
        return next.was.flatMap { Int64($0) }
    }
}
