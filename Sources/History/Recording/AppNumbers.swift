import GRDB
import RankKit

/// Which of Apple's numbers stand for the app of a bundle identifier, and when: the first place of any of them is the
/// app's.
///
/// There are several where the app has an edition for the Mac, or was submitted anew. A number stands for every bundle
/// identifier that it ever had, at all times: a pair goes on when its app comes under another one, and one that names the
/// new one has the app's whole past. Only where a bundle identifier was given up and another number took it up does it
/// mean the one before that moment and the other one since.
struct AppNumbers: Sendable, Equatable {
    /// In seconds since 1970.
    private var spans: [DenseID: ClosedRange<Int64>] = [:]

    init(of key: String, in database: Database) throws {
        let holders = try Row.fetchAll(
            database.cachedStatement(sql: Self.holders), arguments: ["key": key]
        ).map(Holder.init)
        for holder in holders {
            let others = holders.filter { $0.app != holder.app }.map(\.start)
            let end = holder.givenUp.flatMap { givenUp in others.filter { $0 >= givenUp }.min() }
            let isTakenUp = holder.isLater && others.contains { $0 < holder.start }
            let first = isTakenUp ? holder.start : .min
            let last = end.map { max(first, $0 - 1) } ?? .max
            spans[DenseID(holder.app)] = first...last
        }
    }

    private struct Holder {
        let app: Int64
        /// Since when it has the bundle identifier.
        let start: Int64
        /// Since when it has another one after it; `nil` if this is its present one.
        let givenUp: Int64?
        /// Whether it had another one before.
        let isLater: Bool

        init(_ row: Row) throws {
            app = try row[0]
            start = try row[1] as Int64? ?? row[2]
            givenUp = try row[3]
            isLater = try row[4] as Bool? ?? false
        }
    }

    /// Names that have not stayed yet give none up.
    private static let holders = """
        SELECT app.id, (SELECT min(from_at) FROM bundle_name AS name WHERE name.app = app.id AND name.bundle_key = :key),
            app.first_seen_at,
            (SELECT min(later.from_at) FROM bundle_name AS later
                WHERE later.app = app.id AND later.stayed_at IS NOT NULL AND later.ordinal > (
                    SELECT max(name.ordinal) FROM bundle_name AS name
                    WHERE name.app = app.id AND name.bundle_key = :key)),
            EXISTS (SELECT 1 FROM bundle_name AS earlier
                WHERE earlier.app = app.id AND earlier.ordinal < (
                    SELECT min(name.ordinal) FROM bundle_name AS name
                    WHERE name.app = app.id AND name.bundle_key = :key))
        FROM app WHERE app.id IN \(AppNames.ids(":key"))
        """

    /// All of them, whenever they stand for it.
    var all: some Sequence<DenseID> { spans.keys }

    var isEmpty: Bool { spans.isEmpty }

    func contains(_ app: DenseID, at moment: Int64) -> Bool { spans[app]?.contains(moment) ?? false }

    func at(_ moment: Int64) -> Set<DenseID> { Set(spans.filter { $0.value.contains(moment) }.keys) }
}
