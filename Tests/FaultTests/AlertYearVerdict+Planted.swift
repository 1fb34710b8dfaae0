import JudgingStage
import RankKit
import TestSupport

@testable import Alerts

/// What was put into the year by hand, and what was told of it.
extension AlertYearVerdict {
    /// Days after a planted change in which what is told of its pair is taken for its doing.
    private static let reach = 42

    /// Whether it would stand at the same place all the time if nobody wobbled. That others come and go moves it by a place
    /// now and then, which is a shift where places are few.
    private func isStill(_ places: [Int], _ days: ClosedRange<Int>) -> Bool {
        let shown = places[days.clamped(to: 0...max(0, places.count - 1))]
        guard let least = shown.min(), let most = shown.max() else { return false }
        return most - least <= least / 15
    }

    /// Pair-weeks without anything planted within reach, and those in which something was told all the same.
    mutating func judgeWeeks(_ days: Range<Int>) {
        var flagged: [String: [Int: [ToldEvent]]] = [:]
        for message in life.receiver.messages {
            for event in message.events.compactMap({ events[$0]?.told }) where !event.isBack && event.isOfPair {
                let index = Int(message.at.day - origin)
                flagged[event.subject, default: [:]][(index - days.lowerBound) / 7, default: []].append(event)
            }
        }
        let places = stores.settledPlaces(days: 0..<days.upperBound)
        for (pair, app) in stores.pairs where pair.app != "com.rival.app7" {
            let subject = AlertEvent.Subject.pair(pair.query, bundle(pair.app)).key
            for week in 0..<days.count / 7 {
                weeks.all += 1
                let from = days.lowerBound + 7 * week
                guard isStill(places[pair] ?? [], from - Self.reach...from + 6) else { continue }
                weeks.still += 1
                guard let told = flagged[subject]?[week] else { continue }
                if told.contains(where: { $0.kind == .drift }) { weeks.drifts += 1 }
                if told.contains(where: { $0.kind != .drift }) { weeks.flagged += 1 }
                for kind in Set(told.map(\.kind.rawValue)) { weeks.kinds["\(kind) \(app.manner)", default: 0] += 1 }
                for event in told {
                    let near = (places[pair] ?? [])[max(0, from - 60)...from + 6]
                    weeks.shown.append(
                        "told without a shift: day \(event.at.day - origin) onset \(event.onset - origin) \(event.thing) "
                            + "\(event.from ?? 0)→\(event.to ?? 0) \(app.manner) settled \(near.min() ?? 0)…\(near.max() ?? 0)"
                            + " changes \(app.changes.map { "\($0.kind) \($0.day)+\($0.length)" })"
                            + " storms \((stores.storms[pair.query.country] ?? [:]).keys.sorted())")
                }
            }
        }
    }

    /// Lasting changes that are large beside the noise, and the messages about them.
    mutating func judgeShifts() {
        var sent: [String: [(ToldEvent, Timestamp)]] = [:]
        for message in life.receiver.messages {
            for event in message.events.compactMap({ events[$0]?.told }) where !event.isBack && event.isOfPair {
                sent[event.subject, default: []].append((event, message.at))
            }
        }
        for (pair, app) in stores.pairs where pair.app != "com.rival.app7" {
            let subject = AlertEvent.Subject.pair(pair.query, bundle(pair.app)).key
            for change in app.changes where !change.isOfStorm && change.kind != .small && change.kind != .passing {
                guard origin + Int64(change.day) > first, app.manner == .returning else { continue }
                // A drift takes its time: it is told when it is well under way.
                let last = change.end + Self.wait
                let found = (sent[subject] ?? []).first { event, at in
                    let index = Int(at.day - origin)
                    return (change.day...last).contains(index) && event.knownIsUp == change.isUp
                }
                if change.kind != .drift {
                    shifts.large += 1
                    if let found {
                        shifts.found += 1
                        shifts.waits.append(Int(found.1.day - origin) - change.day)
                    }
                }
                let known = shifts.byKind[change.kind.rawValue] ?? (0, 0)
                shifts.byKind[change.kind.rawValue] = (known.found + (found == nil ? 0 : 1), known.all + 1)
            }
        }
    }
}

extension AlertYearVerdict: CustomStringConvertible {
    var description: String {
        let waits = shifts.waits.sorted()
        let kinds = shifts.byKind.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.found) of \($0.value.all)" }
        let flags = weeks.kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let reasons = untold.reasons.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            \(told.lines) lines: \(told.moves) of pairs (\(told.byReport) called real by the report of their moment, \
            \(told.byDay) by that of their day, \(told.byWrongClock) by a wrong clock), \(told.orders) of rivals, \
            \(told.storms) of weather, \(told.backs) back. \(untold.real) times a report called a move real: \
            \(untold.told) told, \(reasons.joined(separator: ", ")). \(weeks.flagged) of \(weeks.still) pair-weeks without \
            a shift flagged and in \(weeks.drifts) a drift told (of \(weeks.all); \(flags.joined(separator: ", "))). \(shifts.found) of \(shifts.large) large shifts told within \(Self.wait) \
            days, the median after \(waits.isEmpty ? 0 : waits[waits.count / 2]), the slowest after \(waits.last ?? 0); \
            \(kinds.joined(separator: ", ")). \(news). \(flaws.count) flaws
            """
    }
}
