import AppStore
import Foundation
import RankKit
import Synchronization
import TestSupport
import Testing

/// Paces of two programs on one file.
@Suite(.timeLimit(.minutes(30))) struct SharedPaceTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let start = time("2026-11-01T00:00:00Z")
    private let search = Endpoint.search(at: "https://itunes.apple.com")

    init() throws {
        folder = try TemporaryFolder()
        try file.make()
    }

    private var file: TurnsFile {
        TurnsFile(beside: folder.file("history.sqlite")) { [clock] in
            3_600_000_000_000 + Int64(clock.now.offset / .nanoseconds(1))
        }
    }

    private func pace(
        _ program: String, keeper: Int32? = nil, at database: String = "history.sqlite",
        report: @escaping @Sendable (TurnsFile.Trouble?) -> Void = { _ in }
    ) -> Pace<ManualClock> {
        let file = TurnsFile(beside: folder.file(database)) { [clock] in
            3_600_000_000_000 + Int64(clock.now.offset / .nanoseconds(1))
        }
        let shared = SharedTurns(
            file, of: search, for: program, keeper: keeper, now: { [start] in start }, report: report)
        return Pace(requestsPerMinute: 15, shared: shared, clock: clock)
    }

    @Test func `one budget is for both, turn by turn`() async throws {
        let (rankd, web) = (pace("rankd", keeper: 1), pace("rankweb"))
        #expect(try await rankd.turn() == .granted)
        async let webs = web.turn()
        await clock.sleepers(1)
        async let next = rankd.turn()
        await clock.sleepers(2)
        clock.advance(by: .seconds(4))
        #expect(try await webs == .granted)
        // Behind the other program now: its own interval is over, the address's is not.
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        #expect(try await next == .granted)
        #expect(clock.now.offset == .seconds(8))
    }

    @Test func `a program that is started anew waits for the other's last turn`() async throws {
        #expect(try await pace("rankweb").turn() == .granted)
        let rankd = pace("rankd", keeper: 1)
        async let turn = rankd.turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        #expect(try await turn == .granted)
    }

    @Test func `many at once in two programs keep the interval on the real clock`() async throws {
        let file = TurnsFile(beside: folder.file("history.sqlite"))
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for program in ["rankd", "rankweb"] {
                let shared = SharedTurns(file, of: search, for: program, now: { [start] in start })
                let pace = Pace(requestsPerMinute: 6_000, shared: shared, clock: ContinuousClock())
                for _ in 0..<4 {
                    group.addTask { () async throws in
                        for _ in 0..<10 { #expect(try await pace.turn() == .granted) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(ContinuousClock.now - began >= .milliseconds(10) * 79)
    }

    @Test func `who is cancelled in line gives the place back`() async throws {
        #expect(try await pace("rankd", keeper: 1).turn() == .granted)
        let web = pace("rankweb")
        let waiting = Task { try await web.turn() }
        await clock.sleepers(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        async let next = pace("rankctl").turn()
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        #expect(try await next == .granted)
    }

    @Test func `rankd pauses when rankweb is turned away, then sends one probe`() async throws {
        let (rankd, web) = (pace("rankd", keeper: 1), pace("rankweb"))
        #expect(try await web.turn() == .granted)
        await web.note(.throttled(retryAfter: 600), at: start)
        // A minute is believed of what another program says, and no more.
        #expect(try await rankd.turn() == .paused(Pace<ManualClock>.longestBelief))
        #expect(await rankd.health.pause == .throttled)
        clock.advance(by: .seconds(60))
        #expect(try await rankd.turn() == .granted)
        await rankd.note(.reached, at: start)
        #expect(await rankd.health.slowTurns == EndpointHealth.slowStart)
    }

    @Test func `what another program said of a pause is believed again once Apple has said the same`() async throws {
        let rankd = pace("rankd", keeper: 1)
        try file.notePause(3_600, of: search, by: "rankweb")
        #expect(try await rankd.turn() == .paused(.seconds(60)))
        clock.advance(by: .seconds(60))
        #expect(try await rankd.turn() == .granted)
        await rankd.note(.throttled(retryAfter: nil), at: start)
        // Its own pause, and then the other's once more.
        clock.advance(by: .seconds(600))
        #expect(try await rankd.turn() == .paused(.seconds(60)))
    }

    /// Whatever somebody of the group writes, and however often: between two turns, and while one is waited for.
    @Test(arguments: ["pauses", "turns", "places", "intervals", "everything", "garbage", "slowly"])
    func `nothing that another program writes holds the keeper up for long`(what: String) async throws {
        let held = HeldClock { [file, search] now in
            let at = 3_600_000_000_000 + Int64(now / .nanoseconds(1))
            let far = at + 600_000_000_000
            let all = what == "everything"
            // Each turn waits for less than one alone would be believed.
            let slowly = what == "slowly" && Int(now / .seconds(1)) % 20 < 18
            let row = [
                #""name": "search", "origin": "\#(search.origin)""#,
                #""taken": \#(all || slowly || what == "turns" ? at : 0)"#,
                #""tail": \#(all || what == "places" || what == "intervals" ? far : 0)"#,
                #""interval": \#(all || what == "intervals" ? Int64.max : 120_000_000_000)"#,
                all || what == "pauses"
                    ? #""pauses": {"x": {"from": \#(at), "seconds": 3600}}"# : #""pauses": {}"#,
            ]
            let text = what == "garbage" ? "{" : #"{"version": 1, "rows": [{\#(row.joined(separator: ", "))}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
        }
        let shared = SharedTurns(
            TurnsFile(beside: folder.file("history.sqlite")) {
                3_600_000_000_000 + Int64(held.now.offset / .nanoseconds(1))
            },
            of: search, for: "rankd", keeper: 1, now: { [start] in start })
        let rankd = Pace(requestsPerMinute: 15, shared: shared, clock: held)
        var granted = 0
        while held.now.offset < .seconds(1_800) {
            switch try await rankd.turn() {
            case .granted:
                granted += 1
                await rankd.note(.reached, at: start)
            case .paused(let left): try await held.sleep(until: held.now.advanced(by: left), tolerance: nil)
            }
            try await held.sleep(until: held.now.advanced(by: .milliseconds(1)), tolerance: nil)
        }
        // At 15 a minute there are 450 in half an hour; two minutes may be lost, and the slow start after a pause. What all
        // turns together wait is five minutes at most.
        #expect(granted > (what == "slowly" ? 360 : 400), "\(granted)")
    }

    @Test func `whoever does not keep the file is not held up for ever either`() async throws {
        let held = HeldClock { [file, search] now in
            let at = 3_600_000_000_000 + Int64(now / .nanoseconds(1))
            let place = #""taken": \#(at), "tail": \#(at + 600_000_000_000), "interval": \#(Int64.max)"#
            let row = #""name": "search", "origin": "\#(search.origin)", \#(place), "pauses": {}"#
            try Data(#"{"version": 1, "rows": [{\#(row)}]}"#.utf8).write(
                to: URL(fileURLWithPath: file.path))
        }
        try file.make()
        let shared = SharedTurns(
            TurnsFile(beside: folder.file("history.sqlite")) {
                3_600_000_000_000 + Int64(held.now.offset / .nanoseconds(1))
            },
            of: search, for: "rankctl", now: { [start] in start })
        let rankctl = Pace(requestsPerMinute: 15, shared: shared, clock: held)
        try await held.sleep(until: held.now.advanced(by: .milliseconds(1)), tolerance: nil)
        await #expect(throws: TurnsFile.Trouble.held(path: file.path)) { _ = try await rankctl.turn() }
        #expect(held.now.offset < .seconds(300))
    }

    @Test func `the keeper asks on without the file, and says so once`() async throws {
        let said = Mutex<[TurnsFile.Trouble?]>([])
        let rankd = pace("rankd", keeper: 1, at: "no/folder/history") { trouble in said.withLock { $0.append(trouble) }
        }
        for _ in 0..<3 {
            #expect(try await rankd.turn() == .granted)
            clock.advance(by: .seconds(4))
        }
        #expect(said.withLock { $0.count } == 1)
        try FileManager.default.createDirectory(atPath: folder.file("no/folder"), withIntermediateDirectories: true)
        #expect(try await rankd.turn() == .granted)
        #expect(said.withLock { $0.count } == 2)
        #expect(said.withLock { $0.last } == .some(nil))
    }

    @Test func `the keeper puts its own file in the place of a link`() async throws {
        file.discard()
        let target = try folder.write("precious", to: "target")
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
        let rankd = pace("rankd", keeper: 7)
        #expect(try await rankd.turn() == .granted)
        clock.advance(by: .seconds(4))
        #expect(try await rankd.turn() == .granted)
        #expect(try file.keeper() == 7)
        #expect(FileManager.default.contents(atPath: target) == Data("precious".utf8))
    }

    @Test func `everybody else does not ask without the file`() async throws {
        file.discard()
        await #expect(throws: TurnsFile.Trouble.missing(path: file.path)) { try await pace("rankweb").turn() }
    }
}
