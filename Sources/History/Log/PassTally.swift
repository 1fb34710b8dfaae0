import GRDB
import RankKit

/// Rows of `pass_answers`: what the first answers of a pass were, by country, until it ends.
struct PassTally: Equatable {
    /// Lists that are believed.
    var good = 0
    /// Those of them that are long enough to support short ones.
    var whole = 0
    /// Lists that are not believed by themselves.
    var doubtful = 0
    /// Those of them that are shorter than half of what is usual.
    var collapsed = 0
    /// Lists of new queries, and the empty ones of those.
    var (new, emptyNew) = (0, 0)

    init() {}

    /// What a list adds.
    init(_ verdict: Belief.Verdict, isNew: Bool, length: Int) {
        switch verdict {
        case .accepted, .believed:
            good = 1
            whole = length >= Belief.fewestPlaces ? 1 : 0
        case .collapsed: (doubtful, collapsed) = (1, 1)
        case .unsupported: doubtful = 1
        }
        if isNew { (new, emptyNew) = (1, length == 0 ? 1 : 0) }
    }

    /// That of a pass, of one country where it is named. What no rankd writes counts for nothing.
    init(of pass: PassID, country: Country? = nil, in database: Database) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM pass_answers
                    WHERE source = ? AND pass = ? AND country = ifnull(?, country)
                    """), arguments: [pass.source.rawValue, pass.number, country?.code])
        for case let tally? in rows.map({ PassTally($0) }) { self += tally }
    }

    private static let columns = "good, whole, doubtful, collapsed, new, empty_new"

    /// `nil` if no rankd writes such a row.
    private init?(_ row: Row) {
        do {
            (good, whole, doubtful) = try (row.depth(0), row.depth(1), row.depth(2))
            (collapsed, new, emptyNew) = try (row.depth(3), row.depth(4), row.depth(5))
        } catch {
            return nil
        }
        guard whole <= good, collapsed <= doubtful, emptyNew <= new, new <= good + doubtful else { return nil }
    }

    static func += (left: inout PassTally, right: PassTally) {
        left.good += right.good
        left.whole += right.whole
        left.doubtful += right.doubtful
        left.collapsed += right.collapsed
        left.new += right.new
        left.emptyNew += right.emptyNew
    }

    func add(to pass: PassID, _ country: Country, in database: Database) throws {
        var sum = try PassTally(of: pass, country: country, in: database)
        sum += self
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pass_answers (source, pass, country, \(Self.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                pass.source.rawValue, pass.number, country.code, sum.good, sum.whole, sum.doubtful, sum.collapsed,
                sum.new, sum.emptyNew,
            ])
    }

    /// Lets a pass go on with what the answers of passes of its source before it were.
    static func handOver(to pass: PassID, in database: Database) throws {
        let rows = try Row.fetchAll(
            database, sql: "SELECT \(columns), country FROM pass_answers WHERE source = ? AND pass < ?",
            arguments: [pass.source.rawValue, pass.number])
        for row in rows {
            guard let tally = PassTally(row), let country = Country(row, at: 6) else { continue }
            try tally.add(to: pass, country, in: database)
        }
        try database.execute(
            sql: "DELETE FROM pass_answers WHERE source = ? AND pass < ?",
            arguments: [pass.source.rawValue, pass.number])
    }

    /// Deletes rows of passes that cannot be.
    static func forgetUnreadable(in database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT source, pass FROM pass_answers")
        where PassID(row, at: 0) == nil {
            try database.execute(
                sql: "DELETE FROM pass_answers WHERE source IS ? AND pass IS ?",
                arguments: [row.value(0), row.value(1)])
        }
    }

    /// Rows that no rankd writes, and those of passes that have ended.
    static func findings(in database: Database) throws -> [Finding] {
        try Row.fetchAll(database, sql: "SELECT \(columns), source, pass, country FROM pass_answers").compactMap {
            row in
            let place = "answers of pass \(row.value(7)), \(row.value(8))"
            guard PassTally(row) != nil, Country(row, at: 8) != nil, let pass = PassID(row, at: 6) else {
                return Finding(part: .references, place: place, problem: "no pass has such answers")
            }
            guard try PassCount.hasEnded(pass, in: database) else { return nil }
            return Finding(part: .references, place: place, problem: "the pass has ended")
        }
    }

    /// Whether the pass was a bad day of the store, as far as these are all of its first answers.
    var isBadDay: Bool {
        Belief.isBadDay(collapsed: collapsed, answered: good + doubtful, new: new, emptyNew: emptyNew)
    }

    /// Whether a second list is short as the first was while enough other lists of the country, of which this is the
    /// tally, came whole, and less than a third as many collapsed.
    func supports(_ second: Int, after first: Int) -> Bool {
        Belief.areAlikeAndShort(first, second) && whole >= Belief.supportingLists && collapsed * 3 < whole
    }
}

extension Country {
    /// `nil` if the column `index` holds none.
    fileprivate init?(_ row: Row, at index: Int) {
        guard case .string(let code) = row.value(index).storage else { return nil }
        self.init(code: code)
    }
}
