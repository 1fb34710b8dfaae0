import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

@Suite struct StatusReportTests {
    private func degraded() throws -> Status {
        Status(
            generatedAt: noon, level: .degraded, daemon: .running(pid: 4242),
            database: .init(
                path: "/var/lib/rankd/history.sqlite", bytes: 12_345_678, walBytes: 4_120_000, schemaVersion: 3),
            historySince: noon - 50 * day, newestCheckAt: noon - 300,
            lastPass: .init(
                startedAt: noon - 420, finishedAt: noon - 300, asked: 34, succeeded: 31, failed: 2, throttled: 1),
            nextDueAt: noon + 720, queryCount: 100, overdueCount: 3,
            overdue: [
                .init(
                    query: Query(text: "habit tracker", country: try country("us")), dueSince: noon - 3 * hour)
            ],
            failures: [
                .init(
                    reason: .timedOut, queryCount: 2, lastMessage: "no byte in 30 s\u{1B}[2J", lastAt: noon - 300)
            ],
            housekeptAt: noon - 3 * hour,
            requests: .init(lastHour: 34, lastDay: 820, perMinute: 15, wantedPerDay: 30_000))
    }

    private var fresh: Status {
        Status(
            generatedAt: noon, level: .down, daemon: .nobody,
            database: .init(path: "/tmp/h.sqlite", bytes: 65_536, walBytes: 0, schemaVersion: 1), queryCount: 4,
            requests: .init(lastHour: 0, lastDay: 0, perMinute: 15, wantedPerDay: 16))
    }

    private func table(_ status: Status, width: Int = 80) -> String {
        StatusReport(status).render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    @Test func `of a new query's short list no usual length is told`() throws {
        var status = fresh
        status.suspects = [.init(query: query("timer"), reason: .early, within: 0)]
        #expect(table(status, width: 200).contains("0 results, and no list of this query was ever longer"))
        status.suspects[0].reason = .collapsed
        #expect(table(status, width: 200).contains("far fewer results than usual (0)"))
    }

    @Test func `suspects of several reasons have a line and a count for each`() {
        var status = fresh
        status.suspects = [
            .init(query: query("timer"), reason: .collapsed, within: 3),
            .init(query: query("clock"), reason: .early, within: 1),
            .init(query: query("alarm"), reason: .collapsed, within: 4),
            .init(query: query("sleep"), reason: .collapsed, within: 5),
            .init(query: query("focus"), reason: .badDay, within: 0),
        ]
        let lines = table(status, width: 200).split(separator: "\n").filter { $0.hasPrefix("suspect") }
        #expect(lines.count == 3)
        #expect(lines[0].contains("timer · ") && lines[0].contains(" and 2 others: far fewer results than usual (3)"))
        #expect(
            lines[1].contains("clock · ") && lines[1].contains("1 result, and no list of this query was ever longer"))
        #expect(!lines[1].contains("other") && !lines[2].contains("other"))
        #expect(lines[2].contains("focus · ") && lines[2].contains("too many lists of that pass were empty"))
    }

    @Test func `apps that left the store and apps that never were there have a line and a count for each`() {
        var status = fresh
        func app(_ name: String, wasListed: Bool) -> UnknownApp {
            UnknownApp(
                bundleID: bundle(name), country: Country(code: "us")!, since: noon, lastAskedAt: noon, answers: 2,
                wasListed: wasListed)
        }
        status.unknownApps = [
            app("com.typo", wasListed: false), app("com.gone", wasListed: true), app("com.typed", wasListed: false),
        ]
        let lines = table(status, width: 200).split(separator: "\n").filter { $0.hasPrefix("unknown") }
        #expect(lines.count == 2)
        #expect(lines[0].contains("com.typo · us and 1 other: not sold there"))
        #expect(lines[1].contains("com.gone · us: no longer in the store there"))
    }

    @Test func `the level says why it is not fine, the gravest first`() {
        var status = fresh
        status.level = .degraded
        status.reasons = [
            .init(kind: .serviceGone, text: "rankd is not running, though nobody stopped it"),
            .init(kind: .overdue, text: "4 queries are up to 20m late"),
        ]
        status.service = ServiceLife(since: noon - day, seenAt: noon - 1_560)
        #expect(
            table(status).hasPrefix(
                """
                status     ○ degraded: rankd is not running, though nobody stopped it; 4 queries
                           are up to 20m late
                daemon     not running, last seen 26m ago

                """))
        let json = StatusReport(status).render(as: .json)
        #expect(
            json.contains(
                #""reason":"rankd is not running, though nobody stopped it","reasons":[{"kind":"service-gone""#))
        #expect(json.contains(#""seenAt":"2026-11-20T11:34:00Z""#))
    }

    @Test func `a rankd whose number says nothing here, as in a container beside it, runs without one`() throws {
        var status = try degraded()
        status.daemon = .running(pid: 0)
        let report = StatusReport(status)
        #expect(table(status).contains("\ndaemon     running\n"))
        #expect(report.render(as: .json).contains(#""daemon":{"running":true,"pid":null"#))
    }

    @Test func `trouble is said where it is`() throws {
        let found = table(try degraded())
        #expect(
            found == #"""
                status     ○ degraded
                daemon     running, pid 4242
                database   /var/lib/rankd/history.sqlite · 12.3 MB and 4.1 MB in its log
                history    since 2026-10-01 · newest check 5m ago
                last pass  7m ago in 2m: 34 asked, 31 succeeded, 2 failed, 1 throttled
                next due   in 12m
                queries    100, 3 overdue · 30,000 requests a day wanted
                requests   34 of 900 in the last hour · 820 of 21,600 in 24 hours · the
                           watchlist wants 1.4 times the budget: ask less often
                upkeep     3h ago
                failing    2 queries: no complete answer in time (no byte in 30 s\u{1B}[2J),
                           last 5m ago
                overdue    habit tracker · us · iPhone, 3h late
                           and 2 more

                """#)
    }

    @Test(arguments: [
        (Status.Database.Trouble.noRoom, "no room left on its device"),
        (.readOnly, "its file system is read-only"),
        (.longLog, "a program has been reading it for too long, so the log beside it grows: end that program"),
    ]) func `trouble with the disk is said beside the database`(
        _ trouble: Status.Database.Trouble, _ words: String
    ) {
        var status = fresh
        status.database.trouble = trouble
        #expect(table(status, width: 200).contains("· 65.5 kB · \(words)\n"))
        #expect(StatusReport(status).render(as: .json).contains("\"\(trouble.rawValue)\""))
    }

    @Test func `a narrow terminal breaks values below themselves`() throws {
        #expect(
            table(try degraded(), width: 40) == #"""
                status     ○ degraded
                daemon     running, pid 4242
                database   /var/lib/rankd/history.sqlite
                           · 12.3 MB and 4.1 MB in its
                           log
                history    since 2026-10-01 · newest
                           check 5m ago
                last pass  7m ago in 2m: 34 asked, 31
                           succeeded, 2 failed, 1
                           throttled
                next due   in 12m
                queries    100, 3 overdue · 30,000
                           requests a day wanted
                requests   34 of 900 in the last hour ·
                           820 of 21,600 in 24 hours ·
                           the watchlist wants 1.4 times
                           the budget: ask less often
                upkeep     3h ago
                failing    2 queries: no complete answer
                           in time (no byte in 30
                           s\u{1B}[2J), last 5m ago
                overdue    habit tracker · us · iPhone,
                           3h late
                           and 2 more

                """#)
    }

    private var fine: Status {
        Status(
            generatedAt: noon, level: .fine, daemon: .running(pid: 4242),
            database: .init(
                path: "/var/lib/rankd/history.sqlite", bytes: 12_345_678, walBytes: 4_120_000, schemaVersion: 3),
            historySince: noon - 50 * day, newestCheckAt: noon - 300,
            lastPass: .init(
                startedAt: noon - 420, finishedAt: noon - 300, asked: 100, succeeded: 100, failed: 0, throttled: 0),
            nextDueAt: noon + 720, queryCount: 100, housekeptAt: noon - 3 * hour,
            requests: .init(lastHour: 100, lastDay: 400, perMinute: 15, wantedPerDay: 400),
            endpoints: [.init(name: "search", state: .asking), .init(name: "look-up", state: .asking)])
    }

    @Test func `the upkeep says what the clean-up did, and what is wrong or late`() throws {
        func upkeep(_ upkeep: ServiceRecord.Upkeep) -> String {
            var status = fine
            status.upkeep = upkeep
            return table(status).split(separator: "\n").drop { !$0.hasPrefix("upkeep") }
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        }
        #expect(
            upkeep(.init(pages: 1, listsInPages: 40, otherLists: 12))
                == "upkeep     3h ago · stored lists: 40 compressed, 12 waiting")
        var last = CleanUp()
        (last.daysRolledUp, last.listsCompacted, last.failuresThinned) = (1, 2_400, 1)
        #expect(
            upkeep(.init(last: last, daysBehind: 2, countryDaysBehind: 2))
                == "upkeep     3h ago: 1 day summed up, 2,400 lists compressed, 1 old failure merged into daily counts · stored lists: 0 compressed, 0 waiting"
        )
        (last.listsDropped, last.bytesFreed, last.listsDamaged) = (100, 4_096, 3)
        let text = upkeep(.init(last: last, listsSince: noon - 30 * day, daysBehind: 4, countryDaysBehind: 9))
        #expect(text.contains("100 lists dropped"))
        #expect(text.contains(" freed"))
        #expect(text.contains("all lists since 2026-10-21 are kept"))
        #expect(text.contains("3 lists damaged"))
        #expect(text.contains("4 days not summed up yet"))
        #expect(upkeep(.init(countryDaysBehind: 9)).contains("9 days by country not summed up yet"))
        var status = fine
        status.upkeep = .init(last: last, pages: 2, listsInPages: 60, otherLists: 5, listsSince: noon, daysBehind: 1)
        #expect(
            StatusReport(status).render(as: .json).contains(
                #""upkeep":{"pages":2,"listsInPages":60,"otherLists":5,"listsSince":"2026-11-20T12:00:00Z","daysBehind":1,"countryDaysBehind":0,"last":{"daysRolledUp":1,"countryDays":0,"listsCompacted":2400,"listsDamaged":3,"listsDropped":100,"failuresThinned":1,"bytesFreed":4096}}"#
            ))
    }

    @Test func `results that waited for the disk are said for a week`() {
        var status = fine
        status.waited = WaitedResults(from: noon - 3 * hour, until: noon - hour, written: 40, lost: 2)
        #expect(table(status).contains("waited     40 results waited for the disk"))
        status.waited = WaitedResults(from: noon - 8 * day, until: noon - 7 * day, written: 40, lost: 2)
        #expect(!table(status).contains("waited"))
    }

    @Test func `what is fine takes ten lines, and each trouble its own`() {
        #expect(
            table(fine) == """
                status     ● fine
                daemon     running, pid 4242
                asking     search, look-up: fine
                database   /var/lib/rankd/history.sqlite · 12.3 MB and 4.1 MB in its log
                history    since 2026-10-01 · newest check 5m ago
                last pass  7m ago in 2m: 100 asked, 100 succeeded
                next due   in 12m
                queries    100, none overdue · 400 requests a day wanted
                requests   100 of 900 in the last hour · 400 of 21,600 in 24 hours
                upkeep     3h ago

                """)
        var status = fine
        status.endpoints = [
            .init(name: "search", state: .badDay), .init(name: "look-up", state: .coolingDown, until: noon + 600),
        ]
        let text = table(status)
        #expect(
            text.contains(
                "asking     search: a bad day of the store, too many empty or short lists\n"))
        #expect(text.contains("asking     look-up: Apple asked for fewer requests, cooling down until\n"))
        #expect(StatusReport(status).render(as: .json).contains(#"{"name":"search","state":"bad-day","until":null}"#))
    }

    @Test func `a service that never ran says so`() {
        #expect(
            table(fresh) == #"""
                status     ▼ down
                daemon     not running
                database   /tmp/h.sqlite · 65.5 kB
                history    no check yet
                last pass  none yet
                next due   nothing is due
                queries    4, none overdue · 16 requests a day wanted
                requests   0 of 900 in the last hour · 0 of 21,600 in 24 hours
                upkeep     not yet

                """#)
    }

    @Test func `what is overdue since the past is due now`() {
        var status = fresh
        status.nextDueAt = noon - hour
        #expect(table(status).contains("next due   now, and not late yet\n"))
        status.overdueCount = 1
        #expect(table(status).contains("next due   now\n"))
    }

    @Test func `where only single runs ask, no service is missed`() {
        var status = fresh
        status.level = .fine
        #expect(
            table(status).hasPrefix(
                """
                status     ● fine
                daemon     no service here: each run of rankd --once asks what is due

                """))
    }

    @Test func `a pass that was cut off is not finished`() {
        var status = fresh
        status.lastPass = .init(startedAt: noon - 90, finishedAt: nil, asked: 3, succeeded: 3, failed: 0, throttled: 0)
        #expect(table(status).contains("last pass  1m ago, not finished: 3 asked, 3 succeeded\n"))
    }

    @Test func `a pass that is being made says how far it is, and how long it will take yet`() {
        var status = fresh
        status.underWay = PassProgress(startedAt: noon - 240, updatedAt: noon, due: 1_200, done: 600)
        #expect(table(status).contains("pass       600 of 1,200, about 4m left\nlast pass  none yet\n"))
        status.underWay = PassProgress(startedAt: noon, updatedAt: noon, due: 3, done: 0)
        #expect(table(status).contains("pass       0 of 3\nlast pass"))
    }

    @Test func `no line is wider than the terminal or ends in a space`() throws {
        for width in 20...160 {
            for line in lines(table(try degraded(), width: width)) {
                #expect(TerminalText.width(line) <= width && !line.hasSuffix(" "))
            }
        }
    }

    @Test func `json has every key, known or not`() throws {
        let text = StatusReport(fresh).render(as: .json)
        #expect(
            text == #"""
                {"version":1,"generatedAt":"2026-11-20T12:00:00Z","status":{"level":"down","reason":null,"reasons":[],"daemon":{"running":false,"pid":null,"stoppedAt":null,"seenAt":null},"watchlist":{"adoptedAt":null,"refusedAt":null,"refusal":null},"database":{"path":"/tmp/h.sqlite","bytes":65536,"walBytes":0,"schemaVersion":1,"trouble":null},"history":{"since":null,"newestCheckAt":null},"lastPass":null,"underWay":null,"nextDueAt":null,"queries":{"total":4,"overdue":0},"overdue":[],"endpoints":[],"suspects":[],"unknownApps":[],"failures":[],"housekeptAt":null,"backup":null,"upkeep":null,"requests":{"lastHour":0,"budgetPerHour":900,"lastDay":0,"budgetPerDay":21600,"wantedPerDay":16.0}}}

                """#)
        let object = try JSONSerialization.jsonObject(with: Data(StatusReport(degraded()).render(as: .json).utf8))
        let status = try #require((object as? [String: Any])?["status"] as? [String: Any])
        #expect(
            (status["failures"] as? [[String: Any]])?.first?["lastMessage"] as? String == "no byte in 30 s\u{1B}[2J")
        #expect((status["lastPass"] as? [String: Any])?["throttled"] as? Int == 1)
    }

    @Test func `apps that are not sold are one line, and each in json`() throws {
        var status = fresh
        func unknown(_ name: String, _ code: String) throws -> UnknownApp {
            UnknownApp(
                bundleID: try bundleID(name), country: try country(code), since: noon - 9 * day,
                lastAskedAt: noon - hour, answers: 3)
        }
        status.unknownApps = [try unknown("com.example.tpyo", "de"), try unknown("com.example.tpyo", "us")]
        #expect(
            table(status).hasSuffix(
                """
                unknown    com.example.tpyo · de and 1 other: not sold there as far as look-ups
                           tell, since 2026-11-11; check the bundleId

                """))
        #expect(
            StatusReport(status).render(as: .json).contains(
                #"""
                "unknownApps":[{"bundleId":"com.example.tpyo","country":"de","since":"2026-11-11T12:00:00Z","lastAskedAt":"2026-11-20T11:00:00Z","answers":3},{"bundleId":"com.example.tpyo","country":"us"
                """#))
    }

    @Test func `look-ups have a line of their own only while they are not made`() {
        var status = fresh
        status.endpoints = [.init(name: "search", state: .asking), .init(name: "lookup", state: .asking)]
        #expect(table(status).contains("asking     search, lookup: fine\n"))
        status.endpoints[1] = .init(name: "lookup", state: .coolingDown, until: noon + 60)
        #expect(table(status).contains("asking     lookup: Apple asked for fewer requests"))
    }

    @Test func `the level is the exit code`() {
        #expect(Status.Level.allCases.map(\.exitCode) == [0, 1, 2])
    }
}
