import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertEventsTests {
    private let history: AlertHistory

    init() throws { history = try AlertHistory() }

    private func kinds(_ events: [AlertEvent]) -> [String] {
        events.map { $0.kind.rawValue + ($0.top.map { " \($0)" } ?? "") + ($0.isBack ? " back" : "") }
    }

    private let moves = [AlertRule(when: [.moved, .entered, .left])]

    @Test func `a lasting move is told on the day of its third check, and on no day before`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12])
        let found = try history.events(moves)
        let event = try #require(found.first)
        #expect(found.count == 1 && event.kind == .moved && event.way == .up)
        #expect(event.onset == noon.day - 2 && event.at == noon - 60)
        guard case .move(let from, let to, _) = event.facts else {
            Issue.record("\(event.facts)")
            return
        }
        #expect((from.number, to.number) == (40, 12))
        #expect(try history.events(moves, until: noon - day).isEmpty)
    }

    @Test func `what only wobbles or came back at once is nothing`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 40, 39, 41])
        #expect(try history.events(moves).isEmpty)
    }

    @Test func `the same day read again tells the same, and a later one tells it under the same identity`() async throws
    {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12])
        let first = try history.events(moves)
        #expect(try history.events(moves) == first)
        let later = try AlertHistory()
        try await later.adopt()
        try await later.fill(jitter + [12, 11, 12, 12, 13, 12])
        let again = try later.events(moves)
        #expect(again.map(\.key) == first.map(\.key))
        // Three days later in this history, the move began three days earlier.
        #expect(again.map { $0.onset + 3 } == first.map(\.onset))
    }

    @Test func `into the first places and out of them is told of moves that are confirmed alone`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [8, 9, 8])
        let rules = [AlertRule(when: [.entered, .left], top: 10), AlertRule(when: [.entered, .left])]
        #expect(kinds(try history.events(rules)) == ["entered 10"])
        let edge = try AlertHistory()
        try await edge.adopt()
        try await edge.fill((0..<40).map { [10, 11, 10, 12, 9, 11][$0 % 6] } + [9, 9, 10])
        #expect(try edge.events(rules).isEmpty)
    }

    @Test func `into the list and out of it is told, but not by a list that got shorter`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [0, 0, 0])
        #expect(kinds(try history.events(moves)) == ["left"])
        let shorter = try AlertHistory()
        try await shorter.adopt()
        try await shorter.fill((0..<40).map { [90, 92, 89, 91][$0 % 4] } + [0, 0, 0], length: { $0 < 40 ? 100 : 60 })
        #expect(try shorter.events(moves).isEmpty)
        let entered = try AlertHistory()
        try await entered.adopt()
        try await entered.fill(Array(repeating: 0, count: 30) + [20, 21, 20])
        #expect(kinds(try entered.events(moves)) == ["entered"])
    }

    @Test func `a slow slide is a drift, and a move that a week told of is none`() async throws {
        try await history.adopt()
        try await history.fill(jitter + (1...34).map { 40 - $0 / 2 })
        let rules = [AlertRule(when: [.drift])]
        let days = noon.day - 30...noon.day
        let drifts = try history.events(rules, days: days)
        #expect(drifts.count == 1 && drifts.first?.way == .up)
        let step = try AlertHistory()
        try await step.adopt()
        try await step.fill(jitter + Array(repeating: 12, count: 20))
        #expect(try step.events(rules, days: days).isEmpty)
    }

    @Test func `a competitor that passes for good is told, and one that passes for two days is not`() async throws {
        try await history.adopt()
        let rules = [AlertRule(when: [.overtaken, .overtook])]
        try await history.fill(jitter + [40, 41, 40], rival: jitter.map { $0 + 20 } + [20, 21, 20])
        let events = try history.events(rules)
        #expect(kinds(events) == ["overtaken"])
        #expect(events.first?.facts == .order(mine: Position(40), other: Position(20)))
        let brief = try AlertHistory()
        try await brief.adopt()
        try await brief.fill(jitter + [40, 41, 40], rival: jitter.map { $0 + 20 } + [20, 21, 60])
        #expect(try brief.events(rules).isEmpty)
    }

    @Test func `neighbours that change places by wobble alone are not told`() async throws {
        try await history.adopt()
        let rival = jitter.enumerated().map { $0.element + ($0.offset % 2 == 0 ? 1 : -1) }
        try await history.fill(jitter + [41, 40, 41], rival: rival + [40, 39, 39])
        #expect(try history.events([AlertRule(when: [.overtaken, .overtook])]).isEmpty)
    }

    @Test func `one of mine that passes a competitor for good is told`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12], rival: Array(repeating: 25, count: 43))
        #expect(kinds(try history.events([AlertRule(when: [.overtook])])) == ["overtook"])
    }

    @Test func `a stranger that stays among the first places three whole days is a newcomer`() async throws {
        try await history.adopt()
        let absent = Array(repeating: 0, count: 40)
        let rules = [AlertRule(when: [.newcomer], top: 10)]
        try await history.fill(jitter + [40, 40, 40, 40], stranger: absent + [5, 6, 5, 30])
        let events = try history.events(rules)
        #expect(kinds(events) == ["newcomer 10"])
        #expect(events.first?.names.app == "com.new" && events.first?.onset == noon.day - 3)
        // The third day is not over.
        #expect(try history.events(rules, until: noon - day).isEmpty)
    }

    @Test func `one that comes for two days, or was just below the first places, is none`() async throws {
        try await history.adopt()
        let rules = [AlertRule(when: [.newcomer], top: 10)]
        try await history.fill(
            jitter + [40, 40, 40, 40], stranger: (0..<40).map { $0 % 2 == 0 ? 11 : 9 } + [10, 9, 10, 10])
        #expect(try history.events(rules).isEmpty)
        let brief = try AlertHistory()
        try await brief.adopt()
        try await brief.fill(jitter + [40, 40, 40, 40], stranger: Array(repeating: 0, count: 41) + [5, 6, 20])
        #expect(try brief.events(rules).isEmpty)
    }

    @Test func `a competitor of the watchlist is no newcomer`() async throws {
        try await history.adopt()
        let absent = Array(repeating: 0, count: 40)
        try await history.fill(jitter + [40, 40, 40, 40], rival: absent + [5, 6, 5, 5])
        #expect(try history.events([AlertRule(when: [.newcomer], top: 10)]).isEmpty)
    }

    @Test func `versions, prices and names are told as a list shows them, and not what was there at first`()
        async throws
    {
        try await history.adopt()
        try await history.fill(
            jitter, rival: jitter.map { $0 + 10 },
            details: { index, name in
                AppDetails(
                    name: index < 36 ? name : name + " Pro", version: index < 39 ? "1.0" : "2.0",
                    price: index < 36 ? 0 : 1.99, currency: "USD")
            })
        let rules = [AlertRule(when: [.release, .price, .name], whose: .all)]
        let events = try history.events(rules)
        #expect(Set(kinds(events)) == ["release", "price", "name"] && events.count == 6)
        let price = try #require(events.first { $0.kind == .price && $0.isMine })
        #expect(price.facts == .change(from: "free", to: "1.99 USD"))
        #expect(price.onset == noon.day - 3 && price.at.day == noon.day - 1)
        // Neither has stayed for two days by then.
        #expect(try history.events(rules, until: noon - 2 * day).isEmpty)
    }

    /// Checks of so many days ago, of `com.me`, whose number is 777 whatever it is called.
    private func show(
        _ days: [(ago: Int64, bundleID: String, name: String)], on asked: Query = query("timer")
    ) async throws {
        for day in days {
            let app = SeenApp(
                id: AppID(777), bundleID: bundle(day.bundleID),
                fingerprint: UInt64(day.ago) &* 31 &+ UInt64(day.name.utf8.count)
            ) { AppDetails(name: day.name) }
            let others = list((1...20).map { "com.x\($0)" }).places
            try await history.store.record(
                Check(
                    query: asked, at: noon - day.ago * JudgingStage.day - 60,
                    outcome: .answered(ResultList(places: [app] + others))))
        }
    }

    @Test func `one rename that two storefronts spell with other blanks is one event`() async throws {
        let german = query("timer", "de")
        try await history.adopt([history.timer, german], apps: ["com.me"])
        let renamed = [12, 11, 10, 9, 8, 7, 6].map {
            (ago: Int64($0), bundleID: "com.me", name: $0 > 9 ? "Me" : "Me: Timer")
        }
        try await show(renamed)
        try await show(
            renamed.map { ($0.ago, $0.bundleID, $0.name.replacing(": ", with: ":\u{A0}")) }, on: german)
        let events = try history.events([AlertRule(when: [.name])], days: noon.day - 12...noon.day)
        #expect(events.count == 1, "\(events.map(\.facts))")
        #expect(events.first?.scope.countries.map(\.code).sorted() == ["de", "us"])
    }

    @Test func `two transfers of one app are two changes of its bundle id, and a name that looks like one is a name`()
        async throws
    {
        try await history.adopt(apps: ["com.me"])
        try await show(
            [20, 19, 18, 17, 16].map { ($0, "com.me", "Booking.com") }
                + [15, 14, 13, 12, 11].map { ($0, "com.second", "Booking.com") }
                + [10, 9, 8, 7, 6].map { ($0, "com.third", "Booking.com") }
                + [5, 4, 3, 2, 1].map { ($0, "com.third", "Hotels.com") })
        let events = try history.events([AlertRule(when: [.name])], days: noon.day - 20...noon.day)
        #expect(
            events.map(\.facts) == [
                .bundleID(from: "com.me", to: "com.second"), .bundleID(from: "com.second", to: "com.third"),
                .change(from: "Booking.com", to: "Hotels.com"),
            ])
        let sentences = events.map { AlertWords.sentence(of: $0) }
        #expect(sentences.map { $0.hasPrefix("bundle ID com.") } == [true, true, false], "\(sentences)")
        #expect(sentences.last?.hasPrefix("renamed from “Booking.com” to “Hotels.com” in us on ") == true)
    }

    @Test func `prices, names and versions that take turns are told once, and only what stays`() async throws {
        try await history.adopt()
        try await history.fill(
            jitter, rival: jitter.map { $0 + 10 },
            details: { index, name in
                let isOther = index > 20 && !index.isMultiple(of: 2)
                return AppDetails(
                    name: isOther ? name + " Pro" : name, version: isOther ? "2.0" : "1.0", price: isOther ? 0 : 1.99,
                    currency: "USD")
            })
        let rules = [AlertRule(when: [.price, .name], whose: .all)]
        for daysAgo in 0..<18 as Range<Int64> {
            #expect(try history.events(rules, until: noon - daysAgo * day).isEmpty)
        }
    }

    @Test func `an app that two look-ups a day apart did not find is told, and one empty answer is not`() async throws {
        try await history.adopt()
        let app = StorefrontApp(bundle("com.me"), in: try #require(Country(code: "us")))
        let rules = [AlertRule(when: [.appUnknown])]
        _ = try await history.store.record([app: .empty], at: noon - 2 * day)
        #expect(try history.events(rules).isEmpty)
        _ = try await history.store.record([app: .empty], at: noon - day)
        let events = try history.events(rules)
        #expect(events.map(\.at) == [noon - day] && events.first?.subject == .app(app.bundleID, app.country))
    }

    @Test func `a move that turns back within its news is told as back`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12, 12, 40, 41, 40])
        let events = try history.events(moves)
        #expect(kinds(events) == ["moved", "moved back"])
        #expect(events.last?.facts == .back(to: Position(40)))
    }

    @Test func `a move that no reading confirms any more says since when, and is told by then or not at all`()
        async throws
    {
        // Out of the list for two readings, and back in it for one: it may be gone or not.
        try await history.adopt()
        try await history.fill(jitter + [0, 0, 40])
        let events = try history.events(moves)
        let event = try #require(events.first)
        #expect(kinds(events) == ["left"] && event.at.day == noon.day - 1 && event.lapsedOn == noon.day)
        func decide(at now: Timestamp) -> AlertDecision {
            AlertDecision(
                events, told: [], .init(settings: settings(moves), start: noon.day - 30, now: now, zone: .gmt))
        }
        #expect(decide(at: event.at).messages.count == 1)
        let late = decide(at: noon)
        #expect(late.messages.isEmpty && late.told.isEmpty)
        let lasting = try AlertHistory()
        try await lasting.adopt()
        try await lasting.fill(jitter + [0, 0, 0])
        #expect(try lasting.events(moves).map(\.lapsedOn) == [nil])
    }

    @Test func `a move is confirmed today only if a report of today calls it real`() async throws {
        // Nobody has asked today. What began a week ago is no news any more.
        try await history.adopt()
        try await history.fill(jitter + Array(repeating: 12, count: 7), last: 1)
        #expect(try history.events(moves).map(\.lapsedOn) == [noon.day])
        let younger = try AlertHistory()
        try await younger.adopt()
        try await younger.fill(jitter + Array(repeating: 12, count: 6), last: 1)
        #expect(try younger.events(moves).map(\.lapsedOn) == [nil])
    }

    @Test func `an exit after a return that nobody looked at is told, and the return is not`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [0, 0, 40, 41, 0, 0])
        let events = try history.events(moves, after: EarlierLook(at: .startOfDay(noon.day - 5)))
        #expect(kinds(events) == ["left"] && events.first?.lapsedOn == nil)
        // Of the exit before the return nobody was sent anything.
        var over = ToldEvent(try #require(events.first), at: noon - 4 * day)
        (over.isOver, over.overOn) = (true, noon.day - 2)
        let situation = AlertDecision.Situation(
            settings: settings(moves), start: noon.day - 30, now: noon, zone: .gmt)
        #expect(AlertDecision(events, told: [over], situation).messages.count == 1)
        over.messages = ["m"]
        over.sentTo = ["team"]
        #expect(AlertDecision(events, told: [over], situation).messages.isEmpty)
    }

    @Test func `who overtook waits to be told only as long as the order holds`() async throws {
        try await history.adopt()
        let rules = [AlertRule(when: [.overtaken])]
        let rival = Array(repeating: 60, count: 40) + [20, 21, 20]
        try await history.fill(jitter + [40, 41, 40, 40], rival: rival + [61])
        #expect(try history.events(rules).map(\.lapsedOn) == [noon.day])
        let lasting = try AlertHistory()
        try await lasting.adopt()
        try await lasting.fill(jitter + [40, 41, 40, 40], rival: rival + [20])
        #expect(try lasting.events(rules).map(\.lapsedOn) == [nil])
    }

    @Test func `what waits, and no reading confirms by what is known now, is not told`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [0, 0])
        var waiting = ToldEvent(try #require(history.events(moves).first), at: noon)
        waiting.waiting = ["team"]
        let other = try AlertHistory()
        try await other.adopt()
        try await other.fill(jitter + [40, 41])
        #expect(try other.events(moves, told: [waiting]).isEmpty)
    }

    @Test func `what no rule wants is not read`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12])
        #expect(try history.events([AlertRule(when: [.release])]).isEmpty)
    }

    @Test func `imported pairs have no events`() async throws {
        var imported = Query(text: "timer", country: try #require(Country(code: "us")))
        imported = Query(text: "timer", country: imported.country, source: try #require(Source(rawValue: "import:x")))
        try await history.adopt([imported])
        try await history.fill(jitter + [12, 11, 12], on: imported)
        #expect(try history.events(moves).isEmpty)
    }

    @Test func `what began before the pair was put under watch says so, and is not told`() async throws {
        try await history.adopt()
        try await history.fill(jitter + [12, 11, 12])
        try await history.adopt([query("other")], daysAgo: 2)
        try await history.adopt(daysAgo: 1)
        let events = try history.events(moves)
        #expect(events.map(\.watchedSince) == [noon.day - 1])
        let decision = AlertDecision(
            events, told: [], .init(settings: settings(moves), start: noon.day - 30, now: noon, zone: .gmt))
        #expect(decision.messages.isEmpty && decision.told.count == 1)
    }

    @Test func `a day on which everything moved is weather, and a move of that day is marked`() async throws {
        let asked = (0..<4).map { query("timer \($0)") }
        try await history.adopt(asked)
        for one in asked {
            for index in 0..<44 {
                // All apps change places on one day, and next to none on the others.
                let isAfter = index >= 41
                var names = (1...100).map { "com.x\(isAfter ? ($0 + 40) % 100 : $0)" }
                if index % 2 == 0 { names.swapAt(60, 61) }
                names[isAfter ? 11 : 39] = "com.me"
                let shown = list(names)
                try await history.store.record(
                    Check(query: one, at: noon - Int64(43 - index) * day - 60, outcome: .answered(shown)))
            }
        }
        try await history.deriveCountryDays()
        let events = try history.events([AlertRule(when: [.moved, .weather], whose: .all)])
        let weather = events.filter { $0.kind == .weather }
        #expect(weather.map(\.onset) == [noon.day - 2] && weather.first?.variant == "shuffled")
        let moved = events.filter { $0.kind == .moved }
        #expect(moved.count == 4 && moved.count { $0.isOfStorm } == 4)
    }

    @Test(arguments: [("UTC", "America/Sao_Paulo"), ("America/Sao_Paulo", "UTC"), ("Asia/Tokyo", "America/Sao_Paulo")])
    func `after a change of zone one message of the shuffled store is told in place of its moves`(
        from: String, to: String
    ) async throws {
        let asked = (0..<4).map { query("timer \($0)") }
        func adopt(_ zone: String) async throws {
            var plan = watchlist(asked.map { ($0, ["com.me"]) }, every: day)
            plan.timeZone = zone
            try await history.store.adopt(plan, now: noon - 90 * day)
        }
        try await adopt(from)
        for one in asked {
            for index in 0..<44 {
                // All apps change places on one day, and next to none on the others. That is at 01:30, in UTC.
                let isAfter = index >= 41
                var names = (1...100).map { "com.x\(isAfter ? ($0 + 40) % 100 : $0)" }
                if index % 2 == 0 { names.swapAt(60, 61) }
                names[isAfter ? 11 : 39] = "com.me"
                let at = Timestamp.startOfDay(noon.day - Int64(43 - index)) + 5_400
                try await history.store.record(Check(query: one, at: at, outcome: .answered(list(names))))
            }
        }
        try await history.deriveCountryDays(at: noon)
        try await adopt(to)
        let zone = try #require(TimeZone(identifier: to))
        let rules = [AlertRule(when: [.moved, .weather], whose: .all)]
        let days = ZoneDays(zone)
        for isReplay in [false, true] {
            var wants = AlertWants(settings(rules), usual: .normal)
            wants.wantPlaces = !isReplay
            let events = try AlertEvents(
                wants, days: AlertEvents.days(until: noon, in: days), until: noon, now: noon, zone: zone,
                isReplay: isReplay, from: history.reader.counting(days)
            ).others(of: wants.sensitivities)
            #expect(events.count { $0.kind == .moved && $0.isOfStorm } == 4)
            guard !isReplay else { continue }
            let decision = AlertDecision(
                events, told: [],
                .init(settings: settings(rules), start: noon.day - 30, now: noon, zone: zone))
            #expect(decision.messages.map { $0.message.lines.map(\.kind) } == [[.weather]])
        }
    }
}
