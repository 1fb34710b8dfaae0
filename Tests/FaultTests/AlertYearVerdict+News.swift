import Foundation
import History
import Judging
import RankKit
import TestSupport

@testable import Alerts

/// What was told beside the places of tracked apps, held against the finished file and against what was put in.
extension AlertYearVerdict {
    /// Lines by their kinds, and what was put in and told.
    struct News {
        var lines: [String: Int] = [:]
        var planted: [String: (told: Int, all: Int)] = [:]
    }

    /// - Returns: `nil` if the file shows what the event tells.
    func doubt(of event: ToldEvent, _ decision: AlertYearLife.Decision) throws -> String? {
        let variant = event.thing.split(separator: "\t").last.map(String.init) ?? ""
        switch event.kind {
        case .newcomer:
            guard let newcomer = strangers[event.subject] else { return "no such stranger" }
            let found = try SettledNewcomer.all(
                on: newcomer.query, tops: [FaultTests.AlertYear.newcomerTop], days: event.onset...decision.at.day,
                until: decision.at, from: reader)
            let apps = try reader.apps(found.map(\.number), namedIn: nil)
            let isThere = found.contains {
                apps[$0.number]?.bundleID == newcomer.app && abs($0.since.day - event.onset) <= event.sameWithin
            }
            return isThere ? nil : "nobody came"
        case .release:
            guard let app = tracked[event.subject] else { return "no such app" }
            let isThere = try reader.releases(of: app, machineZone: .gmt).contains {
                $0.isVersion(variant) && $0.seenAt?.day == event.onset
            }
            return isThere ? nil : "no such version"
        case .price, .name:
            guard let app = tracked[event.subject] else { return "no such app" }
            let days = try reader.listingPasts(of: app).flatMap { past in
                event.kind == .name
                    ? past.told(.name).changes(by: { $0 }, settled: true, until: decision.at, waits: true)
                        .filter { $0.to == variant }.map(\.at.day)
                    : past.prices.changes(by: { $0 }, settled: false, until: decision.at, waits: true).map(\.at.day)
            }
            return days.contains(event.onset) ? nil : "no such change"
        case .service:
            if event.subject == AlertEvent.Subject.service("results").key { return nil }
            guard let turn = ServiceTurn(event) else { return "no turn" }
            return turn.isTrouble == decision.isTroubled ? nil : "the service was otherwise"
        default: return "nobody asked for that"
        }
    }

    /// Turns of the service take turns, and what was put in well before the end is told.
    mutating func judgeNews(_ life: AlertYearLife) {
        let sent = life.receiver.messages.flatMap(\.events).compactMap { events[$0]?.told }
        let summed = events.values.map(\.told).filter { !summedUp.isDisjoint(with: $0.messages) }
        let told = sent + summed
        let turns = sent.compactMap(ServiceTurn.init).sorted { ($0.number, $0.onset) < ($1.number, $1.onset) }
        // After months in which nothing was told, they are numbered anew.
        for (one, next) in zip(turns, turns.dropFirst())
        where abs(next.onset - one.onset) <= ToldEvent.keptDays
            && (one.number == next.number || (next.number == one.number + 1 && !next.isNews(after: one)))
        {
            flaws.append("turn \(one.variant) before \(next.variant)")
        }
        // Only what is so at two looks of one process is told, so that not every trouble is.
        let isLong = life.news.failing.contains { $0.count > 4 && Int64($0.upperBound) + origin < end.day - 2 }
        if isLong, turns.isEmpty { flaws.append("nobody told that backups fail") }
        let last = Int(end.day - origin) - Self.wait
        for arrival in life.news.arrivals where arrival.day <= last {
            let subject = AlertEvent.Subject.pair(arrival.query, bundle(arrival.name)).key
            note(
                "newcomer", isTold: told.contains { $0.kind == .newcomer && $0.subject == subject },
                "\(arrival.name) on \(arrival.query.text) \(arrival.query.country.code)")
        }
        for change in life.news.changes where change.day <= last && change.app != "com.rival.app7" {
            let subject = AlertEvent.Subject.app(bundle(change.app), nil).key
            // A clock that is a day behind after a day off has its lists of the day before.
            let range = origin + Int64(change.day - 1)...origin + Int64(change.day + Self.wait)
            note(
                change.what.rawValue,
                isTold: told.contains {
                    $0.kind.rawValue == change.what.rawValue && $0.subject == subject && range.contains($0.onset)
                        && (change.what == .price || $0.thing.hasSuffix("\t" + change.value))
                }, "\(change.app) \(change.value) on day \(change.day)")
        }
    }

    private mutating func note(_ kind: String, isTold: Bool, _ what: String) {
        let known = news.planted[kind] ?? (0, 0)
        news.planted[kind] = (known.told + (isTold ? 1 : 0), known.all + 1)
        // Who came may not have stayed among the first; what a list says is there to be read.
        if !isTold, kind != "newcomer" { flaws.append("nobody told of the \(kind) of \(what)") }
    }
}

extension AlertYearVerdict.News: CustomStringConvertible {
    var description: String {
        let planted = planted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.told) of \($0.value.all)" }
        let lines = lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(lines.joined(separator: ", ")); put in and told: \(planted.joined(separator: ", "))"
    }
}

extension ServiceTurn {
    /// Whether it is worth a message after that one.
    fileprivate func isNews(after earlier: ServiceTurn) -> Bool {
        isTrouble ? !(matters ?? []).isSubset(of: earlier.matters ?? []) : earlier.isTrouble
    }
}
