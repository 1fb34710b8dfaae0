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
    /// The first day that is looked at.
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
    /// Whose days are told.
    let zone: ZoneDays
    /// Whether each is called what it was called when it was to be told.
    let isReplay: Bool
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
            let apps = try isReplay ? [:] : reader.apps(found.map(\.number), namedIn: query.country)
            for newcomer in found {
                let named = if isReplay { try former(newcomer) } else { apps[newcomer.number] }
                guard let app = named, watched[app.bundleID] == nil else { continue }
                events.append(event(newcomer, app))
            }
        }
        events.sortByTime()
        return events
    }

    /// The app as it was known in the morning on which it is told.
    private func former(_ newcomer: SettledNewcomer) throws(HistoryError) -> NumberedApp? {
        let moment = min(NewcomerTurn(zone: zone).moment(after: zone.day(of: newcomer.at)), until)
        return try reader.apps([newcomer.number], namedIn: newcomer.query.country, at: moment)[newcomer.number]
    }

    private func event(_ newcomer: SettledNewcomer, _ app: NumberedApp) -> AlertEvent {
        var scope = scopes[newcomer.query] ?? AlertScope()
        scope.apps.insert(app.bundleID.folded)
        return AlertEvent(
            kind: .newcomer, subject: .pair(newcomer.query, app.bundleID), onset: zone.day(of: newcomer.since),
            sameWithin: AlertEvents.reach, top: newcomer.top, at: newcomer.at,
            on: zone.day(of: newcomer.at), zone: zone.kept, facts: .entry(from: nil, at: newcomer.position),
            isMine: false,
            size: PositionScale.value(201) - PositionScale.value(newcomer.position),
            watchedSince: starts[newcomer.query], scope: scope,
            names: AlertEvent.Names(app: app.name ?? app.bundleID.text))
    }
}
