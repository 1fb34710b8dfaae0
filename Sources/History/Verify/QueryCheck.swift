import GRDB
import RankKit

/// Looks through everything that hangs on one query.
struct QueryCheck {
    private struct Pair {
        let id: Int64
        let bundleKey: String
        let place: String
        let periods: PairPeriods
        /// Whether its positions from before it was tracked are there, too.
        let isFilled: Bool
        /// Where its past is still to be filled in: how far it is; `nil` where it is there.
        let filledThrough: StoredList.Key?
        /// Its positions from before that were deleted.
        let prunedEnd: Int64
        var rows: PositionRows
        var isRead = false
        var standing: DerivedStanding
        var days = DerivedDays()
    }

    private let query: Int64
    private let name: String
    private let isAsked: Bool
    /// From when on every list is kept.
    private let listsSince: Int64
    private var pairs: [Pair] = []
    private var apps: DerivedApps
    private var top: DerivedTop
    private var newest: Newest<Void>
    private var places: PairPlaces
    private var unnumbered: UnnumberedRows
    private let database: Database
    private let order: RecordedOrder
    private(set) var checks = 0
    private(set) var positions = 0

    init?(_ query: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database, sql: "SELECT text, country, platform, source FROM query WHERE id = ?", arguments: [query])
        guard let row else { return nil }
        let (text, country, platform, source): (String, String, String, String) = try (row[0], row[1], row[2], row[3])
        self.query = query
        self.database = database
        listsSince = try Setting.listsSince.integer(in: database) ?? .min
        isAsked = Source(rawValue: source)?.isAsked ?? false
        name = "“\(text)” \(country) \(platform)\(source == Source.usual.rawValue ? "" : " \(source)")"
        order = try RecordedOrder(of: source, in: database)
        apps = try DerivedApps(of: query, in: database)
        top = try DerivedTop(of: query, in: database)
        newest = Newest(order)
        unnumbered = try UnnumberedRows(of: query, in: database)
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, bundle_id, bundle_key, retired_at IS NULL AND pair_fill.pair IS NULL,
                    pair_fill.pair IS NOT NULL, through_at, through_check
                FROM pair LEFT JOIN pair_fill ON pair_fill.pair = pair.id
                WHERE query = ? ORDER BY id
                """, arguments: [query])
        for row in rows {
            let (id, bundleID, key): (Int64, String, String) = try (row[0], row[1], row[2])
            let through = StoredList.Key(at: try row[5] as Int64? ?? .min, check: try row.wideIfAny(6) ?? .min)
            try pairs.append(
                Pair(
                    id: id, bundleKey: key, place: "\(name), \(bundleID)",
                    periods: try PairPeriods(of: id, in: database), isFilled: row[3],
                    filledThrough: row[4] ? through : nil, prunedEnd: PrunedPairs.end(of: id, in: database),
                    rows: try PositionRows(of: id, in: database), standing: DerivedStanding(order)))
        }
        places = try PairPlaces(of: pairs.map(\.bundleKey), in: database)
    }

    /// So many wrong apps of one query are told one by one.
    private static let mostApps = 10

    /// - Parameters:
    ///   - rows: the query's checks.
    ///   - known: whether there is an app with a number.
    ///   - each: called before every check.
    mutating func run(
        _ rows: CheckRows, known: (Int64) throws -> Bool, each: () throws -> Void, found: (Finding) -> Void
    ) throws {
        var rows = rows
        var lists = try CheckedLists(of: query, name: name, in: database)
        while let check = try rows.next() {
            try each()
            checks += 1
            newest.offer((), check: check.id, at: check.at)
            let kept = try lists.list(of: check, found)
            apps.read(kept, of: check)
            top.read(kept, of: check)
            let isRead = try look(at: kept, of: check, known: known, found)
            try lookAtPositions(of: check, hasList: isRead, found)
        }
        try lists.finish(found)
        if let (count, check) = lists.lone.hidden {
            let problem = "\(count) of the query's lists would be overlooked, such as the list of check \(check)"
            found(Finding(part: .lists, place: name, problem: problem))
        }
        try lookAtNewest(found)
        try lookAtApps(found)
        let rolledUp = try DayRollUp.lastDay(in: database) ?? .min
        for index in pairs.indices {
            let place = pairs[index].place
            try pairs[index].rows.finish { found(Self.stray($0, of: place)) }
            try lookAtStanding(of: pairs[index], found)
            try lookAtDays(of: pairs[index], through: rolledUp, found)
        }
    }

    /// - Returns: whether there is a list that can be relied on; `places` then has what it says.
    private mutating func look(
        at kept: CheckedLists.Kept, of check: CheckRow, known: (Int64) throws -> Bool, _ found: (Finding) -> Void
    ) throws -> Bool {
        func tell(_ problem: String) {
            found(Finding(part: .lists, place: "\(name), \(Self.words(check.key))", problem: problem))
        }
        let named = try unnumbered.take(check.key)
        switch kept {
        case .none:
            if !named.isEmpty { tell("entries of the check's list are named, but it has no list") }
            if check.outcome != .failed, isAsked, listsSince <= check.at {
                tell("the check has no list, and should have one")
            }
            return false
        case .damaged:
            tell("the stored list cannot be read")
            return false
        case .inDamagedPage: return false
        case .list(let lists, let index):
            if check.outcome == .failed { tell("the check failed, and yet it has a list") }
            let names = Dictionary(named.map { (Int($0.position), $0.bundleID) }, uniquingKeysWith: { one, _ in one })
                .compactMapValues { BundleID($0) }
            try places.read(lists, index, named: names, in: database, known: known)
            if let within = check.within, within != places.count {
                tell("the list has \(places.count) places, but the check saw \(within)")
            }
            if check.isPartlyRead, places.isWhole {
                tell("the check says that some places could not be read, but the list has all of them")
            }
            if let stranger = places.stranger {
                tell("the list names app \(stranger), which the history does not know")
            }
            for (position, bundleID) in named {
                if !places.isUnread(at: position) {
                    tell("the entry at #\(position) is named as one without a number, but the list has no such entry")
                } else if BundleID(bundleID) == nil {
                    tell("the entry at #\(position) is named by what is no bundle identifier")
                }
            }
            return true
        }
    }

    private mutating func lookAtPositions(
        of check: CheckRow, hasList: Bool, _ found: (Finding) -> Void
    ) throws {
        guard check.outcome == .good else {
            guard !pairs.isEmpty else { return }
            let outcome = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT outcome, within, reason FROM check_log WHERE id = ?"),
                arguments: [check.id]
            ).map { try CheckOutcome($0, at: 0, ofCheck: check.id) }
            guard let gap = outcome?.gap else { return }
            for index in pairs.indices {
                pairs[index].standing.unread(gap, check: check.id, at: check.at, pairs[index].periods)
            }
            return
        }
        for index in pairs.indices {
            let place = pairs[index].place
            let reading = try pairs[index].rows.take(check.key) { found(Self.stray($0, of: place)) }
            func tell(_ problem: String) {
                found(Finding(part: .positions, place: "\(place), \(Self.words(check.key))", problem: problem))
            }
            guard let (position, within) = reading else {
                let told = hasList ? places.readings[index] : nil
                let isUntold = check.isPartlyRead && told.map { !$0.isWhole && $0.position == nil } ?? true
                if isUntold {
                    pairs[index].standing.unread(
                        .failed(.unreadPlaces), check: check.id, at: check.at, pairs[index].periods)
                } else if let why = whyDue(
                    pairs[index], check, isListRead: told.map { $0.isWhole || $0.position != nil } ?? false)
                {
                    tell("the pair has no position, although \(why)")
                } else if check.isPartlyRead {
                    // It was not asked for, and is not told from what could not be read.
                    pairs[index].standing.unread(
                        .failed(.unreadPlaces), check: check.id, at: check.at, pairs[index].periods)
                }
                continue
            }
            positions += 1
            pairs[index].isRead = true
            pairs[index].standing.read(position, within: within, check: check.id, at: check.at)
            pairs[index].days.read(position, within: within, at: check.at)
            guard hasList else { continue }
            if within != places.count {
                tell("the position says that the list had \(within) places, but it has \(places.count)")
            }
            let told = places.readings[index]
            if position != told.position, try !places.allows(position, for: index, in: database) {
                let isNamed = position.map { $0 < told.position ?? .max && places.isUnread(at: Int64($0)) } ?? false
                let listed =
                    isNamed ? "the entry there was named otherwise" : "the list says \(Self.words(told.position))"
                tell("the pair is stored as \(Self.words(position)), but \(listed)")
            } else if position == nil, told.hasStranger {
                tell("the pair is stored as absent, but an entry of the list may be its app")
            }
        }
    }

    /// Why a check that said nothing about a pair should have; `nil` if it need not.
    private func whyDue(_ pair: Pair, _ check: CheckRow, isListRead: Bool) -> String? {
        guard isAsked, pair.prunedEnd <= check.at else { return nil }
        // A clock that was set back has pairs that were added before the checks which were there by then.
        if let through = pair.filledThrough, through < check.key { return nil }
        if pair.periods.meeting(at: check.at) == .certainly, order.knowsPairs(of: check.id) {
            return "it was tracked then"
        }
        return pair.isFilled && pair.isRead && isListRead ? "it has older ones" : nil
    }

    private static func words(_ position: Int?) -> String { position.map { "#\($0)" } ?? "absent" }

    private static func words(_ check: StoredList.Key) -> String {
        "check \(check.check) of \(Timestamp(secondsSinceEpoch: check.at))"
    }

    /// A position of a check that is not there, or not good.
    private static func stray(_ check: StoredList.Key, of place: String) -> Finding {
        Finding(
            part: .positions, place: "\(place), \(Timestamp(secondsSinceEpoch: check.at))",
            problem: "the position belongs to check \(check.check), which is no good check of this query at this time")
    }

    /// A newest check that is not there is told of with what no foreign key looks after.
    private func lookAtNewest(_ found: (Finding) -> Void) throws {
        let stored = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT check_log.id FROM query JOIN check_log ON check_log.id = query.newest_check
                    WHERE query.id = ? AND check_log.query = query.id
                    """), arguments: [query])
        guard let stored, stored != newest.entry?.check else { return }
        let derived = newest.entry.map { "check \($0.check)" } ?? "none"
        found(
            Finding(
                part: .references, place: name, problem: "the newest check is stored as \(stored), but it is \(derived)"
            ))
    }

    private mutating func lookAtApps(_ found: (Finding) -> Void) throws {
        let problems = try apps.problems()
        for (app, problem) in problems.prefix(Self.mostApps) {
            found(Finding(part: .apps, place: "\(name), app \(app)", problem: problem))
        }
        let rest = problems.count - Self.mostApps
        if rest > 0 {
            found(Finding(part: .apps, place: name, problem: "\(rest) more apps have problems of this kind"))
        }
        if let problem = top.problem() {
            found(Finding(part: .apps, place: "\(name), first places", problem: problem))
        }
    }

    private func lookAtStanding(of pair: Pair, _ found: (Finding) -> Void) throws {
        let stored = try DerivedStanding.Row.stored(of: pair.id, in: database)
        let admitted = try pair.standing.admits(stored) { at, reason in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM failure_day WHERE query = ? AND day = ? AND reason = ?"),
                arguments: [query, Timestamp(secondsSinceEpoch: at).day, reason]) ?? false
        }
        guard !admitted else { return }
        let derived = pair.standing.row
        found(
            Finding(
                part: .standings, place: pair.place,
                problem:
                    "the stored standing is \(stored.map(\.words) ?? "missing"), but the checks say \(derived.map(\.words) ?? "nothing")"
            ))
    }

    private func lookAtDays(of pair: Pair, through last: Int64, _ found: (Finding) -> Void) throws {
        let stored = try DerivedDays.stored(of: pair.id, through: last, in: database)
        let derived = pair.days.rows.filter { $0.key <= last }
        for day in Set(stored.keys).union(derived.keys).sorted() where stored[day] != derived[day] {
            let problem =
                stored[day] == nil
                ? "the figures of this day are missing"
                : derived[day] == nil
                    ? "there are figures of this day, but no positions"
                    : "the figures of this day differ from its positions"
            found(
                Finding(
                    part: .rollUps, place: "\(pair.place), \(CivilTime.date(Timestamp.startOfDay(day)))",
                    problem: problem))
        }
    }
}

extension DerivedStanding.Row {
    fileprivate var words: String {
        func when(_ at: Int64?) -> String { at.map { " at \(Timestamp(secondsSinceEpoch: $0))" } ?? "" }
        func place(_ number: Int?) -> String { number.map { "#\($0)" } ?? "none" }
        return "\(state)\(when(checkedAt)), last good \(goodAt == nil ? "none" : place(position))\(when(goodAt))"
            + ", best \(place(best))\(when(bestAt)), worst \(place(worst))\(when(worstAt))"
    }
}
