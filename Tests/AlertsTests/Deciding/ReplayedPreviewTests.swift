import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

/// A preview of days beside a daemon that decided on each of them, when the history had nothing later.
@Suite struct ReplayedPreviewTests {
    private static let days: Int64 = 75
    /// Days before the first that is decided.
    private static let before: Int64 = 45
    private static let firstCheck = Timestamp.startOfDay(noon.day - days + 1) + 43_000
    private static let names = ["com.me", "com.rival", "com.other"]

    /// What was sent, as people read it.
    private struct Sent: Hashable, Comparable, CustomStringConvertible {
        let day: Int64
        let title: String
        let lines: [String]

        init(_ outgoing: AlertDecision.Outgoing, _ days: ZoneDays) {
            day = days.day(of: outgoing.message.at)
            title = outgoing.message.title
            lines = outgoing.message.lines.map { line in
                let parts: [String?] = [line.text, line.app, line.bundleID?.text, line.query, line.since]
                return parts.compactMap(\.self).joined(separator: " | ")
            }
        }

        static func < (left: Sent, right: Sent) -> Bool { (left.day, left.title) < (right.day, right.title) }

        var description: String { "\(CivilTime.date(.startOfDay(day))) \(title) \(lines)" }
    }

    /// What rankd does: looks, and remembers what it told.
    private struct Daemon {
        let settings: AlertSettings
        let start: Int64
        let days: ZoneDays
        var told: [ToldEvent] = []
        var earlier: EarlierLook?
        var sent: [Sent] = []

        mutating func look(
            _ history: AlertHistory, at moment: Timestamp, isFirst: Bool = false, oldestCheck: Int64? = nil,
            _ isMeant: (AlertEvent) -> Bool
        ) throws {
            earlier?.oldestCheck = oldestCheck
            let events = try AlertEvents.read(
                settings, days: AlertEvents.days(until: moment, in: days), after: earlier, until: moment, now: moment,
                zone: days.zone, told: told, from: history.reader.snapshot().counting(days)
            ).filter(isMeant)
            let decision = AlertDecision(
                events, told: told,
                .init(settings: settings, start: isFirst ? nil : start, now: moment, zone: days.zone))
            for var event in decision.told {
                event.sentTo = Set(event.channels)
                told.removeAll { $0.hasIdentity(of: event) }
                told.append(event)
            }
            sent += decision.messages.map { Sent($0, days) }
            earlier = EarlierLook(at: moment)
        }
    }

    private static let allKinds: [AlertRule] = [
        AlertRule(
            when: [.moved, .drift, .left, .overtaken, .overtook, .release, .price, .name, .weather], whose: .all),
        AlertRule(when: [.entered], top: 10, whose: .all), AlertRule(when: [.newcomer], top: 10),
    ]
    private static let few: [AlertRule] = [
        AlertRule(when: [.moved, .entered, .left, .overtaken], whose: .all, atMost: 2)
    ]

    @Test(arguments: [(UInt64(1), false), (2, true), (3, false), (4, true)])
    func `a preview tells word for word what a daemon would have told that had seen nothing later`(
        seed: UInt64, isLimited: Bool
    ) async throws {
        try await compare(seed, isLimited: isLimited, .utc)
    }

    @Test(
        arguments: [
            "America/Sao_Paulo", "Pacific/Auckland", "America/St_Johns", "Pacific/Kiritimati", "Pacific/Honolulu",
        ])
    func `so it does in another zone, by that zone's days`(zone: String) async throws {
        try await compare(1, isLimited: false, ZoneDays(try #require(TimeZone(identifier: zone))))
    }

    private func compare(_ seed: UInt64, isLimited: Bool, _ days: ZoneDays) async throws {
        let history = try AlertHistory()
        let asked = (0..<6).map { query("timer \($0)") }
        try await history.adopt(asked, apps: Self.names, daysAgo: Self.days + 10)
        var random = SplitMix(seed: seed)
        var apps = asked.map { _ in Self.names.map { _ in Self.app(&random) } }
        var daemon = Daemon(
            settings: settings(isLimited ? Self.few : Self.allKinds), start: noon.day - Self.days + Self.before,
            days: days)
        var listing = (name: "Rival", version: 1, price: 0.0)
        let end = noon.day
        var (record, last) = (Self.firstCheck, days.start(of: daemon.start) - 1)
        try await recordAll(before: last)
        func recordAll(before moment: Timestamp) async throws {
            while record <= moment, record.day <= end {
                let number = record.day - Self.firstCheck.day
                if random.unit() < 0.06 { listing.name = "Rival \(number)" }
                if random.unit() < 0.1 { listing.version += random.unit() < 0.5 && listing.version > 1 ? -1 : 1 }
                if random.unit() < 0.08 { listing.price = listing.price == 0 ? 2.99 : 0 }
                for (index, query) in asked.enumerated() where random.unit() > 0.05 {
                    try await self.record(query, at: record, of: &apps[index], listing, &random, history)
                }
                // How a store was would be known here in the middle of another zone's day, and is not judged by then.
                if days.isUTC { try await history.deriveCountryDays(before: record.day) }
                record = record + day
            }
        }
        try daemon.look(history, at: last, isFirst: true) { _ in true }
        let newest = days.day(of: Self.firstCheck + (Self.days - 1) * day)
        let mornings = (days.day(of: Self.firstCheck)...end + 1).map { NewcomerTurn(zone: days).moment(after: $0 - 1) }
        for today in daemon.start...newest {
            let evening = days.end(of: today)
            for morning in mornings where today > daemon.start && (last + 1...evening).contains(morning) {
                try await recordAll(before: morning)
                try daemon.look(history, at: morning) { $0.kind == .newcomer }
            }
            try await recordAll(before: evening)
            try daemon.look(history, at: evening, oldestCheck: (record - day).day) { $0.kind != .newcomer }
            last = evening
        }
        let preview = try AlertPreview(
            daemon.settings, since: daemon.start, until: last, now: last, zone: days.zone,
            from: history.reader.snapshot())
        let (told, said) = (daemon.sent.sorted(), preview.messages.map { Sent($0, days) }.sorted())
        #expect(told.count > 2)
        for sent in told where !said.contains(sent) { Issue.record("the daemon alone told \(sent)") }
        for sent in said where !told.contains(sent) { Issue.record("the preview alone tells \(sent)") }
        #expect(told.count == said.count)
    }

    private static func app(_ random: inout SplitMix) -> SimulatedApp {
        let usual = 4 + 70 * random.unit()
        var app = SimulatedApp(usual: usual, &random)
        for _ in 0..<2 where random.unit() < 0.7 {
            let day = 20 + Int(random.unit() * 50)
            let to = random.unit() < 0.5 && usual > 15 ? usual * 0.4 : usual * 1.7
            app.plant(.init(kind: .step, day: day, from: usual, to: to))
        }
        return app
    }

    private func record(
        _ query: Query, at moment: Timestamp, of apps: inout [SimulatedApp],
        _ listing: (name: String, version: Int, price: Double), _ random: inout SplitMix, _ history: AlertHistory
    ) async throws {
        let number = moment.day - Self.firstCheck.day
        var names = (1...100).map { "com.x\($0)" }
        // A stranger among the first ten, now and then for days.
        if number % 20 > 12 { names[4] = "com.new\(number / 20)" }
        for (index, name) in Self.names.enumerated() {
            let place = Int(apps[index].place(on: Int(number), &random).rounded())
            if (1...100).contains(place) { names[place - 1] = name }
        }
        let shown = list(names) { name in
            AppDetails(
                name: name == "com.rival" ? listing.name : name, version: "\(listing.version).0",
                price: name == "com.rival" ? listing.price : 0, currency: "USD")
        }
        try await history.store.record(Check(query: query, at: moment, outcome: .answered(shown)))
    }
}
