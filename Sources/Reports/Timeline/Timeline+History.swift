import Foundation
import History
import Judging
import RankKit

extension Timeline {
    /// Reads what happened to an app from `since` to `until`.
    ///
    /// - Parameters:
    ///   - withCompetitors: whether what happened to the competitors that the watchlist gives it is told as well.
    ///   - queries: those whose moves and checks are told, and in whose countries the rest is.
    ///   - sensitivity: how keenly moves are told from wobble; `nil` for the watchlist's.
    ///   - zone: whose days the notes mean, and whose times people are shown.
    init(
        of bundleID: BundleID, withCompetitors: Bool = false, on queries: [Query], since: Timestamp,
        until: Timestamp, sensitivity: Sensitivity? = nil, from reader: HistoryReader, zone: TimeZone, now: Timestamp
    ) throws(HistoryError) {
        let watched = try WatchedApps(reader)
        let countries = Set(queries.map(\.country))
        let span = min(since, until)...until
        let rivals = withCompetitors ? watched[bundleID]?.competitors ?? [] : []
        let country = queries.first?.country
        var apps: [ReportedApp] = []
        var events: [Event] = []
        for bundle in [bundleID] + rivals {
            let app = try watched.reported(bundle, namedIn: country, reader)
            apps.append(app)
            events += try Self.releases(of: app, in: span, reader, zone)
            let pasts = try reader.listingPasts(of: bundle).filter { countries.contains($0.country) }
            events += Self.changes(of: app, in: pasts, span)
            let readings = try reader.ratingDays(of: bundle, span.days)
            events += Self.ratings(
                of: app, readings.filter { countries.contains($0.country) && $0.at <= until }, since: since)
        }
        events += try Self.moves(of: apps, on: Set(queries), in: span, now: now, sensitivity, reader)
        events += try Self.generalNotes(in: span, reader, zone)
        events += try Self.weather(of: Set(queries.map(\.store)), span, now: now, reader)
        events += try Self.failures(of: queries, in: span, reader)
        var hasChecks = !events.isEmpty
        for query in queries where !hasChecks {
            hasChecks = try reader.newestCheck(of: query, at: until).map { $0.at >= since } ?? false
        }
        self.init(
            generatedAt: now, since: since, until: until, zone: zone, app: apps[0],
            competitors: Array(apps.dropFirst()), firstSeen: try reader.firstSight(of: bundleID), hasChecks: hasChecks,
            events: events)
    }

    private static func releases(
        of app: ReportedApp, in span: ClosedRange<Timestamp>, _ reader: HistoryReader, _ zone: TimeZone
    ) throws(HistoryError) -> [Event] {
        try reader.releases(of: app.bundleID, machineZone: zone).filter { span.contains($0.at) }.map { release in
            Event(at: release.at, release.source == .note ? .noted : .moment, app: app, what: .release(release))
        }
    }

    /// One a day, with the countries in which there was one.
    private static func failures(
        of queries: [Query], in span: ClosedRange<Timestamp>, _ reader: HistoryReader
    ) throws(HistoryError) -> [Event] {
        try reader.failedDays(of: queries, in: span).map { day in
            Event(
                at: .startOfDay(day.day), .day, app: nil, countries: day.countries.sorted(), what: .checks(day))
        }
    }

    private static func generalNotes(
        in span: ClosedRange<Timestamp>, _ reader: HistoryReader, _ zone: TimeZone
    ) throws(HistoryError) -> [Event] {
        try reader.notes().filter { $0.bundleID == nil }.compactMap { note in
            guard let day = note.day(in: zone)?.lowerBound, span.contains(day) else { return nil }
            return Event(at: day, .noted, app: nil, what: .note(note.text))
        }
    }

    /// - Parameter readings: of one number of Apple's after the other, by country and day.
    static func ratings(of app: ReportedApp, _ readings: [RatingDay], since: Timestamp) -> [Event] {
        let settled = readings.split { $0.app != $1.app || $0.country != $1.country }.flatMap { settledRatings($0) }
        return zip(settled, settled.dropFirst()).compactMap { before, now in
            guard before.app == now.app, before.country == now.country, now.at >= since, before.ratings != now.ratings
            else { return nil }
            let gain = RatingGain(
                gained: now.ratings - before.ratings, days: now.day - before.day, ratings: now.ratings,
                averageBefore: before.average, average: now.average)
            return Event(at: .startOfDay(now.day), .day, app: app, countries: [now.country], what: .ratings(gain))
        }
    }

    private static func moves(
        of apps: [ReportedApp], on queries: Set<Query>, in span: ClosedRange<Timestamp>, now: Timestamp,
        _ sensitivity: Sensitivity?, _ reader: HistoryReader
    ) throws(HistoryError) -> [Event] {
        let byBundle = Dictionary(apps.map { ($0.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        let filter = PairFilter(
            apps: apps.map(\.bundleID.text), countries: Set(queries.map(\.country)).sorted())
        guard try reader.tracksAny(filter) else { return [] }
        let until = min(span.upperBound, now)
        // Nothing is judged of the time before the first check.
        let first = max(span.lowerBound.reportDay, try reader.firstOwnDay() ?? .max)
        guard first <= until.reportDay else { return [] }
        let days = first...until.reportDay
        let sensitivity = if let sensitivity { sensitivity } else { try reader.sensitivity() }
        let watched = try WatchedMoves.asTheyWere(filter, on: days, until: until, now: now, from: reader)
        var events: [Event] = []
        for pair in watched.pairs where queries.contains(pair.query) {
            try reader.requireWanted()
            func tell(_ day: Int64, _ what: What) {
                guard days.contains(day) else { return }
                events.append(
                    Event(
                        at: .startOfDay(day), .day, app: byBundle[pair.bundleID], countries: [pair.query.country],
                        what: what))
            }
            let moves = watched.moves(of: pair, [sensitivity])[sensitivity] ?? []
            for (move, first) in moves.joined(on: days, within: JudgedSpan(cadence: pair.cadence).news) {
                for day in [first, move.again].compactMap(\.self) { tell(day, .moved(pair.query, move)) }
                // A way back that is a move of its own is told as that.
                if let back = move.turnedBack, !moves.contains(where: { $0.isWayBack(of: move, by: back.on) }) {
                    tell(back.on, .back(pair.query, move, to: back.to))
                }
            }
        }
        return events
    }

    private static func weather(
        of stores: Set<Store>, _ span: ClosedRange<Timestamp>, now: Timestamp, _ reader: HistoryReader
    ) throws(HistoryError) -> [Event] {
        let weather = try StoreWeather.of(span.days, until: span.upperBound, now: now, in: stores, from: reader)
        // Days without a check have no weather, and a span may begin long before the first.
        let days = Set(weather.flatMap { $0.days.map(\.day) }).sorted()
        let zone = weather.first?.zone ?? ReportZone.days
        let named = zone.name == ReportZone.days.name ? nil : zone.name
        return days.flatMap { day in
            weather.remarks(on: day...day, today: now.reportDay).map { remark in
                Event(
                    at: .startOfDay(day), .day, app: nil, countries: remark.countries.sorted(),
                    what: .store(remark.kind, zone: named))
            }
        }
    }
}

extension ConfirmedMove {
    /// Whether `later` tells of the same way from the same place, farther on.
    ///
    /// - Parameter days: how many at most lie between the first days of both.
    fileprivate func goesOn(as later: ConfirmedMove, within days: Int64) -> Bool {
        guard later.firstDay - firstDay <= days, case .real(let move) = judgement,
            case .real(let next) = later.judgement, way == later.way
        else {
            return false
        }
        let hasTurned = turnedBack.map { $0.on < later.firstDay } ?? false
        return move.from == next.from && !hasTurned
    }

    /// Whether it leads back, by that day, to where `other` came from.
    fileprivate func isWayBack(of other: ConfirmedMove, by day: Int64) -> Bool {
        way.isUp != other.way.isUp && other.firstDay < firstDay && firstDay <= day
    }
}

extension [ConfirmedMove] {
    /// Each with its first day. One that goes on from the same place is told once, with the newest place, by the day on which
    /// it began. One that is followed by another that way ends where that begins.
    ///
    /// - Parameters:
    ///   - days: those that are told of: what began before them is not joined to what began on them.
    ///   - news: for how many days a move of the pair is news.
    func joined(
        on days: ClosedRange<Int64>, within news: Int64
    ) -> [(move: ConfirmedMove, first: Int64)] {
        var firsts = map(\.firstDay)
        var isToldElsewhere = Set<Int>()
        for (index, move) in enumerated() where days.contains(firsts[index]) {
            let later = indices.last { $0 > index && move.goesOn(as: self[$0], within: news) }
            guard let later else { continue }
            let hasTurned = contains { other in
                other.way.isUp != move.way.isUp
                    && (move.firstDay...Swift.max(move.firstDay, self[later].firstDay)).contains(other.firstDay)
            }
            guard !hasTurned else { continue }
            firsts[later] = Swift.min(firsts[later], firsts[index])
            isToldElsewhere.insert(index)
        }
        // A week tells better where the way went that a drift showed first.
        for (index, drift) in enumerated() where drift.isSlide {
            let isOfWeek = contains { move in
                !move.isSlide && move.way == drift.way && days.contains(move.firstDay)
                    && abs(move.firstDay - drift.firstDay) <= news
            }
            if isOfWeek { isToldElsewhere.insert(index) }
        }
        let told = indices.filter { !isToldElsewhere.contains($0) }
        return told.map { index in
            let later = told.filter {
                $0 != index && self[$0].firstDay > self[index].firstDay && self[$0].way == self[index].way
            }
            .min { self[$0].firstDay < self[$1].firstDay }
            return (later.map { self[index].ending(before: self[$0]) } ?? self[index], firsts[index])
        }
    }
}

extension [RatingDay] {
    /// Parts it wherever two neighbours are apart.
    fileprivate func split(where areApart: (RatingDay, RatingDay) -> Bool) -> [[RatingDay]] {
        var parts: [[RatingDay]] = []
        for reading in self {
            if let last = parts.last?.last, !areApart(last, reading) {
                parts[parts.count - 1].append(reading)
            } else {
                parts.append([reading])
            }
        }
        return parts
    }
}

extension ClosedRange<Timestamp> {
    /// The days of the report's zone that it lies on.
    fileprivate var days: ClosedRange<Int64> { lowerBound.reportDay...upperBound.reportDay }
}
