import GRDB
import RankKit

/// Derives the days of the store anew, and looks whether their roll-ups say the same.
///
/// A running rankd may derive days meanwhile: those that change, or are to be derived anew, are left out.
struct CountryDayCheck {
    let reader: HistoryReader
    /// Whether all lists can be read; without them nothing is said of how far apps moved.
    let hasAllLists: Bool

    /// Whether what is stored was derived by the present rule: else the next clean-up derives it anew.
    private func isOfRule() throws -> Bool {
        try reader.read { try Setting.countryDaysRule.integer(in: $0) } == CountryTally.rule
    }

    private typealias Key = CountryDayRow.Key

    private struct Stored {
        var days: [Key: CountryDay]
        var due: Set<Key>
        /// Through which day the next clean-ups derive all anew.
        var outdated: Int64
        /// Whether those are perhaps of another zone.
        var hasFormerZone: Bool
    }

    /// Days that are derived in one sweep through the lists: each sweep begins with a page that the one before has ended
    /// in, and a page of hourly lists holds months.
    private static let sweptDays: Int64 = 366

    /// - Parameter each: called before every query.
    /// - Throws: `HistoryError`, or what `each` throws.
    func run(each: () throws -> Void, found: (Finding) -> Void) throws {
        guard let last = try reader.read(CountryDayRow.lastDay) else { return }
        let tellsMoves = try hasAllLists && isOfRule()
        var day = Int64.min
        while let first = try reader.read({ try Self.next(from: day, in: $0) }), first <= last {
            let days = first...min(first + Self.sweptDays - 1, last)
            try look(at: days, tellsMoves: tellsMoves, each, found)
            day = days.upperBound + 1
        }
    }

    /// The first day from `day` on that has a check or a roll-up.
    private static func next(from day: Int64, in database: Database) throws -> Int64? {
        let stored = try Int64.fetchOne(
            database, sql: "SELECT min(day) FROM country_day WHERE day >= ?", arguments: [day])
        let zone = try CountryDayRow.zone(in: database)
        let from = day == .min ? nil : zone.start(of: day)
        let asked = try HistoryStore.nextCheck(from: from, askedOnly: true, in: database).map(zone.day)
        return [stored, asked].compactMap(\.self).min()
    }

    private func look(
        at days: ClosedRange<Int64>, tellsMoves: Bool, _ each: () throws -> Void, _ found: (Finding) -> Void
    ) throws {
        let before = try reader.read { try Self.stored(days, in: $0) }
        var draft = try CountryDayDraft(days, from: reader)
        repeat { try each() } while try draft.countNext(from: reader)
        let (rows, unread) = (draft.rows, draft.unread)
        let (after, derived) = try reader.read { database in
            (
                try Self.stored(days, in: database),
                try Self.byKey(CountryDayRow.keepingMoves(rows, unread: unread, days, in: database))
            )
        }
        for key in Set(after.days.keys).union(derived.keys).sorted(by: { ($0.day, $0.store) < ($1.day, $1.store) })
        where before.days[key] == after.days[key] && !before.due.contains(key) && !after.due.contains(key) {
            // Days of another zone have other checks.
            if before.hasFormerZone || after.hasFormerZone, max(before.outdated, after.outdated) >= key.day { continue }
            let tellsMoves = tellsMoves && max(before.outdated, after.outdated) < key.day
            guard let problem = problem(with: after.days[key], derived[key], tellsMoves) else { continue }
            found(
                Finding(
                    part: .rollUps, place: "\(key.store.name), \(CivilTime.date(Timestamp.startOfDay(key.day)))",
                    problem: problem))
        }
    }

    private func problem(with stored: CountryDay?, _ derived: CountryDay?, _ tellsMoves: Bool) -> String? {
        guard var stored else {
            // A day whose every check failed may have been passed over once its failures were thinned.
            return derived.map { $0.good + $0.suspect } == 0 ? nil : "the figures of this day are missing"
        }
        guard let derived else { return "there are figures of this day, but no checks" }
        if !tellsMoves { stored.moves = derived.moves }
        return stored == derived ? nil : "the figures of this day differ from its checks and lists"
    }

    private static func stored(_ days: ClosedRange<Int64>, in database: Database) throws -> Stored {
        Stored(
            days: byKey(try CountryDayRow.all(days, of: nil, in: database)),
            due: Set(try CountryDayRow.due(days, in: database).map { Key(store: $0.store, day: $0.day) }),
            outdated: try CountryDayRow.lastOutdatedDay(in: database) ?? .min,
            hasFormerZone: try CountryDayRow.hasFormerZone(in: database))
    }

    private static func byKey(_ rows: [CountryDay]) -> [Key: CountryDay] {
        Dictionary(
            rows.map { (Key(store: $0.store, day: $0.day), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
