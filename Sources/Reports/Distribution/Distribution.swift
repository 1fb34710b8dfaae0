import History
import Judging
import RankKit

/// How many pairs stand in which band of places: the value behind `rankctl report distribution`.
///
/// On a day a pair counts by its newest good reading of that day or, where that day has none, of one before it that is
/// not more than the larger of a day and two cadences older. Without such a reading it is *unchecked*: neither ranked
/// nor absent. Every active pair is in exactly one place, so that the counts of a day add up to the pairs. What changed is
/// told of the pairs whose readings at both ends can be compared: a pair that was added, that failed, or whose list was
/// too short to show its other place, is no change.
struct Distribution: Sendable {
    var generatedAt: Timestamp
    /// Of the report's zone, counted from 1970-01-01. The report is about the last and compares it with the first.
    var days: ClosedRange<Int64>
    /// In the watchlist's order, mine first.
    var rows: [Row]
    /// Active pairs that were asked about, competitors' included.
    var pairs: Int

    init(generatedAt: Timestamp, days: ClosedRange<Int64>, rows: [Row], pairs: Int? = nil) {
        self.generatedAt = generatedAt
        self.days = days
        self.rows = rows
        self.pairs = pairs ?? rows.count
    }

    /// One app over all its pairs.
    struct Row: Sendable, Hashable {
        var app: ReportedApp
        var tally: Tally
    }

    /// Some of the pairs, day by day.
    struct Tally: Sendable, Hashable {
        /// One a day.
        var counts: [Count]
        /// One a day: of the pairs without a fresh good check, those whose query had not been checked at all by the end of
        /// that day.
        var notYet: [Int]
        /// The pairs whose readings of the first day and the last can be compared, as they stood on each.
        var compared = Ends()

        init(days: Int) {
            counts = Array(repeating: Count(), count: days)
            notYet = Array(repeating: 0, count: days)
        }

        var now: Count { counts.last ?? Count() }
        var then: Count { counts.first ?? Count() }

        static func += (tally: inout Tally, other: Tally) {
            for index in tally.counts.indices {
                tally.counts[index] += other.counts[index]
                tally.notYet[index] += other.notYet[index]
            }
            tally.compared.now += other.compared.now
            tally.compared.then += other.compared.then
        }
    }

    /// The same pairs on two days.
    struct Ends: Sendable, Hashable {
        var now = Count()
        var then = Count()
    }

    /// Where places are told apart; each goes to its last place.
    enum Band: Int, Sendable, Hashable, CaseIterable {
        case first, to3, to10, to30, to50, to100, to200
        /// Lists hold 200 apps at most as long as Apple keeps to that.
        case beyond200
        /// Not among the results seen, however few these were.
        case absent

        init(_ reading: Reading) {
            switch reading.position?.number {
            case nil: self = .absent
            case 1?: self = .first
            case let place? where place <= 3: self = .to3
            case let place? where place <= 10: self = .to10
            case let place? where place <= 30: self = .to30
            case let place? where place <= 50: self = .to50
            case let place? where place <= 100: self = .to100
            case let place? where place <= 200: self = .to200
            default: self = .beyond200
            }
        }
    }

    /// The pairs of a day.
    struct Count: Sendable, Hashable {
        private var pairs = Array(repeating: 0, count: Band.allCases.count)
        /// Pairs without a fresh good check.
        var unchecked = 0

        subscript(band: Band) -> Int { pairs[band.rawValue] }

        var checked: Int { pairs.reduce(0, +) }
        var all: Int { checked + unchecked }
        /// In the first ten.
        var top: Int { self[.first] + self[.to3] + self[.to10] }

        mutating func add(_ reading: Reading?) {
            if let reading { pairs[Band(reading).rawValue] += 1 } else { unchecked += 1 }
        }

        static func += (count: inout Count, other: Count) {
            for band in Band.allCases { count.pairs[band.rawValue] += other[band] }
            count.unchecked += other.unchecked
        }
    }

    /// All of mine together.
    var mine: Tally { tally(of: rows.filter { $0.app.mark == .mine }) }

    func tally(of rows: [Row]) -> Tally {
        rows.reduce(into: Tally(days: days.count)) { $0 += $1.tally }
    }
}

extension Distribution {
    /// Compares with this many days ago unless something else is asked for.
    static let defaultDays: Int64 = 30

    /// - Parameters:
    ///   - since: within the day (UTC) to compare with.
    ///   - until: the moment that the report is about; `now` if it is `nil` or later.
    ///   - competitors: whether they are counted as well; those that `filter` names always are.
    ///   - requireRoom: told how many counts there will be, one for each day and app, before the first is made.
    /// - Throws: `HistoryError`, and what `requireRoom` throws.
    init(
        from reader: HistoryReader, filter: PairFilter = PairFilter(), since: Timestamp? = nil,
        until: Timestamp? = nil, competitors: Bool = false, now: Timestamp,
        requireRoom: (Int) throws -> Void = { _ in }
    ) throws {
        let span = try DaySpan(
            since: since, until: until, now: now, defaultDays: Self.defaultDays, from: reader)
        let asked = try reader.pairDays(filter, days: span.shown, until: span.until, reachingBack: true)
        let pairs = asked.filter { $0.isMine || competitors || !filter.apps.isEmpty }
        let watched = try WatchedApps(reader)
        // Nearly always all pairs were read on the first day, and so checked before.
        let isYoung = pairs.contains { $0.reading(asOf: span.shown.lowerBound) == nil }
        let firstChecks = isYoung ? try reader.firstChecks() : [:]
        let groups = pairs.grouped(by: \.bundleID)
        try requireRoom(span.shown.count * groups.count)
        var rows: [Row] = []
        for pairs in groups {
            var app = try watched.reported(pairs[0].bundleID, namedIn: pairs[0].query.country, reader)
            app.mark = pairs[0].isMine ? .mine : .competitor
            var tally = Tally(days: span.shown.count)
            for pair in pairs {
                try reader.requireWanted()
                tally.add(pair, days: span.shown, firstCheck: firstChecks[pair.id])
            }
            rows.append(Row(app: app, tally: tally))
        }
        self.init(generatedAt: now, days: span.shown, rows: rows, pairs: asked.count)
    }
}

extension Distribution.Tally {
    /// - Parameter firstCheck: of the pair's query; `nil` if it was never checked, or on the first day already.
    fileprivate mutating func add(_ pair: PairDays, days: ClosedRange<Int64>, firstCheck: Timestamp?) {
        let first = pair.days.firstDay(firstCheck, ReportZone.days) ?? .max
        for (index, day) in days.enumerated() {
            counts[index].add(pair.reading(asOf: day))
            if day < first { notYet[index] += 1 }
        }
        guard let now = pair.reading(asOf: days.upperBound), let then = pair.reading(asOf: days.lowerBound),
            Standings.Change(from: then, to: now) != nil
        else { return }
        compared.now.add(now)
        compared.then.add(then)
    }
}
