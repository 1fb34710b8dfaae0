import Foundation
import History
import Judging
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertJudgementTests {
    private let history: AlertHistory
    private let receipt: ReceiptFile
    private let moves = settings([AlertRule(when: [.moved])])

    /// A history of forty days in which nothing happened, up to four days ago.
    init() async throws {
        history = try AlertHistory()
        receipt = ReceiptFile(beside: history.store.path)
        try await history.adopt()
        try await history.store.adopt([OutboxChannel(name: "team", kind: "slack", settings: "1")])
        try await history.fill(jitter, last: 7)
    }

    private func judgement(at now: Timestamp) throws -> AlertJudgement? {
        try AlertJudgement(moves, receipt: receipt, zone: .gmt, now: now, from: history.reader.snapshot())
    }

    /// - Returns: what was written; `nil` if nothing was.
    @discardableResult private func look(daysAgo: Int64) async throws -> OutboxDecision? {
        guard let judgement = try judgement(at: noon - daysAgo * day) else { return nil }
        #expect(try await history.store.decide(judgement.decision, from: judgement.known))
        return judgement.decision
    }

    private func deliveries() throws -> [OutboxDelivery] { try history.reader.deliveries(limit: 50) }

    private func send() async throws {
        let attempt = try await history.store.beginTry(on: "team", at: noon, oldest: noon - 9 * day, lease: 60)
        try await history.store.end(try #require(attempt), .delivered, answer: "delivered", at: noon)
    }

    @Test func `a first look tells nothing`() async throws {
        try await history.fill([12, 11, 12], last: 4)
        #expect(try await look(daysAgo: 4)?.messages.isEmpty == true)
        #expect(try await look(daysAgo: 3)?.messages.isEmpty == true)
    }

    @Test func `a confirmed move is one message, under one id however often it is decided`() async throws {
        try await look(daysAgo: 7)
        try await history.fill([12, 11, 12], last: 4)
        let first = try #require(try judgement(at: noon - 4 * day))
        let again = try #require(try judgement(at: noon - 4 * day + 60))
        #expect(first.decision.messages.map(\.id) == again.decision.messages.map(\.id))
        #expect(first.decision.messages.count == 1)
        try await look(daysAgo: 4)
        #expect(try deliveries().map(\.state) == [.due] && deliveries().first?.channel == "team")
        #expect(try await history.store.decide(first.decision, from: first.known) == false)
        try await look(daysAgo: 3)
        #expect(try deliveries().count == 1)
    }

    private func texts(_ decision: OutboxDecision?) -> [String] {
        (decision?.messages ?? []).flatMap { AlertMessage(stored: $0.content)?.lines ?? [] }.map(\.text)
    }

    @Test func `a loss says whether the store moved or the app alone, and a rise says nothing of it`() async throws {
        try await look(daysAgo: 7)
        try await history.fill([80, 81, 80], last: 4)
        let loss = try #require(texts(try await look(daysAgo: 4)).first)
        #expect(loss.hasSuffix("; likely its own: none of 49 others among the first 50 fell as far"), "\(loss)")
        try await history.fill([12, 11, 12, 12], last: 0)
        let rise = texts(try await look(daysAgo: 0)).filter { $0.contains("▲") }
        #expect(!rise.isEmpty && rise.allSatisfy { !$0.contains("likely") }, "\(rise)")
    }

    @Test func `a loss that a limit held back says it as well, once its turn has come`() async throws {
        let few = settings([AlertRule(when: [.moved], atMost: 1)])
        let clock = query("clock")
        try await history.adopt([history.timer, clock])
        try await history.fill(jitter, on: clock, last: 7)
        try await history.look(few, at: noon - 7 * day)
        try await history.fill([80, 81, 80], last: 4)
        let first = texts(try await history.look(few, at: noon - 4 * day))
        try await history.fill([80, 81, 80], on: clock, last: 4)
        let held = texts(try await history.look(few, at: noon - 4 * day + 300))
        let later = texts(try await history.look(few, at: noon - 3 * day + 600))
        #expect(first.count == 1 && held.isEmpty && later.count == 1, "\(first) \(held) \(later)")
        #expect((first + later).allSatisfy { $0.contains("; likely its own: ") }, "\(first) \(later)")
    }

    @Test func `a newcomer is told once, by the first look after the last list of its day`() async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10)])
        try await history.look(newcomers, at: noon - 7 * day)
        try await history.fill([40, 40], stranger: [5, 6], last: 5)
        // The day's first look comes before its list, and the second is none for newcomers.
        #expect(try await history.look(newcomers, at: noon - 4 * day - 3_600)?.messages.isEmpty == true)
        try await history.fill([40], stranger: [5], last: 4)
        #expect(try await history.look(newcomers, at: noon - 4 * day)?.messages.isEmpty == true)
        #expect(try await history.look(newcomers, at: noon - 3 * day - 3_600)?.messages.count == 1)
        try await history.fill([40], stranger: [5], last: 3)
        #expect(try await history.look(newcomers, at: noon - 3 * day)?.messages.isEmpty == true)
        #expect(try await history.look(newcomers, at: noon - 2 * day)?.messages.isEmpty == true)
    }

    @Test func `a newcomer is told in the morning, though no check has come since midnight`() async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10)])
        let morning = Timestamp.startOfDay(noon.day - 3)
        try await history.look(newcomers, at: noon - 7 * day)
        try await history.fill([40, 40, 40], stranger: [5, 6, 5], last: 4)
        // The third day is not over.
        #expect(try await history.look(newcomers, at: noon - 4 * day)?.messages.isEmpty == true)
        #expect(try await history.look(newcomers, at: morning + 23_000)?.messages.isEmpty == true)
        #expect(try await history.look(newcomers, at: morning + 24_000) == nil)
        #expect(try await history.look(newcomers, at: morning + 26_000)?.messages.count == 1)
        #expect(try await history.look(newcomers, at: morning + 86_400)?.messages.isEmpty == true)
    }

    @Test func `after a change of zone a newcomer is told that neither zone's turn had looked for`() async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10)])
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        try await history.look(newcomers, at: noon - 7 * day)
        try await history.fill([40, 40, 40], stranger: [5, 6, 5], last: 4)
        #expect(try await history.look(newcomers, at: noon - 4 * day)?.messages.isEmpty == true)
        // Four in the morning by UTC, before the turn; in Tokyo it is after it.
        let moment = Timestamp.startOfDay(noon.day - 3) + 4 * 3_600
        #expect(try await history.look(newcomers, at: moment)?.messages.isEmpty == true)
        #expect(try await history.look(newcomers, at: moment + 60, zone: tokyo)?.messages.count == 1)
        #expect(try await history.look(newcomers, at: moment + 120, zone: tokyo) == nil)
    }

    @Test(arguments: [nil, "Asia/Tokyo"] as [String?])
    func `what the days of another zone show of a store's past is no news`(_ zone: String?) async throws {
        let weather = settings([AlertRule(when: [.weather], whose: .all)])
        let asked = (0..<4).map { query("timer \($0)") }
        try await history.adopt(asked)
        for one in asked {
            for index in 0..<44 {
                var names = (1...100).map { "com.x\(index >= 41 ? ($0 + 40) % 100 : $0)" }
                if index % 2 == 0 { names.swapAt(60, 61) }
                try await history.store.record(
                    Check(query: one, at: noon - Int64(43 - index) * day - 60, outcome: .answered(list(names))))
            }
        }
        // Nothing is derived when the look is made, so that nothing is known of the storm.
        try await history.look(weather, at: noon - day)
        try await history.deriveCountryDays()
        var plan = watchlist(asked.map { ($0, ["com.me"]) })
        plan.timeZone = zone
        try await history.store.adopt(plan, now: noon - 3_600)
        try await history.deriveCountryDays()
        let late = try await history.look(
            weather, at: noon, zone: try #require(TimeZone(identifier: zone ?? "UTC")))
        #expect(late?.messages.count == (zone == nil ? 1 : 0))
    }

    /// Lists of four queries, a day each at this time, that are all shuffled on each of `storms`.
    private func weather(_ days: Range<Int>, storms: Set<Int>, on asked: [Query]) async throws {
        for one in asked {
            for index in days {
                let shuffles = storms.count { $0 <= index }
                var names = (1...100).map { "com.x\(($0 + 40 * shuffles) % 100)" }
                if index % 2 == 0 { names.swapAt(60, 61) }
                try await history.store.record(
                    Check(query: one, at: noon - Int64(43 - index) * day - 60, outcome: .answered(list(names))))
            }
        }
    }

    @Test(arguments: ["Asia/Tokyo", "America/Sao_Paulo", "Pacific/Kiritimati"])
    func `after a change of zone the storm of the day after one that was told is told, and that one not again`(
        _ name: String
    ) async throws {
        let zone = try #require(TimeZone(identifier: name))
        let storms = settings([AlertRule(when: [.weather], whose: .all)])
        let asked = (0..<4).map { query("timer \($0)") }
        try await history.adopt(asked)
        try await weather(0..<42, storms: [41], on: asked)
        try await history.look(storms, at: noon - 2 * day)
        try await history.deriveCountryDays(before: noon.day - 1)
        let first = try await history.look(storms, at: .startOfDay(noon.day - 1) + 3_600)
        #expect(first?.messages.count == 1)
        try await history.send(at: .startOfDay(noon.day - 1) + 3_601)
        try await weather(42..<43, storms: [41, 42], on: asked)
        var plan = watchlist(asked.map { ($0, ["com.me"]) })
        plan.timeZone = name
        try await history.store.adopt(plan, now: noon - day)
        var told: [String] = []
        for hours in stride(from: 1, through: 72, by: 5) as StrideThrough<Int64> {
            let now = noon - day + hours * 3_600
            try await history.deriveCountryDays(at: now)
            let decision = try await history.look(storms, at: now, zone: zone)
            told += decision?.messages.flatMap { AlertMessage(stored: $0.content)?.lines.map(\.text) ?? [] } ?? []
            try await history.send(at: now + 1)
        }
        #expect(told.count == 1, "\(told)")
    }

    @Test func `a storm that was over after the last look is news after a change of zone, too`() async throws {
        let storms = settings([AlertRule(when: [.weather], whose: .all)])
        let asked = (0..<4).map { query("timer \($0)") }
        try await history.adopt(asked)
        try await weather(0..<42, storms: [41], on: asked)
        try await history.look(storms, at: noon - 2 * day)
        // Derived by UTC's days, and nobody has looked since.
        try await history.deriveCountryDays(before: noon.day - 1)
        var plan = watchlist(asked.map { ($0, ["com.me"]) })
        plan.timeZone = "Asia/Tokyo"
        try await history.store.adopt(plan, now: noon - day)
        try await history.deriveCountryDays(at: noon - day)
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(try await history.look(storms, at: noon - day, zone: zone)?.messages.count == 1)
    }

    @Test(
        arguments: [
            (nil, "Asia/Tokyo"), ("Asia/Tokyo", nil), (nil, "Pacific/Kiritimati"), ("Pacific/Kiritimati", "Etc/GMT+12"),
            ("America/Los_Angeles", "Asia/Tokyo"), ("Mars/Olympus", "Asia/Tokyo"),
        ] as [(String?, String?)])
    func `a store's day is one of another zone's days and no other`(_ former: String?, _ new: String?) {
        func told(_ onset: Int64, _ zone: String?) -> ToldEvent {
            ToldEvent(
                key: "us\tshuffled", onset: onset, zone: zone, thing: "us\tshuffled", subject: "us", kind: .weather,
                at: noon)
        }
        for day in noon.day - 40...noon.day + 200 {
            let same = (day - 3...day + 3).filter { told(day, former).isSame(as: told($0, new)) }
            #expect(same.count == 1 && abs(same[0] - day) <= 1, "\(day)")
        }
    }

    @Test func `a newcomer that a list confirms which comes late is told when it comes`() async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10)])
        try await history.look(newcomers, at: noon - 7 * day)
        try await history.fill([40, 40], stranger: [5, 6], last: 5)
        try await history.fill([40], stranger: [0], last: 3)
        #expect(try await history.look(newcomers, at: noon - 3 * day)?.messages.isEmpty == true)
        try await history.fill([40], stranger: [5], last: 4)
        #expect(try await history.look(newcomers, at: noon - 3 * day + 300)?.messages.count == 1)
        #expect(try await history.look(newcomers, at: noon - 2 * day)?.messages.isEmpty == true)
    }

    @Test func `a newcomer over its rule's limit is told by the next day's first look`() async throws {
        let newcomers = settings([AlertRule(when: [.newcomer], top: 10, atMost: 1)])
        func look(at moment: Timestamp) async throws -> Int? {
            try await history.look(newcomers, at: moment)?.messages.count
        }
        let clock = query("clock")
        try await history.adopt([history.timer, clock])
        try await history.fill(jitter, on: clock, last: 7)
        #expect(try await look(at: noon - 7 * day) == 0)
        try await history.fill([40, 40, 40], stranger: [5, 6, 5], last: 4)
        #expect(try await look(at: noon - 3 * day) == 1)
        // The other query's lists come late.
        try await history.fill([40, 40, 40], stranger: [5, 6, 5], on: clock, last: 4)
        #expect(try await look(at: noon - 3 * day + 300) == 0)
        // Before the newcomers of the day before have their turn.
        let midnight = Timestamp.startOfDay(noon.day - 2)
        #expect(try await look(at: midnight + 300) == 1)
        #expect(try await look(at: midnight + 8 * hour) == 0)
        #expect(try await look(at: midnight + 36 * hour) == 0)
    }

    @Test func `a second look without new checks writes nothing`() async throws {
        try await look(daysAgo: 7)
        #expect(try judgement(at: noon - 7 * day + 300) == nil)
    }

    @Test func `a move that turned back before it was sent is withdrawn`() async throws {
        try await look(daysAgo: 7)
        try await history.fill([12, 11, 12, 12], last: 3)
        try await look(daysAgo: 3)
        try await history.fill([40, 41, 40], last: 0)
        let decision = try await look(daysAgo: 0)
        #expect(decision?.messages.isEmpty == true && decision?.withdrawn.count == 1)
        #expect(try deliveries().map(\.state) == [.withdrawn])
        #expect(try history.reader.outboxEvents(since: 0).map(\.state).contains(.withdrawn))
    }

    @Test func `one that turned back after it was sent is told once`() async throws {
        try await look(daysAgo: 7)
        try await history.fill([12, 11, 12, 12], last: 3)
        try await look(daysAgo: 3)
        try await send()
        try await history.fill([40, 41, 40], last: 0)
        let decision = try #require(try await look(daysAgo: 0))
        let back = try #require(decision.messages.first)
        #expect(AlertMessage(stored: back.content)?.lines.map(\.text) == ["back at #40"])
        #expect(decision.messages.count == 1 && decision.withdrawn.isEmpty)
        try await look(daysAgo: -1)
        #expect(try deliveries().map(\.state) == [.due, .delivered])
        try await send()
        try await look(daysAgo: -2)
        #expect(try deliveries().map(\.state) == [.delivered, .delivered])
    }

    @Test func `a message that goes out while it is withdrawn is judged anew, and told back`() async throws {
        try await look(daysAgo: 7)
        try await history.fill([12, 11, 12, 12], last: 3)
        try await look(daysAgo: 3)
        try await history.fill([40, 41, 40], last: 0)
        let late = try #require(try judgement(at: noon))
        try await send()
        #expect(try await history.store.decide(late.decision, from: late.known) == false)
        #expect(try await look(daysAgo: 0)?.messages.count == 1)
    }

    @Test func `what may have been sent before a backup was restored is listed`() async throws {
        try await look(daysAgo: 7)
        // The history that sent it is gone.
        try receipt.note(noon - 4 * day + 60, by: noon)
        try await history.fill([12, 11, 12], last: 4)
        try await look(daysAgo: 3)
        #expect(try deliveries().map(\.state) == [.listed])
        try await history.fill([40, 41, 40, 40, 12, 12, 12].suffix(3), last: 0)
        try await look(daysAgo: 0)
        #expect(try history.reader.alertMark()?.listedUntil == noon - 4 * day + 60)
        #expect(try deliveries().allSatisfy { $0.state == .listed })
    }

    @Test func `alerts that were switched off tell nothing of the time between`() async throws {
        try await look(daysAgo: 7)
        try receipt.note(noon - 7 * day, by: noon)
        try await history.store.forgetAlertMark()
        try await history.fill([12, 11, 12], last: 4)
        try await look(daysAgo: 4)
        #expect(try deliveries().isEmpty)
    }

    @Test func `that some trouble is over is written without a message, and that it is back is told`() async throws {
        let service = settings([AlertRule(when: [.service], whose: .all)])
        func look(_ matters: Set<ServiceTrouble.Matter>, after hours: Int64) async throws -> OutboxDecision? {
            try await history.look(
                service, at: noon - 7 * day + hours * hour, trouble: .init(trouble: ServiceTrouble(of: matters)))
        }
        try await history.look(service, at: noon - 7 * day)
        #expect(try await look([.backup, .asking], after: 1)?.messages.count == 1)
        let part = try #require(try await look([.backup], after: 2))
        #expect(part.messages.isEmpty && part.events.count == 1)
        #expect(try await look([.backup], after: 3) == nil)
        #expect(try await look([.backup, .asking], after: 4)?.messages.count == 1)
    }

    @Test func `that all is well is told of two troubles months apart, however long a cooldown is`() async throws {
        let rules = settings([
            AlertRule(when: [.service], whose: .all), AlertRule(when: [.moved], cooldown: 364 * day),
        ])
        func look(_ trouble: ServiceTrouble?, after hours: Int64) async throws -> [Int]? {
            let now = noon - 7 * day + hours * hour
            let decision = try await history.look(rules, at: now, trouble: .init(trouble: trouble))
            try await history.send(at: now + 1)
            return decision.map { [$0.messages.count] }
        }
        try await history.look(rules, at: noon - 7 * day)
        for start in [1, 140 * 24] as [Int64] {
            #expect(try await look(ServiceTrouble(of: [.backup]), after: start) == [1])
            #expect(try await look(nil, after: start + 1) == [1])
        }
    }

    @Test func `digests at two times that are due in one look both come`() async throws {
        var early = AlertRule(when: [.digest], times: [DigestTime(minute: 780)])
        early.to = ["hook"]
        let digests = settings([early, AlertRule(when: [.digest], times: [DigestTime(minute: 783)])])
        try await history.look(digests, at: noon - 7 * day)
        let decision = try await history.look(digests, at: noon - 7 * day + 2 * hour)
        #expect(decision?.messages.map(\.channels).sorted { $0[0] < $1[0] } == [["hook"], ["team"]])
        #expect(try await history.look(digests, at: noon - 7 * day + 3 * hour) == nil)
    }

    @Test func `results that waited for the disk are told once`() async throws {
        let service = settings([AlertRule(when: [.service], whose: .all)])
        let start = noon - 7 * day
        try await history.look(service, at: start)
        try await history.store.note(
            WaitedResults(from: start + 60, until: start + hour, written: 3, lost: 0))
        #expect(try await history.look(service, at: start + hour)?.messages.count == 1)
        #expect(try await history.look(service, at: start + 2 * hour) == nil)
    }

    @Test func `a clock that is set back loses nothing and repeats nothing`() async throws {
        try await look(daysAgo: 7)
        try await look(daysAgo: 3)
        try await history.fill([12, 11, 12], last: 4)
        try await look(daysAgo: 4)
        #expect(try deliveries().count == 1)
        for daysAgo in [3, 2, 4, 1] as [Int64] { try await look(daysAgo: daysAgo) }
        #expect(try deliveries().count == 1)
    }

    @Test func `a first look by a clock that was ahead hides nothing for long`() async throws {
        try await look(daysAgo: -300)
        try await look(daysAgo: 7)
        try await history.fill([12, 11, 12], last: 4)
        try await look(daysAgo: 4)
        #expect(try deliveries().map(\.state) == [.due])
    }

    @Test func `a message without one of its events says what is left`() throws {
        func event(_ name: String) -> AlertMessage.Line {
            AlertMessage.Line(kind: .moved, event: name, text: "text of \(name)", app: "App \(name)", query: "q")
        }
        let digest = ["one", "two", "three"].map { AlertMessage.Line(kind: .digest, event: "d", text: $0) }
        let message = AlertMessage(
            id: "m1", at: noon, severity: .normal, title: "App a: up for “q” (us, iPhone), and 3 more",
            lines: [event("a"), event("b")] + digest, omitted: 1, events: ["a", "b", "d", "z"])
        let withoutB = try #require(message.without(["b"]))
        #expect(withoutB.title == "App a: up for “q” (us, iPhone), and 2 more" && withoutB.omitted == 1)
        let withoutA = try #require(message.without(["a", "z"]))
        #expect(withoutA.title == "App b for “q”: text of b, and 1 more" && withoutA.omitted == 0)
        #expect(message.without(["a", "b", "z"])?.lines == digest)
        #expect(message.without(["a", "b", "d", "z"]) == nil)
    }
}
