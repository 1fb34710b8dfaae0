package import Foundation
package import History
import RankKit
import Reports

extension [AlertEvent] {
    /// The same, of which each loss of mine that was not told before says whether the store moved, the list, or the app
    /// alone.
    ///
    /// - Parameters:
    ///   - told: what was decided before.
    ///   - reader: a snapshot, which counts the watchlist's days.
    func explained(unless told: [ToldEvent], now: Timestamp, from reader: HistoryReader) throws(HistoryError) -> Self {
        // What waits for its turn, because of a limit, is told yet.
        let known = Dictionary(grouping: told.filter(\.waiting.isEmpty), by: \.subject)
        let losses = indices.filter { index in
            self[index].loss != nil && !(known[self[index].topic.key] ?? []).have(self[index])
        }.prefix(Self.mostExplained)
        guard let first = losses.map({ self[$0].day }).min(), let last = losses.map({ self[$0].day }).max() else {
            return self
        }
        var events = self
        var survey = try Losses(
            first...last, in: Set(losses.compactMap { self[$0].loss?.query.store }), from: reader, now: now)
        for index in losses {
            guard let loss = self[index].loss else { continue }
            events[index].context = try survey.words(
                of: loss.app, on: loss.query, from: loss.from, to: loss.to, since: self[index].day,
                isSlow: self[index].kind == .drift,
                cadence: try reader.cadence(of: loss.query) ?? Timestamp.secondsPerDay, now: now)
        }
        return events
    }

    /// A message has room for fewer.
    private static var mostExplained: Int { 3 * AlertDecision.mostLines }
}

extension AlertEvent {
    /// What was lost; `nil` for what is no loss of a pair of mine.
    fileprivate var loss: (query: Query, app: BundleID, from: Position, to: Position?)? {
        guard isMine, case .pair(let query, let app) = subject else { return nil }
        switch facts {
        case .move(let from, let to, _) where from < to: return (query, app, from, to)
        case .exit(let from, let to): return (query, app, from, to)
        case .move, .entry, .order, .back, .change, .bundleID, .text: return nil
        }
    }
}

extension AlertPreview {
    /// Lets the newest losses of mine say whether the store moved, the list, or the app alone, by the checks up to each
    /// message.
    ///
    /// - Parameter reader: a snapshot.
    /// - Returns: how many older losses do not say it: each takes two lists to be read.
    package mutating func explain(zone: TimeZone, from reader: HistoryReader) throws(HistoryError) -> Int {
        let reader = reader.counting(ZoneDays(zone))
        let lines = messages.indices.flatMap { message in
            messages[message].message.lines.indices.map { (message: message, line: $0) }
        }
        let all = lines.compactMap { place in
            messages[place.message].message.lines[place.line].loss.map { (place: place, loss: $0) }
        }
        let losses = all.suffix(Self.mostExplained)
        guard let first = losses.map(\.loss.since).min(), let last = losses.map(\.loss.since).max(),
            let until = messages.last?.message.at
        else { return 0 }
        var survey = try Losses(first...last, in: Set(losses.map(\.loss.query.store)), from: reader, now: until)
        for (place, loss) in losses {
            let words = try survey.words(
                of: loss.app, on: loss.query, from: loss.from, to: loss.to, since: loss.since, isSlow: loss.isSlow,
                cadence: try reader.cadence(of: loss.query) ?? Timestamp.secondsPerDay,
                now: messages[place.message].message.at)
            messages[place.message].message.lines[place.line].text += "; \(words)"
        }
        return all.count - losses.count
    }

    private static let mostExplained = 50
}

extension AlertMessage.Line {
    /// What was lost; `nil` for what is no loss of a pair of mine.
    fileprivate var loss: (query: Query, app: BundleID, from: Position, to: Position?, since: Int64, isSlow: Bool)? {
        guard isMine, [.moved, .left, .drift].contains(kind), let query, let country, let platform, let bundleID,
            let from = from.flatMap({ Position($0) }),
            let day = since.flatMap({ Timestamp(iso8601: $0 + "T00:00:00Z") })?.day
        else { return nil }
        let to = to.flatMap { Position($0) }
        guard kind == .left || to.map({ from < $0 }) ?? false else { return nil }
        let asked = Query(text: query, country: country, platform: platform, language: language)
        return (asked, bundleID, from, to, day, kind == .drift)
    }
}
