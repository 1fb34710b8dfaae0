import History
import Judging
import RankKit

/// What was confirmed of the pairs, before it is known who wants to hear of it.
struct JudgedMoves: Sendable {
    /// Without readings where no message shows them.
    let pairs: [PairDays]
    /// What was confirmed of each pair, and what was told before of its slides.
    let found: [[Sensitivity: [ConfirmedMove]]]
    let slides: [[ToldEvent]]
    let flips: [Sensitivity: [(meeting: RivalMeeting, flip: RivalMeeting.Flip)]]
    let storms: Storms
}

/// Moves, entries, exits and drifts of pairs.
extension AlertReading {
    /// Judges the pairs, as keenly as anybody wants it.
    mutating func judge(_ moves: WatchedMoves, told: [ToldEvent]) throws(HistoryError) -> JudgedMoves {
        var known: [String: [ToldEvent]] = [:]
        for event in told where event.canTurnBack { known[event.subject, default: []].append(event) }
        let slides = Dictionary(grouping: told.filter(\.isSlide), by: \.subject)
        let pairs = moves.pairs.filter { !$0.query.source.isImported }
        let (wants, zone, withSlides, slidesSince) = (
            wants, zone, wants.wants(.drift), look?.slidesSince(now: now, zone)
        )
        let earlier = pairs.map { pair -> (moves: [ToldEvent], slides: [ToldEvent]) in
            guard !known.isEmpty || !slides.isEmpty else { return ([], []) }
            let subject = AlertEvent.Subject.pair(pair.query, pair.bundleID).key
            return (known[subject] ?? [], slides[subject] ?? [])
        }
        let found = pairs.indices.mapped(on: processors) { index in
            moves.moves(
                of: pairs[index], Set(wants.sensitivities),
                known: Dictionary(grouping: earlier[index].moves + earlier[index].slides, by: wants.sensitivity(of:))
                    .reduce(into: [:]) { known, group in
                        guard let sensitivity = group.key else { return }
                        known[sensitivity] = group.value.compactMap { $0.knownMove(zone) ?? $0.knownSlide(zone) }
                    },
                withSlides: withSlides, slidesSince: slidesSince)
        }
        var flips: [Sensitivity: [(meeting: RivalMeeting, flip: RivalMeeting.Flip)]] = [:]
        if wants.wants(.overtaken) || wants.wants(.overtook) {
            let meetings = RivalPairs(pairs, watched).meetings
            for sensitivity in wants.sensitivities {
                flips[sensitivity] = meetings.mapped(on: processors) { meeting in
                    let (mine, other) = (found[meeting.mine][sensitivity], found[meeting.other][sensitivity])
                    let flips = meeting.flips(pairs, mine: mine ?? [], other: other ?? [])
                    return flips.map { (meeting: meeting, flip: $0) }
                }.flatMap(\.self)
            }
        }
        if wants.sensitivities.count > 1 || isReplay {
            // Made once for all who take up what was found.
            for (pair, found) in zip(pairs, found) where found.contains(where: { !$0.value.isEmpty }) {
                for day in Set(found.values.joined().flatMap { [$0.confirmedOn] + $0.changedOn }) {
                    _ = try topic(of: pair, on: day)
                }
            }
            for (meeting, flip) in flips.values.joined() {
                for pair in [pairs[meeting.mine], pairs[meeting.other]] {
                    for day in [flip.on] + flip.changedOn {
                        _ = try title(pair.bundleID, in: pair.query.country, on: day)
                    }
                }
            }
        }
        let storms = Storms(moves.weather)
        return JudgedMoves(
            pairs: wants.wantPlaces || storms.areFoundByReadings ? pairs : pairs.map(\.withoutDays), found: found,
            slides: earlier.map(\.slides), flips: flips, storms: storms)
    }

    /// Takes up what was confirmed as keenly as that.
    mutating func add(_ judged: JudgedMoves, of sensitivity: Sensitivity) throws(HistoryError) {
        let found = judged.found.map { $0[sensitivity] ?? [] }
        // Most moves are told in one or two ways. What is not used of it takes no memory.
        reserve(2 * found.reduce(0) { $0 + $1.count })
        for (index, pair) in judged.pairs.enumerated() {
            for move in found[index] { try add(move, of: pair, judged.slides[index], sensitivity, judged.storms) }
        }
        for (meeting, flip) in judged.flips[sensitivity] ?? [] {
            try add(flip, judged.pairs[meeting.mine], judged.pairs[meeting.other], sensitivity, judged.storms)
        }
    }

    private mutating func add(
        _ move: ConfirmedMove, of pair: PairDays, _ slides: [ToldEvent],
        _ sensitivity: Sensitivity, _ storms: Storms
    ) throws(HistoryError) {
        guard isReplay else {
            for event in try shown(of: move, pair, slides, sensitivity, storms, on: days, isThereAgain: look != nil) {
                add(event)
            }
            return
        }
        let moments = [move.confirmedOn, move.turnedBack?.on].compactMap(\.self)
        try add(on: [move.confirmedOn] + move.changedOn, of: moments) { reading, day throws(HistoryError) in
            try reading.shown(
                of: move.asOf(day), pair, slides, sensitivity, storms, on: day - AlertEvents.reach...day,
                isThereAgain: true)
        }
    }

    /// Adds what there was to be told of one matter, each event once, with what there was to be told of it later.
    ///
    /// - Parameters:
    ///   - changes: the days on which something else is said of it, ascending.
    ///   - moments: the days on which something of it was confirmed: only so many days after one it is looked at.
    ///   - shown: what a look on a day shows.
    mutating func add(
        on changes: [Int64], of moments: [Int64],
        _ shown: (inout AlertReading, Int64) throws(HistoryError) -> [AlertEvent]
    ) throws(HistoryError) {
        var found: [AlertEvent] = []
        for day in changes
        where day <= today && moments.contains(where: { ($0...$0 + AlertEvents.reach).contains(day) }) {
            let told = try shown(&self, day)
            for index in found.indices where !told.contains(where: { $0.isSame(as: found[index]) }) {
                if found[index].asOf(day) != nil { found[index].later.append(.init(day: day, event: nil)) }
            }
            for event in told {
                guard let known = found.firstIndex(where: { $0.isSame(as: event) }) else {
                    var first = event
                    if day != event.on { first.seenOn = day }
                    found.append(first)
                    continue
                }
                if found[known].asOf(day)?.tells(asMuchAs: event) != true {
                    found[known].later.append(.init(day: day, event: event))
                }
            }
        }
        for event in found { add(event) }
    }

    /// - Parameters:
    ///   - days: those that are looked at, up to the day of the look.
    ///   - isThereAgain: whether what went the same way again is not back, whatever a look between would have seen.
    private mutating func shown(
        of move: ConfirmedMove, _ pair: PairDays, _ slides: [ToldEvent], _ sensitivity: Sensitivity, _ storms: Storms,
        on days: ClosedRange<Int64>, isThereAgain: Bool
    ) throws(HistoryError) -> [AlertEvent] {
        var events: [AlertEvent] = []
        let isNew = days.contains(move.confirmedOn) && move.isSeen
        let isBack =
            !(isThereAgain && move.lapsedOn == nil) && move.turnedBack.map { days.contains($0.on) } ?? false
        // A drift that was told and goes on: noted, so that it is known when no day that is read has its beginning.
        let isLonger =
            !isNew && move.isSlide && (move.isSeen && days.contains(move.seenOn) || isWaiting(move, slides))
            && slides.contains { $0.onset == move.began && wants.sensitivity(of: $0) == sensitivity }
        guard isNew || isBack || isLonger else { return [] }
        var event = AlertEvent(
            kind: .moved, topic: try topic(of: pair, on: days.upperBound), onset: move.began,
            sameWithin: JudgedSpan(cadence: pair.cadence).news, sensitivity: sensitivity, at: move.at,
            on: move.confirmedOn, zone: move.otherDays.map(\.kept) ?? zone.kept, facts: .text(""), isMine: pair.isMine,
            size: move.size, watchedSince: pairStart[pair.id])
        if !move.isSlide { mark(&event, storms, pair, since: move.since, by: move.at) }
        event.lapsedOn = move.lapsedOn
        if move.otherDays != nil { event.since = move.since }
        if isNew {
            event.places = places(of: pair, upTo: move.confirmedOn)
            events += tellings(of: move, event)
        }
        if isLonger, wants.wants(.drift) {
            (event.at, event.on) = (zone.start(of: move.seenOn), move.seenOn)
            events += tellings(of: move, event).filter { $0.kind == .drift }
        }
        if isBack, let back = move.turnedBack {
            event.lapsedOn = nil
            event.kind = move.way == .entered ? .entered : move.way == .left ? .left : .moved
            event.way = move.way
            event.variant = AlertEvent.back
            (event.at, event.on) = (back.at, back.on)
            event.facts = .back(to: back.to)
            event.places = places(of: pair, upTo: back.on)
            events.append(event)
        }
        return events
    }

    /// Marks what was confirmed at `moment` and began on a day on which the store is known to have shuffled.
    private func mark(
        _ event: inout AlertEvent, _ storms: Storms, _ pair: PairDays, since day: Int64, by moment: Timestamp
    ) {
        // On a look at the past as it was, how a day's store was is known once that day is over.
        let known = isReplay ? storms.day(of: moment, zone) - 1 : .max
        guard let storm = storms.day(of: pair, on: day, upTo: known) else { return }
        event.isOfStorm = true
        event.stormDays = Int8(clamping: storm - day)
    }

    /// Whether somebody is still to hear of a drift that was seen to go on within the days that are looked at.
    private func isWaiting(_ move: ConfirmedMove, _ slides: [ToldEvent]) -> Bool {
        days.contains(move.seenOn) && slides.contains { $0.onset == move.began && !$0.waiting.isEmpty }
    }

    /// As what rules may want to hear of a move.
    private func tellings(of move: ConfirmedMove, _ event: AlertEvent) -> [AlertEvent] {
        var tellings: [AlertEvent] = []
        func tell(_ kind: AlertKind, _ facts: AlertEvent.Facts, way: MoveDirection, top: Int? = nil) {
            guard wants.wants(kind) else { return }
            var told = event
            (told.kind, told.facts, told.way, told.top) = (kind, facts, way, top)
            if kind == .drift { told.sameWithin = NoiseModel.monthDays }
            tellings.append(told)
        }
        let (from, to) = (move.from, move.to)
        if case .real(let real) = move.judgement {
            let way = move.way
            tell(
                move.isSlide ? .drift : .moved, .move(from: real.from, to: real.to, places: real.places), way: way)
        }
        for top in wants.tops {
            func isIn(_ place: Position?) -> Bool {
                place.map { place in top.map { place.number <= $0 } ?? true } ?? false
            }
            if let to, !isIn(from), isIn(to) {
                tell(.entered, .entry(from: from, at: to), way: .entered, top: top)
            } else if let from, isIn(from), !isIn(to) {
                tell(.left, .exit(from: from, to: to), way: .left, top: top)
            }
        }
        return tellings
    }

    private mutating func add(
        _ flip: RivalMeeting.Flip, _ mine: PairDays, _ other: PairDays, _ sensitivity: Sensitivity, _ storms: Storms
    ) throws(HistoryError) {
        guard isReplay else {
            for event in try shown(of: flip, mine, other, sensitivity, storms, on: days, isThereAgain: look != nil) {
                add(event)
            }
            return
        }
        let moments = [flip.on, flip.turnedBack?.on].compactMap(\.self)
        try add(on: [flip.on] + flip.changedOn, of: moments) { reading, day throws(HistoryError) in
            try reading.shown(
                of: flip.asOf(day), mine, other, sensitivity, storms, on: day - AlertEvents.reach...day,
                isThereAgain: true)
        }
    }

    private mutating func shown(
        of flip: RivalMeeting.Flip, _ mine: PairDays, _ other: PairDays, _ sensitivity: Sensitivity, _ storms: Storms,
        on days: ClosedRange<Int64>, isThereAgain: Bool
    ) throws(HistoryError) -> [AlertEvent] {
        let kind: AlertKind = flip.isOvertaken ? .overtaken : .overtook
        guard wants.wants(kind) else { return [] }
        var events: [AlertEvent] = []
        let names = AlertEvent.Names(
            app: try title(mine.bundleID, in: mine.query.country, on: days.upperBound),
            other: try title(other.bundleID, in: mine.query.country, on: days.upperBound))
        var event = AlertEvent(
            kind: kind,
            topic: AlertTopic(
                .rivals(mine.query, mine.bundleID, other.bundleID), scope: pairScopes[mine.id] ?? mine.scope,
                names: names),
            onset: flip.onset, sameWithin: JudgedSpan(cadence: mine.cadence).news, sensitivity: sensitivity,
            at: flip.at, on: flip.on, zone: flip.otherDays.map(\.kept) ?? zone.kept,
            facts: .order(mine: flip.mine, other: flip.other), isMine: true,
            places: places(of: mine, upTo: flip.on), size: flip.size)
        mark(&event, storms, mine, since: flip.since, by: flip.at)
        event.lapsedOn = flip.lapsedOn
        // The move that explains it may have begun days before.
        event.since = flip.turnedOn
        let starts = [pairStart[mine.id], pairStart[other.id]].compactMap(\.self)
        event.watchedSince = starts.max()
        if days.contains(flip.on) { events.append(event) }
        guard let back = flip.turnedBack, days.contains(back.on), !(isThereAgain && flip.lapsedOn == nil) else {
            return events
        }
        event.variant = AlertEvent.back
        event.lapsedOn = nil
        (event.at, event.on) = (back.at, back.on)
        event.facts = .back(to: back.mine)
        event.places = places(of: mine, upTo: back.on)
        events.append(event)
        return events
    }
}

extension AlertEvent {
    /// Whether the other is a telling of the same.
    fileprivate func isSame(as other: AlertEvent) -> Bool {
        kind == other.kind && top == other.top && way == other.way && variant == other.variant && onset == other.onset
    }

    /// Whether the other says nothing else.
    fileprivate func tells(asMuchAs other: AlertEvent) -> Bool {
        facts == other.facts && lapsedOn == other.lapsedOn && topic == other.topic
    }
}

extension ConfirmedMove {
    /// How far it went on `PositionScale`; into the list or out of it as far as from below place 200.
    var size: Double {
        func value(_ place: Position?) -> Double { PositionScale.value(Double(place?.number ?? 201)) }
        return abs(value(from) - value(to))
    }
}

/// The days on which stores shuffled.
struct Storms: Sendable {
    private var days: [Store: Set<Int64>] = [:]
    private let byReadings: StoreDays?

    init(_ weather: [StoreWeather]) {
        byReadings = weather.first?.byReadings
        for store in weather {
            days[store.store] = Set(store.days.filter { $0.weather?.state == .stormy }.map(\.day))
        }
    }

    /// Whether the pairs' readings have to be at hand.
    var areFoundByReadings: Bool { byReadings != nil && !days.values.allSatisfy(\.isEmpty) }

    /// The stormy day of the store that the pair was checked on when its new place began, the newest; `nil` if there was none
    /// up to `last`.
    func day(of pair: PairDays, on day: Int64, upTo last: Int64) -> Int64? {
        guard let stormy = days[pair.query.store], !stormy.isEmpty else { return nil }
        let reading = pair.days[day]
        let among = byReadings.map { stores in
            reading.map { stores.days(of: $0, on: day, cadence: pair.cadence) } ?? stores.days(on: day)
        }
        return (among ?? day...day).last { $0 <= last && stormy.contains($0) }
    }

    /// The day of the store that `moment` lies in.
    ///
    /// - Parameter zone: whose days those of readings are.
    func day(of moment: Timestamp, _ zone: ZoneDays) -> Int64 { (byReadings?.zone ?? zone).day(of: moment) }
}
