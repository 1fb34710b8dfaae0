import History
import Judging
import RankKit

/// The whole list of a query at a moment, perhaps beside that of an earlier one: the value behind
/// `rankctl report results`.
struct Results: Sendable {
    var generatedAt: Timestamp
    var query: Query
    /// When the good check began that the list is of.
    var checkedAt: Timestamp
    /// How many places it saw.
    var within: Int
    /// A later check, still before the moment asked for, that failed or is suspect; `nil` if there is none.
    var unread: AskedQuery.NewestCheck?
    /// The moment asked for, where it is past: `nil` for now.
    var moment: Timestamp?
    /// The check that is compared with; `nil` if none is.
    var earlier: Earlier?
    /// The places in order, then, where lists are compared, what left: by its earlier place.
    var rows: [Row]
    /// Whether it is known of every place who holds it. If not, an app that only the earlier list names may be in one of
    /// the others, and has not left.
    var isWhole = true

    struct Earlier: Sendable, Hashable {
        var checkedAt: Timestamp
        var within: Int
    }

    struct Row: Sendable, Hashable {
        /// `nil` for an app that left, or that may be in a place that could not be read.
        var position: Position?
        /// Its place in the earlier list.
        var was: Position?
        /// `nil` if the entry in the place could not be read.
        var app: ReportedApp?
        /// `nil` if nothing is compared, and for what cannot be: unreadable places, an app's second place, and `isUnsure`.
        var change: Standings.Change?
        /// Whether one of the two lists does not name the app, but may hold it in a place that could not be read: then
        /// it is not known whether it came, or left.
        var isUnsure = false
    }
}

extension Results {
    /// Reads the last good list at `moment` or before and, where `earlier` is given, that one's.
    ///
    /// - Throws: `ReportRefusal.noList` where none is kept from then; `HistoryError`.
    init(
        on query: Query, at moment: Timestamp, comparedWith earlier: Timestamp? = nil, from reader: HistoryReader,
        now: Timestamp
    ) throws {
        // First, so that a check which cannot be read is no reason to say that there was none.
        let newest = try reader.newestCheck(of: query, at: moment)
        let list = try Self.list(on: query, at: moment, reader)
        let older = try earlier.map { try Self.list(on: query, at: $0, reader) }
        let numbers = Set((list.list.places + (older?.list.places ?? [])).compactMap(\.self))
        let apps = try reader.apps(numbers, namedIn: query.country)
        let watched = try WatchedApps(reader)
        let known = apps.mapValues(watched.reported)
        self.init(
            generatedAt: now, query: query, checkedAt: list.at, within: list.count,
            unread: newest?.outcome.isGood == true ? nil : newest,
            earlier: older.map { Earlier(checkedAt: $0.at, within: $0.count) },
            rows: Self.rows(Places(list, known, watched), older.map { Places($0, known, watched) }),
            isWhole: list.isWhole)
        self.moment = reader.moment
    }

    private static func list(on query: Query, at moment: Timestamp, _ reader: HistoryReader) throws -> NamedList {
        if let list = try reader.list(on: query, at: moment, goodOnly: true) { return try reader.named(list) }
        func written(_ moment: Timestamp) -> String {
            ReportZone.$days.withValue(reader.days) { CivilTime.minuteInZone(moment) }
        }
        throw ReportRefusal.noList(
            query: query.text, at: written(moment), since: try reader.firstCheck(of: query).map(written),
            isSuspect: try reader.list(on: query, at: moment) != nil)
    }

    /// Leaves the rows of these apps alone.
    ///
    /// - Parameter ids: of those that the store has a number for, whatever they were called.
    mutating func keep(_ apps: Set<BundleID>, or ids: Set<AppID> = []) {
        rows.removeAll { row in
            guard let app = row.app else { return true }
            return app.appID.map { !ids.contains($0) } ?? true && !apps.contains(app.bundleID)
        }
    }

    private static func rows(_ now: Places, _ before: Places?) -> [Row] {
        var rows = now.apps.enumerated().map { index, app in
            var row = Row(position: Position(index + 1), app: app)
            if let before, let app, now.first[app.bundleID] == row.position {
                row.was = before.first[app.bundleID]
                if let was = row.was {
                    row.change = .places(was.number - index - 1)
                } else if before.isWhole, app.appID != nil {
                    row.change = .entered
                } else {
                    row.isUnsure = true
                }
            }
            return row
        }
        for app in before?.order ?? [] {
            guard now.first[app.bundleID] == nil, let was = before?.first[app.bundleID] else { continue }
            rows.append(now.isWhole ? Row(was: was, app: app, change: .left) : Row(was: was, app: app, isUnsure: true))
        }
        return rows
    }

    /// The first place of each app of a list.
    private struct Places {
        let apps: [ReportedApp?]
        /// Whether it is known of every place who holds it.
        let isWhole: Bool
        var first: [BundleID: Position] = [:]
        /// Each app once, best place first.
        var order: [ReportedApp] = []

        /// - Parameter known: the apps that lists have by their numbers.
        init(_ list: NamedList, _ known: [DenseID: ReportedApp], _ watched: WatchedApps) {
            apps = list.list.places.indices.map { index in
                list.list.places[index].flatMap { known[$0] } ?? list.name(at: index).map(watched.reported)
            }
            isWhole = list.isWhole
            for (index, app) in apps.enumerated() {
                guard let app, first[app.bundleID] == nil else { continue }
                first[app.bundleID] = Position(index + 1)
                order.append(app)
            }
        }
    }
}
