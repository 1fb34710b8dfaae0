import History
import Judging
import RankKit

/// A fall of one of mine between two lists of its query, and who passed it.
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

    struct Passer: Sendable, Hashable {
        var app: ReportedApp
        /// `nil` for not in the list.
        var was: Position?
        var position: Position
    }
}

extension Fall {
    /// Of each fall of mine that is told of, in the order of the movers.
    static func of(_ movers: Movers, from reader: HistoryReader) throws(HistoryError) -> [Fall] {
        let rows = movers.rows.filter(\.hasFallen)
        guard !rows.isEmpty else { return [] }
        let watched = try WatchedApps(reader)
        var lists = ReadableLists(reader)
        var falls: [Fall] = []
        for row in rows {
            let own = try reader.numbers(of: row.app.bundleID)
            // A slow fall began before the moments that are compared.
            let isSlow = !row.judgement.isBeyondNoise
            let since =
                isSlow
                ? min(row.from.checkedAt, row.to.checkedAt - NoiseModel.slideDays * Timestamp.secondsPerDay)
                : row.from.checkedAt
            let then = try lists.good(on: row.query, at: since, tellingOf: [own])
            let now = try lists.good(on: row.query, at: row.to.checkedAt, tellingOf: [own])
            var fall = Fall(query: row.query, app: row.app, was: row.from, now: row.to)
            if let then, let now {
                (fall.was, fall.now) = (Reading(then.place(of: own)), Reading(now.place(of: own)))
                let apps = try reader.apps(
                    Set((then.places + now.places).compactMap(\.self)), namedIn: row.query.country)
                fall.passers = fall.overtakers(then, now, apps: apps.mapValues(watched.reported))
            }
            falls.append(fall)
        }
        return falls
    }

    private func overtakers(_ then: StoredList, _ now: StoredList, apps: [DenseID: ReportedApp]) -> [Passer] {
        let before = Self.places(then, apps)
        let after = Self.places(now, apps)
        return after.compactMap { bundleID, place -> Passer? in
            guard bundleID != app.bundleID, Self.isAbove(place.position, self.now.position) else { return nil }
            let earlier = before[bundleID]?.position
            // Of an app that a place which could not be read may have been nothing is said.
            guard earlier != nil || then.isWhole, !Self.isAbove(earlier, was.position) else { return nil }
            return Passer(app: place.app, was: earlier, position: place.position)
        }.sorted { left, right in
            (left.turn, left.position, left.app.bundleID) < (right.turn, right.position, right.app.bundleID)
        }
    }

    /// The first place of each app, under whatever number Apple had it then.
    private static func places(
        _ list: StoredList, _ apps: [DenseID: ReportedApp]
    ) -> [BundleID: (app: ReportedApp, position: Position)] {
        var places: [BundleID: (app: ReportedApp, position: Position)] = [:]
        for (index, number) in list.places.enumerated() {
            guard let app = number.flatMap({ apps[$0] }), places[app.bundleID] == nil,
                let position = Position(index + 1)
            else { continue }
            places[app.bundleID] = (app, position)
        }
        return places
    }

    /// Absence is below every place, and above nothing.
    private static func isAbove(_ place: Position?, _ other: Position?) -> Bool {
        guard let place else { return false }
        return other.map { place < $0 } ?? true
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
    /// Whether it is one of mine that fell or left, at once or slowly.
    fileprivate var hasFallen: Bool {
        guard mine else { return false }
        guard judgement.isBeyondNoise else { return slide?.direction == .down }
        switch outcome {
        case .places(let places): return places < 0
        case .left: return true
        case .entered: return false
        }
    }
}
