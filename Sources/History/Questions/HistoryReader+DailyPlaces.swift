import GRDB
package import RankKit

/// Where some apps stood in the last good list of a day.
package struct DailyPlaces: Sendable, Hashable {
    /// When the list was asked for.
    package var at: Timestamp
    /// The best place of each app that the list names.
    package var positions: [DenseID: Position]
    /// Whether it is known of every place of the list who holds it.
    package var isWhole: Bool

    package init(at: Timestamp, positions: [DenseID: Position], isWhole: Bool) {
        self.at = at
        self.positions = positions
        self.isWhole = isWhole
    }
}

extension HistoryReader {
    /// Where apps stood in the last good list of each day (UTC) of `span` that has one, the newest day first, until nobody
    /// is asked for any more. Lists are read from the newest on, and no further back than is asked.
    ///
    /// - Parameter take: gets a day and says who is asked for on the days before it.
    /// - Returns: `false` if it stopped at a list that cannot be read.
    package func dailyPlaces(
        of apps: Set<DenseID>, on query: Query, in span: ClosedRange<Timestamp>,
        _ take: (DailyPlaces) -> Set<DenseID>
    ) throws(HistoryError) -> Bool {
        try read { database in
            guard let id = try QueryRow.id(of: query, in: database) else { return true }
            var lists = try BackwardLists(of: id, upTo: span.upperBound, in: database)
            var apps = apps
            var day = span.upperBound.day
            do {
                while !apps.isEmpty, span.lowerBound.day <= day {
                    if let places = try lists.last(of: day, apps, in: database), span.contains(places.at) {
                        apps = take(places)
                    }
                    day -= 1
                }
            } catch is UnreadableLists {
                return false
            }
            return true
        }
    }
}

/// The lists of a query, read from the newest page back.
private struct BackwardLists {
    private let query: Int64
    private let until: Int64
    /// Before this no list is by itself.
    private let unpagedFrom: Int64
    /// The next page begins there at the latest; `nil` if there is none.
    private var next: StoredList.Key?
    /// The last good list of each day in the pages read so far, the oldest day last.
    private var paged: [(key: StoredList.Key, places: DailyPlaces)] = []
    /// Where the oldest of these pages begins.
    private var first = Int64.max

    init(of query: Int64, upTo until: Timestamp, in database: Database) throws {
        self.query = query
        self.until = until.secondsSinceEpoch
        unpagedFrom = try UnpagedLists.start(of: query, in: database)
        next = StoredList.Key(at: self.until, check: .max)
    }

    /// - Throws: `UnreadableLists`.
    mutating func last(of day: Int64, _ apps: Set<DenseID>, in database: Database) throws -> DailyPlaces? {
        let start = Timestamp.startOfDay(day).secondsSinceEpoch
        let end = min(Timestamp.startOfDay(day + 1).secondsSinceEpoch - 1, until)
        // A page that begins on the day may come after another one of it.
        while start <= first, !paged.contains(where: { $0.key.at >= start && $0.key.at <= end }), next != nil {
            try readPage(apps, from: start, in: database)
        }
        let page = paged.first { $0.key.at >= start && $0.key.at <= end }
        guard unpagedFrom <= end, let lone = try newestUnpaged(from: start, to: end, in: database) else {
            return page?.places
        }
        if let page, lone.head.key < page.key { return page.places }
        let positions = apps.compactMap { app in lone.place(of: [app]).position.map { (app, $0) } }
        return DailyPlaces(
            at: lone.at, positions: Dictionary(uniqueKeysWithValues: positions), isWhole: lone.isWhole)
    }

    private func newestUnpaged(from start: Int64, to end: Int64, in database: Database) throws -> StoredList? {
        try Row.fetchOne(
            database.cachedStatement(sql: UnpagedLists.newestUpTo),
            arguments: ["query": query, "from": max(start, unpagedFrom), "to": end, "goodOnly": true]
        ).map { try StoredList($0) }
    }

    /// - Parameter start: a page that ends before is left for later.
    private mutating func readPage(_ apps: Set<DenseID>, from start: Int64, in database: Database) throws {
        guard let key = next, let row = try PageRow.beginning(upTo: key, of: query, in: database) else {
            next = nil
            return
        }
        guard start <= row.last.at else {
            // What lies between is in no page.
            first = row.last.at
            return
        }
        next = row.first.check == .min ? nil : StoredList.Key(at: row.first.at, check: row.first.check - 1)
        first = row.first.at
        let page = try row.page()
        var wanted = Array(repeating: false, count: page.heads.count)
        var day: Int64?
        for index in page.heads.indices.reversed() {
            let head = page.heads[index]
            guard head.outcome == .good, head.key.at <= until else { continue }
            wanted[index] = head.at.day != day
            day = head.at.day
        }
        var found: [(key: StoredList.Key, places: DailyPlaces)] = []
        do {
            try page.forEachPlaces(of: apps.sorted(), where: wanted) { head, positions, isWhole in
                found.append((head.key, DailyPlaces(at: head.at, positions: positions, isWhole: isWhole)))
            }
        } catch {
            throw row.damage
        }
        paged += found.reversed()
    }
}
