import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// Months of pairs that mostly only wobble, decided day by day as a pass does.
@Suite struct SimulatedAlertsTests {
    private static let days = 120
    private static let queries = 16
    /// Days before the first decision.
    private static let before = 40
    private static let apps = ["com.me", "com.rival"]

    /// A pair that may move for good, for which there is room in a list of 100.
    private static func app(_ random: inout SplitMix, shifts: Bool) -> SimulatedApp {
        let usual = 4 + 56 * random.unit()
        var app = SimulatedApp(usual: usual, &random)
        if shifts, random.unit() < 0.4 {
            let places = max(6, usual * 0.45)
            let day = 60 + Int(random.unit() * 50)
            let to = random.unit() < 0.5 && usual > 15 ? usual - places : usual + places
            app.plant(.init(kind: .step, day: day, from: usual, to: to))
        }
        return app
    }

    private static func place(_ app: inout SimulatedApp, on day: Int, _ random: inout SplitMix) -> Int {
        min(max(1, Int(app.place(on: day, &random).rounded())), 100)
    }

    private let history: AlertHistory

    init() throws { history = try AlertHistory() }

    /// - Returns: the days of the shifts of each pair that has one, counted from 1970-01-01.
    private func fill(
        _ seed: UInt64, shifts: Bool, queries: Int = SimulatedAlertsTests.queries
    ) async throws -> [String: Int64] {
        var random = SplitMix(seed: seed)
        let asked = (0..<queries).map { query("timer \($0)") }
        try await history.adopt(asked, apps: Self.apps, daysAgo: Int64(Self.days + 10))
        var shifted: [String: Int64] = [:]
        for one in asked {
            var pairs = Self.apps.map { _ in Self.app(&random, shifts: shifts) }
            for (index, app) in Self.apps.enumerated() {
                if let shift = pairs[index].changes.first {
                    let key = AlertEvent.Subject.pair(one, bundle(app)).key
                    shifted[key] = noon.day - Int64(Self.days - 1 - shift.day)
                }
            }
            var (mine, rival): ([Int], [Int]) = ([], [])
            for number in 0..<Self.days {
                let first = Self.place(&pairs[0], on: number, &random)
                let second = Self.place(&pairs[1], on: number, &random)
                mine.append(first)
                rival.append(second == first ? second % 100 + 1 : second)
            }
            try await history.fill(mine, rival: rival, on: one)
        }
        return shifted
    }

    private let rules = [AlertRule(when: [.moved, .entered, .left, .drift], whose: .all)]

    /// Decides each day by what was stored by then, as after its last pass.
    private func decided(_ check: (AlertEvent, Timestamp, HistoryReader) throws -> Void) throws -> [AlertEvent] {
        let reader = try history.reader
        var told: [String: ToldEvent] = [:]
        var sent: [AlertEvent] = []
        var start: Int64?
        for back in (0...Int64(Self.days - Self.before)).reversed() {
            let until = noon - back * day
            let events = try AlertEvents.read(
                settings(rules), days: AlertEvents.days(until: until), until: until, now: noon, zone: .gmt,
                told: Array(told.values), from: reader)
            let decision = AlertDecision(
                events, told: Array(told.values),
                .init(settings: settings(rules), start: start, now: until, zone: .gmt))
            start = start ?? until.day
            for line in decision.messages.flatMap(\.message.events) {
                let event = try #require(events.first { $0.line == line })
                if !event.isBack {
                    try check(event, until, reader)
                    sent.append(event)
                }
            }
            for var event in decision.told {
                event.sentTo = Set(event.channels)
                told[event.event] = event
            }
        }
        return sent
    }

    @Test func `each event is told once, and the report of its day calls it real`() async throws {
        let shifted = try await fill(7, shifts: true)
        var days: [Timestamp: JudgedPairs] = [:]
        let sent = try decided { event, until, reader in
            guard case .pair(let query, let app) = event.subject else { return }
            let judged = try days[until] ?? JudgedPairs(from: reader, until: until, now: noon)
            days[until] = judged
            if event.kind == .drift {
                #expect(judged.monthMove(of: query, app) != nil, "\(event.line)")
            } else {
                let judgement = judged.judgement(of: query, app, since: until.day - 7)
                #expect(judgement?.isBeyondNoise == true, "\(event.line) \(String(describing: judgement))")
            }
        }
        #expect(Set(sent.map(\.line)).count == sent.count)
        let found = shifted.filter { key, began in
            sent.contains { $0.subject.key == key && abs($0.onset - began) <= 7 }
        }
        #expect(found.count * 10 >= shifted.count * 7, "\(found.count) of \(shifted.count)")
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `of pairs that only wobble at most one in a hundred weeks is told`(seed: UInt64) async throws {
        _ = try await fill(seed, shifts: false)
        let sent = try decided { _, _, _ in }
        let weeks = Double(Self.queries * Self.apps.count * (Self.days - Self.before)) / 7
        let flagged = Set(sent.map { "\($0.subject.key) \($0.at.day / 7)" }).count
        #expect(Double(flagged) <= weeks / 100, "\(flagged) of \(weeks)")
    }

    @Test func `a preview tells what the days would have told`() async throws {
        _ = try await fill(11, shifts: true, queries: 8)
        let preview = try AlertPreview(
            settings(rules), since: noon.day - 60, until: noon, now: noon, zone: .gmt, from: history.reader)
        #expect(preview.counts[.normal] == preview.messages.count && preview.messages.count > 2)
        #expect(preview.counts[.calm, default: 0] <= preview.counts[.keen, default: 0])
        let lines = preview.messages.flatMap(\.message.events)
        #expect(Set(lines).count == lines.count)
        let sent = try decided { _, _, _ in }
        let shared = Set(lines).intersection(sent.map(\.line))
        #expect(shared.count * 10 >= sent.filter { $0.at.day > noon.day - 60 }.count * 8)
    }
}
