import GRDB
import RankKit

/// The best place that each app ever had on one query, worked out anew from the good lists.
struct DerivedApps {
    private struct Best {
        private(set) var place: Int
        /// Of equal places the first by time.
        private(set) var at: Int64
        /// And the first as recorded, which recording holds to.
        private(set) var recorded: (check: Int64, at: Int64)

        init(_ place: Int, _ check: KeptCheck) {
            (self.place, at, recorded) = (place, check.at, (check.id, check.at))
        }

        mutating func offer(_ place: Int, _ check: KeptCheck) {
            if place < self.place {
                self = Best(place, check)
            } else if place == self.place {
                at = min(at, check.at)
                if check.id < recorded.check { recorded = (check.id, check.at) }
            }
        }
    }

    private let query: Int64
    private let database: Database
    private var all: [Int64: Best] = [:]
    /// From those lists alone that are known to have been entered.
    private var entered: [Int64: Best] = [:]
    private let isFilled: Bool
    /// Where not all lists have been entered: how far they have.
    private let through: StoredList.Key?
    /// Whether there are lists that cannot be read or are no longer kept, and may have told more.
    private var isPartial: Bool

    init(of query: Int64, in database: Database) throws {
        self.query = query
        self.database = database
        isPartial = try Setting.listsSince.integer(in: database) != nil
        let fill = try Row.fetchOne(
            database, sql: "SELECT through_at, through_check FROM query_fill WHERE query = ?", arguments: [query])
        isFilled = fill == nil
        if let fill, let at = fill[0] as Int64?, let check = fill[1] as Int64? {
            through = StoredList.Key(at: at, check: check)
        } else {
            through = nil
        }
    }

    mutating func read(_ check: KeptCheck) {
        switch check.list {
        case .none: return
        case .damaged, .inDamagedPage: isPartial = true
        case .places(let places):
            guard check.outcome == "good" else { return }
            let isEntered = through.map { StoredList.Key(at: check.at, check: check.id) <= $0 } ?? false
            for (index, app) in places.enumerated() {
                guard let app else { continue }
                all[app, default: Best(index + 1, check)].offer(index + 1, check)
                if isEntered { entered[app, default: Best(index + 1, check)].offer(index + 1, check) }
            }
        }
    }

    /// What is wrong with what is stored, by app.
    func problems() throws -> [(app: Int64, problem: String)] {
        var problems: [(app: Int64, problem: String)] = []
        var due = isFilled ? all : entered
        let rows = try Row.fetchCursor(
            database, sql: "SELECT app, best, best_at FROM query_app WHERE query = ? ORDER BY app", arguments: [query])
        while let row = try rows.next() {
            let (app, place, at): (Int64, Int, Int64) = (row[0], row[1], row[2])
            let expected = due.removeValue(forKey: app)
            if let expected, expected.place < place {
                problems.append((app, "its best place is #\(place), the lists say #\(expected.place)"))
            } else if !isPartial {
                guard let best = all[app] else {
                    problems.append((app, "has a best place, though no good list names it"))
                    continue
                }
                if place < best.place {
                    problems.append((app, "its best place is #\(place), the lists say #\(best.place)"))
                } else if place == best.place, isFilled, at != best.at, at != best.recorded.at {
                    problems.append(
                        (
                            app,
                            "its best place is of \(Timestamp(secondsSinceEpoch: at)), the lists say "
                                + "\(Timestamp(secondsSinceEpoch: best.at))"
                        ))
                }
            }
        }
        return problems + due.keys.sorted().map { ($0, "its best place is missing") }
    }
}
