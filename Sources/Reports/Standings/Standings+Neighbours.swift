import History
import Judging
import RankKit

extension Standings {
    /// Who stands next to a pair of mine in the newest good list that tells of it.
    struct Neighbours: Sendable {
        struct Neighbour: Sendable {
            var app: ReportedApp
            var position: Position
            /// As last seen in that storefront.
            var ratingCount: Int64?
        }

        var row: Row
        /// Who holds the next better place or, where mine is not in the list, its last one: `nil` where mine is first.
        var above: Neighbour?
        /// Who stands behind it.
        var below: Neighbour?
    }

    /// How many pairs are told of.
    private static let most = 10

    /// What one list tells of the first pairs of mine.
    func neighbours(from reader: HistoryReader) throws(HistoryError) -> [Neighbours] {
        let watched = try WatchedApps(reader)
        var lists = ReadableLists(reader)
        var found: [Neighbours] = []
        for row in rows.filter(\.mine).prefix(Self.most) {
            let own = try SoughtApp(row.bundleID, reader)
            guard let list = try lists.good(on: row.question, at: until, tellingOf: [own]) else { continue }
            let place = list.place(of: own).position?.number
            let above = place.map { $0 - 1 } ?? list.count
            let below = place.map { $0 + 1 }
            let numbers = [above, below].compactMap(\.self).compactMap { number -> DenseID? in
                guard list.list.places.indices.contains(number - 1),
                    case .numbered(let app)? = list.holder(at: number - 1)
                else { return nil }
                return app
            }
            let apps = try reader.apps(Set(numbers), namedIn: row.country).mapValues(watched.reported)
            let ratings = try reader.ratingCounts(of: Set(apps.values.map(\.bundleID)))
            func neighbour(_ number: Int?) -> Neighbours.Neighbour? {
                guard let number, let position = Position(number), number <= list.count,
                    case .numbered(let holder)? = list.holder(at: number - 1), let app = apps[holder]
                else { return nil }
                return .init(app: app, position: position, ratingCount: ratings(app.bundleID, on: row.question))
            }
            found.append(Neighbours(row: row, above: neighbour(above), below: neighbour(below)))
        }
        return found
    }
}

extension StandingsReport {
    /// Who is around mine, for the days on which nothing can be compared yet.
    func table(of neighbours: [Standings.Neighbours]) -> Table {
        func cell(_ neighbour: Standings.Neighbours.Neighbour?) -> Cell {
            neighbour.map { Cell("\($0.position) \($0.app.title)") } ?? .empty
        }
        let hasSeveralApps = Set(neighbours.map(\.row.bundleID)).count > 1
        return Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("in"), .init("on", priority: 2),
                .init("app", minimum: 8, comfort: 14), .init("now", .right),
                .init(
                    "to pass", minimum: 16,
                    meaning: "who holds the next better place, or the last one of a list that mine is not in"),
                .init("ratings", .right, meaning: "how many it has"),
                .init("behind", minimum: 16, priority: 1, meaning: "who stands next behind mine"),
            ],
            rows: neighbours.map { neighbours in
                let row = neighbours.row
                return .cells([
                    .query(row.question), .storefront(of: row.question), Cell(row.platform.displayName),
                    hasSeveralApps ? Self.app(of: row) : .empty, Self.now(row), cell(neighbours.above),
                    Cell(neighbours.above?.ratingCount.map { Figures.short(Double($0)) } ?? "", .faint),
                    cell(neighbours.below),
                ])
            }, indent: 2)
    }
}
