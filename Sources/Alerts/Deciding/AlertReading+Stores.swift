import Foundation
import History
import Judging
import RankKit
import Reports

/// What stores say and do: weather, newcomers, versions, prices, names, apps that are not sold.
extension AlertReading {
    /// How the store was on a day is known once that day is over. What another source than the usual one shows of it is
    /// told beside its pairs alone: a country has one message a day.
    mutating func readWeather(_ weather: [StoreWeather]) {
        for store in weather where store.store.source == .usual {
            for day in store.days where day.day < store.zone.day(of: until) {
                let over = store.zone.start(of: day.day + 1)
                let on = zone.day(of: over)
                guard days.contains(on) else { continue }
                let what: (variant: String, text: String)
                if day.weather?.state == .stormy {
                    what = ("shuffled", "shuffled")
                } else if day.trouble == .badDay {
                    what = ("bad-day", "had a bad day: most lists were empty or far too short")
                } else {
                    continue
                }
                add(
                    AlertEvent(
                        kind: .weather, subject: .country(store.country), onset: day.day, variant: what.variant,
                        at: over, on: on, zone: store.zone.kept, facts: .text(what.text), isMine: false,
                        scope: countryScopes[store.country] ?? AlertScope()))
            }
        }
    }

    /// What has to be read of who came among the first places of lists.
    ///
    /// - Parameters:
    ///   - first: the first day whose lists have not been looked at; `nil` where that is not asked about, but for `waiting`.
    ///   - waiting: newcomers that are looked for on all days.
    func newcomerSearch(
        since first: Int64?, waiting: [ToldEvent]
    ) -> NewcomerSearch {
        let waiting = Set(queryScopes.keys.filter { query in waiting.contains { $0.isOfPair(on: query) } })
        let queries = (first == nil ? waiting : Set(queryScopes.keys)).sorted {
            ($0.folded, $0.country.code) < ($1.folded, $1.country.code)
        }
        let oldest = days.lowerBound
        let last = max(oldest, min(days.upperBound, zone.day(of: until) - 1))
        return NewcomerSearch(
            queries: queries, tops: wants.newcomerTops, days: oldest...last,
            first: max(oldest, first ?? last), until: until,
            waiting: waiting, watched: watched, scopes: queryScopes, starts: queryStart, zone: self.zone,
            isReplay: isReplay,
            reader: reader)
    }

    /// - Parameter machineZone: whose days notes mean where the watchlist names no zone.
    mutating func readApps(machineZone: TimeZone) throws(HistoryError) {
        let span = zone.start(of: days.lowerBound)...until
        if wants.wants(.release) {
            for release in try reader.releases(machineZone: machineZone) {
                guard let version = release.version, let seen = release.confirmedAt ?? release.seenAt,
                    span.contains(seen), let app = watched[release.bundleID], appScopes[app.bundleID] != nil
                else { continue }
                add(
                    try event(
                        .release, app, in: nil, at: seen, on: zone.day(of: seen),
                        variant: AppRelease.fold(version: version),
                        .change(from: nil, to: version)))
            }
            if isReplay { try readPassingVersions(span) }
        }
        guard wants.wants(.price) || wants.wants(.name) else { return }
        let changed = try reader.changedApps(since: span.lowerBound - ListingPast.secondsToStay)
        for app in watched.all where appScopes[app.bundleID] != nil && changed.contains(app.bundleID) {
            let pasts = try reader.listingPasts(of: app.bundleID)
            let changes = Self.changes(in: pasts, wants, of: app.bundleID, watched, until: until)
            guard isReplay else {
                for event in try shown(of: changes, app, on: days, until: until) { add(event) }
                continue
            }
            let confirmed = Set(changes.map { [zone] in zone.day(of: $0.what.confirmed(since: $0.at)) }).sorted()
            try add(on: confirmed, of: confirmed) { reading, day throws(HistoryError) in
                try reading.shown(
                    of: changes, app, on: day - AlertEvents.reach...day,
                    until: min(reading.until, reading.zone.end(of: day)))
            }
        }
    }

    /// Versions that were shown for so short a time that they are none: until then they were.
    private mutating func readPassingVersions(_ span: ClosedRange<Timestamp>) throws(HistoryError) {
        for passing in try reader.passingVersions()
        where span.contains(passing.seen) {
            let (seen, gone) = (zone.day(of: passing.seen), zone.day(of: passing.gone))
            guard gone > seen else { continue }
            guard let app = watched[passing.bundleID], appScopes[app.bundleID] != nil else { continue }
            var shown = try event(
                .release, app, in: nil, at: passing.seen, on: seen,
                variant: AppRelease.fold(version: passing.version), .change(from: nil, to: passing.version))
            shown.later = [.init(day: gone, event: nil)]
            add(shown)
        }
    }

    /// Those that were confirmed on `days`, of what storefronts had told by `until`.
    private mutating func shown(
        of changes: [StorefrontChange<Listed>], _ app: WatchedApp, on days: ClosedRange<Int64>, until: Timestamp
    ) throws(HistoryError) -> [AlertEvent] {
        var events: [AlertEvent] = []
        let span = zone.start(of: days.lowerBound)...until
        for change in foldedChanges(
            changes.filter { $0.what.confirmed(since: $0.at) <= until }, same: { $0.isSame(as: $1) })
        {
            let confirmed = change.what.confirmed(since: change.at)
            guard span.contains(confirmed) else { continue }
            let countries = appScopes[app.bundleID]?.countries ?? []
            guard !countries.isDisjoint(with: change.countries) else { continue }
            events.append(
                try event(
                    change.what.kind, app, in: change.countries, since: change.at, at: confirmed, on: days.upperBound,
                    variant: change.what.to, change.what.facts))
        }
        return events
    }

    /// What became of a listing, in words.
    fileprivate struct Listed: Hashable {
        var kind: AlertKind
        var from: String
        var to: String
        /// Whether these are bundle identifiers, which are of no country.
        var isOfBundleID = false
        /// When a check showed that it had stayed: another bundle identifier. `nil` if that follows from when it began.
        var stayedAt: Timestamp?
    }

    /// Prices and names that have stayed: what was sent cannot be taken back.
    private static func changes(
        in pasts: [ListingPast], _ wants: AlertWants, of app: BundleID, _ watched: WatchedApps, until: Timestamp
    ) -> [StorefrontChange<Listed>] {
        var found: [StorefrontChange<Listed>] = []
        for past in pasts {
            func add(_ what: Listed, at: Timestamp) {
                found.append(StorefrontChange(at: at, country: past.country, language: past.language, what: what))
            }
            if wants.wants(.name) {
                for change in past.told(.name).changes(
                    by: AppDetails.appearance, settled: true, until: until, waits: true)
                {
                    add(Listed(kind: .name, from: change.from, to: change.to), at: change.at)
                }
            }
            if wants.wants(.name) {
                for change in past.told(.bundleID).changes(by: { $0 }, settled: false, until: until) {
                    // If the watchlist has the app by both, the line with the new one tells of it.
                    if let new = BundleID(change.to), new != app, watched[new] != nil { continue }
                    add(
                        Listed(
                            kind: .name, from: change.from, to: change.to, isOfBundleID: true,
                            stayedAt: past.bundleIDsStayed[change.at]),
                        at: change.at)
                }
            }
            if wants.wants(.price) {
                for change in past.prices.changes(by: { $0 }, settled: false, until: until, waits: true) {
                    add(Listed(kind: .price, from: change.from.text, to: change.to.text), at: change.at)
                }
            }
        }
        return found
    }

    /// - Parameters:
    ///   - since: when it happened; `nil` if that is when it was known.
    ///   - day: of the look.
    private mutating func event(
        _ kind: AlertKind, _ app: WatchedApp, in countries: [Country]?, since: Timestamp? = nil, at moment: Timestamp,
        on day: Int64, variant: String, _ facts: AlertEvent.Facts
    ) throws(HistoryError) -> AlertEvent {
        var scope = appScopes[app.bundleID] ?? AlertScope()
        if let countries { scope.countries = Set(countries) }
        return AlertEvent(
            kind: kind, subject: .app(app.bundleID, nil), onset: zone.day(of: since ?? moment),
            sameWithin: kind == .release ? 30 : 2,
            variant: variant, at: moment, on: zone.day(of: moment), zone: zone.kept, facts: facts, isMine: app.isMine,
            watchedSince: appStart[app.bundleID],
            scope: scope,
            names: AlertEvent.Names(app: try title(app.bundleID, in: countries?.first, on: day)))
    }

    mutating func readUnknown() throws(HistoryError) {
        for (app, presence) in try reader.unknownApps() {
            guard let since = presence.emptySince, let newest = presence.emptyAt else { continue }
            // When later answers came is told no more.
            let at =
                presence.emptyAnswers == AppPresence.answersToBelieve ? newest : since + AppPresence.secondsToBelieve
            let on = zone.day(of: at)
            guard days.contains(on), at <= until else { continue }
            var scope = appScopes[app.bundleID] ?? AlertScope()
            scope.countries = [app.country]
            add(
                AlertEvent(
                    kind: .appUnknown, subject: .app(app.bundleID, app.country), onset: zone.day(of: since), at: at,
                    on: on, zone: zone.kept,
                    facts: .text(
                        presence.wasListed
                            ? AlertWords.leftTheStore
                            : "the store sells no such app: check the bundle ID"),
                    isMine: watched[app.bundleID]?.isMine ?? true, scope: scope,
                    names: AlertEvent.Names(app: try title(app.bundleID, in: app.country, on: on))))
        }
    }
}

extension AlertReading.Listed {
    /// Whether two storefronts tell of the same, as far as people can see.
    fileprivate func isSame(as other: Self) -> Bool {
        kind == other.kind && isOfBundleID == other.isOfBundleID && stayedAt == other.stayedAt
            && [from, to].map(AppDetails.appearance) == [other.from, other.to].map(AppDetails.appearance)
    }

    fileprivate var facts: AlertEvent.Facts {
        isOfBundleID ? .bundleID(from: from, to: to) : .change(from: from, to: to)
    }

    /// When it is told.
    fileprivate func confirmed(since moment: Timestamp) -> Timestamp {
        stayedAt ?? moment + ListingPast.secondsToStay
    }
}

extension AppPrice {
    fileprivate var text: String { Figures.price(amount, currency) }
}
