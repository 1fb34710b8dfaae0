import History
import Judging
import RankKit

/// A fall of one of mine between two lists of its query, and who passed it.
///
/// The two are lists in which it stands as it usually did before and as it usually does since: the newest list of all may
/// be that of a spike, in which nobody has passed it, or everybody.
struct Fall: Sendable, Hashable {
    var query: Query
    var app: ReportedApp
    /// Where it stood in the earlier list and in the later one.
    var was: Reading
    var now: Reading
    /// Those that stood below it or nowhere, and stand above it now: mine and competitors first, then those that rose, the
    /// best placed first;
    /// `nil` if one of the lists is damaged or no longer kept.
    var passers: [Passer]?
    /// Whether the store moved, the list, or the app alone.
    var context = LossContext()

    struct Passer: Sendable, Hashable {
        var app: ReportedApp
        /// `nil` for not in the list.
        var was: Position?
        var position: Position
    }
}

extension Fall {
    /// Of each fall of mine that is told of, in the order of the movers.
    ///
    /// - Parameter withPassers: whether it is looked up who passed; if not, the two readings are those of the movers.
    static func of(
        _ movers: Movers, withPassers: Bool = true, from reader: HistoryReader
    ) throws(HistoryError) -> [Fall] {
        let rows = movers.rows.compactMap { row in row.ends(since: movers.since).map { (row, $0) } }
        guard !rows.isEmpty else { return [] }
        let watched = try WatchedApps(reader)
        var losses = try Losses(reader, weather: movers.weather)
        var falls: [Fall] = []
        for (row, ends) in rows {
            let own = try SoughtApp(row.app.bundleID, reader)
            let loss = Losses.Loss(
                ends, of: own, on: row.query, through: row.to.checkedAt.reportDay, span: row.span)
            let (then, now) = try losses.lists(of: loss, through: row.to.checkedAt)
            var fall = Fall(
                query: row.query, app: row.app, was: row.from, now: row.to,
                context: losses.context(of: loss, then, now, at: movers.until))
            if withPassers, let then, let now {
                (fall.was, fall.now) = (Reading(then.place(of: own)), Reading(now.place(of: own)))
                let numbers = Set((then.list.places + now.list.places).compactMap(\.self))
                let apps = try reader.apps(numbers, namedIn: row.query.country).mapValues(watched.reported)
                fall.passers = fall.overtakers(then, now) { holder in
                    switch holder {
                    case .numbered(let number): apps[number]
                    case .named(let bundleID): watched.reported(bundleID)
                    }
                }
            }
            falls.append(fall)
        }
        return falls
    }

    private func overtakers(
        _ then: NamedList, _ now: NamedList, app of: (ListedApp) -> ReportedApp?
    ) -> [Passer] {
        let before = Self.places(then, of)
        let after = Self.places(now, of)
        return after.compactMap { bundleID, place -> Passer? in
            guard bundleID != app.bundleID, Optional(place.position).isAbove(self.now.position) else { return nil }
            let earlier = before[bundleID]?.position
            // Of an app that a place which could not be read may have been nothing is said.
            guard earlier != nil || then.isWhole, !earlier.isAbove(was.position) else { return nil }
            return Passer(app: place.app, was: earlier, position: place.position)
        }.sorted { left, right in
            (left.turn, left.position, left.app.bundleID) < (right.turn, right.position, right.app.bundleID)
        }
    }

    /// The first place of each app, under whatever number Apple had it then.
    private static func places(
        _ list: NamedList, _ app: (ListedApp) -> ReportedApp?
    ) -> [BundleID: (app: ReportedApp, position: Position)] {
        let places = list.firstPlaces.compactMap { holder, position in
            app(holder).map { ($0.bundleID, (app: $0, position: position)) }
        }
        return Dictionary(places) { one, other in one.position < other.position ? one : other }
    }
}

extension Fall.Passer {
    fileprivate var turn: Int {
        switch app.mark {
        case .mine: 0
        case .competitor: 1
        // Who only stayed while mine fell took no place.
        case nil: was.map { position < $0 } ?? true ? 2 : 3
        }
    }
}

extension Movers.Row {
    /// `nil` if it is none of mine that fell or left, at once or slowly.
    ///
    /// - Parameter since: the moment that the movers are compared with.
    fileprivate func ends(since: Timestamp) -> Losses.Ends? {
        guard mine else { return nil }
        let newest = to.checkedAt.reportDay
        let began = monthMove == nil ? (self.since ?? since).reportDay : newest - NoiseModel.monthDays
        return Losses.Ends(told, after: began, newest: newest)
    }
}
