import Foundation
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import AppStore

@Suite(.timeLimit(.minutes(30))) struct TurnsFileTests {
    private let folder: TemporaryFolder
    private let clock = HandClock(3_600)
    private let search = Endpoint.search(at: "https://itunes.apple.com")
    private let interval = Duration.seconds(4)

    init() throws {
        folder = try TemporaryFolder()
        try file.make()
    }

    private var file: TurnsFile { TurnsFile(beside: folder.file("history.sqlite"), clock: clock.read) }

    private func ask(_ program: String = "rankd", holding place: TurnsFile.Place? = nil) throws -> TurnsFile.Answer {
        try file.turn(of: search, for: program, interval: interval, holding: place)
    }

    /// The place of somebody who has to wait so long.
    private func place(_ program: String, after seconds: Int) throws -> TurnsFile.Place {
        guard case .wait(.seconds(seconds), let place?) = try ask(program) else { throw Unexpected() }
        return place
    }

    private struct Unexpected: Error {}

    @Test func `who comes first asks at once, and the next one waits its interval behind`() throws {
        #expect(try ask() == .granted)
        let web = try place("rankweb", after: 4)
        _ = try place("rankctl", after: 8)
        clock.advance(4)
        #expect(try ask("rankweb", holding: web) == .granted)
    }

    @Test func `endpoints have turns of their own`() throws {
        #expect(try ask() == .granted)
        let lookup = Endpoint.lookup(at: search.origin)
        #expect(try file.turn(of: lookup, for: "rankd", interval: interval) == .granted)
    }

    /// Programs that come, wait, come late, leave or die, in any order.
    @Test(arguments: 1...40) func `no two turns are ever nearer than the interval`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var places: [TurnsFile.Place?] = [nil, nil, nil, nil]
        var granted: [Int64] = []
        for _ in 0..<2_000 {
            let program = Int.random(in: 0..<places.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                // It leaves, or dies without a word.
                if let place = places[program], Bool.random(using: &random) { try file.giveBack(place, of: search) }
                places[program] = nil
            case 1...5: clock.advance(milliseconds: Int64.random(in: 0...2_500, using: &random))
            default:
                switch try ask("program \(program)", holding: places[program]) {
                case .granted:
                    granted.append(clock.now)
                    places[program] = nil
                case .wait(let time, let place):
                    #expect(time <= .seconds(20))
                    places[program] = place
                case .paused: Issue.record("nobody was turned away")
                }
            }
        }
        #expect(granted.count > 100)
        #expect(zip(granted, granted.dropFirst()).allSatisfy { $1 - $0 >= 4_000_000_000 })
    }

    @Test func `a program that dies before its turn costs the others one interval`() throws {
        #expect(try ask() == .granted)
        _ = try place("rankweb", after: 4)
        let next = try place("rankd", after: 8)
        clock.advance(8)
        #expect(try ask(holding: next) == .granted)
    }

    @Test func `a place that is given back is the next one's, where nobody stands behind`() throws {
        #expect(try ask() == .granted)
        let first = try place("rankweb", after: 4)
        try file.giveBack(first, of: search)
        let again = try place("rankctl", after: 4)
        _ = try place("rankd", after: 8)
        try file.giveBack(again, of: search)
        _ = try place("rankweb", after: 12)
    }

    @Test func `after a restart of the machine the wait is one interval`() throws {
        #expect(try ask() == .granted)
        _ = try place("rankweb", after: 4)
        clock.advance(-3_000)
        let place = try place("rankd", after: 4)
        clock.advance(4)
        #expect(try ask(holding: place) == .granted)
    }

    @Test func `a long sleep of the machine ends in no burst`() throws {
        #expect(try ask() == .granted)
        let (web, rankd) = (try place("rankweb", after: 4), try place("rankd", after: 8))
        clock.advance(36_000)
        #expect(try ask(holding: rankd) == .granted)
        #expect(try ask("rankweb", holding: web) == .wait(.seconds(4), web))
    }

    @Test(arguments: [
        "{", "null", "\u{0}\u{0}", #"{"version": 2, "rows": []}"#, String(repeating: "[", count: 20_000),
    ])
    func `what cannot be read is waited for one interval, and written anew`(content: String) throws {
        _ = try folder.write(content, to: "history.sqlite.turns")
        let place = try place("rankd", after: 4)
        clock.advance(4)
        #expect(try ask(holding: place) == .granted)
        _ = try self.place("rankweb", after: 4)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 3_599_999_999_999, 3_600_000_000_001, .max])
    func `no number that stands there does harm`(number: Int64) throws {
        _ = try folder.write(
            """
            {"version": 1, "keeper": 1, "rows": [{"name": "search", "origin": "\(search.origin)", "taken": \(number),
            "tail": \(number), "interval": \(number), "pauses": {"x": {"from": \(number), "seconds": \(number)}}}]}
            """, to: "history.sqlite.turns")
        switch try ask() {
        case .granted: break
        case .wait(let time, _): #expect(time <= .seconds(600))
        case .paused(let time): #expect(time <= .seconds(3_600))
        }
    }

    @Test func `another program's pause is everybody's but its own`() throws {
        try file.notePause(60, of: search, by: "rankweb")
        #expect(try ask() == .paused(.seconds(60)))
        #expect(try ask("rankweb") == .granted)
        #expect(try file.pauseLeft(of: search, by: "rankweb") == .seconds(60))
        clock.advance(60)
        #expect(try ask() == .granted)
    }

    @Test func `a pause of before a restart of the machine is over`() throws {
        try file.notePause(60, of: search, by: "rankweb")
        clock.advance(-100)
        #expect(try ask() == .granted)
    }

    @Test func `the group may write the file, whatever the umask`() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o660)
    }

    @Test func `no link is followed, and nothing but a regular file is opened`() throws {
        file.discard()
        let target = try folder.write("precious", to: "target")
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
        #expect(throws: TurnsFile.Trouble.self) { try ask() }
        #expect(throws: TurnsFile.Trouble.self) { try file.make() }
        #expect(FileManager.default.contents(atPath: target) == Data("precious".utf8))
        file.discard()
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        #expect(throws: TurnsFile.Trouble.self) { try ask() }
    }

    @Test func `a lock that is never let go of is trouble, not a wait`() throws {
        let held = open(file.path, O_RDONLY)
        defer { close(held) }
        try #require(flock(held, LOCK_EX) == 0)
        #expect(throws: TurnsFile.Trouble.locked(path: file.path)) { try ask() }
    }

    @Test func `a missing file is not made by asking`() throws {
        file.discard()
        #expect(throws: TurnsFile.Trouble.missing(path: file.path)) { try ask() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

/// Nanoseconds that a test sets.
final class HandClock: Sendable {
    private let time: Mutex<Int64>

    init(_ seconds: Int64) { time = Mutex(seconds * 1_000_000_000) }

    var now: Int64 { time.withLock { $0 } }
    var read: @Sendable () -> Int64 { { self.now } }

    func advance(_ seconds: Int64) { advance(milliseconds: seconds * 1_000) }
    func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds * 1_000_000 } }
}
