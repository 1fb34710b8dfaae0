import GRDB
import RankKit

/// Which of Apple's numbers stand for the app of a bundle identifier, and when: the first place of any of them is the
/// app's.
///
/// A number has a bundle identifier from when it first came under it until it came under the next one that stayed: its
/// tenure. Numbers that have one at the same time are one app: it has an edition for the Mac, or was submitted anew.
/// While nobody has it, it means the app that had it last, and before everybody the one that had it first. So a
/// pair goes on when its app comes under another name, and one that names the new one has the app's whole past. Only
/// where an app gave a bundle identifier up and another took it up does it mean the one before and the other one since.
struct AppNumbers: Sendable, Equatable {
    private struct Span: Equatable {
        /// In seconds since 1970. The first one is from all time on.
        var from: Int64
        var numbers: Set<DenseID>
    }

    /// In order of time; empty if no app ever had the bundle identifier.
    private var spans: [Span] = []
    /// How many numbers ever had the bundle identifier.
    private var holders = 0

    /// - Parameters:
    ///   - key: folded.
    ///   - moment: by what had been seen then, in seconds; by everything if it is `nil`.
    init(of key: String, by moment: Int64? = nil, in database: Database) throws {
        if let moment {
            self = try Self.known(key, at: moment, in: database)
            return
        }
        let holders = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM \(AppNames.ids(":key"))"), arguments: ["key": key])
        self.holders = holders.count
        if holders.count == 1 {
            spans = [Span(from: .min, numbers: [DenseID(holders[0])])]
        } else if !holders.isEmpty {
            let tenures = try holders.flatMap { holder in
                try AppNames(of: holder, in: database).tenures(of: key).map { Tenure(holder: holder, span: $0) }
            }
            spans = Self.spans(tenures)
        }
    }

    private init(spans: [Span], holders: Int) { (self.spans, self.holders) = (spans, holders) }

    private struct Tenure {
        let holder: Int64
        let span: Range<Int64>
    }

    /// - Parameter isStayedOnly: whether a name that had not stayed yet stands only for who is alone in having it.
    private static func known(
        _ key: String, at moment: Int64, isStayedOnly: Bool = false, in database: Database
    ) throws -> AppNumbers {
        let apps = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM \(AppNames.ids(":key")) UNION SELECT app FROM main.bundle_name
                        WHERE stayed_at IS NULL AND lower(bundle_id) = :key
                    """), arguments: ["key": key])
        var holders: [(app: Int64, names: AppNames)] = []
        for app in apps {
            let names = try AppNames(of: app, in: database).known(at: moment)
            if names.keys.contains(key) { holders.append((app, names)) }
        }
        let tenures = try holders.flatMap { app, names in
            let others = holders.map(\.app).filter { $0 != app }
            let standing = try names.letting { name in
                try name.folded == key
                    && (others.isEmpty
                        || !isStayedOnly && others.allSatisfy { try areOne(app, $0, by: moment, in: database) })
            }
            return standing.tenures(of: key).map { Tenure(holder: app, span: $0) }
        }
        let having = Set(tenures.map(\.holder))
        guard having.count > 1 else {
            let numbers = having.map { Span(from: .min, numbers: [DenseID($0)]) }
            return AppNumbers(spans: numbers, holders: having.count)
        }
        return AppNumbers(spans: spans(tenures), holders: having.count)
    }

    private static func spans(_ tenures: [Tenure]) -> [Span] {
        var groups = Dictionary(tenures.map { ($0.holder, $0.holder) }, uniquingKeysWith: { one, _ in one })
        for (index, one) in tenures.enumerated() {
            for other in tenures[..<index] where areOne(one.span, other.span) {
                let (kept, merged) = (groups[one.holder]!, groups[other.holder]!)
                for (holder, group) in groups where group == merged { groups[holder] = kept }
            }
        }
        let members = Dictionary(grouping: groups.keys, by: { groups[$0]! }).mapValues { Set($0.map(DenseID.init)) }
        let ordered = tenures.sorted { ($0.span.lowerBound, $0.holder) < ($1.span.lowerBound, $1.holder) }
        var spans: [Span] = []
        var holding: Int64?
        for moment in Set(ordered.flatMap { [$0.span.lowerBound, $0.span.upperBound] }).sorted() {
            let having = ordered.filter { $0.span.contains(moment) }.compactMap { groups[$0.holder] }
            // Who has it keeps it until it gives it up, and beyond if nobody takes it up.
            guard let first = having.first, !having.contains(where: { $0 == holding }) else { continue }
            holding = first
            spans.append(Span(from: spans.isEmpty ? .min : moment, numbers: members[first] ?? []))
        }
        return spans
    }

    /// Whether both are so at one time for long enough: two of Apple's caches may say for a while that one app has it
    /// still, and that another has it already.
    private static func areOne(_ one: Range<Int64>, _ other: Range<Int64>) -> Bool {
        let (from, until) = (max(one.lowerBound, other.lowerBound), min(one.upperBound, other.upperBound))
        return from < until && (until == .max || AppNames.hasStayed(from: from, to: until))
    }

    /// Whether two numbers are one app: a name that stayed with both stands for both now.
    ///
    /// - Parameter moment: as far as that was known then, in seconds; `nil` for now.
    static func areOne(_ app: Int64, _ other: Int64, by moment: Int64? = nil, in database: Database) throws -> Bool {
        if let moment {
            let shared = try [app, other].map { app in
                Set(try AppNames(of: app, in: database).known(at: moment).all.map(\.bundleID.folded))
            }
            return try shared[0].intersection(shared[1]).contains { key in
                try known(key, at: moment, isStayedOnly: true, in: database).at(.max)
                    .isSuperset(of: [DenseID(app), DenseID(other)])
            }
        }
        let keys = try String.fetchAll(
            database.cachedStatement(sql: sharedNames), arguments: ["app": app, "other": other])
        return try keys.contains { key in
            try AppNumbers(of: key, in: database).at(.max).isSuperset(of: [DenseID(app), DenseID(other)])
        }
    }

    private static let sharedNames = """
        SELECT bundle_key FROM main.app WHERE id = :app AND bundle_key IN \(stayed(":other"))
        UNION SELECT bundle_key FROM main.bundle_name
            WHERE app = :app AND stayed_at IS NOT NULL AND bundle_key IN \(stayed(":other"))
        """

    private static func stayed(_ app: String) -> String {
        """
        (SELECT bundle_key FROM main.app WHERE id = \(app)
            UNION SELECT bundle_key FROM main.bundle_name WHERE app = \(app) AND stayed_at IS NOT NULL)
        """
    }

    /// All of them, whenever they stand for it.
    var all: Set<DenseID> { spans.reduce(into: []) { $0.formUnion($1.numbers) } }

    var isEmpty: Bool { spans.isEmpty }

    /// The numbers of the one app that ever had the bundle identifier; `nil` if none had, or several.
    var only: Set<DenseID>? { spans.count == 1 && spans[0].numbers.count == holders ? spans[0].numbers : nil }

    func contains(_ app: DenseID, at moment: Int64) -> Bool { span(at: moment)?.numbers.contains(app) ?? false }

    func at(_ moment: Int64) -> Set<DenseID> { span(at: moment)?.numbers ?? [] }

    /// - Parameter moment: in seconds since 1970.
    private func span(at moment: Int64) -> Span? {
        spans.count == 1 ? spans[0] : spans.last { $0.from <= moment } ?? spans.first
    }
}
