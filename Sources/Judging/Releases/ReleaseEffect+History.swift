package import Foundation
package import History
package import RankKit

extension ReleaseEffect {
    /// - Parameters:
    ///   - filter: which of the queries that the release touched count, and in which countries and on which platforms
    ///     anything does. The apps that it names are not looked at.
    ///   - zone: whose days the watchlist's notes mean.
    ///   - wanted: days on each side, 1 or more.
    ///   - until: nothing later is looked at; `now` if it is `nil`.
    package init(
        of release: AppRelease, filter: PairFilter = PairFilter(), days wanted: Int64 = Self.defaultDays,
        from reader: HistoryReader, zone: TimeZone, until: Timestamp? = nil, now: Timestamp
    ) throws(HistoryError) {
        let day = release.day(in: reader.days)
        let today = reader.days.day(of: min(until ?? now, now))
        var (filter, wide) = (filter, filter)
        filter.apps = []
        // What the touched queries are set against does not have their words or tags.
        (wide.apps, wide.queries, wide.tags) = ([], [], [])
        let watched = try WatchedApps(reader)
        let own = try reader.releases(of: release.bundleID, machineZone: zone)
        let roles = ReleaseRoles(release)
        let all = try reader.pairDays(wide, days: (day - wanted)...max(day, min(day + wanted, today)), until: until)
            .filter { !$0.query.source.isImported }
        let ownPairs = all.filter { $0.bundleID == release.bundleID }
        let touched = ownPairs.filter { pair in
            (roles.role(of: pair.query).map { !$0.isControl } ?? false)
                && filter.admits(query: pair.query, bundleID: pair.bundleID, alias: pair.alias, tags: pair.tags)
        }
        let window = Window(
            around: day, wanted: wanted, today: today, first: touched.compactMap { $0.days.elements.first?.day }.min(),
            others: own.filter { $0.source == .note && $0.at != release.at }.map { ($0.day(in: reader.days), $0) })
        let queries = Set(touched.map(\.query))
        var names = AppTitles(watched, reader)
        var pairs = try Self.pairs(of: all, release, roles, on: queries, window, &names)
        if let after = window.after {
            try pairs.judge(
                wide, of: release.bundleID, on: day...after.upperBound, until: until ?? now, now: now, from: reader)
        }
        let comparisons = Self.comparisons(pairs)
        let span = window.before.flatMap { before in window.after.map { before.lowerBound...$0.upperBound } }
        let stores = Set(touched.map(\.query.store))
        let tracked = try reader.queries(tracking: release.bundleID).filter { !$0.source.isImported }
        let texts = Set(tracked.map(\.folded))
        let isTouched = tracked.contains { query in roles.role(of: query).map { !$0.isControl } ?? false }
        self.init(
            generatedAt: now, app: try names[release.bundleID, in: touched.first?.query.country], release: release,
            day: day, window: window, pairs: pairs, comparisons: comparisons,
            finding: Finding(window, pairs, comparisons.first, isTouched: isTouched),
            untracked: (release.added + release.removed).filter { !texts.contains(Query.fold($0)) },
            unclear: ownPairs.map(\.query).filter { roles.role(of: $0) == nil },
            events: try Self.events(
                besides: release, in: span ?? day...day, zone: zone, queries: queries, all: all, reader, &names),
            weather: try StoreWeather.of(
                span ?? day...day, until: until ?? now, now: now, in: stores, from: reader),
            isFiltered: filter != PairFilter())
    }

    /// The pairs that count, by their roles: those of the app first.
    ///
    /// - Parameter queries: those that the release touched.
    private static func pairs(
        of all: [PairDays], _ release: AppRelease, _ roles: ReleaseRoles, on queries: Set<Query>, _ window: Window,
        _ names: inout AppTitles
    ) throws(HistoryError) -> [Pair] {
        var pairs: [Pair] = []
        for pair in all {
            let role: Role?
            if pair.bundleID == release.bundleID {
                role = roles.role(of: pair.query).flatMap { $0.isControl || queries.contains(pair.query) ? $0 : nil }
            } else {
                role = queries.contains(pair.query) ? .rival : nil
            }
            guard let role else { continue }
            pairs.append(
                Pair(
                    role: role, query: pair.query, app: try names[pair.bundleID, in: pair.query.country],
                    before: pair.readings(window.before), after: pair.readings(window.after)))
        }
        let order = Dictionary(uniqueKeysWithValues: Role.allCases.enumerated().map { ($1, $0) })
        return pairs.enumerated().sorted {
            (order[$0.element.role] ?? 0, $0.offset) < (order[$1.element.role] ?? 0, $1.offset)
        }.map(\.element)
    }

    /// What the note is about first, by both controls at once and by each; then what it gave up.
    private static func comparisons(_ pairs: [Pair]) -> [Comparison] {
        let controls = Role.allCases.filter { role in role.isControl && pairs.contains { $0.role == role } }
        return [Role.added, .removed, .every].flatMap { treated in
            let sets = controls.count > 1 ? [controls] + controls.map { [$0] } : [controls]
            return sets.compactMap { Comparison(treated, against: $0, pairs) }
        }
    }

    /// Versions and notes of the app, of those that it is compared with, and of nobody.
    private static func events(
        besides release: AppRelease, in days: ClosedRange<Int64>, zone: TimeZone, queries: Set<Query>,
        all: [PairDays], _ reader: HistoryReader, _ names: inout AppTitles
    ) throws(HistoryError) -> [Event] {
        let country = queries.map(\.country).min()
        let rivals = Set(all.filter { queries.contains($0.query) }.map(\.bundleID))
        var events: [Event] = []
        for other in try reader.releases(machineZone: zone)
        where days.contains(other.day(in: reader.days)) && (rivals.contains(other.bundleID) || other.source == .note) {
            let isOwn = other.bundleID == release.bundleID
            if other == release { continue }
            if isOwn, let version = other.version, release.isVersion(version), other.source == .sighting { continue }
            events.append(
                Event(
                    at: other.at, app: try names[other.bundleID, in: country], version: other.version,
                    text: other.text, isOwn: isOwn))
        }
        for note in try reader.notes() where note.bundleID == nil {
            guard let day = note.day(in: zone), days.contains(reader.days.day(of: day.lowerBound)) else { continue }
            events.append(Event(at: day.lowerBound, app: nil, version: note.version, text: note.text, isOwn: false))
        }
        return events.sorted { $0.at < $1.at }
    }
}

extension ClosedRange<Timestamp> {
    var middle: Timestamp { lowerBound + (upperBound - lowerBound) / 2 }
}

extension PairDays {
    /// Of the days in `span`, oldest first.
    fileprivate func readings(_ span: ClosedRange<Int64>?) -> [Reading] {
        span.map { $0.compactMap { days[$0] } } ?? []
    }
}
