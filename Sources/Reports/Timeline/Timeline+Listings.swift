import History
import Judging
import RankKit

extension Timeline {
    /// What stores changed of what they say about an app. The same change in several of them, within two days, is told
    /// once.
    static func changes(of app: ReportedApp, in pasts: [ListingPast], _ span: ClosedRange<Timestamp>) -> [Event] {
        var found: [ListingChange] = []
        for past in pasts {
            func add(_ what: What, at: Timestamp) {
                guard span.contains(at) else { return }
                found.append(ListingChange(at: at, country: past.country, language: past.language, what: what))
            }
            for change in past.told(.name).changes(by: { $0 }, settled: true) {
                add(.renamed(from: change.from, to: change.to), at: change.at)
            }
            for change in past.told(.icon).changes(by: { Picture($0) }, settled: true) {
                add(.icon(from: change.from, to: change.to), at: change.at)
            }
            for change in past.told(.screenshots).changes(by: Picture.all, settled: true) {
                add(.screenshots(PictureChange(from: change.from, to: change.to)), at: change.at)
            }
            // A sale can come and go as often as it likes.
            for change in past.prices.changes(by: { $0 }, settled: false) {
                add(.price(from: change.from, to: change.to), at: change.at)
            }
        }
        return fold(found).map { Event(at: $0.at, .moment, app: app, countries: $0.countries, what: $0.what) }
    }

    private static let togetherWithin = 2 * Timestamp.secondsPerDay

    private static func fold(
        _ changes: [ListingChange]
    ) -> [(at: Timestamp, countries: [Country], what: What)] {
        var groups: [(at: Timestamp, places: [ListingChange], what: What)] = []
        for change in changes.sorted(by: { ($0.at, $0.country) < ($1.at, $1.country) }) {
            let group = groups.lastIndex { group in
                group.what.isSameHappening(as: change.what) && change.at - group.at <= togetherWithin
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
}

/// A change in one storefront.
private struct ListingChange {
    let at: Timestamp
    let country: Country
    let language: String?
    let what: Timeline.What
}

/// What a storefront has told one after the other; what an answer left out is no value.
private struct ToldValues<Value> {
    /// Since when, `nil` for the first, of which nobody knows.
    var values: [(since: Timestamp?, value: Value)]

    /// Days within which the same change comes a second time only where two of Apple's servers, or a phone's answer and a
    /// Mac's, take turns.
    private static var turns: Int64 { 30 }

    /// What was seen first is no change, nor is what only looks otherwise.
    ///
    /// - Parameters:
    ///   - key: by what values are told apart.
    ///   - settled: whether the same change is left out where it comes again so soon that it is none.
    func changes<Key: Hashable>(
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

extension ListingPast {
    fileprivate func told(_ part: Part) -> ToldValues<String> {
        var told = ToldValues<String>(values: [])
        for value in values[part, default: []] {
            if let text = value.text, !text.isEmpty { told.values.append((value.since, text)) }
        }
        return told
    }

    /// Prices with the currency of their time: a storefront can change to another one.
    fileprivate var prices: ToldValues<Timeline.Price> {
        let (amounts, currencies) = (values[.price, default: []], values[.currency, default: []])
        var told = ToldValues<Timeline.Price>(values: [])
        for moment in Set((amounts + currencies).map(\.since)).sorted(by: { ($0 ?? .first) < ($1 ?? .first) }) {
            guard let amount = amounts.text(at: moment).flatMap({ Double($0) }) else { continue }
            told.values.append((moment, Timeline.Price(amount, currencies.text(at: moment))))
        }
        return told
    }
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

extension Timeline.What {
    /// Whether two storefronts tell of the same: a picture's link is each storefront's own, as far as it differs.
    fileprivate func isSameHappening(as other: Self) -> Bool {
        switch (self, other) {
        case (.icon, .icon), (.screenshots, .screenshots): true
        default: self == other
        }
    }
}
