package import History
import Judging
package import RankKit

/// Looks at losses of mine one after the other: between which two lists each shows, and what else moved between them.
package struct Losses {
    private let reader: HistoryReader
    private let weather: [Store: StoreWeather]
    private let releases: [BundleID: [AppRelease]]
    private var lists: ReadableLists

    /// - Parameter weather: of the days of the losses.
    init(_ reader: HistoryReader, weather: [StoreWeather]) throws(HistoryError) {
        self.reader = reader
        lists = ReadableLists(reader)
        self.weather = Dictionary(weather.map { ($0.store, $0) }, uniquingKeysWith: { first, _ in first })
        releases = Dictionary(grouping: try reader.releases(machineZone: reader.days.zone), by: \.bundleID)
    }

    /// The app that lost, and from where to where.
    struct Loss {
        var query: Query
        var app: SoughtApp
        /// The usual places that the loss led from and to; `nil` for out of the list.
        var from: Position
        var to: Position?
        /// The days of the readings in which the app may stand there: the last before the loss, and the first since.
        var before: Int64
        var after: Int64
        /// The last day that is told of.
        var through: Int64
        /// Whether it went in many small steps: then it has no day of its own.
        var isSlow = false
        /// How far back the query's cadence has one look.
        var span: JudgedSpan
    }

    /// The usual places that a loss led from and to, and the days of the readings in which the app may stand there.
    struct Ends {
        let from: Position
        /// `nil` for out of the list.
        let to: Position?
        /// The last before the loss, and the first since.
        let before: Int64
        let after: Int64
        var isSlow = false

        /// - Parameters:
        ///   - judgement: what is told of the pair. Without a fall or an exit that is confirmed there is nothing to look at.
        ///   - began: the day up to which was judged what is usual before it.
        ///   - newest: the day of the pair's newest good reading.
        init?(_ judgement: MoveJudgement, after began: Int64, newest: Int64) {
            switch judgement {
            case .real(let move) where move.direction == .down:
                (from, to) = (move.from, move.to)
                // A slow one is looked at between what was before all of it and the newest week.
                (before, after) = move.isSlow ? (began, newest - 6) : (move.since - 1, move.since)
                isSlow = move.isSlow
            case .left(let place, let since): (from, to, before, after) = (place, nil, since - 1, since)
            case .real, .entered, .unconfirmed, .withinNoise, .notJudged: return nil
            }
        }
    }

    /// Two lists in which the app stands as it usually did before a loss and as it usually does since; `nil` for one that is
    /// damaged or no longer kept.
    ///
    /// - Parameter last: the newest reading that counts.
    mutating func lists(
        of loss: Loss, through last: Timestamp
    ) throws(HistoryError) -> (then: NamedList?, now: NamedList?) {
        let end = Timestamp.startOfReportDay(loss.before + 1) - 1
        let begin = Timestamp.startOfReportDay(loss.before - loss.span.memory)
        let readings = try reader.readings(
            of: loss.app.bundleID, on: loss.query, in: begin...max(end, last)
        ).lastOfEachDay
        let earlier = readings.filter { $0.checkedAt <= end }.suffix(Self.readings)
        let later = readings.filter { $0.checkedAt.reportDay >= loss.after }
        var then = try lists.list(on: loss.query, of: loss.app, at: loss.from, among: earlier)
        // An older list than these tells as well where it stood.
        if then == nil { then = try lists.good(on: loss.query, at: end, tellingOf: [loss.app]) }
        return (then, try lists.list(on: loss.query, of: loss.app, at: loss.to, among: later[...]))
    }

    /// Daily readings before a loss among which one is looked for that is as usual.
    private static let readings = 7

    /// What stands beside a loss that shows between `then` and `now`.
    ///
    /// - Parameter moment: when it is told: what became known later is left out.
    func context(of loss: Loss, _ then: NamedList?, _ now: NamedList?, at moment: Timestamp) -> LossContext {
        var context = LossContext()
        if let then, let now, let was = then.place(of: loss.app).position {
            context.others = LossContext.Others(
                then, now, without: loss.app, was: was, is: now.place(of: loss.app).position)
        }
        if !loss.isSlow, let store = weather[loss.query.store] {
            let days = store.byReadings?.days(on: loss.after) ?? loss.after...loss.after
            context.store = store.days.filter { days.contains($0.day) }.compactMap { $0.weather?.state }.max()
        }
        // A slow loss began on no one day.
        let first = loss.isSlow ? min(loss.before + 1, loss.after) : loss.after
        let near = first - LossContext.reach...max(loss.after, loss.isSlow ? loss.through : loss.after)
        context.release = release(of: loss.app.bundleID, on: near, at: moment)
        return context
    }

    /// The newest release of the app, or note about it, on one of `days`.
    ///
    /// - Parameter moment: what became known later is left out.
    func release(of bundleID: BundleID, on days: ClosedRange<Int64>, at moment: Timestamp) -> LossContext.NearRelease? {
        let known = (releases[bundleID] ?? []).filter { ($0.confirmedAt ?? $0.seenAt ?? $0.at) <= moment }
        return known.map { LossContext.NearRelease(version: $0.version, day: $0.day(in: reader.days)) }
            .filter { days.contains($0.day) }.max { $0.day < $1.day }
    }
}

extension Losses.Loss {
    init(_ ends: Losses.Ends, of app: SoughtApp, on query: Query, through: Int64, span: JudgedSpan) {
        self.init(
            query: query, app: app, from: ends.from, to: ends.to, before: ends.before, after: ends.after,
            through: through, isSlow: ends.isSlow, span: span)
    }
}

extension Losses {
    /// - Parameters:
    ///   - days: those of the losses.
    ///   - stores: those of their queries.
    package init(
        _ days: ClosedRange<Int64>, in stores: Set<Store>, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        try self.init(
            reader,
            weather: try StoreWeather.of(
                days.lowerBound - 1...days.upperBound + 1, until: now, now: now, in: stores, from: reader))
    }

    /// What stands beside a loss, in words.
    ///
    /// - Parameters:
    ///   - from: the usual place before.
    ///   - to: that since; `nil` for out of the list.
    ///   - since: the first day of the new place, or of the slide.
    ///   - isSlow: whether it went in many small steps.
    ///   - cadence: the query's shortest, in seconds.
    package mutating func words(
        of bundleID: BundleID, on query: Query, from: Position, to: Position?, since: Int64, isSlow: Bool,
        cadence: Int64, now: Timestamp
    ) throws(HistoryError) -> String {
        let today = reader.days.day(of: now)
        let loss = Loss(
            query: query, app: try SoughtApp(bundleID, reader), from: from, to: to, before: since - 1,
            after: isSlow ? max(since, today - 6) : since, through: today, isSlow: isSlow,
            span: JudgedSpan(cadence: cadence))
        let (then, newer) = try lists(of: loss, through: now)
        return context(of: loss, then, newer, at: now).words(in: query.country, today: today)
    }
}

extension ReadableLists {
    /// The list of the reading that is nearest to a usual place, the newest of several; `nil` if none is kept that can be
    /// read.
    ///
    /// - Parameters:
    ///   - usual: `nil` for an absence.
    ///   - readings: the oldest first.
    fileprivate mutating func list(
        on query: Query, of own: SoughtApp, at usual: Position?, among readings: ArraySlice<Reading>
    ) throws(HistoryError) -> NamedList? {
        let nearest = readings.sorted { left, right in
            let (a, b) = (left.distance(to: usual), right.distance(to: usual))
            return a == b ? left.checkedAt > right.checkedAt : a < b
        }
        for reading in nearest {
            let list = try good(on: query, at: reading.checkedAt, tellingOf: [own])
            if let list, list.at == reading.checkedAt { return list }
        }
        return nil
    }
}

extension Reading {
    /// On `PositionScale`; an absence is as far from every place as can be.
    fileprivate func distance(to usual: Position?) -> Double {
        switch (position, usual) {
        case (let place?, let usual?): abs(PositionScale.value(place) - PositionScale.value(usual))
        case (nil, nil): 0
        case (nil, _?), (_?, nil): .infinity
        }
    }
}

extension [Reading] {
    /// What a judgement goes by; in order of time, as these are.
    fileprivate var lastOfEachDay: [Reading] {
        enumerated().filter { index, reading in
            index == count - 1 || self[index + 1].checkedAt.reportDay != reading.checkedAt.reportDay
        }.map(\.element)
    }
}
