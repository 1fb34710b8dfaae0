import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Alerts judge by the days of the watchlist's zone, as reports do, whatever the zone was before.
@Suite struct ZonedAlertsTests {
    private static let zones = [
        "America/Sao_Paulo", "Pacific/Auckland", "America/St_Johns", "Pacific/Kiritimati", "UTC",
    ]
    private static let names = ["com.me", "com.rival"]
    /// Seconds from one check to the next.
    private static let cadence = 7 * hour
    /// Days of checks, and those before the first look.
    private static let (days, before): (Int64, Int64) = (78, 45)

    private let history: AlertHistory
    private let asked = (0..<6).map { query("timer \($0)") }
    private let rules = settings([
        AlertRule(when: [.moved, .left, .overtaken, .overtook], whose: .all),
        AlertRule(
            when: [.entered], top: 10, whose: .all),
    ])

    init() throws { history = try AlertHistory() }

    private static func app(_ random: inout SplitMix) -> SimulatedApp {
        let usual = 4 + 70 * random.unit()
        var app = SimulatedApp(usual: usual, &random)
        // By checks, so that a move begins at any time of day.
        for start in [150, 190, 230] where random.unit() < 0.6 {
            let to = random.unit() < 0.5 && usual > 15 ? usual * 0.4 : usual * 1.7
            app.plant(.init(kind: .step, day: start + Int(random.unit() * 36), from: usual, to: to))
        }
        return app
    }

    /// Checks every few hours, each followed by `look`, from the day of the first look on.
    private func run(_ seed: UInt64, _ look: (Timestamp, Int64) async throws -> Void) async throws {
        try await history.adopt(asked, apps: Self.names, daysAgo: Self.days + 10)
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        var random = SplitMix(seed: seed)
        var apps = asked.map { _ in Self.names.map { _ in Self.app(&random) } }
        let first = noon - Self.days * day
        for number in 0..<Int(Self.days * day / Self.cadence) {
            let moment = first + Int64(number) * Self.cadence
            for (index, query) in asked.enumerated() {
                var names = (1...100).map { "com.x\($0)" }
                for (app, name) in Self.names.enumerated() {
                    let place = Int(apps[index][app].place(on: number, &random).rounded())
                    if (1...100).contains(place) { names[place - 1] = name }
                }
                try await history.store.record(Check(query: query, at: moment, outcome: .answered(list(names))))
            }
            let past = (moment - first) / day
            if past >= Self.before { try await look(moment, past) }
        }
    }

    private static func zone(_ name: String) throws -> ZoneDays { ZoneDays(try #require(TimeZone(identifier: name))) }

    /// What the reports judge of a pair at `moment`.
    private func reported(at moment: Timestamp, _ days: ZoneDays) throws -> JudgedPairs {
        try JudgedPairs(from: history.reader.snapshot().counting(days), until: moment, now: moment)
    }

    private static func places(_ judgement: MoveJudgement?) -> [Int?] {
        switch judgement {
        case .real(let move): [move.from.number, move.to.number]
        case .entered(let at, _): [nil, at.number]
        case .left(let from, _): [from.number, nil]
        default: []
        }
    }

    @Test(arguments: zones)
    func `in each zone an alert has the day and the places that a report of its moment has`(name: String) async throws {
        let days = try Self.zone(name)
        var count = 0
        try await run(5) { moment, _ in
            let decision = try await history.look(rules, at: moment, zone: days.zone)
            try await history.send(at: moment)
            let lines = decision?.messages.flatMap { AlertMessage(stored: $0.content)?.lines ?? [] } ?? []
            guard !lines.isEmpty else { return }
            let judged = try reported(at: moment, days)
            for line in lines where [.moved, .entered, .left].contains(line.kind) && !line.text.hasPrefix("back") {
                guard !line.text.hasPrefix("out of") else { continue }
                let query = try #require(asked.first { $0.text == line.query })
                let judgement = judged.judgement(
                    of: query, try #require(line.bundleID), since: days.day(of: moment) - 7)
                let since = judgement?.since.map { CivilTime.date(.startOfDay($0)) }
                #expect(line.since == since && line.text.contains(since ?? "none"), "\(line.text): \(judgement as Any)")
                #expect([line.from, line.to] == Self.places(judgement), "\(line.text): \(judgement as Any)")
                count += 1
            }
        }
        #expect(count > 4)
    }

    private static func way(_ judgement: MoveJudgement) -> String {
        switch judgement {
        case .real(let move): move.direction == .up ? "up" : "down"
        case .entered: "entered"
        case .left: "left"
        default: "none"
        }
    }

    private static let changes: [[String]] =
        zones.dropLast().map { ["UTC", $0] } + [
            ["UTC", "Pacific/Auckland", "UTC"], ["Pacific/Kiritimati", "Pacific/Niue", "Pacific/Kiritimati"],
            ["America/Sao_Paulo", "UTC", "Pacific/Auckland"],
        ]

    @Test(arguments: zip(changes, [2, 3, 4, 5, 6, 2, 2] as [UInt64]))
    func `with another zone no move is told twice, none is missed and none turns back that did not`(
        names: [String], seed: UInt64
    ) async throws {
        let zones = try names.map(Self.zone)
        var told: [String: [Int64]] = [:]
        var count = 0
        try await run(seed) { moment, past in
            // The last days of each are about the same moves.
            let days = zones[min(Int((past - Self.before) / 11), zones.count - 1)]
            let decision = try await history.look(rules, at: moment, zone: days.zone)
            try await history.send(at: moment)
            let judged = try reported(at: moment, days)
            let today = days.day(of: moment)
            for line in decision?.messages.flatMap({ AlertMessage(stored: $0.content)?.lines ?? [] }) ?? [] {
                let parts = line.event.split(separator: "\t", omittingEmptySubsequences: false)
                let (key, onset) = (
                    parts.dropLast().joined(separator: "\t"), try #require(parts.last.flatMap { Int64($0) })
                )
                let isBack = parts.dropLast().last == "back"
                let thing = isBack ? String(key.dropLast(4)) : key
                count += 1
                guard isBack else {
                    let again = told[key, default: []].contains { abs($0 - onset) <= 8 }
                    #expect(!again, "\(line.text) again, \(names)")
                    told[key, default: []].append(onset)
                    continue
                }
                told[thing] = nil
                guard [.moved, .entered, .left].contains(line.kind),
                    let query = asked.first(where: { $0.text == line.query }), let app = line.bundleID,
                    let judgement = judged.judgement(of: query, app, since: today - 7)
                else { continue }
                let way = Self.way(judgement)
                let holds = key.contains("\t\(way)\t") && judgement.since.map { abs($0 - onset) <= 1 } ?? false
                #expect(!holds, "\(line.text), but \(judgement), \(names)")
            }
            let known = try history.reader.outboxEvents(since: today - 60)
            for query in asked {
                for app in Self.names.map(bundle) {
                    guard let judgement = judged.judgement(of: query, app, since: today - 7),
                        case .real(let move) = judgement
                    else { continue }
                    let way = move.direction == .up ? "up" : "down"
                    let subject = AlertEvent.Subject.pair(query, app).key
                    let isKnown = known.contains {
                        $0.identity.subject == subject && $0.identity.variant.contains("\t\(way)\t")
                            && abs($0.identity.onset - move.since) <= 8
                    }
                    #expect(isKnown, "\(query.text) \(app.text): \(move), \(names)")
                }
            }
        }
        #expect(count > 4)
    }
}
