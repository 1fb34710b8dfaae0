import GRDB
import RankKit

/// The best place that each app ever had on one query, worked out anew from the good lists.
struct DerivedApps {
    private struct Best {
        var place: Int
        /// Of equal places the first by time.
        var at: Int64
        /// And the first as recorded, which recording holds to.
        var recorded: (check: Int64, at: Int64)

        init(_ place: Int, check: Int64, at: Int64) { (self.place, self.at, recorded) = (place, at, (check, at)) }

        mutating func offer(_ other: Best) {
            if other.place < place {
                self = other
            } else if other.place == place {
                at = min(at, other.at)
                if other.recorded.check < recorded.check { recorded = other.recorded }
            }
        }
    }

    private let query: Int64
    private let database: Database
    private var all: [Int64: Best] = [:]
    /// From those lists alone that are known to have been entered.
    private var entered: [Int64: Best] = [:]
    private let isFilled: Bool
    /// Lists from then on do not count.
    private let end: Int64
    /// Where not all lists have been entered: how far they have.
    private let through: StoredList.Key?
    /// Whether there are lists that cannot be read or are no longer kept, and may have told more.
    private var isPartial: Bool
    /// The lists that are being read.
    private var lists: IndexedLists?
    /// The best place in those of each of their apps.
    private var best: [Best] = []
    private static let none = Best(.max, check: .max, at: .max)

    init(of query: Int64, in database: Database) throws {
        self.query = query
        self.database = database
        end = try CountedChecks.end(in: database)
        isPartial = try Setting.listsSince.integer(in: database) != nil
        let fill = try Row.fetchOne(
            database, sql: "SELECT through_at, through_check FROM query_fill WHERE query = ?", arguments: [query])
        isFilled = fill == nil
        if let fill, let at = try fill[0] as Int64?, let check = try fill[1] as Int64? {
            through = StoredList.Key(at: at, check: check)
        } else {
            through = nil
        }
    }

    mutating func read(_ kept: CheckedLists.Kept, of check: CheckRow) {
        switch kept {
        case .none: return
        case .damaged, .inDamagedPage: isPartial = true
        case .list(let lists, let index):
            guard check.outcome == .good, check.at < end else { return }
            if self.lists !== lists { begin(lists) }
            for (place, app) in lists[index].enumerated() where place + 1 <= best[Int(app)].place {
                best[Int(app)].offer(Best(place + 1, check: check.id, at: check.at))
            }
            guard !isFilled, let through, check.key <= through else { return }
            for (place, app) in lists[index].enumerated() {
                Self.offer(Best(place + 1, check: check.id, at: check.at), of: lists.apps[Int(app)], to: &entered)
            }
        }
    }

    private mutating func begin(_ next: IndexedLists) {
        settle()
        lists = next
        best = Array(repeating: Self.none, count: next.apps.count)
    }

    /// Takes over what the lists that were being read have told.
    private mutating func settle() {
        for (app, best) in zip(lists?.apps ?? [], best) where best.place != .max { Self.offer(best, of: app, to: &all) }
        (lists, best) = (nil, [])
    }

    private static func offer(_ best: Best, of app: Int64, to known: inout [Int64: Best]) {
        if app != 0 { known[app, default: best].offer(best) }
    }

    /// What is wrong with what is stored, by app.
    mutating func problems() throws -> [(app: Int64, problem: String)] {
        settle()
        var problems: [(app: Int64, problem: String)] = []
        var due = isFilled ? all : entered
        let rows = try Row.fetchCursor(
            database, sql: "SELECT app, best, best_at FROM query_app WHERE query = ? ORDER BY app", arguments: [query])
        while let row = try rows.next() {
            let (app, place, at): (Int64, Int, Int64) = try (row[0], row[1], row[2])
            let expected = due.removeValue(forKey: app)
            if let expected, expected.place < place {
                problems.append((app, "the app's best place is #\(place), but the lists say #\(expected.place)"))
            } else if !isPartial {
                guard let best = all[app] else {
                    problems.append((app, "the app has a best place, but no good list names it"))
                    continue
                }
                if place < best.place {
                    problems.append((app, "the app's best place is #\(place), but the lists say #\(best.place)"))
                } else if place == best.place, isFilled, at != best.at, at != best.recorded.at {
                    problems.append(
                        (
                            app,
                            "the app's best place is of \(Timestamp(secondsSinceEpoch: at)), but the lists say "
                                + "\(Timestamp(secondsSinceEpoch: best.at))"
                        ))
                }
            }
        }
        return problems + due.keys.sorted().map { ($0, "the app's best place is missing") }
    }
}
