package import History
package import RankKit

/// What a storefront has told one after the other; what an answer left out is no value.
package struct ToldValues<Value> {
    /// Since when, `nil` for the first, of which nobody knows.
    package var values: [(since: Timestamp?, value: Value)]

    /// Days within which the same change comes a second time only where two of Apple's servers, or a phone's answer and a
    /// Mac's, take turns.
    private static var turns: Int64 { 30 }

    /// What was seen first is no change, nor is what only looks otherwise. A value that gave way within two days to
    /// the one before it (`ListingPast.secondsToStay`) is passed over: two of Apple's caches take turns, or it was a mistake.
    ///
    /// - Parameters:
    ///   - key: by what values are told apart.
    ///   - settled: whether the same change is left out where it comes again so soon that it is none.
    ///   - until: nothing that came later is looked at.
    ///   - waits: whether only what has stayed for two days is told. Otherwise the newest value is told at once, unless it
    ///     comes just after another one, or gave way before.
    package func changes<Key: Hashable>(
        by key: (Value) -> Key, settled: Bool, until: Timestamp, waits: Bool = false
    ) -> [(at: Timestamp, from: Value, to: Value)] {
        let runs = runs(by: key, until: until)
        guard var told = runs.first else { return [] }
        var last: [[Key]: Timestamp] = [:]
        var found: [(at: Timestamp, from: Value, to: Value)] = []
        var stayedBefore = true
        var gaveWay: Set<Key> = []
        for (index, run) in runs.enumerated().dropFirst() {
            let isNewest = index == runs.count - 1
            let end = isNewest ? until : runs[index + 1].since
            let hasStayed = end - run.since >= ListingPast.secondsToStay
            let passes = !hasStayed && !isNewest && givesWay(run, to: told, runs[(index + 1)...])
            if passes { gaveWay.insert(run.key) }
            // A newest one that comes just after another may be taking turns with it, and one that gave way does so again.
            let mayStay = isNewest ? stayedBefore && !gaveWay.contains(run.key) : !passes
            let counts = hasStayed || !waits && mayStay
            stayedBefore = hasStayed
            guard counts, told.key != run.key else { continue }
            let keys = [told.key, run.key]
            let earlier = last[keys]
            last[keys] = run.since
            if !settled || earlier.map({ run.since - $0 > Self.turns * Timestamp.secondsPerDay }) ?? true {
                found.append((run.since, told.value, run.value))
            }
            told = run
        }
        return found
    }

    /// Whether what was told before comes back so soon after `run` that this one has not stayed.
    private func givesWay<Key: Hashable>(_ run: Run<Key>, to told: Run<Key>, _ later: ArraySlice<Run<Key>>) -> Bool {
        later.prefix { $0.since - run.since < ListingPast.secondsToStay }.contains { $0.key == told.key }
    }

    private struct Run<Key: Hashable> {
        var since: Timestamp
        var value: Value
        var key: Key
    }

    /// The values up to `until`, those that look the same one after another as one.
    private func runs<Key: Hashable>(by key: (Value) -> Key, until: Timestamp) -> [Run<Key>] {
        var runs: [Run<Key>] = []
        for (since, value) in values where (since ?? .first) <= until {
            let key = key(value)
            if runs.last?.key != key { runs.append(Run(since: since ?? .first, value: value, key: key)) }
        }
        return runs
    }
}

/// What an app costs.
package struct AppPrice: Sendable, Hashable {
    package var amount: Double
    /// ISO 4217.
    package var currency: String?

    package init(_ amount: Double, _ currency: String?) {
        self.amount = amount
        self.currency = currency
    }
}

extension ListingPast {
    package func told(_ part: Part) -> ToldValues<String> {
        var told = ToldValues<String>(values: [])
        // Earlier versions kept any text.
        let plausible = part == .icon ? AppDetails.plausibleAddress : AppDetails.plausible
        for value in values[part, default: []] {
            if let text = value.text.flatMap(plausible) { told.values.append((value.since, text)) }
        }
        return told
    }

    /// Prices with the currency of their time: a storefront can change to another one. An amount that no answer gave a
    /// currency is in the next one's.
    package var prices: ToldValues<AppPrice> {
        let currencies = told(.currency).values
        let amounts = told(.price).values.compactMap { since, text in
            Double(text).flatMap { $0.isFinite && $0 >= 0 ? (since: since, value: $0) : nil }
        }
        var told = ToldValues<AppPrice>(values: [])
        // How many of each are there by then.
        var (amountsThere, currenciesThere) = (0, 0)
        for moment in Set((amounts + currencies.map { ($0.since, 0) }).map(\.since)).sorted(by: {
            ($0 ?? .first) < ($1 ?? .first)
        }) {
            func isThere(_ since: Timestamp?) -> Bool { (since ?? .first) <= (moment ?? .first) }
            while amountsThere < amounts.count, isThere(amounts[amountsThere].since) { amountsThere += 1 }
            while currenciesThere < currencies.count, isThere(currencies[currenciesThere].since) {
                currenciesThere += 1
            }
            guard amountsThere > 0 else { continue }
            let amount = amounts[amountsThere - 1]
            let currency = currenciesThere > 0 ? currencies[currenciesThere - 1] : currencies.first
            told.values.append((moment, AppPrice(amount.value, currency?.value.uppercased())))
        }
        return told
    }
}

/// A change in one storefront.
package struct StorefrontChange<What> {
    package let at: Timestamp
    package let country: Country
    package let language: String?
    package let what: What

    package init(at: Timestamp, country: Country, language: String?, what: What) {
        self.at = at
        self.country = country
        self.language = language
        self.what = what
    }
}

/// The same change in several storefronts, within two days, is told once.
///
/// - Parameter same: whether two storefronts tell of the same.
/// - Returns: in order of time; each when the first storefront told it, with the countries in alphabetical order.
package func foldedChanges<What>(
    _ changes: [StorefrontChange<What>], same: (What, What) -> Bool
) -> [(at: Timestamp, countries: [Country], what: What)] {
    let togetherWithin = 2 * Timestamp.secondsPerDay
    var groups: [(at: Timestamp, places: [StorefrontChange<What>], what: What)] = []
    for change in changes.sorted(by: { ($0.at, $0.country) < ($1.at, $1.country) }) {
        let group = groups.lastIndex { group in
            same(group.what, change.what) && change.at - group.at <= togetherWithin
                && !group.places.contains { $0.country == change.country && $0.language == change.language }
        }
        if let group {
            groups[group].places.append(change)
        } else {
            groups.append((change.at, [change], change.what))
        }
    }
    return groups.map { ($0.at, Set($0.places.map(\.country)).sorted(), $0.what) }
}

extension Timestamp {
    /// Before everything that a check could be dated to.
    fileprivate static let first = Timestamp(secondsSinceEpoch: .min)
}

/// Readings of how many ratings an app has, without those of a cache that was behind or ahead: after which the number came
/// back within two days.
///
/// - Parameter readings: of one number of Apple's in one country, by day.
package func settledRatings(_ readings: [RatingDay]) -> [RatingDay] {
    let daysToStay: Int64 = 2
    var kept: [RatingDay] = []
    for (index, reading) in readings.enumerated() {
        if let last = kept.last, reading.ratings != last.ratings {
            let soon = readings[(index + 1)...].prefix { $0.day - reading.day <= daysToStay }
            let comesBack = soon.contains {
                $0.ratings == last.ratings || reading.ratings < last.ratings && last.ratings <= $0.ratings
            }
            // The newest of all may be of a cache that is behind: it lies between what was told before.
            let mayComeBack =
                soon.isEmpty && reading.day == readings.last?.day && reading.ratings < last.ratings
                && (kept.dropLast().last.map { $0.ratings <= reading.ratings && last.day - $0.day <= daysToStay }
                    ?? false)
            if comesBack || mayComeBack { continue }
        }
        kept.append(reading)
    }
    return kept
}
