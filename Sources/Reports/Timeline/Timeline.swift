import Foundation
import History
import Judging
import RankKit

/// Everything that happened to an app: the value behind `rankctl report timeline`.
struct Timeline: Sendable {
    var generatedAt: Timestamp
    var since: Timestamp
    /// `generatedAt`, or an earlier moment.
    var until: Timestamp
    /// The zone of the moments that people are shown.
    var zone: TimeZone
    var app: ReportedApp
    /// Those that are told of beside it, in the watchlist's order.
    var competitors: [ReportedApp]
    /// When the first check showed the app; `nil` where none did.
    var firstSeen: Timestamp?
    /// Whether any query was checked in that time: if none was, nothing is known of it.
    var hasChecks: Bool
    /// Newest first.
    var events: [Event]

    init(
        generatedAt: Timestamp, since: Timestamp, until: Timestamp, zone: TimeZone = .gmt, app: ReportedApp,
        competitors: [ReportedApp] = [], firstSeen: Timestamp? = nil, hasChecks: Bool = true, events: [Event]
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.until = until
        self.zone = zone
        self.app = app
        self.competitors = competitors
        self.firstSeen = firstSeen
        self.hasChecks = hasChecks
        self.events = events.newestFirst
    }

    private static let defaultDays: Int64 = 90

    /// The beginning of the first day that is told of where nobody chose one.
    static func start(before until: Timestamp) -> Timestamp { .startOfReportDay(until.reportDay - defaultDays) }

    /// Something that happened.
    struct Event: Sendable, Hashable {
        var at: Timestamp
        var precision: Precision
        /// `nil` for what was nobody's: the store's doing, failed checks, a note on no app.
        var app: ReportedApp?
        /// In alphabetical order; none for what has nothing to do with a storefront.
        var countries: [Country]
        var what: What

        init(
            at: Timestamp, _ precision: Precision, app: ReportedApp?, countries: [Country] = [], what: What
        ) {
            self.at = at
            self.precision = precision
            self.app = app
            self.countries = countries
            self.what = what
        }
    }

    /// How exactly it is known when something happened.
    enum Precision: String, Sendable, Hashable, CaseIterable {
        /// What Apple dates it to, else the check that first showed it.
        case moment
        /// The day that the watchlist names, in its zone.
        case noted
        /// A day of the watchlist's zone.
        case day
    }

    enum What: Sendable, Hashable {
        /// A version, or a noted change without one.
        case release(AppRelease)
        /// What the watchlist notes of no app.
        case note(String)
        case renamed(from: String, to: String)
        /// Bundle identifiers.
        case bundleID(from: String, to: String)
        case price(from: AppPrice, to: AppPrice)
        /// Links.
        case icon(from: String, to: String)
        case screenshots(PictureChange)
        case ratings(RatingGain)
        /// As the newest day that confirmed it told it.
        case moved(Query, ConfirmedMove)
        /// It is where it was before that move again.
        case back(Query, ConfirmedMove, to: Position?)
        /// On a day of that zone; `nil` for the watchlist's: days of stores keep the zone before until they are counted anew.
        case store(StoreRemark.Kind, zone: String?)
        case checks(FailedDay)
    }

    /// How many ratings came in a storefront from one reading to the next.
    struct RatingGain: Sendable, Hashable {
        /// Below 0 where Apple took some away.
        var gained: Int64
        /// From the day of the reading before: 1 where that is the day before.
        var days: Int64
        var ratings: Int64
        var averageBefore: Double?
        var average: Double?
    }
}

extension Timeline.Event {
    enum Kind: String, Sendable, Hashable, CaseIterable {
        case version, note, name, price, icon, screenshots, ratings, moved, entered, left, back, shuffled
        case badDay = "bad-day"
        case failures, checks
    }

    var kind: Kind {
        switch what {
        case .release(let release): release.version == nil ? .note : .version
        case .note: .note
        case .renamed, .bundleID: .name
        case .price: .price
        case .icon: .icon
        case .screenshots: .screenshots
        case .ratings: .ratings
        case .moved(_, let move):
            switch move.way {
            case .up, .down: .moved
            case .entered: .entered
            case .left: .left
            }
        case .back: .back
        case .store(.shuffled, _): .shuffled
        case .store(.badDay, _): .badDay
        case .store(.failures, _): .failures
        case .checks: .checks
        }
    }
}

extension [Timeline.Event] {
    /// By day; within one, what belongs to all of it first. Of equals, the order that they come in stays.
    fileprivate var newestFirst: Self {
        let kinds = Dictionary(uniqueKeysWithValues: Timeline.Event.Kind.allCases.enumerated().map { ($1, $0) })
        return enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.day != other.day { return one.day > other.day }
            if (one.precision == .day) != (other.precision == .day) { return one.precision == .day }
            if one.at != other.at { return one.at > other.at }
            return (kinds[one.kind] ?? 0, left.offset) < (kinds[other.kind] ?? 0, right.offset)
        }.map(\.element)
    }
}

extension Timeline.Event {
    /// What is of a whole day has the day's name as its moment in UTC.
    var day: Int64 { precision == .day ? at.day : at.reportDay }
}
