package import Foundation
package import History
import Judging
package import RankKit

/// What the history shows that a message may tell of.
///
/// All of it comes from the file alone, so a second reading finds the same. Moves are what `report movers` calls real at
/// the same sensitivity (`WatchedMoves`).
package struct AlertEvents: Sendable {
    /// In order of confirmation.
    let newcomers: [AlertEvent]
    /// The other events but those of moves, with the names and scopes that these need.
    private let reading: AlertReading
    private let moves: JudgedMoves?

    /// Days up to the newest that are read after a pass: what is derived later than its day, such as the weather,
    /// is found all the same. What was told before is known by its identity.
    package static let reach: Int64 = 7

    /// The days to be read after a pass.
    ///
    /// - Parameter zone: the watchlist's.
    package static func days(until: Timestamp, in zone: ZoneDays = .utc) -> ClosedRange<Int64> {
        let today = zone.day(of: until)
        return today - reach...today
    }

    /// Reads what was confirmed on `days` that a rule may want.
    ///
    /// - Parameters:
    ///   - days: of the reader's zone, counted from 1970-01-01; the newest is the day of `until`.
    ///   - look: the one before: what it confirmed is in `told`. `nil` for a look that is the first, or that sees the past
    ///     in another light.
    ///   - until: the last moment that is read.
    ///   - told: what was told before. A move that somebody was told of and that turned back is found by it even if the
    ///     last reading of no day confirmed it.
    ///   - zone: whose days the watchlist's notes mean where it names no time zone.
    ///   - isDaily: whether that is looked for too which is looked for once a day: drifts, and newcomers that wait. Other
    ///     newcomers have a turn of their own.
    ///   - reader: a snapshot, so that all is of one moment, by whose days all is judged and told.
    package static func read(
        _ settings: AlertSettings, days: ClosedRange<Int64>, after look: EarlierLook? = nil, until: Timestamp,
        now: Timestamp, zone: TimeZone, told: [ToldEvent] = [], isDaily: Bool = true,
        from reader: HistoryReader
    ) throws(HistoryError) -> [AlertEvent] {
        let usual = try reader.sensitivity()
        var wants = AlertWants(settings, usual: usual)
        if !isDaily { wants.kinds.remove(.drift) }
        let read = try AlertEvents(
            wants, days: days, after: look, until: until, now: now, zone: zone, told: told, isDaily: isDaily,
            from: reader
        )
        return (read.newcomers + (try read.others(of: wants.sensitivities))).sorted(by: AlertEvent.isEarlier)
    }

    /// All but newcomers, in order of confirmation.
    ///
    /// - Parameter sensitivities: what of moves was confirmed less or more keenly is left out.
    func others(of sensitivities: some Collection<Sensitivity>) throws(HistoryError) -> [AlertEvent] {
        var reading = reading
        if let moves {
            for sensitivity in reading.wants.sensitivities where sensitivities.contains(sensitivity) {
                try reading.add(moves, of: sensitivity)
            }
        }
        return reading.takeEvents()
    }

    /// - Parameter isReplay: whether the days are looked at one after the other as they were: nothing that came after a day
    ///   is told on it. Events say then on which days there was what to tell of them.
    init(
        _ wants: AlertWants, days: ClosedRange<Int64>, after look: EarlierLook? = nil, until: Timestamp, now: Timestamp,
        zone: TimeZone, told: [ToldEvent] = [], isDaily: Bool = true, isReplay: Bool = false,
        processors: Int = 1, from reader: HistoryReader
    ) throws(HistoryError) {
        let until = min(until, now)
        var reading = AlertReading(
            wants: wants, days: days, until: until, now: now, watched: try WatchedApps(reader),
            look: look, isReplay: isReplay, processors: processors, reader: reader)
        if isReplay { try reading.learnNames() }
        let pairs = try WatchedMoves.pairs(days, until: until, from: reader)
        try reading.learn(pairs)
        var search: AtOnce<Result<[AlertEvent], HistoryError>>?
        let turn: Int64? = look.map { NewcomerTurn(zone: reader.days).firstDay(after: $0, now: now) } ?? days.lowerBound
        // One that waits for a day on which its rule may tell more is looked for as long as it may.
        let waiting = told.filter {
            isDaily && $0.kind == .newcomer && !$0.waiting.isEmpty && !$0.isOver
                && $0.onset >= days.lowerBound - Self.reach
        }
        if wants.wants(.newcomer), turn != nil || !waiting.isEmpty {
            let newcomers = reading.newcomerSearch(since: turn, waiting: waiting)
            search = AtOnce(on: processors) {
                do throws(HistoryError) { return .success(try newcomers.events()) } catch { return .failure(error) }
            }
        }
        // Whoever gave the reader closes it when this ends.
        defer { search?.wait() }
        let moves = try WatchedMoves(
            of: pairs, days, until: until, now: now, asTheyWere: isReplay, processors: processors, from: reader)
        self.moves = wants.wantMoves ? try reading.judge(moves, told: told) : nil
        if wants.wants(.weather) || wants.wantMoves { reading.readWeather(moves.weather) }
        if !wants.kinds.isDisjoint(with: [.release, .price, .name]) { try reading.readApps(machineZone: zone) }
        if wants.wants(.appUnknown) { try reading.readUnknown() }
        self.reading = reading
        newcomers = try search?.value.get() ?? []
    }
}

/// Gathers the events of some days.
struct AlertReading: Sendable {
    let wants: AlertWants
    let days: ClosedRange<Int64>
    let until: Timestamp
    /// The day of `until`.
    let today: Int64
    let now: Timestamp
    let watched: WatchedApps
    let reader: HistoryReader
    /// The one before: what it confirmed is known. `nil` where nothing is.
    let look: EarlierLook?
    /// Whether each day is looked at as it was.
    let isReplay: Bool
    /// How many may be busy with the pairs.
    let processors: Int
    private(set) var events: [AlertEvent] = []
    private(set) var titles: AppTitles
    /// Of all pairs of an app, of a country, and of mine on a query.
    private(set) var appScopes: [BundleID: AlertScope] = [:]
    private(set) var countryScopes: [Country: AlertScope] = [:]
    private(set) var queryScopes: [Query: AlertScope] = [:]
    /// Of each pair by its number in the file.
    private(set) var pairScopes: [Int64: AlertScope] = [:]
    private var knownPlaces: [PlacesKey: [AlertMessage.DayPlace]] = [:]
    private var pairTopics: [Int64: AlertTopic] = [:]
    /// The first day of watch of each pair by its number in the file, and of each app and query by its oldest pair.
    private(set) var pairStart: [Int64: Int64] = [:]
    private(set) var appStart: [BundleID: Int64] = [:]
    private(set) var queryStart: [Query: Int64] = [:]

    init(
        wants: AlertWants, days: ClosedRange<Int64>, until: Timestamp, now: Timestamp, watched: WatchedApps,
        look: EarlierLook?, isReplay: Bool = false, processors: Int, reader: HistoryReader
    ) {
        self.look = look
        self.isReplay = isReplay
        self.processors = processors
        self.wants = wants
        self.days = days
        self.until = until
        today = reader.days.day(of: until)
        self.now = now
        self.watched = watched
        self.reader = reader
        titles = AppTitles(watched, reader)
    }

    /// Whose days are judged and told.
    var zone: ZoneDays { reader.days }

    mutating func learn(_ pairs: [PairDays]) throws(HistoryError) {
        pairStart = try reader.watchedSince().mapValues(zone.day)
        for pair in pairs where !pair.query.source.isImported {
            let scope = pair.scope
            pairScopes[pair.id] = scope
            appScopes[pair.bundleID, default: AlertScope()].add(scope)
            countryScopes[pair.query.country, default: AlertScope()].add(scope)
            let start = pairStart[pair.id] ?? today
            appStart[pair.bundleID] = min(appStart[pair.bundleID] ?? start, start)
            guard pair.isMine else { continue }
            queryScopes[pair.query, default: AlertScope()].add(scope)
            queryStart[pair.query] = min(queryStart[pair.query] ?? start, start)
        }
    }

    mutating func add(_ event: AlertEvent) { events.append(event) }

    /// Makes room for so many more.
    mutating func reserve(_ count: Int) { events.reserveCapacity(events.count + count) }

    /// Hands out what was gathered, in order of confirmation, and keeps none of it.
    mutating func takeEvents() -> [AlertEvent] {
        defer { events = [] }
        events.sortByTime()
        return events
    }

    private struct PlacesKey: Hashable {
        var pair: Int64
        var day: Int64
    }

    /// One a day, newest last, up to `day`.
    ///
    /// - Returns: nothing if the messages are not to show it.
    mutating func places(of pair: PairDays, upTo day: Int64) -> [AlertMessage.DayPlace] {
        guard wants.wantPlaces else { return [] }
        let key = PlacesKey(pair: pair.id, day: day)
        if let known = knownPlaces[key] { return known }
        let places = pair.places(upTo: day)
        knownPlaces[key] = places
        return places
    }

    /// Of the pair: its events share one, as they share the places of a day.
    ///
    /// - Parameter day: of the look.
    mutating func topic(of pair: PairDays, on day: Int64) throws(HistoryError) -> AlertTopic {
        let title = try title(pair.bundleID, in: pair.query.country, on: day)
        if let known = pairTopics[pair.id], known.names.app == title { return known }
        let topic = AlertTopic(
            .pair(pair.query, pair.bundleID), scope: pairScopes[pair.id] ?? pair.scope, names: .init(app: title))
        pairTopics[pair.id] = topic
        return topic
    }

    /// What the store, else the watchlist calls an app.
    ///
    /// - Parameter day: of the look.
    mutating func title(_ bundleID: BundleID, in country: Country?, on day: Int64) throws(HistoryError) -> String {
        try titles[bundleID, in: country, at: isReplay ? min(until, zone.end(of: day)) : nil].title
    }

    /// Has apps called what they were called on the day of a look.
    mutating func learnNames() throws(HistoryError) {
        titles.rename(try reader.changedApps(since: zone.start(of: days.lowerBound), namesAlone: true))
    }
}

extension PairDays {
    var scope: AlertScope {
        var scope = AlertScope()
        scope.apps = Set([bundleID.folded] + [alias?.lowercased()].compactMap(\.self))
        scope.queries = [query.folded]
        scope.countries = [query.country]
        scope.platforms = [query.platform]
        scope.tags = Set(tags)
        return scope
    }

    var withoutDays: PairDays {
        var pair = self
        pair.days = DailyReadings()
        return pair
    }

    /// One a day, newest last, up to `day`.
    func places(upTo day: Int64, days count: Int64 = 14) -> [AlertMessage.DayPlace] {
        (day - count + 1...day).map { .init(days[$0]) }
    }
}

extension [AlertEvent] {
    /// As `sort(by: AlertEvent.isEarlier)`, with each element moved to its place at once: they are large, and there may be
    /// many.
    mutating func sortByTime() {
        // Nearly all are told apart by their times.
        let times = map(\.at)
        var order = indices.sorted { one, other in
            times[one] == times[other] ? AlertEvent.isEarlier(self[one], self[other]) : times[one] < times[other]
        }
        for start in order.indices {
            var place = start
            while order[place] != start {
                let next = order[place]
                swapAt(place, next)
                order[place] = place
                place = next
            }
            order[place] = place
        }
    }
}
