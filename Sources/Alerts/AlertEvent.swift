package import RankKit

/// Something that a message may tell of, as the history shows it.
package struct AlertEvent: Sendable, Hashable {
    package var kind: AlertKind
    /// What it is about, as far as other events may be about the same.
    package let topic: AlertTopic
    /// Days since 1970-01-01, in the watchlist's zone: the first of what happened. With `key` it is the event's identity.
    package var onset: Int64
    /// Whose day `onset` is (`ZoneDays.kept`): of what was told before the watchlist had its zone it stays what it was.
    package var zone: String?
    /// The day in the watchlist's zone that people are told for `onset`, if that is of another zone; else `nil`.
    package var since: Int64?
    /// How many days the onset of the same event may differ from one telling to the next: where a new place begins is
    /// told better as more readings come.
    package var sameWithin: Int64
    /// What tells it from others of its kind, subject and day, such as a version or a new price; empty for most.
    package var variant: String
    package var way: MoveDirection?
    /// How keenly it was told from wobble; `nil` for what needs no such judgement.
    package var sensitivity: Sensitivity?
    /// The first places that it is about; `nil` for the list.
    package var top: Int?
    /// Whether the store moved, the list, or the app alone, in words; `nil` for what is no loss of mine.
    package var context: String?
    /// Of the check that confirmed it.
    package var at: Timestamp
    /// The day of `at` in the watchlist's zone; `nil` for UTC's.
    private var zoneDay: Int64?
    package var facts: Facts
    /// `true` for one of mine.
    package var isMine: Bool
    /// Newest last, one a day.
    package var places: [AlertMessage.DayPlace]
    /// By which messages are sorted, the largest first: on `PositionScale` for moves, 0 where nothing measures it.
    package var size: Double
    /// Whether it began on a day on which the store of its country shuffled.
    package var isOfStorm: Bool
    /// How many dates later than `day` that day of the store has: another than 0 where it is of another zone.
    var stormDays: Int8 = 0
    /// The first day on which what it is about was under watch; `nil` for what always is.
    package var watchedSince: Int64?
    /// Of a move, or what came of one, the first day since which it is not confirmed any more: from then on it is told to
    /// nobody new. `nil` as long as it is confirmed, and for other events.
    package var lapsedOn: Int64?
    /// The first day on which it could be seen, if the past is looked at as it was and that is not the day of `at`.
    var seenOn: Int64?
    /// What there was to be told of it on later days, oldest first, if the past is looked at as it was.
    var later: [Later] = []

    struct Later: Sendable, Hashable {
        /// The first day on which it was so.
        let day: Int64
        /// `nil` if it was not to be told any more.
        let event: AlertEvent?
    }

    package enum Subject: Sendable, Hashable {
        case pair(Query, BundleID)
        /// Mine first.
        case rivals(Query, BundleID, BundleID)
        /// In a country; `nil` for all of them.
        case app(BundleID, Country?)
        case country(Country)
        /// A part of the service, in a word.
        case service(String)
        case digest
    }

    /// What happened, as a sentence of it is made.
    package enum Facts: Sendable, Hashable {
        /// From one usual place to another.
        case move(from: Position, to: Position, places: Int)
        /// Into the list or the first places; `from` is `nil` where it was in no list.
        case entry(from: Position?, at: Position)
        /// Out of the list (`to` is `nil`) or the first places.
        case exit(from: Position, to: Position?)
        /// Places of mine and of the other, since.
        case order(mine: Position?, other: Position?)
        /// What was told turned back to that place; `nil` out of the list.
        case back(to: Position?)
        case change(from: String?, to: String)
        /// The app comes under another bundle identifier.
        case bundleID(from: String, to: String)
        /// In the words of a report.
        case text(String)
    }

    /// What a message calls what it is about.
    package struct Names: Sendable, Hashable {
        /// As the store, else the watchlist calls it.
        package var app: String?
        package var other: String?

        package init(app: String? = nil, other: String? = nil) {
            self.app = app
            self.other = other
        }
    }

    package init(
        kind: AlertKind, topic: AlertTopic, onset: Int64, sameWithin: Int64 = 0, variant: String = "",
        way: MoveDirection? = nil, sensitivity: Sensitivity? = nil, top: Int? = nil, at: Timestamp, on: Int64? = nil,
        zone: String? = nil, facts: Facts,
        isMine: Bool = true, places: [AlertMessage.DayPlace] = [], size: Double = 0, isOfStorm: Bool = false,
        watchedSince: Int64? = nil
    ) {
        self.kind = kind
        self.topic = topic
        self.onset = onset
        self.sameWithin = sameWithin
        self.variant = variant
        self.way = way
        self.sensitivity = sensitivity
        self.top = top
        self.at = at
        zoneDay = on
        self.zone = zone
        self.facts = facts
        self.isMine = isMine
        self.places = places
        self.size = size
        self.isOfStorm = isOfStorm
        self.watchedSince = watchedSince
    }

    /// The same of a topic of its own.
    ///
    /// - Parameters:
    ///   - on: `nil` for the day (UTC) of `at`.
    ///   - zone: `nil` for UTC.
    package init(
        kind: AlertKind, subject: Subject, onset: Int64, sameWithin: Int64 = 0, variant: String = "",
        way: MoveDirection? = nil, sensitivity: Sensitivity? = nil, top: Int? = nil, at: Timestamp, on: Int64? = nil,
        zone: String? = nil, facts: Facts,
        isMine: Bool = true, size: Double = 0, isOfStorm: Bool = false, watchedSince: Int64? = nil,
        scope: AlertScope = AlertScope(), names: Names = Names()
    ) {
        self.init(
            kind: kind, topic: AlertTopic(subject, scope: scope, names: names), onset: onset, sameWithin: sameWithin,
            variant: variant, way: way, sensitivity: sensitivity, top: top, at: at, on: on, zone: zone, facts: facts,
            isMine: isMine, size: size, isOfStorm: isOfStorm, watchedSince: watchedSince)
    }
}

/// What an event is about. The events of a pair share one, so that thousands of them take little room.
package final class AlertTopic: Sendable {
    package let subject: AlertEvent.Subject
    /// That of `subject`.
    package let key: String
    package let scope: AlertScope
    package let names: AlertEvent.Names

    package init(_ subject: AlertEvent.Subject, scope: AlertScope, names: AlertEvent.Names = AlertEvent.Names()) {
        self.subject = subject
        self.scope = scope
        self.names = names
        key = subject.key
    }
}

extension AlertTopic: Hashable {
    package static func == (left: AlertTopic, right: AlertTopic) -> Bool {
        left === right
            || (left.key == right.key && left.subject == right.subject && left.scope == right.scope
                && left.names == right.names)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension AlertEvent {
    package var subject: Subject { topic.subject }
    package var scope: AlertScope { topic.scope }
    package var names: Names { topic.names }

    /// Whether it tells that another one is no longer so.
    package var isBack: Bool { if case .back = facts { true } else { false } }

    /// `variant` of one that tells that another one is no longer so.
    static let back = "back"

    /// The first day on which it could be seen.
    var firstDay: Int64 { seenOn ?? on }

    /// The day of `at` in the watchlist's zone.
    package var on: Int64 {
        get { zoneDay ?? at.day }
        set { zoneDay = newValue }
    }

    /// The day on which it began, as people are told it.
    var day: Int64 { since ?? onset }

    /// It as it was to be told on a day; `nil` if it was not.
    func asOf(_ day: Int64) -> AlertEvent? {
        guard let now = later.last(where: { $0.day <= day }) else { return self }
        return now.event
    }

    /// What is the same for all that happens of one kind to one subject: with the onset it says which event it is.
    package var key: String { key(of: thing) }

    /// - Parameter thing: the event's, for whoever has made it.
    func key(of thing: String) -> String { "\(sensitivity?.rawValue ?? "")\t\(thing)" }

    /// `key` however keenly it was judged.
    package var thing: String {
        let top = top.map { Self.topWord + String($0) } ?? ""
        return "\(kind.rawValue)\t\(topic.key)\t\(way?.rawValue ?? "")\t\(top)\t\(variant)"
    }

    /// How `thing` begins to name the first places.
    static let topWord = "top "

    /// In order of confirmation; of one moment in that of `key` and `onset`.
    static func isEarlier(_ left: AlertEvent, _ right: AlertEvent) -> Bool {
        if left.at != right.at { return left.at < right.at }
        // As their keys begin, which are made for few.
        if left.sensitivity != right.sensitivity {
            return (left.sensitivity?.rawValue ?? "") < (right.sensitivity?.rawValue ?? "")
        }
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.topic !== right.topic, left.topic.key != right.topic.key { return left.topic.key < right.topic.key }
        return (left.key, left.onset) < (right.key, right.onset)
    }
}

extension AlertEvent.Subject {
    /// The same for equal subjects, in a form that can be stored.
    package var key: String {
        switch self {
        case .pair(let query, let app): Self.pairs(on: query) + app.folded
        case .rivals(let query, let mine, let other): "rivals\t\(query.key)\t\(mine.folded)\t\(other.folded)"
        case .app(let app, let country): "app\t\(app.folded)\t\(country?.code ?? "")"
        case .country(let country): "country\t\(country.code)"
        case .service(let part): "service\t\(part)"
        case .digest: "digest"
        }
    }

    /// How the keys of all pairs of a query begin.
    static func pairs(on query: Query) -> String { "pair\t\(query.key)\t" }
}

extension ToldEvent {
    func isOfPair(on query: Query) -> Bool { subject.hasPrefix(AlertEvent.Subject.pairs(on: query)) }
}

extension Query {
    /// A folded text has no tabs.
    fileprivate var key: String {
        [folded, country.code, platform.rawValue, source.rawValue, language ?? ""].joined(separator: "\t")
    }
}

/// What filters and mutes look at of an event: everything that it is about.
package struct AlertScope: Sendable, Hashable {
    /// Folded bundle identifiers, and aliases in lower case.
    package var apps: Set<String> = []
    /// Folded.
    package var queries: Set<String> = []
    package var countries: Set<Country> = []
    package var platforms: Set<Platform> = []
    package var tags: Set<String> = []

    package init() {}

    package mutating func add(_ other: AlertScope) {
        apps.formUnion(other.apps)
        queries.formUnion(other.queries)
        countries.formUnion(other.countries)
        platforms.formUnion(other.platforms)
        tags.formUnion(other.tags)
    }
}
