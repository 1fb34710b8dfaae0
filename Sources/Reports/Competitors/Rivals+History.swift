import History
import Judging
import RankKit

extension Rivals {
    /// Reads the newest good lists of `queries` and those of `since`.
    ///
    /// - Parameters:
    ///   - until: the moment that the report is about; `now` if it is `nil` or later.
    ///   - candidates: how many of the apps that are not listed are wanted.
    init(
        of bundleID: BundleID, on queries: [Query], since: Timestamp, until: Timestamp? = nil, candidates: Int,
        from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let until = min(until ?? now, now)
        let watched = try WatchedApps(reader)
        let own = try SoughtApp(bundleID, reader)
        var read: [(query: Query, list: NamedList, then: NamedList?)] = []
        var standings: [Standing] = []
        var lists = ReadableLists(reader)
        for query in queries {
            guard let list = try lists.good(on: query, at: until, tellingOf: [own]) else { continue }
            let then = try lists.good(on: query, since: since, until: until, beside: list, tellingOf: [own])
            read.append((query, list, then))
            standings.append(
                Standing(query: query, now: Reading(list.place(of: own)), then: then.map { Reading($0.place(of: own)) })
            )
        }
        var tally = try Tally(read.flatMap { [$0.list, $0.then].compactMap(\.self) }, reader)
        for (query, list, then) in read { tally.add(query, list, then, own: own) }
        let country = queries.first?.country
        let listed = watched[bundleID]?.competitors ?? []
        var shown: Set<ListedApp> = []
        var rows: [Row] = []
        let others = watched.all.filter { $0.isMine && $0.bundleID != bundleID && !listed.contains($0.bundleID) }
        for rival in listed + others.map(\.bundleID) {
            guard let country else { break }
            let holders = tally.holders(try SoughtApp(rival, reader))
            let isListed = listed.contains(rival)
            shown.formUnion(holders)
            guard isListed || holders.contains(where: { tally.rows[$0] != nil }) else { continue }
            rows.append(
                tally.row(
                    of: holders, app: try watched.reported(rival, namedIn: country, reader), isListed: isListed))
        }
        let strangers = tally.strongest(except: shown)
        let strongest = strangers.prefix(max(0, candidates))
        if let country {
            let numbers = strongest.compactMap { if case .numbered(let number) = $0 { number } else { nil } }
            let apps = try reader.apps(numbers, namedIn: country)
            for holder in strongest {
                let app: ReportedApp? =
                    switch holder {
                    case .numbered(let number): apps[number].map(watched.reported)
                    case .named(let bundleID): watched.reported(bundleID)
                    }
                guard let app else { continue }
                rows.append(tally.row(of: [holder], app: app, isListed: false))
            }
            self.init(
                generatedAt: now, app: try watched.reported(bundleID, namedIn: country, reader), since: since,
                until: until, standings: standings, rows: rows, unshown: strangers.count - strongest.count)
        } else {
            self.init(
                generatedAt: now, app: ReportedApp(bundleID: bundleID), since: since, until: until, standings: [],
                rows: [], unshown: 0)
        }
        damaged = lists.damaged
    }
}

extension Reading {
    init(_ place: StoredPlace) {
        self.init(position: place.position, within: place.within, checkedAt: place.head.at)
    }
}

/// What the lists say about each app in them.
private struct Tally {
    struct Count {
        var seen = 0
        var above = 0
        var inTop = 0
        var sharedTop = 0
        var best: Position?
        /// Queries by their turn.
        var overtook: [Rivals.Meeting] = []
        var fellBehind: [Rivals.Meeting] = []
    }

    /// By one number of each app, which stands for all that it has; of an app without one by its bundle identifier. Entries
    /// whose bundle identifier several apps had are not counted: nobody can say which of them it was.
    var rows: [ListedApp: Count] = [:]
    /// The number that stands for one of an app that has several.
    private let representatives: [DenseID: DenseID]

    /// - Parameter lists: all that are going to be added.
    init(_ lists: [NamedList], _ reader: HistoryReader) throws(HistoryError) {
        let numbers = Set(lists.flatMap { $0.list.places.compactMap(\.self) })
        representatives = try reader.otherNumbers(of: numbers).reduce(into: [:]) { known, app in
            known[app.key] = app.value.union([app.key]).min()
        }
    }

    /// All that the app is counted as.
    func holders(_ app: SoughtApp) -> Set<ListedApp> {
        Set(app.numbers.map { .numbered(representatives[$0] ?? $0) }).union([.named(app.bundleID)])
    }

    /// The first place of each app under any of its numbers.
    private func places(_ list: NamedList) -> [ListedApp: Position] {
        guard !representatives.isEmpty else { return list.firstPlaces }
        let places = list.firstPlaces.map { holder, position in
            guard case .numbered(let number) = holder else { return (holder, position) }
            return (.numbered(representatives[number] ?? number), position)
        }
        return Dictionary(places, uniquingKeysWith: min)
    }

    mutating func add(_ query: Query, _ list: NamedList, _ then: NamedList?, own app: SoughtApp) {
        let own = holders(app)
        let now = places(list)
        let before = then.map { places($0) }
        let mine = [own.compactMap { now[$0] }.min(), list.place(of: app).position].compactMap(\.self).min()
        let mineBefore = then.flatMap { then in
            [own.compactMap { before?[$0] }.min(), then.place(of: app).position].compactMap(\.self).min()
        }
        for holder in Set(now.keys).union(before?.keys ?? [:].keys) where !own.contains(holder) {
            let (place, placeBefore) = (now[holder], before?[holder])
            var count = rows[holder] ?? Count()
            if let place {
                count.seen += 1
                count.best = min(count.best ?? place, place)
                if now[holder].isAbove(mine) { count.above += 1 }
                if place.number <= Rivals.top {
                    count.inTop += 1
                    if let mine, mine.number <= Rivals.top { count.sharedTop += 1 }
                }
            }
            // Of an app that a place which could not be read may have been nothing is said.
            if let then, place != nil || list.isWhole, placeBefore != nil || then.isWhole {
                let meeting = Rivals.Meeting(
                    query: query, was: placeBefore, position: place, appWas: mineBefore, appPosition: mine)
                if mineBefore.isAbove(placeBefore), place.isAbove(mine) { count.overtook.append(meeting) }
                if placeBefore.isAbove(mineBefore), mine.isAbove(place) { count.fellBehind.append(meeting) }
            }
            if place != nil || !count.overtook.isEmpty || !count.fellBehind.isEmpty { rows[holder] = count }
        }
    }

    /// Those most often among the first come first, then those most often above the app.
    func strongest(except shown: Set<ListedApp>) -> [ListedApp] {
        rows.filter { !shown.contains($0.key) && $0.value.seen > 0 }
            .sorted { left, right in
                let (a, b) = (left.value, right.value)
                if (a.inTop, a.above) != (b.inTop, b.above) { return (a.inTop, a.above) > (b.inTop, b.above) }
                return a.best == b.best ? left.key < right.key : a.best.isAbove(b.best)
            }.map(\.key)
    }

    /// - Parameter holders: what the app is counted as.
    func row(of holders: Set<ListedApp>, app: ReportedApp, isListed: Bool) -> Rivals.Row {
        var row = Rivals.Row(app: app, isListed: isListed)
        guard let count = holders.compactMap({ rows[$0] }).max(by: { $0.seen < $1.seen }) else { return row }
        row.seen = count.seen
        row.above = count.above
        row.inTop = count.inTop
        row.sharedTop = count.sharedTop
        row.best = count.best
        row.overtook = count.overtook
        row.fellBehind = count.fellBehind
        return row
    }
}
