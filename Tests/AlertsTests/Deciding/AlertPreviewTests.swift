import Foundation
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts
@testable import History

@Suite struct AlertPreviewTests {
    private let history: AlertHistory

    init() async throws {
        history = try AlertHistory()
        try await history.adopt()
    }

    private func preview(_ rules: [AlertRule], until: Timestamp = noon) throws -> AlertPreview {
        try AlertPreview(
            settings(rules), since: noon.day - 30, until: until, now: noon, zone: .gmt,
            from: history.reader.snapshot())
    }

    /// When digests come in the two days before noon, and where to.
    private func digests(_ rules: [AlertRule], mutes: [AlertMute] = []) -> [String] {
        settings(rules, mutes: mutes).digests(since: noon - 2 * day, until: noon, zone: .gmt).map { digest in
            let report = AlertPreviewReport(
                generatedAt: noon, since: noon.day - 2, messages: [], counts: [:], digests: [digest])
            let lines = report.render(as: .table).split(separator: "\n")
            return lines.first { $0.hasPrefix("  2026-") }.map { String($0.drop { $0 == " " }) } ?? ""
        }
    }

    @Test func `a digest is shown with its time and its channels, as the rules are`() {
        let morning = [DigestTime(minute: 480)]
        let daily = AlertRule(when: [.digest], times: morning)
        #expect(digests([daily]) == ["2026-11-19 08:00  team", "2026-11-20 08:00  team"])
        // Rules with the same times share a digest; others of the same moment have one of their own.
        let hook = AlertRule(when: [.digest], to: ["hook"], times: morning)
        #expect(digests([daily, hook]) == ["2026-11-19 08:00  hook, team", "2026-11-20 08:00  hook, team"])
        let weekly = AlertRule(when: [.digest], to: ["hook"], times: [DigestTime(minute: 480, weekdays: [5])])
        #expect(
            digests([daily, weekly]) == [
                "2026-11-19 08:00  team", "2026-11-20 08:00  hook", "2026-11-20 08:00  team",
            ])
        // One that waits for the end of quiet hours comes then.
        let quiet = AlertRule(when: [.digest], quietHours: QuietHours(from: 420, to: 570), times: morning)
        #expect(digests([quiet]) == ["2026-11-19 09:30  team", "2026-11-20 09:30  team"])
        // The order is that of arrival, and what is still to come is not of the past.
        let later = AlertRule(when: [.digest], to: ["hook"], times: [DigestTime(minute: 540)])
        #expect(
            digests([quiet, later]) == [
                "2026-11-19 09:00  hook", "2026-11-19 09:30  team", "2026-11-20 09:00  hook", "2026-11-20 09:30  team",
            ])
        let kept = AlertRule(when: [.digest], quietHours: QuietHours(from: 420, to: 780), times: morning)
        #expect(digests([kept]) == ["2026-11-19 13:00  team"])
        #expect(digests([daily], mutes: [AlertMute(kind: .digest)]) == [])
        #expect(digests([AlertRule(when: [.moved])]) == [])
    }

    @Test(arguments: [("digest", 3), ("2", 2), ("weekly", 1), ("newcomer", 0), ("moved,left", 0), ("moved, left", 0)])
    func `a rule is chosen by its name, its number, or what its when says`(rule: String, digests: Int) async throws {
        try await history.fill(jitter)
        let rules = [
            AlertRule(when: [.moved, .left]), AlertRule(when: [.digest], times: [DigestTime(minute: 480)]),
            AlertRule(name: "weekly", when: [.digest], times: [DigestTime(minute: 480, weekdays: [5])]),
            AlertRule(when: [.newcomer]),
        ]
        let request = try AlertPreviewRequest.request([
            RequestParameter("since", "1d"), RequestParameter("rule", rule),
        ])
        var watchlist = watchlist([(history.timer, ["com.me"])], every: day)
        watchlist.alerts = settings(rules)
        let report = try request.report(of: watchlist, in: ReportContext(history.reader, now: noon, zone: .gmt))
        #expect(report.render(as: .json).contains("\"digests\":\(digests)"), "\(report)")
    }

    private static let newcomers = [AlertRule(when: [.newcomer], top: 10)]

    @Test func `newcomers are told in the morning after the list that confirms them`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 3)
        let told = try preview(Self.newcomers)
        #expect(told.messages.map(\.message.at) == [.startOfDay(noon.day - 2) + 7 * 3_600])
        #expect(told.counts == [.calm: 1, .normal: 1, .keen: 1])
    }

    @Test(arguments: [(0, [AlertKind.newcomer, .left]), (40, [.newcomer])])
    func `what waits over a day's limit is told the next day if it is still so`(newest: Int, told: [AlertKind])
        async throws
    {
        // The newcomer is the first message of the day on which the other goes out of the list.
        try await history.fill(
            jitter + [0, 0, newest], stranger: Array(repeating: 0, count: 38) + [5, 6, 5, 5, 5])
        let preview = try preview([AlertRule(when: [.newcomer, .left], atMost: 1)])
        #expect(preview.messages.flatMap(\.message.lines).map(\.kind) == told)
    }

    @Test(arguments: [[3, 10], [10, 3]])
    func `a newcomer that two rules want is one line, of the narrower one`(tops: [Int]) async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 2, 3, 2], last: 3)
        let told = try preview(tops.map { AlertRule(when: [.newcomer], top: $0) })
        #expect(told.messages.flatMap(\.message.lines).map(\.text).count == 1)
        #expect(told.messages.first?.message.title.contains("the first 3") == true, "\(told.messages)")
    }

    @Test func `a newcomer who comes among the first three later is told of that too`() async throws {
        let places = [0, 0, 0, 0, 0, 0, 8, 8, 8, 2, 2, 2]
        try await history.fill(Array(repeating: 40, count: 12), stranger: places, last: 3)
        let told = try preview([3, 10].map { AlertRule(when: [.newcomer], top: $0) })
        #expect(told.messages.map(\.message.at.day) == [noon.day - 5, noon.day - 2])
    }

    @Test func `each sensitivity has as many messages as a watchlist that is all so keen, whatever this one mixes`()
        async throws
    {
        let rival = Array(repeating: 60, count: 30) + [20, 21, 20, 20, 60, 61, 60, 60, 60, 20, 20, 21, 20]
        try await history.fill(jitter + [30, 31, 29], rival: rival)
        var (keen, calm) = (AlertRule(when: [.moved]), AlertRule(when: [.overtaken, .overtook, .entered]))
        (keen.sensitivity, calm.sensitivity, calm.top) = (.keen, .calm, 35)
        let mixed = try preview([keen, calm, AlertRule(when: [.weather])])
        var counts: [Sensitivity: Int] = [:]
        for sensitivity in Sensitivity.allCases {
            var rules = [keen, calm, AlertRule(when: [.weather])]
            for index in rules.indices { rules[index].sensitivity = sensitivity }
            let alone = try preview(rules)
            #expect(alone.counts[sensitivity] == alone.messages.count)
            counts[sensitivity] = alone.messages.count
        }
        #expect(mixed.counts == counts && Set(counts.values).count > 1)
        let kinds = Set(mixed.messages.flatMap(\.message.lines).map(\.kind))
        #expect(kinds.isSuperset(of: [.moved, .overtaken]))
    }

    @Test func `who is overtaken in a slow fall is told so with the day on which it happened, once`() async throws {
        let fall = [50, 51, 50, 50, 51, 60, 61, 60, 60]
        try await history.fill(jitter + fall, rival: Array(repeating: 55, count: jitter.count + fall.count))
        let lines = try preview([AlertRule(when: [.overtaken])]).messages.flatMap(\.message.lines)
        #expect(lines.map(\.since) == [CivilTime.date(.startOfDay(noon.day - 3))])
    }

    @Test(arguments: [(60, true), (20, false)])
    func `beside a loss of mine stands whose doing it likely was, as in a message that is sent, and beside no rise`(
        place: Int, isLoss: Bool
    ) async throws {
        try await history.fill(jitter + [place, place + 1, place, place])
        var watchlist = watchlist([(history.timer, ["com.me"])], every: day)
        watchlist.alerts = settings([AlertRule(when: [.moved])])
        let request = try AlertPreviewRequest.request([RequestParameter("since", "30d")])
        let report = try request.report(of: watchlist, in: ReportContext(history.reader, now: noon, zone: .gmt))
        let text = report.render(as: .table, style: TerminalStyle(colour: false, width: 400))
        let line = try #require(text.split(separator: "\n").last { $0.contains("for “timer” (us, iPhone): ") })
        #expect(line.contains(isLoss ? "▼" : "▲"))
        #expect((line.contains("; likely ") || line.contains("; unclear: ")) == isLoss, "\(line)")
    }

    @Test func `newcomers whose morning is still to come are not told yet`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 1)
        let morning = Timestamp.startOfDay(noon.day) + 7 * 3_600
        #expect(try preview(Self.newcomers, until: morning - 1).messages.isEmpty)
        #expect(try preview(Self.newcomers, until: morning).messages.count == 1)
    }

    @Test func `what is confirmed on the day of that morning is a message of its own`() async throws {
        try await history.fill(
            Array(repeating: 40, count: 10), rival: Array(repeating: 3, count: 10),
            stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5, 5], last: 3,
            details: { AppDetails(name: $1, version: $0 == 9 && $1 == "com.rival" ? "2.0" : "1.0") })
        let told = try preview(Self.newcomers + [AlertRule(when: [.release], whose: .all)])
        let today = noon - 3 * day
        #expect(told.messages.map(\.message.at) == [.startOfDay(today.day) + 7 * 3_600, today - 60])
    }

    @Test func `newcomers of a whole past are found, and where older lists were dropped it is said`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 20)
        #expect(try preview(Self.newcomers).messages.count == 1)
        #expect(try notes().isEmpty)
        try await history.store.write {
            try HistoryStore.noteDropped(before: (noon - 5 * day).secondsSinceEpoch, in: $0)
        }
        #expect(try notes() == ["newcomers are known since 2026-11-25: older lists were dropped"])
        #expect(try preview(Self.newcomers).messages.isEmpty)
    }

    @Test func `what mutes leave out of a past is said, and what was over before is not`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 3)
        var muted = settings(
            Self.newcomers,
            mutes: [
                AlertMute(kind: .newcomer, until: "2026-12-24"), AlertMute(app: "com.me"),
                AlertMute(country: Country(code: "us"), until: CivilTime.date(.startOfDay(noon.day - 30))),
            ])
        func preview() throws -> AlertPreviewReport {
            try AlertPreview(
                muted, since: noon.day - 30, until: noon, now: noon, zone: .gmt, from: history.reader.snapshot()
            ).report(
                of: muted, apps: [WatchedApp(bundleID: bundle("com.me"), alias: "me", isMine: true)], zone: .gmt,
                generatedAt: noon, isOfUsualRules: false)
        }
        #expect(
            try preview().notes == ["2 mutes hide messages about: newcomers until 2026-12-24, me"])
        muted.mutes = (1...7).map { AlertMute(query: "q\($0)") }
        #expect(
            try preview().notes == [
                "7 mutes hide messages about: query “q1”, query “q2”, query “q3”, query “q4”, query “q5”, "
                    + "and 2 more"
            ])
    }

    @Test func `what a month would have brought says what mutes leave out of it`() async throws {
        try await history.fill(jitter)
        let muted = settings(Self.newcomers, mutes: [AlertMute(kind: .newcomer, until: "2026-12-24")])
        let cost = try AlertCost(muted, apps: [], now: noon, zone: .gmt, from: history.reader.snapshot())
        #expect(
            cost?.words
                == "in the last 30 days rankd would have sent 0 messages (at each sensitivity: calm 0, normal 0, keen 0); 1 mute hides "
                + "messages about: newcomers until 2026-12-24")
    }

    private func notes() throws -> [String] {
        try preview(Self.newcomers).report(
            of: settings(Self.newcomers), apps: [], zone: .gmt, generatedAt: noon, isOfUsualRules: false
        ).notes
    }
}
