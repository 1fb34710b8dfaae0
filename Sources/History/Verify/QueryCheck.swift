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
        var isRead = false
        var standing: DerivedStanding
        var days = DerivedDays()
    }

    private let query: Int64
    private let name: String
    private let isOurs: Bool
    /// From when on every list is kept.
    private let listsSince: Int64
    private var pairs: [Pair] = []
    private var apps: DerivedApps
    /// The tracked apps among all numbers.
    private var tracked: [Int64: String] = [:]
    private let database: Database
    private let order: RecordedOrder
    private(set) var checks = 0
    private(set) var positions = 0

    init?(_ query: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database, sql: "SELECT text, country, platform, source FROM query WHERE id = ?", arguments: [query])
        guard let row else { return nil }
        let (text, country, platform, source): (String, String, String, String) = (row[0], row[1], row[2], row[3])
        self.query = query
        self.database = database
        listsSince = try Setting.listsSince.integer(in: database) ?? .min
        isOurs = source == Source.itunes.rawValue
        name = "“\(text)” \(country) \(platform)\(isOurs ? "" : " \(source)")"
        order = try RecordedOrder(of: source, in: database)
        apps = try DerivedApps(of: query, in: database)
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, bundle_id, bundle_key,
                    retired_at IS NULL AND NOT EXISTS (SELECT 1 FROM pair_fill WHERE pair_fill.pair = pair.id)
                FROM pair WHERE query = ? ORDER BY id
                """, arguments: [query])
        for row in rows {
            let (id, bundleID, key): (Int64, String, String) = (row[0], row[1], row[2])
            pairs.append(
                Pair(
                    id: id, bundleKey: key, place: "\(name), \(bundleID)",
                    periods: try PairPeriods(of: id, in: database), isFilled: row[3],
                    standing: DerivedStanding(order)))
            let apps = try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT id FROM app WHERE bundle_key = ?"), arguments: [key])
            for app in apps { tracked[app] = key }
        }
    }

    /// So many wrong apps of one query are told one by one.
    private static let mostApps = 10

    /// - Parameters:
    ///   - known: whether there is an app with a number.
    ///   - each: called before every check.
    mutating func run(
        known: (Int64) throws -> Bool, each: () throws -> Void, found: (Finding) -> Void
    ) throws {
        try PageCheck(query: query, name: name).run(in: database, each: each, found: found)
        try KeptCheck.each(of: query, in: database) { check in
            try each()
            checks += 1
            apps.read(check)
            try look(at: check, known: known, found)
        }
        try lookForHidden(found)
        try lookAtApps(found)
        let rolledUp = try DayRollUp.lastDay(in: database) ?? .min
        for pair in pairs {
            try lookForStrays(of: pair, found)
            try lookAtStanding(of: pair, found)
            try lookAtDays(of: pair, through: rolledUp, found)
        }
    }

    private func place(_ check: KeptCheck) -> String {
        "\(name), check \(check.id) of \(Timestamp(secondsSinceEpoch: check.at))"
    }

    private mutating func look(
        at check: KeptCheck, known: (Int64) throws -> Bool, _ found: (Finding) -> Void
    ) throws {
        let places = try list(of: check, known: known, found)
        var first: [String: Int] = [:]
        for (index, number) in (places ?? []).enumerated() {
            if let key = number.flatMap({ tracked[$0] }), first[key] == nil { first[key] = index + 1 }
        }
        let statement = try database.cachedStatement(
            sql: "SELECT position, within FROM position WHERE pair = ? AND at = ? AND check_id = ?")
        for index in pairs.indices {
            let pair = pairs[index]
            let row = try Row.fetchOne(statement, arguments: [pair.id, check.at, check.id])
            guard check.outcome == "good" else {
                pairs[index].standing.unread(check, pair.periods)
                continue
            }
            guard let row else {
                let wasTracked =
                    pair.periods.meeting(at: check.at) == .certainly && order.knowsPairs(of: check.id)
                if isOurs, wasTracked || pair.isFilled && pair.isRead && places != nil {
                    found(
                        position(
                            pair, check,
                            "there is no position, though "
                                + (wasTracked ? "the pair was tracked then" : "there are older ones")))
                }
                continue
            }
            positions += 1
            pairs[index].isRead = true
            let (position, within): (Int?, Int) = (row[0], row[1])
            pairs[index].standing.read(position, within: within, check: check.id, at: check.at)
            pairs[index].days.read(position, within: within, at: check.at)
            guard let places else { continue }
            if within != places.count {
                found(self.position(pair, check, "is within \(within) places, the list has \(places.count)"))
            }
            let place = first[pair.bundleKey]
            // An entry without a number of Apple's may have named the app: its place says nothing against it.
            let isUntold = position.map { $0 <= places.count && places[$0 - 1] == nil && (place ?? .max) > $0 } ?? false
            if position != place, !isUntold {
                found(
                    self.position(
                        pair, check,
                        "is \(Self.words(position)), the list says \(Self.words(place))"))
            }
        }
    }

    private static func words(_ position: Int?) -> String { position.map { "#\($0)" } ?? "absent" }

    private func position(_ pair: Pair, _ check: KeptCheck, _ problem: String) -> Finding {
        Finding(
            part: .positions,
            place: "\(pair.place), check \(check.id) of \(Timestamp(secondsSinceEpoch: check.at))", problem: problem)
    }

    /// The list as far as it can be relied on.
    private func list(
        of check: KeptCheck, known: (Int64) throws -> Bool, _ found: (Finding) -> Void
    ) throws -> [Int64?]? {
        func finding(_ problem: String) -> Finding { Finding(part: .lists, place: place(check), problem: problem) }
        switch check.list {
        case .none:
            if check.outcome != "failed", isOurs, listsSince <= check.at { found(finding("there is no list")) }
            return nil
        case .damaged:
            found(finding("the list cannot be decoded"))
            return nil
        case .inDamagedPage: return nil
        case .places(let places):
            if check.outcome == "failed" { found(finding("a failed check has a list")) }
            if let within = check.within, within != places.count {
                found(finding("the list has \(places.count) places, the check saw \(within)"))
            }
            if let stranger = try places.first(where: { number in try number.map { try !known($0) } ?? false }) {
                found(finding("the list names app \(stranger ?? 0), which is not there"))
            }
            return places
        }
    }

    /// Lists in no page from before the moment from which on such lists are looked for.
    private func lookForHidden(_ found: (Finding) -> Void) throws {
        let hidden = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*), min(check_log.id) FROM check_log
                CROSS JOIN result_list ON result_list.check_id = check_log.id
                WHERE check_log.query = ? AND check_log.at < (SELECT unpaged_from FROM query WHERE id = ?)
                """, arguments: [query, query])
        guard let hidden, let count = hidden[0] as Int?, count > 0, let check = hidden[1] as Int64? else { return }
        found(
            Finding(
                part: .lists, place: name,
                problem: "\(count) of its lists, such as that of check \(check), would not be looked for"))
    }

    private func lookAtApps(_ found: (Finding) -> Void) throws {
        let problems = try apps.problems()
        for (app, problem) in problems.prefix(Self.mostApps) {
            found(Finding(part: .apps, place: "\(name), app \(app)", problem: problem))
        }
        let rest = problems.count - Self.mostApps
        if rest > 0 { found(Finding(part: .apps, place: name, problem: "the same of \(rest) more apps")) }
    }

    /// Positions of checks that are not there, or not good.
    private func lookForStrays(of pair: Pair, _ found: (Finding) -> Void) throws {
        let strays = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT position.at, position.check_id FROM position
                    LEFT JOIN check_log ON check_log.id = position.check_id
                    WHERE pair = ? AND (check_log.id IS NULL OR check_log.at <> position.at OR outcome <> 'good'
                        OR check_log.query <> ?)
                    """), arguments: [pair.id, query])
        while let row = try strays.next() {
            let (at, check): (Int64, Int64) = (row[0], row[1])
            found(
                Finding(
                    part: .positions, place: "\(pair.place), \(Timestamp(secondsSinceEpoch: at))",
                    problem: "belongs to check \(check), which is no good check of that query and time"))
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
                problem: "is \(stored.map(\.words) ?? "missing"), the checks say \(derived.map(\.words) ?? "nothing")"))
    }

    private func lookAtDays(of pair: Pair, through last: Int64, _ found: (Finding) -> Void) throws {
        let stored = try DerivedDays.stored(of: pair.id, through: last, in: database)
        let derived = pair.days.rows.filter { $0.key <= last }
        for day in Set(stored.keys).union(derived.keys).sorted() where stored[day] != derived[day] {
            let problem =
                stored[day] == nil
                ? "is missing" : derived[day] == nil ? "has no positions" : "is not what they come to"
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
