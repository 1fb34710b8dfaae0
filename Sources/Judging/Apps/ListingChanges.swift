package import History
package import RankKit

/// What a storefront has told one after the other; what an answer left out is no value.
package struct ToldValues<Value> {
    /// Since when, `nil` for the first, of which nobody knows.
    package var values: [(since: Timestamp?, value: Value)]

    /// Days within which the same change comes a second time only where two of Apple's servers, or a phone's answer and a
    /// Mac's, take turns.
    private static var turns: Int64 { 30 }

    /// What was seen first is no change, nor is what only looks otherwise.
    ///
    /// - Parameters:
    ///   - key: by what values are told apart.
    ///   - settled: whether the same change is left out where it comes again so soon that it is none.
    package func changes<Key: Hashable>(
        by key: (Value) -> Key, settled: Bool
    ) -> [(at: Timestamp, from: Value, to: Value)] {
        var last: [[Key]: Timestamp] = [:]
        return zip(values, values.dropFirst()).compactMap { before, after in
            let keys = [key(before.value), key(after.value)]
            guard let at = after.since, keys[0] != keys[1] else { return nil }
            defer { last[keys] = at }
            if settled, let earlier = last[keys], at - earlier <= Self.turns * Timestamp.secondsPerDay { return nil }
            return (at, before.value, after.value)
        }
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
        for value in values[part, default: []] {
            if let text = value.text, !text.isEmpty { told.values.append((value.since, text)) }
        }
        return told
    }

    /// Prices with the currency of their time: a storefront can change to another one.
    package var prices: ToldValues<AppPrice> {
        let (amounts, currencies) = (values[.price, default: []], values[.currency, default: []])
        var told = ToldValues<AppPrice>(values: [])
        for moment in Set((amounts + currencies).map(\.since)).sorted(by: { ($0 ?? .first) < ($1 ?? .first) }) {
            guard let amount = amounts.text(at: moment).flatMap({ Double($0) }) else { continue }
            told.values.append((moment, AppPrice(amount, currencies.text(at: moment))))
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

extension [ListingPast.Value] {
    fileprivate func text(at moment: Timestamp?) -> String? {
        last { ($0.since ?? .first) <= (moment ?? .first) }?.text
    }
}

extension Timestamp {
    /// Before everything that a check could be dated to.
    fileprivate static let first = Timestamp(secondsSinceEpoch: .min)
}
