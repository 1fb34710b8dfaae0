import History
import Judging
import RankKit

extension TimelineReport {
    /// What a table tells in one line.
    struct Line {
        /// The newest of those that it tells of.
        var event: Timeline.Event
        var countries: [Country]
        var text: String
    }

    /// One a happening, the newest first: an app's ratings of a week, its prices of a day, and its entries and exits of a
    /// day on one query stand together, in all their countries.
    var lines: [Line] {
        var order: [[Timeline.Event]] = []
        var places: [Together: Int] = [:]
        for event in timeline.events {
            guard let together = together(event) else {
                order.append([event])
                continue
            }
            if let place = places[together] {
                order[place].append(event)
            } else {
                places[together] = order.count
                order.append([event])
            }
        }
        return order.map(line)
    }

    /// What those have in common that stand in one line.
    private enum Together: Hashable {
        /// `days` is 0 for a week.
        case ratings(BundleID?, span: Int64, days: Int64)
        case prices(BundleID?, day: Int64)
        case passages(BundleID?, day: Int64, Timeline.Event.Kind, asked: String, Source)
    }

    private func together(_ event: Timeline.Event) -> Together? {
        let app = event.app?.bundleID
        switch event.what {
        case .ratings(let gain):
            // Weeks begin on Monday; 1970-01-01 was a Thursday.
            return isByWeek
                ? .ratings(app, span: (event.at.day + 3) / 7, days: 0)
                : .ratings(app, span: event.at.day, days: gain.days)
        case .price: return .prices(app, day: event.day)
        case .moved(let query, let move) where !event.countries.isEmpty:
            switch move.judgement {
            case .entered, .left:
                return .passages(app, day: event.day, event.kind, asked: wording.asked(query), query.source)
            case .real, .unconfirmed, .withinNoise, .notJudged: return nil
            }
        default: return nil
        }
    }

    /// - Parameter events: one at least; several have the same `together`.
    private func line(_ events: [Timeline.Event]) -> Line {
        let newest = events[0]
        let countries = Set(events.flatMap(\.countries)).sorted()
        let text =
            switch newest.what {
            case .ratings(let gain): Self.text(ofRatings: events, days: isByWeek ? 0 : gain.days)
            case .price where events.count > 1: Self.text(ofPrices: events)
            case .moved(let query, _) where events.count > 1: text(ofPassages: events, query)
            default: newest.text(wording)
            }
        return Line(event: newest, countries: countries, text: text)
    }

    private var wording: Timeline.Event.Wording {
        let platforms = Set(timeline.events.compactMap(\.query?.platform))
        return .brief(today: generatedAt.reportDay, hasSeveralPlatforms: platforms.count > 1)
    }

    // MARK: Ratings

    /// Longer than this, ratings are told week by week.
    private static let mostDays: Int64 = 14

    var isByWeek: Bool {
        timeline.until.reportDay - timeline.since.reportDay > Self.mostDays
            && timeline.events.contains { $0.kind == .ratings }
    }

    /// `+12: us +7, gb +5`.
    private static func text(ofRatings events: [Timeline.Event], days: Int64) -> String {
        let gains = events.compactMap { event -> (country: Country, gain: Timeline.RatingGain)? in
            guard case .ratings(let gain) = event.what, let country = event.countries.first else { return nil }
            return (country, gain)
        }
        let byCountry = Dictionary(grouping: gains) { $0.country }.mapValues { $0.reduce(0) { $0 + $1.gain.gained } }
        let total = byCountry.values.reduce(0, +)
        let time = days == 0 ? " in this week" : days > 1 ? " in \(days) days" : ""
        // Of one country the newest reading comes first.
        if byCountry.count == 1, let newest = gains.first?.gain {
            return "\(Timeline.signed(total))\(time), now \(Figures.grouped(newest.ratings))"
                + (newest.average.map { ", \(Figures.decimal($0, places: 2)) on average" } ?? "")
        }
        let most = byCountry.sorted { ($1.value.magnitude, $0.key) < ($0.value.magnitude, $1.key) }
        return "\(Timeline.signed(total))\(time): "
            + listed(most.map { "\($0.key) \(Timeline.signed($0.value))" })
    }

    /// Countries, prices and places that are named one by one.
    private static let mostPlaces = 6

    private static func listed(_ texts: [String]) -> String {
        texts.prefix(mostPlaces).joined(separator: ", ") + (texts.count > mostPlaces ? " …" : "")
    }

    // MARK: Prices, entries and exits

    /// `0.99 EUR, 0.99 USD → free`, `0.99 EUR → 1.99 EUR de, 0.99 USD → 1.99 USD us`.
    private static func text(ofPrices events: [Timeline.Event]) -> String {
        let changes = events.byCountry.compactMap { event -> (from: String, to: String, places: String)? in
            guard case .price(let from, let to) = event.what else { return nil }
            return (from.text, to.text, event.countries.map(\.code).joined(separator: ", "))
        }
        let ends = Set(changes.map(\.to))
        guard let end = ends.first, ends.count == 1 else {
            return listed(changes.map { "\($0.from) → \($0.to) \($0.places)" })
        }
        return listed(changes.map(\.from).unique) + " → " + end
    }

    /// `“mood journal” at #20 de, #18 gb`.
    private func text(ofPassages events: [Timeline.Event], _ query: Query) -> String {
        let places = events.byCountry.compactMap { event -> String? in
            guard case .moved(_, let move) = event.what, let place = move.to ?? move.from else { return nil }
            return "\(place) " + event.countries.map(\.code).joined(separator: ", ")
        }
        return "\(wording.asked(query)) \(events[0].kind == .left ? "from" : "at") " + Self.listed(places)
    }

    // MARK: What the app itself changed

    /// `version 5.2 and new screenshots on 28 Nov; 0.99 USD → free on 11 Nov`: the newest first; `nil` where it changed nothing.
    var ownChanges: String? {
        let own = lines.filter { $0.event.app != nil && $0.event.app == timeline.app && $0.event.what.isOwn }
        guard !own.isEmpty else { return nil }
        var days: [(day: Int64, changes: [String])] = []
        for line in own.prefix(Self.mostChanges) {
            let change = line.event.what.change ?? line.text
            if days.last?.day == line.event.day {
                if days[days.count - 1].changes.last != change { days[days.count - 1].changes.append(change) }
            } else {
                days.append((line.event.day, [change]))
            }
        }
        let today = generatedAt.reportDay
        let told = days.map { "\($0.changes.inWords) on \(DayNames.short($0.day, today: today))" }
        let more = own.count - Self.mostChanges
        return (told + (more > 0 ? ["\(Figures.grouped(more)) more before"] : [])).joined(separator: "; ")
    }

    /// Changes that are named one by one.
    private static let mostChanges = 6
}

extension Timeline.What {
    /// Whether it is what an app's maker did, and not what the watchlist notes of it.
    var isOwn: Bool {
        switch self {
        case .release(let release): release.version != nil
        case .renamed, .bundleID, .price, .icon, .screenshots: true
        case .note, .ratings, .moved, .back, .store, .checks: false
        }
    }

    /// In a sentence; `nil` for what its line says as well.
    fileprivate var change: String? {
        switch self {
        case .release(let release): release.version.map { "version \($0)" }
        case .renamed: "a new name"
        case .bundleID: "a new bundle ID"
        case .icon: "a new icon"
        case .screenshots: "new screenshots"
        case .note, .price, .ratings, .moved, .back, .store, .checks: nil
        }
    }
}

extension Timeline.Event {
    /// Of a move or a return.
    var query: Query? {
        switch what {
        case .moved(let query, _), .back(let query, _, _): query
        default: nil
        }
    }
}

extension [Timeline.Event] {
    /// In alphabetical order; of one country, the oldest first.
    fileprivate var byCountry: Self {
        sorted { ($0.countries.first?.code ?? "", $0.at) < ($1.countries.first?.code ?? "", $1.at) }
    }
}

extension [String] {
    /// Each once, in their order.
    fileprivate var unique: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}
