import History
import Judging
import RankKit

/// Looks in lists for who came among the first places to stay.
struct NewcomerSearch: Sendable {
    let queries: [Query]
    /// The first places of each rule.
    let tops: [Int]
    /// Those that are over.
    let days: ClosedRange<Int64>
    /// The first day (UTC) that is looked at.
    let first: Int64
    let until: Timestamp
    /// Queries of which all days are looked at.
    let waiting: Set<Query>
    /// Who is none.
    let watched: WatchedApps
    /// Of mine on each query.
    let scopes: [Query: AlertScope]
    /// The first day of watch of each query.
    let starts: [Query: Int64]
    let reader: HistoryReader

    /// In order of confirmation.
    func events() throws(HistoryError) -> [AlertEvent] {
        var events: [AlertEvent] = []
        for query in queries {
            let first = waiting.contains(query) ? days.lowerBound : first
            guard first <= days.upperBound else { continue }
            let found = try SettledNewcomer.all(
                on: query, tops: tops, days: first...days.upperBound, until: until, from: reader)
            guard !found.isEmpty else { continue }
            let apps = try reader.apps(found.map(\.number), namedIn: query.country)
            for newcomer in found {
                guard let app = apps[newcomer.number], watched[app.bundleID] == nil else { continue }
                events.append(event(newcomer, app))
            }
        }
        events.sortByTime()
        return events
    }

    private func event(_ newcomer: SettledNewcomer, _ app: NumberedApp) -> AlertEvent {
        var scope = scopes[newcomer.query] ?? AlertScope()
        scope.apps.insert(app.bundleID.folded)
        return AlertEvent(
            kind: .newcomer, subject: .pair(newcomer.query, app.bundleID), onset: newcomer.since,
            sameWithin: AlertEvents.reach, top: newcomer.top, at: newcomer.at,
            facts: .entry(from: nil, at: newcomer.position), isMine: false,
            size: PositionScale.value(201) - PositionScale.value(newcomer.position),
            watchedSince: starts[newcomer.query], scope: scope,
            names: AlertEvent.Names(app: app.name ?? app.bundleID.text))
    }
}
