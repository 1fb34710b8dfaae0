import Algorithms
import Foundation
import History
import Judging
import RankKit

extension Digest {
    /// - Parameters:
    ///   - filter: which pairs the digest is about, and so which queries and apps.
    ///   - since: `nil` for `defaultDays` before `until`.
    ///   - until: `now` if it is `nil` or later. The state of the service is always that of `now`.
    ///   - zone: whose days the watchlist's notes mean.
    ///   - unit: what systemd says of the service, as for `Status`.
    ///   - sensitivity: how keenly moves are told from wobble; `nil` for the watchlist's.
    init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, zone: TimeZone, unit: ServiceUnit? = nil, now: Timestamp,
        sensitivity: Sensitivity? = nil
    ) throws(HistoryError) {
        let until = min(until ?? now, now)
        let since = min(since ?? until - Self.defaultDays * Timestamp.secondsPerDay, until)
        let judged = try JudgedPairs(
            from: reader, since: since.reportDay, until: until, now: now, sensitivity: sensitivity)
        let all = judged.ordered
        let told = all.filter { filter.admits(query: $0.query, bundleID: $0.bundleID, alias: $0.alias, tags: $0.tags) }
        let queries = Set(told.map(\.query))
        let watched = try WatchedApps(reader)
        let mine = told.filter(\.isMine)
        let top = try Self.topTen(mine, filter, since: since, until: until, now: now, watched, reader)
        let isWhole = filter == PairFilter()
        let apps = isWhole ? nil : Set(all.filter { queries.contains($0.query) }.map(\.bundleID))
        var names = AppTitles(watched, reader)
        let movers = try Movers(
            judged, from: reader, filter: filter,
            since: min(since, until - Movers.defaultDays * Timestamp.secondsPerDay), widens: true, until: until,
            now: now)
        self.init(
            generatedAt: now, since: since, until: until, pairs: mine.count, movers: movers,
            entered: top.named, newcomers: Array(top.newcomers.prefix(Self.mostNewcomers)),
            unshownNewcomers: max(0, top.newcomers.count - Self.mostNewcomers),
            versions: try Self.versions(since: since, until: until, of: apps, zone: zone, reader, &names),
            notes: try Self.notes(since: since, until: until, of: apps, zone: zone, reader, &names),
            checks: try reader.checks(in: since...until).filter { queries.contains($0.query) },
            requests: isWhole && !reader.isNarrowed ? try reader.requests(in: since...until, of: .usual) : nil,
            status: try Status(from: reader, of: isWhole ? nil : queries, unit: unit, now: now))
        unshownCandidates = top.newcomers.dropFirst(Self.mostNewcomers).count(where: \.isCandidate)
        damaged = top.damaged
        for change in try reader.bundleChanges(since: since, until: until)
        where apps?.contains(change.bundleID) ?? true {
            renamed.append(Renamed(app: try names[change.bundleID, in: nil], change: change))
        }
        self.told = try ToldMoves(movers, before: since, filter: filter, now: now, reader)
        losses = try Fall.of(fresh, from: reader)
        var earlier = still
        earlier.rows = Array(
            MoversReport.farthestFirst(earlier.rows.filter { $0.loss != nil }).prefix(MoversReport.mostLosses))
        earlierLosses = try Fall.of(earlier, withPassers: false, from: reader)
    }

    /// Who has come among the first ten: the watchlist's apps, and others.
    private static func topTen(
        _ mine: [PairDays], _ filter: PairFilter, since: Timestamp, until: Timestamp, now: Timestamp,
        _ watched: WatchedApps, _ reader: HistoryReader
    ) throws(HistoryError) -> (named: [Newcomer], newcomers: [Newcomer], damaged: [DamagedLists]) {
        let pairs = mine.filter { !$0.query.source.isImported }.uniqued(on: \.query)
        let queries = Set(pairs.map(\.query))
        var (entries, unread) = try reader.topEntries(of: queries, first: Newcomer.top, since: since, at: until)
        var damaged: [DamagedLists] = []
        for moment in [since, until] {
            let more = try reader.damagedLists(of: unread, at: moment)
            damaged += more.filter { !damaged.contains($0) }
        }
        // Lists that say nothing about their moment any more are not compared.
        for pair in pairs {
            guard let found = entries[pair.query] else { continue }
            func isStale(_ list: Timestamp, at moment: Timestamp) -> Bool {
                list < Reading.window(before: moment, days: 0, cadence: pair.cadence).lowerBound
            }
            if isStale(found.before, at: since) || isStale(found.at, at: until) { entries[pair.query] = nil }
        }
        let order = pairs.map(\.query)
        let named = try entered(
            on: order, filter, entries, since: since, until: until, now: now, watched, reader)
        return (named, [Newcomer](on: order, entries, named: Set(watched.all.map(\.bundleID))), damaged)
    }

    /// A version counts when it becomes known: Apple's date of it may be older.
    private static func versions(
        since: Timestamp, until: Timestamp, of apps: Set<BundleID>?, zone: TimeZone, _ reader: HistoryReader,
        _ names: inout AppTitles
    ) throws(HistoryError) -> [Version] {
        var versions: [Version] = []
        for release in try reader.releases(machineZone: zone)
        where release.version != nil && apps?.contains(release.bundleID) ?? true {
            let known = release.confirmedAt ?? release.seenAt ?? release.at
            guard since < known, known <= until else { continue }
            versions.append(Version(app: try names[release.bundleID, in: nil], release: release))
        }
        return versions.enumerated().sorted { left, right in
            let (a, b) = (left.element.app.mark != .mine, right.element.app.mark != .mine)
            return a == b ? left.offset < right.offset : !a
        }.map(\.element)
    }

    /// Those of every day that these days touch: a note is often written later than its day begins.
    private static func notes(
        since: Timestamp, until: Timestamp, of apps: Set<BundleID>?, zone: TimeZone, _ reader: HistoryReader,
        _ names: inout AppTitles
    ) throws(HistoryError) -> [DayNote] {
        var notes: [DayNote] = []
        for note in try reader.notes() {
            guard let day = note.day(in: zone), day.overlaps(since...until) else { continue }
            guard let bundleID = note.bundleID else {
                notes.append(DayNote(note: note, app: nil))
                continue
            }
            if let apps, !apps.contains(bundleID) { continue }
            notes.append(DayNote(note: note, app: try names[bundleID, in: nil]))
        }
        return notes.enumerated().sorted {
            ($0.element.note.on, $0.offset) < ($1.element.note.on, $1.offset)
        }.map(\.element)
    }
}
