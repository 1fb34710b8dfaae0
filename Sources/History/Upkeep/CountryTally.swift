import GRDB
package import RankKit

/// Some consecutive days of one store, counted query by query.
package struct CountryTally: Sendable {
    package let store: Store
    package let days: ClosedRange<Int64>
    /// Days of which some lists, or those to compare them with, cannot be read.
    private(set) var unread: Set<Int64> = []
    private var counts: [Int64: Counts] = [:]
    private var sameApps = SameApps()

    /// Which rule the figures are by: another number for each version that counts otherwise. Days of an earlier one are
    /// derived anew.
    package static let rule: Int64 = 3

    /// The days with those before them that they are compared with.
    private let stretches: DayStretches
    /// All seconds of `days`; of dates that never were none.
    private let span: ClosedRange<Int64>
    /// When the first of the days begins that these are compared with.
    private let start: Int64

    package init(_ store: Store, _ days: ClosedRange<Int64>, of zone: ZoneDays) {
        self.store = store
        self.days = days
        stretches = DayStretches(days.lowerBound - CountryDay.longestGap...days.upperBound, in: zone)
        let first = zone.start(of: days.lowerBound).secondsSinceEpoch
        span = first...max(first, zone.end(of: days.upperBound).secondsSinceEpoch)
        start = zone.start(of: days.lowerBound - CountryDay.longestGap).secondsSinceEpoch
    }

    private struct Counts: Sendable {
        var row: CountryDay
        /// How many apps moved by no place, by one, by two and so on.
        var moves: [Int] = []
    }

    /// What has been counted, of days with a check, in order.
    var rows: [CountryDay] {
        counts.values.filter { $0.row.queries > 0 }.map { counts in
            var row = counts.row
            row.moves.spread = CountryDay.Spread(Dictionary(uniqueKeysWithValues: zip(0..., counts.moves)))
            return row
        }.sorted { $0.day < $1.day }
    }

    private mutating func count(_ day: Int64, _ change: (inout Counts) -> Void) {
        guard days.contains(day) else { return }
        change(&counts[day, default: Counts(row: CountryDay(store: store, day: day))])
    }

    /// Adds what the history has of one query. Lists that cannot be read are not compared, and neither are those that
    /// would be compared with them.
    mutating func add(query: Int64, in database: Database) throws {
        try addChecks(of: query, in: database)
        var compared = self
        do {
            try compared.addMoves(of: query, in: database)
            self = compared
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            unread.formUnion(days)
        }
    }

    private mutating func note(_ damage: UnreadableLists) {
        let first = stretches.day(of: Timestamp(secondsSinceEpoch: damage.from))
        let last = stretches.day(of: Timestamp(secondsSinceEpoch: damage.through)) + CountryDay.longestGap
        guard first <= last, days.overlaps(first...last) else { return }
        unread.formUnion((first...last).clamped(to: days))
    }

    private mutating func addChecks(of query: Int64, in database: Database) throws {
        let span: StatementArguments = [query, span.lowerBound, span.upperBound]
        var checks: [Int64: Int] = [:]
        let all = try Int64.fetchCursor(database.cachedStatement(sql: Self.times), arguments: span)
        while let at = try all.next() { checks[stretches.day(of: Timestamp(secondsSinceEpoch: at)), default: 0] += 1 }
        for (day, number) in checks {
            count(day) {
                $0.row.good += number
                $0.row.queries += 1
            }
        }
        let unread = try Row.fetchCursor(database.cachedStatement(sql: Self.unread), arguments: span)
        while let row = try unread.next() {
            let isSuspect = try CheckWord(row, at: 1, ofCheck: row[2]) == .suspect
            try count(stretches.day(of: row[0])) {
                $0.row.good -= 1
                if isSuspect { $0.row.suspect += 1 } else { $0.row.failed += 1 }
            }
        }
        let thinned = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT day, failed FROM failure_day WHERE query = ? AND day BETWEEN ? AND ?"),
            arguments: [query, days.lowerBound, days.upperBound])
        for (day, rows) in try Dictionary(grouping: thinned, by: { try $0.day(0) }) {
            let failed = try rows.reduce(0) { try $0 + $1.count(1) }
            count(day) {
                $0.row.failed += failed
                if checks[day] == nil { $0.row.queries += 1 }
            }
        }
    }

    /// Answered from indexes: the rows of one query lie far apart.
    static let times = "SELECT at FROM check_log WHERE query = ? AND at BETWEEN ? AND ?"
    static let unread = """
        SELECT at, outcome, id FROM check_log WHERE query = ? AND at BETWEEN ? AND ? AND outcome <> 'good'
        """

    private mutating func addMoves(of query: Int64, in database: Database) throws {
        let stretches = stretches
        var before: BestPlaces?
        /// The last good list of the newest day.
        var newest: StoredList?
        var damages: [UnreadableLists] = []
        var failure: (any Error)?
        func compareNewest() {
            guard let newest, failure == nil else { return }
            let places = BestPlaces(newest, on: stretches.day(of: newest.at))
            if let before, !damages.contains(where: { $0.hides(between: before, and: places, stretches) }) {
                do { try compare(before, places, in: database) } catch { failure = error }
            }
            before = places
        }
        let end = span.upperBound
        try HistoryReader.lists(
            on: query, in: start...max(start, end), database,
            where: { StoredList.Head.areLastGood($0, dayOf: stretches.day) },
            damaged: { damages.append($0) }
        ) { list in
            guard list.outcome == .good else { return true }
            if let last = newest, stretches.day(of: last.at) != stretches.day(of: list.at) { compareNewest() }
            newest = list
            return failure == nil
        }
        compareNewest()
        if let failure { throw failure }
        for damage in damages { note(damage) }
    }

    private mutating func compare(_ old: BestPlaces, _ new: BestPlaces, in database: Database) throws {
        guard new.day - old.day <= CountryDay.longestGap, days.contains(new.day) else { return }
        var (moves, left, entered) = old.moves(to: new)
        if !left.isEmpty, !entered.isEmpty {
            try sameApps.learn(entered.map(\.number), in: database)
            // Apple may number an app anew: it has not left and come.
            entered.removeAll { app in
                guard let former = left.firstIndex(where: { sameApps.areOne($0.number, app.number) }) else {
                    return false
                }
                moves.append(abs(left.remove(at: former).place - app.place))
                return true
            }
        }
        count(new.day) { counts in
            let farthest = moves.max() ?? 0
            if farthest >= counts.moves.count {
                counts.moves += Array(repeating: 0, count: farthest + 1 - counts.moves.count)
            }
            for places in moves { counts.moves[places] += 1 }
            counts.row.moves.apps += moves.count
            // An app that a list does not name may hold a place in which it has none. What the entry there was called
            // does not help (`NamedList`): whose a name is can turn out later, and what is stored of a day stays.
            counts.row.moves.entered += old.isWhole ? entered.count : 0
            counts.row.moves.left += new.isWhole ? left.count : 0
            counts.row.moves.compared += 1
        }
    }
}

/// The best place of each app in one list, by the apps' numbers.
private struct BestPlaces {
    typealias App = (number: Int64, place: Int)

    let at: Int64
    let day: Int64
    /// Whether it is known of every place who holds it.
    let isWhole: Bool
    private(set) var apps: [App] = []

    init(_ list: StoredList, on day: Int64) {
        at = list.at.secondsSinceEpoch
        self.day = day
        isWhole = list.isWhole
        var places: [(number: Int64, place: Int)] = []
        places.reserveCapacity(list.places.count)
        for (place, app) in list.places.enumerated() { if let app { places.append((app.number, place)) } }
        places.sort { $0 < $1 }
        apps.reserveCapacity(places.count)
        for app in places where app.number != apps.last?.number { apps.append(app) }
    }

    /// By how many places each app moved that is in both lists, and the apps that are in one alone.
    func moves(to new: BestPlaces) -> (moves: [Int], left: [App], entered: [App]) {
        var (moves, left, entered): ([Int], [App], [App]) = ([], [], [])
        moves.reserveCapacity(apps.count)
        var rest = apps[...]
        for app in new.apps {
            while let first = rest.first, first.number < app.number { left.append(rest.removeFirst()) }
            if let first = rest.first, first.number == app.number {
                moves.append(abs(rest.removeFirst().place - app.place))
            } else {
                entered.append(app)
            }
        }
        return (moves, left + rest, entered)
    }
}

extension UnreadableLists {
    /// Whether the last list of `new`'s day, or the last before that day, may be one of these.
    fileprivate func hides(between old: BestPlaces, and new: BestPlaces, _ days: DayStretches) -> Bool {
        let day = days.day(of: Timestamp(secondsSinceEpoch: from))
        guard old.at < through, day <= new.day else { return false }
        return day < new.day || new.at <= through
    }
}

/// Which numbers are of one app, as far as that was asked.
private struct SameApps {
    private var asked: Set<Int64> = []
    /// Of the few apps that have several.
    private var others: [Int64: Set<Int64>] = [:]

    mutating func learn(_ numbers: [Int64], in database: Database) throws {
        let new = numbers.filter { !asked.contains($0) }
        guard !new.isEmpty else { return }
        let found = try OtherNumbers(of: new, in: database)
        for number in new {
            asked.insert(number)
            if !found[number].isEmpty { others[number] = found[number] }
        }
    }

    func areOne(_ one: Int64, _ other: Int64) -> Bool { others[other]?.contains(one) ?? false }
}
