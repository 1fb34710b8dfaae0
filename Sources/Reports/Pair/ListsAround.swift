import History
import Judging
import RankKit

/// Who stands around an app in a query's list: before its newest move, and now.
struct ListsAround: Sendable {
    /// One list.
    struct Side: Sendable {
        var at: Timestamp
        /// Of how many places the list tells.
        var count: Int
        /// Where the app stands; `nil` for out of the list.
        var own: Position?
        /// From the best place to the worst. An entry that cannot be read has no app.
        var places: [(position: Position, app: ReportedApp?)]
    }

    /// The app that all of this is about.
    let bundleID: BundleID
    /// `nil` where no list of before is kept that can be read, or it is the same list.
    private(set) var then: Side?
    private(set) var now: Side?
    private(set) var damaged: [DamagedLists] = []

    /// How many places are shown on each side of the app's.
    private static let reach = 3

    /// - Parameter since: the first day of the newest move; the list of the day before it is shown beside the newest one.
    init(
        _ bundleID: BundleID, on query: Query, since: Int64, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        self.bundleID = bundleID
        // A table that was imported has places of apps, and no lists.
        guard !query.source.isImported else { return }
        let (own, watched) = (try SoughtApp(bundleID, reader), try WatchedApps(reader))
        var lists = ReadableLists(reader)
        let newest = try lists.good(on: query, at: now, tellingOf: [own])
        let earlier = try lists.good(on: query, at: Timestamp.startOfReportDay(since) - 1, tellingOf: [own])
        damaged = lists.damaged
        let sides = [newest, earlier.flatMap { $0.at == newest?.at ? nil : $0 }].map { list in
            list.map { ($0, Self.shown(around: $0.place(of: own).position, of: $0.count)) }
        }
        var numbers: Set<DenseID> = []
        for case let (list, shown)? in sides {
            for index in shown { if case .numbered(let app)? = list.holder(at: index) { numbers.insert(app) } }
        }
        let apps = try reader.apps(numbers, namedIn: query.country).mapValues(watched.reported)
        let read = sides.map { side in
            side.map { list, shown in
                Side(
                    at: list.at, count: list.count, own: list.place(of: own).position,
                    places: shown.compactMap { index in
                        Position(index + 1).map { position in
                            switch list.holder(at: index) {
                            case .numbered(let app)?: (position, apps[app])
                            case .named(let name)?: (position, watched.reported(name))
                            case nil: (position, nil)
                            }
                        }
                    })
            }
        }
        (self.now, then) = (read[0], read[1])
    }

    /// The places that are shown, counted from 0: those around the app's, or the last ones where it has none.
    private static func shown(around own: Position?, of count: Int) -> Range<Int> {
        guard let own else { return max(0, count - reach)..<count }
        let index = own.number - 1
        return max(0, index - reach)..<min(count, index + reach + 1)
    }

    /// A table with a column for each list, and what its columns are.
    func blocks(today: Int64) -> [Document.Block] {
        var document = Document(title: "", generatedAt: now?.at ?? then?.at ?? .startOfDay(today))
        let sides = [then, now].compactMap(\.self)
        guard !sides.isEmpty else {
            document.paragraph("No list is kept that tells who stands around it.", .faint)
            document.damaged(damaged)
            return document.blocks
        }
        let columns = sides.flatMap { side in
            [
                Table.Column("", .right),
                .init(DayNames.short(side.at.reportDay, today: today), minimum: 12, comfort: 24),
            ]
        }
        let rows = sides.map(\.places.count).max() ?? 0
        document.table(
            Table(
                columns: columns,
                rows: (0..<rows).map { row in
                    .cells(
                        sides.flatMap { $0.places.indices.contains(row) ? cells($0.places[row]) : [.empty, .empty] })
                }, indent: 2))
        for side in sides where side.own == nil {
            document.paragraph(
                "It is not among the \(side.count) of \(DayNames.short(side.at.reportDay, today: today)): "
                    + "these are the last places of that list.", .faint)
        }
        document.damaged(damaged)
        return document.blocks
    }

    private func cells(_ place: (position: Position, app: ReportedApp?)) -> [Cell] {
        guard let app = place.app else {
            return [Cell(place.position.description), Cell("(unreadable entry)", .faint)]
        }
        let isOwn = app.bundleID == bundleID
        return [
            Cell(place.position.description, isOwn ? .strong : .faint),
            isOwn ? Cell(app.title, .strong) : .title(app),
        ]
    }
}
