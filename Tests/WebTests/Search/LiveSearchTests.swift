import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import History
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(30))) struct LiveSearchTests {
    private let habits = query("habit tracker")

    private func words(_ answer: LiveSearch<InstantClock>.Answer) -> String { word(answer) }

    private func word<C>(_ answer: LiveSearch<C>.Answer) -> String {
        switch answer {
        case .answered(let list, _): list.count > 0 ? "answered" : "nothing"
        case .other(.superseded): "superseded"
        case .other(.waiting(let until)): "waiting \(until)"
        case .other(.paused(let until)): "paused \(until)"
        case .other(.throttled(let until)): "throttled \(until)"
        case .other(.failed(let failure)): "failed \(failure.reason.rawValue)"
        case .other(.off(let why)): "off: \(why)"
        case .other(let other): "\(other)"
        }
    }

    @Test func `whatever the store sends fails the search and nothing else`() async throws {
        try await SearchStage.run { stage, clock async throws in
            let client = HTTPClient.forStore()
            for answer in HostileAnswer.all {
                let word = try await RawServer.running(answer.bytes) { server async throws in
                    let search = LiveSearch(
                        history: stage.database, origin: stage.origin,
                        store: .http(Origin(server.origin)!, client: client), turns: stage.turns, clock: clock,
                        now: { stage.now })
                    return words(await search.ask(habits))
                }
                #expect(word.hasPrefix("failed"), "\(answer): \(word)")
            }
            try await client.shutdown()
        }
    }

    @Test func `typing fast leaves one answered request, and the others cut off`() async throws {
        let clock = ManualClock()
        try await SearchStage.run(
            script: [.slowHead, nil], perMinute: 60, clock: clock, sinceStart: { clock.now.offset }
        ) { stage in
            let search = stage.search
            var typed = [Task { await search.ask(query("h"), session: "tab") }]
            while stage.asked == 0 { await Task.yield() }
            for text in ["ha", "hab", "habi", "habit", "habit tracker"] {
                typed.append(Task { await search.ask(query(text), session: "tab") })
                while await search.lastTicket < typed.count { await Task.yield() }
            }
            let last = typed.removeLast()
            for earlier in typed { #expect(word(await earlier.value) == "superseded") }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            #expect(word(await last.value) == "answered")
            #expect(stage.asked == 2)
        }
    }

    @Test func `a visitor who leaves takes the request along, and the turn where it was not used`() async throws {
        let clock = ManualClock()
        try await SearchStage.run(
            script: [.slowHead, nil], perMinute: 60, clock: clock, sinceStart: { clock.now.offset }
        ) { stage in
            let search = stage.search
            let sent = Task { await search.ask(query("first"), session: "a") }
            while stage.asked == 0 { await Task.yield() }
            let waits = Task { await search.ask(query("second"), session: "b") }
            await clock.sleepers(1)
            waits.cancel()
            #expect(word(await waits.value) == "superseded")
            let next = Task { await search.ask(query("habit tracker"), session: "c") }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            #expect(word(await next.value) == "answered")
            sent.cancel()
            #expect(word(await sent.value) == "superseded")
            #expect(stage.asked == 2)
        }
    }

    @Test func `three a minute are asked for the whole site, then it says when the next may go`() async throws {
        try await SearchStage.run { stage, clock in
            for text in ["habit", "tracker", "timer"] {
                #expect(words(await stage.search.ask(query(text), session: text)) != "off")
            }
            clock.advance(by: .seconds(39))
            #expect(words(await stage.search.ask(habits, session: "d")) == "waiting 2026-11-01T10:00:51Z")
            #expect(stage.asked == 3)
            clock.advance(by: .seconds(21))
            #expect(words(await stage.search.ask(habits, session: "d")) == "answered")
            #expect(stage.asked == 4)
        }
    }

    @Test func `who sees a part of the history leaves the owner a search`() async throws {
        try await SearchStage.run { stage, clock in
            for text in ["habit", "tracker"] {
                #expect(words(await stage.search.ask(query(text), session: text, outOf: .part)) != "off")
            }
            #expect(words(await stage.search.ask(habits, session: "c", outOf: .part)).hasPrefix("waiting"))
            #expect(words(await stage.search.ask(habits, session: "d")) == "answered")
            #expect(words(await stage.search.ask(query("timer"), session: "d")).hasPrefix("waiting"))
            clock.advance(by: .seconds(60))
            for text in ["one", "two", "three"] {
                #expect(!words(await stage.search.ask(query(text), session: text)).hasPrefix("waiting"), "\(text)")
            }
        }
    }

    @Test func `where the whole site and a part of it are full, the later of both moments is told`() async throws {
        try await SearchStage.run { stage, clock in
            func ask(_ text: String, _ share: LiveSearch<InstantClock>.Share) async -> String {
                words(await stage.search.ask(query(text), session: text, outOf: share))
            }
            #expect(!(await ask("one", .whole)).hasPrefix("waiting"))
            clock.advance(by: .seconds(10))
            for text in ["two", "three"] { #expect(!(await ask(text, .part)).hasPrefix("waiting"), "\(text)") }
            clock.advance(by: .seconds(20))
            // Of all, the first was sent 30 seconds ago; of the part 20.
            #expect(await ask("four", .whole) == "waiting 2026-11-01T10:01:00Z")
            #expect(await ask("five", .part) == "waiting 2026-11-01T10:01:10Z")
            clock.advance(by: .seconds(30))
            #expect(await ask("five", .part) == "waiting 2026-11-01T10:00:40Z")
            clock.advance(by: .seconds(10))
            #expect(!(await ask("five", .part)).hasPrefix("waiting"))
        }
    }

    @Test func `whoever other programs keep waiting for a turn is told that, and nothing is asked`() async throws {
        let place = Mutex<(path: String, origin: String)?>(nil)
        let held = HeldClock { now in
            guard let place = place.withLock({ $0 }) else { return }
            let at = 3_600_000_000_000 + Int64(now / .nanoseconds(1))
            let line = #""taken": \#(at), "tail": \#(at + 600_000_000_000), "interval": \#(Int64.max)"#
            let row = #""name": "search", "origin": "\#(place.origin)", \#(line), "pauses": {}"#
            try Data(#"{"version": 1, "rows": [{\#(row)}]}"#.utf8).write(to: URL(fileURLWithPath: place.path))
        }
        try await SearchStage.run(perMinute: 15, clock: held, sinceStart: { held.now.offset }) { stage in
            try stage.turns.make()
            place.withLock { $0 = (stage.turns.path, stage.origin.description) }
            try await held.sleep(until: held.now.advanced(by: .milliseconds(1)), tolerance: nil)
            #expect(
                word(await stage.search.ask(habits))
                    == "off: other programs keep this one waiting through the file that shares rankd's pace")
            #expect(stage.asked == 0)
        }
    }

    @Test func `the same search within a minute is one request`() async throws {
        try await SearchStage.run { stage, clock in
            for session in ["a", "b", "c", "d", "e"] {
                #expect(words(await stage.search.ask(habits, session: session)) == "answered")
            }
            #expect(stage.asked == 1)
            clock.advance(by: .seconds(61))
            #expect(words(await stage.search.ask(habits, session: "a")) == "answered")
            #expect(stage.asked == 2)
        }
    }

    @Test func `a cool-down that rankd has stored is kept`() async throws {
        let begun = time("2026-11-01T10:00:00Z")
        try await SearchStage.run(prepare: { store, origin in
            var health = EndpointHealth()
            health.note(.throttled(retryAfter: 600), at: begun)
            try await store.keep(health, of: .search(at: origin.description))
        }) { stage, _ in
            #expect(words(await stage.search.ask(habits, session: "a")) == "paused 2026-11-01T10:10:00Z")
            #expect(stage.asked == 0)
        }
    }

    @Test(arguments: [Fault.forbidden, .tooManyRequests]) func `being turned away stops this program and tells rankd`(
        fault: Fault
    ) async throws {
        try await SearchStage.run(script: [fault]) { stage, _ in
            #expect(words(await stage.search.ask(habits, session: "a")).hasPrefix("throttled 2026-11-01T10:01:3"))
            #expect(words(await stage.search.ask(habits, session: "a")).hasPrefix("paused 2026-11-01T10:01:3"))
            #expect(stage.asked == 1)
            let endpoint = Endpoint.search(at: stage.origin.description)
            let rankd = try stage.turns.turn(of: endpoint, for: "rankd", interval: .seconds(4))
            guard case .paused = rankd else {
                Issue.record("rankd would ask: \(rankd)")
                return
            }
        }
    }

    @Test func `a program that is started anew keeps its cool-down`() async throws {
        try await SearchStage.run { stage, clock in
            let endpoint = Endpoint.search(at: stage.origin.description)
            try stage.turns.make()
            try stage.turns.notePause(120, of: endpoint, by: "rankweb")
            #expect(words(await stage.search.ask(habits, session: "a")).hasPrefix("paused"))
            #expect(stage.asked == 0)
        }
    }

    @Test func `a failure says its reason`() async throws {
        try await SearchStage.run(script: [.badRequest]) { stage, _ in
            #expect(words(await stage.search.ask(habits, session: "a")) == "failed rejected")
        }
    }

    @Test func `nothing is asked beside a rankd that does not share its turns`() async throws {
        try await SearchStage.run { stage, _ in
            let rankd = try HistoryStore(path: stage.database)
            #expect(words(await stage.search.ask(habits, session: "a")).hasPrefix("off"))
            try stage.turns.make()
            #expect(words(await stage.search.ask(habits, session: "a")).hasPrefix("off"))
            #expect(stage.asked == 0)
            let endpoint = Endpoint.search(at: stage.origin.description)
            _ = try stage.turns.turn(of: endpoint, for: "rankd", interval: .zero, keeper: getpid())
            #expect(words(await stage.search.ask(habits, session: "a")) == "answered")
            try await rankd.close()
        }
    }

    @Test func `nothing is recorded`() async throws {
        try await SearchStage.run { stage, _ in
            func bytes() -> [Data?] {
                ["", "-wal"].map { FileManager.default.contents(atPath: stage.database + $0) }
            }
            let before = bytes()
            #expect(words(await stage.search.ask(habits, session: "a")) == "answered")
            #expect(bytes() == before)
        }
    }
}
