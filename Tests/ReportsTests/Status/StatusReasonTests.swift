import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// When the service is fine, and what it says where it is not.
@Suite struct StatusReasonTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A history of one good check at the start, of a query that is asked so often, which nobody writes any more.
    private func watched(every seconds: Int64) async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])], every: seconds), now: start)
        try await store.record(Check(query: timer, at: start, outcome: .answered(list(["com.a"]))))
    }

    /// The status after the writer is gone.
    private func status(after seconds: Int64, unit: ServiceUnit? = nil) async throws -> Status {
        try await store.close()
        return try Status(from: HistoryReader(path: store.path), unit: unit, now: start + seconds)
    }

    @Test func `a history that is up to date is fine, whoever asks by hand`() async throws {
        try await watched(every: 3_600)
        let status = try await status(after: 1_800)
        #expect(status.level == .fine && status.reasons == [])
    }

    @Test func `checks of every minute are missed after minutes, though nobody was there to notice`() async throws {
        try await watched(every: 60)
        let status = try await status(after: 26 * 60)
        #expect(status.level == .degraded)
        #expect(status.reasons.map(\.text) == ["1 query is 25m late; no service runs here"])
    }

    @Test(
        arguments: [(60, 300, false), (60, 400, true), (3_600, 5_390, false), (3_600, 5_410, true)]
            as [(Int64, Int64, Bool)])
    func `a query is missed its own cadence after it was due, within five minutes and half an hour`(
        _ cadence: Int64, _ seconds: Int64, _ isMissed: Bool
    ) async throws {
        try await watched(every: cadence)
        #expect(try await status(after: seconds).overdueCount == (isMissed ? 1 : 0))
    }

    @Test func `whoever sees some of the queries is told no worse, though a pass over all takes long`() async throws {
        var plan = watchlist((0..<600).map { (query("other \($0)"), ["com.other"]) }, every: 3_600)
        let own = WatchedQuery(
            query: timer, cadences: [.every(seconds: 3_600)],
            pairs: [WatchedPair(bundleID: bundle("com.a"), tags: ["acme"])])
        plan.queries.append(own)
        try await store.adopt(plan, now: start)
        // It is the last of each pass, which takes 40 minutes.
        for query in plan.queries.map(\.query) {
            try await store.record(
                Check(
                    query: query, at: start + (query == timer ? 39 * 60 : 1), outcome: .answered(list(["com.a"]))))
        }
        try await store.close()
        let reader = try HistoryReader(path: store.path)
        let narrowed = try reader.narrowed(to: ["acme"])
        for minutes in [92, 98, 99] as [Int64] {
            let now = start + minutes * 60
            let part = try Status(from: narrowed, now: now)
            #expect(part.overdueCount == 0 && part.level != .down, "\(minutes): \(part.reasons)")
            #expect(part.queryCount == 1)
            // As a value: the history's path may have these digits too.
            #expect(!StatusReport(part).render(as: .json).contains(/:601[,}]/))
        }
        // Longer than a pass and its patience is too long for everybody.
        #expect(try Status(from: narrowed, now: start + 4 * 3_600).level == .down)
    }

    @Test func `nothing recorded for longer is down`() async throws {
        try await watched(every: 60)
        #expect(try await status(after: 40 * 60).level == .down)
    }

    @Test func `a service that nobody stopped is missed at once`() async throws {
        try await watched(every: 86_400)
        try await store.noteServiceStart(at: start)
        try await store.noteServiceAlive(at: start + 900)
        let status = try await status(after: 1_200)
        #expect(status.level == .degraded)
        #expect(
            status.reasons.map(\.text) == [
                "rankd is not running, though nobody stopped it, last seen 5m ago; nothing is due until 2026-11-02 00:00 UTC"
            ])
    }

    @Test func `a service that was stopped is said to be, long before anything is overdue`() async throws {
        try await watched(every: 86_400)
        try await store.noteServiceStart(at: start)
        try await store.noteServiceEnd(at: start + 600)
        try await store.noteServiceAlive(at: start + 900)
        let status = try await status(after: 1_200)
        #expect(status.level == .degraded)
        #expect(
            status.reasons == [
                .init(
                    kind: .serviceStopped,
                    text: "rankd is not running, stopped 10m ago; nothing is due until 2026-11-02 00:00 UTC")
            ])
        #expect(
            StatusReport(status).render(as: .table, style: TerminalStyle(colour: false, width: 200)).contains(
                "daemon     not running, stopped 10m ago\n"))
    }

    @Test func `whoever asks by --once has no service to be missed, and reads nothing of one that does not run`()
        async throws
    {
        try await watched(every: 86_400)
        try await store.noteServiceStart(at: start)
        try await store.noteServiceEnd(at: start + 600)
        try await store.noteNoService()
        let status = try await status(after: 1_200)
        #expect(status.level == .fine && status.reasons == [])
        #expect(
            !StatusReport(status).render(as: .table, style: TerminalStyle(colour: false, width: 200)).contains(
                "not running"))
    }

    @Test func `no status is fine above a service that does not run`() async throws {
        try await watched(every: 86_400)
        for lives in 0..<3 {
            if lives == 0 { try await store.noteServiceStart(at: start) }
            if lives == 1 { try await store.noteServiceEnd(at: start) }
            if lives == 2 { try await store.noteNoService() }
            // Nobody holds the lock of a copy.
            let copy = folder.file("copy\(lives).sqlite")
            try FileManager.default.copyItem(atPath: store.path, toPath: copy)
            for part in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: store.path + part) {
                try FileManager.default.copyItem(atPath: store.path + part, toPath: copy + part)
            }
            let status = try Status(from: HistoryReader(path: copy), now: start + 600)
            let text = StatusReport(status).render(as: .table, style: TerminalStyle(colour: false, width: 200))
            #expect(status.daemon == .nobody)
            #expect((status.level == .fine) == !text.contains("not running"), "\(text)")
        }
    }

    // MARK: Endpoints

    @Test func `an endpoint that answers with errors alone is not fine, paused or not`() async throws {
        try await watched(every: 86_400)
        for (errors, pause) in [(3, nil), (EndpointHealth.errorLimit, EndpointHealth.Pause.failing)] {
            var health = EndpointHealth()
            for _ in 0..<errors { health.note(.troubled, at: start) }
            #expect(health.pause == pause)
            try await store.keep(health, of: .search(at: "store"))
            let reader = try HistoryReader(path: store.path)
            #expect(try reader.health(of: .search(at: "store")) == health)
            let status = try Status(from: reader, now: start + 30)
            #expect(status.endpoints.first?.state == .failing)
            let text = StatusReport(status).render(as: .table, style: TerminalStyle(colour: false, width: 200))
            #expect(text.contains("search: Apple answers nothing but errors"), "\(text)")
            #expect(!text.contains("search: fine") && !text.contains("search, lookup: fine"))
            #expect(
                status.reasons.map(\.text)
                    == (pause == nil ? [] : ["the App Store answers nothing but errors, or not at all"]))
        }
        var health = EndpointHealth()
        health.note(.troubled, at: start)
        health.note(.reached, at: start)
        try await store.keep(health, of: .search(at: "store"))
        #expect(try Status(from: HistoryReader(path: store.path), now: start).endpoints.first?.state == .asking)
    }

    @Test func `a pause of one source is no pause of another, and is told with its name`() async throws {
        let web = Query(text: "timer", country: timer.country, source: .web)
        try await store.adopt(watchlist([(timer, ["com.a"]), (web, ["com.a"])], every: 3_600), now: start)
        for query in [timer, web] {
            try await store.record(Check(query: query, at: start, outcome: .answered(list(["com.a"]))))
        }
        var health = EndpointHealth()
        health.note(.throttled(retryAfter: nil), at: start + 3_600)
        try await store.keep(health, of: .search(.web, at: "https://apps.example"))
        try await store.record(Check(query: timer, at: start + 3_610, outcome: .answered(list(["com.a"]))))
        let status = try Status(from: HistoryReader(path: store.path), now: start + 3_630)
        #expect(status.endpoints.map(\.name) == ["search", "web", "lookup"])
        #expect(status.endpoints.map(\.state) == [.asking, .coolingDown, .asking])
        #expect(status.dueSince == start + 3_600)
        #expect(status.reasons.map(\.text) == ["Apple asked for fewer requests (source web)"])
        // Where the other is paused, what is due of this one is not.
        try await store.keep(EndpointHealth(), of: .search(.web, at: "https://apps.example"))
        try await store.keep(health, of: .search(at: "https://store.example"))
        #expect(try Status(from: HistoryReader(path: store.path), now: start + 3_630).dueSince == nil)
    }

    @Test func `look-ups that come to nothing for days are a reason, until one is answered`() async throws {
        try await watched(every: 86_400)
        try await store.adopt(
            watchlist([(timer, ["com.a", "com.typo", "com.other"])], every: 86_400), now: start)
        let country = timer.country
        let (typo, other) = (
            StorefrontApp(BundleID("com.typo")!, in: country), StorefrontApp(BundleID("com.other")!, in: country)
        )
        var presence = AppPresence()
        var moment = start
        var said: [Timestamp] = []
        while moment <= start + 4 * 86_400 {
            presence.note(.failed, at: moment)
            _ = try await store.record([typo: .failed], at: moment)
            let status = try Status(from: HistoryReader(path: store.path), now: moment)
            if status.reasons.contains(where: { $0.kind == .lookups }) { said.append(moment) }
            moment = presence.nextDue(now: moment)
        }
        let first = try #require(said.first)
        #expect((2 * 86_400...3 * 86_400).contains(first - start))
        _ = try await store.record([other: .empty], at: moment)
        #expect(
            try Status(from: HistoryReader(path: store.path), now: moment).reasons.filter { $0.kind == .lookups } == [])
    }

    // MARK: Requests

    @Test func `requests are never fewer than the checks beside them`() async throws {
        try await watched(every: 60)
        for minute in 1...5 {
            try await store.record(
                Check(query: timer, at: start + Int64(minute) * 60, outcome: .answered(list(["com.a"]))))
        }
        func counts(_ seconds: Int64) throws -> (hour: Int?, day: Int?, digest: Int) {
            let reader = try HistoryReader(path: store.path)
            let requests = try Status(from: reader, now: start + seconds).requests
            return (requests.lastHour, requests.lastDay, try reader.requests(in: start...start + seconds))
        }
        // A pass that is under way, or was killed, has left its checks and no more.
        #expect(try counts(310) == (6, 6, 6))
        // One that ended: two queries of which one was tried three times, and one that was turned away.
        try await store.record(Check(query: timer, at: start + 360, outcome: .failed(Failure(.timedOut))))
        try await store.record(
            PassResult(
                startedAt: start + 350, finishedAt: start + 370, due: 2, succeeded: 0, failed: 1, throttled: 1,
                requests: 4))
        #expect(try counts(400) == (10, 10, 10))
        // An hour later they are of the day alone, each by its own time.
        #expect(try counts(3_600 + 200) == (6, 10, 10))
    }

    @Test func `a service that runs is not missed`() async throws {
        try await watched(every: 86_400)
        try await store.noteServiceStart(at: start)
        let status = try Status(from: HistoryReader(path: store.path), now: start + 1_200)
        #expect(status.reasons == [] && status.daemon != .nobody)
    }

    // MARK: Messages

    /// Has a message of the start try to reach a channel, with that outcome.
    private func send(_ outcome: OutboxTry.Outcome, _ answer: String) async throws {
        try await watched(every: 86_400)
        try await store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        try await decide("m1", after: 0)
        let attempt = try #require(
            try await store.beginTry(on: "team", at: start, oldest: start - 86_400, lease: 60))
        try await store.end(attempt, outcome, answer: answer, at: start + 1)
    }

    private func decide(_ id: String, after seconds: Int64, due: Int64? = nil) async throws {
        let known = try HistoryReader(path: store.path).alertMark()
        let decision = OutboxDecision(
            mark: AlertMark(since: start, check: (known?.check ?? 0) + 1, judgedAt: start + seconds),
            messages: [
                OutboxMessage(
                    id: id, decidedAt: start + seconds, content: "", channels: ["team"], dueAt: due.map { start + $0 })
            ])
        #expect(try await store.decide(decision, from: known))
    }

    /// What is said of messages.
    private func alerts(after seconds: Int64) throws -> [String] {
        try Status(from: HistoryReader(path: store.path), now: start + seconds).reasons.filter { $0.kind == .alerts }
            .map(\.text)
    }

    @Test(arguments: [OutboxTry.Outcome.refused, .givenUp])
    func `a message that did not arrive is a reason for seven days`(_ outcome: OutboxTry.Outcome) async throws {
        try await send(outcome, "status 500")
        #expect(try alerts(after: 60) == ["1 message did not arrive (rankctl alerts log)"])
        #expect(try Status(from: HistoryReader(path: store.path), now: start + 60).level == .degraded)
        #expect(try alerts(after: 7 * 86_400) == ["1 message did not arrive (rankctl alerts log)"])
        #expect(try alerts(after: 7 * 86_400 + 1) == [])
    }

    @Test func `a message that is tried again, or arrived, is none`() async throws {
        try await send(.refused, "status 500")
        try await store.retryDeliveries(at: start + 10)
        #expect(try alerts(after: 10) == [])
        let attempt = try #require(
            try await store.beginTry(on: "team", at: start + 10, oldest: start - 86_400, lease: 60))
        try await store.end(attempt, .delivered, answer: "status 200", at: start + 11)
        #expect(try alerts(after: 12) == [])
    }

    @Test func `a message that is tried for an hour is one, with what the last try came to`() async throws {
        try await send(.again(at: start + 300), "HTTP 404")
        #expect(try alerts(after: 3_599) == [])
        #expect(
            try alerts(after: 3_600) == ["1 message has not arrived for an hour: HTTP 404 (rankctl alerts log)"])
        try await store.adopt([])
        #expect(try alerts(after: 3_600) == [])
    }

    @Test func `a message that waited for quiet hours is none until it was tried for half an hour`() async throws {
        try await store.adopt([OutboxChannel(name: "team", kind: "webhook", settings: "1")])
        try await decide("m1", after: 0, due: 36_000)
        for (after, next) in [(36_000, 36_005), (36_005, 36_305), (36_305, 38_105), (38_105, 45_305)]
            as [(Int64, Int64)]
        {
            #expect(try alerts(after: after) == [])
            let attempt = try #require(
                try await store.beginTry(on: "team", at: start + after, oldest: start, lease: 60))
            try await store.end(attempt, .again(at: start + next), answer: "HTTP 503", at: start + after)
        }
        #expect(
            try alerts(after: 38_106) == ["1 message has not arrived for an hour: HTTP 503 (rankctl alerts log)"])
    }

    @Test func `mail that nobody hands on is one after an hour, and for a week what is too old to be sent`()
        async throws
    {
        try await watched(every: 86_400)
        func leave(_ name: String, after seconds: Int64) throws {
            let path = folder.file("outgoing-mail/\(name)")
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: TimeInterval((start + seconds).secondsSinceEpoch))],
                ofItemAtPath: path)
        }
        #expect(try alerts(after: 10_000) == [])
        try leave("m1.post.eml", after: 0)
        try leave("m2.post.eml", after: 60)
        try leave(".m3.post.new", after: 0)
        #expect(try alerts(after: 3_600) == [])
        #expect(
            try alerts(after: 2 * 3_600) == [
                "mail is not being sent, and the oldest has waited for 2h: journalctl -u rankd-alert-mail"
            ])
        try FileManager.default.removeItem(atPath: folder.file("outgoing-mail"))
        try leave("late/m1.post.eml", after: 0)
        #expect(
            try alerts(after: 9 * 86_400) == [
                "1 mail waited for two days and was not sent: journalctl -u rankd-alert-mail"
            ])
        #expect(try alerts(after: 9 * 86_400 + 1) == [])
    }

    @Test func `messages wait for a channel that is off, until it is on again`() async throws {
        try await send(.gone, "status 410")
        try await decide("m2", after: 60)
        try await decide("m3", after: 61)
        let wait = "2 messages wait for a channel that is off or not usable (rankctl alerts list)"
        #expect(try alerts(after: 70) == ["1 message did not arrive (rankctl alerts log)", wait])
        try await store.retryDeliveries(at: start + 80)
        #expect(try alerts(after: 80) == [])
    }

    @Test func `messages wait for a channel that is not usable, and none for one that is gone`() async throws {
        try await watched(every: 86_400)
        let unusable = OutboxChannel(name: "team", kind: "slack", settings: "1", trouble: "no secret")
        try await store.adopt([unusable])
        #expect(try alerts(after: 1) == [])
        try await decide("m1", after: 1)
        #expect(
            try alerts(after: 2) == ["1 message waits for a channel that is off or not usable (rankctl alerts list)"])
        try await store.adopt([])
        #expect(try alerts(after: 3) == [])
    }

    // MARK: The service

    @Test func `a refused watchlist is told until one is taken up`() async throws {
        try await watched(every: 86_400)
        try await store.noteRefusal("watch[3].evry: no such key; every", at: start + 60)
        let refused = try Status(from: HistoryReader(path: store.path), now: start + 120)
        #expect(refused.level == .degraded)
        #expect(
            refused.reasons.map(\.text) == [
                "the watchlist was refused 1m ago, and the one before stays in force: watch[3].evry: no such key; every"
            ])
        try await store.adopt(watchlist([(timer, ["com.a"])], every: 86_400), now: start + 180)
        #expect(try await status(after: 240).reasons == [])
    }

    @Test func `no watchlist is said to stay in force where nobody runs`() async throws {
        try await watched(every: 86_400)
        try await store.noteRefusal("watch[0]: no query", at: start + 60)
        #expect(
            try await status(after: 120).reasons.map(\.text)
                == ["the watchlist was refused 1m ago: watch[0]: no query"])
    }

    @Test func `a lock that cannot be looked at is neither a service that runs nor one that does not`() async throws {
        try await watched(every: 86_400)
        try await store.noteServiceStart(at: start)
        try await store.close()
        let lock = store.path + ".lock"
        let reader = try HistoryReader(path: store.path)
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: lock)
        let status = try Status(from: reader, now: start + 1_200)
        #expect(status.level == .degraded && status.daemon == .unknown)
        #expect(status.reasons.map(\.kind) == [.serviceUnknown])
        let report = StatusReport(status)
        #expect(report.text(.plain).contains("\ndaemon     unknown whether it runs\n"))
        #expect(report.render(as: .json).contains(#""daemon":{"running":null,"pid":null"#))
    }

    @Test func `a unit that has failed, or is to run and does not, is a reason`() async throws {
        try await watched(every: 86_400)
        let failed = try #require(
            ServiceUnit("rankd.service", shown: "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\n"))
        let status = try await status(after: 60, unit: failed)
        #expect(status.level == .degraded)
        #expect(status.reasons.map(\.kind) == [.unitNotRunning])
    }

    @Test(arguments: [
        ("inactive", "enabled", true), ("inactive", "disabled", false), ("failed", "disabled", true),
        ("activating", "disabled", true),
    ])
    func `a unit that nobody wants to run is no reason`(_ state: String, _ setting: String, _ isOne: Bool) throws {
        let unit = try #require(
            ServiceUnit("rankd.service", shown: "UnitFileState=\(setting)\nLoadState=loaded\nActiveState=\(state)\n"))
        #expect((unit.problem != nil) == isOne)
        #expect(ServiceUnit("rankd.service", shown: "LoadState=not-found\nActiveState=inactive\n") == nil)
    }
}
