import AppStoreSimulator
import AsyncHTTPClient
import NIOHTTP1
import RankKit
import Synchronization
import Testing

@Suite struct AppStoreSimulatorTests {
    private static let store = SyntheticStore(seed: 5, options: .init(appCount: 800))

    @Test func `the truth is the order of the answer`() async throws {
        try await serving(Self.store) { served in
            for entity in ["software", "iPadSoftware", "macSoftware"] {
                let question = ["term": "habit tracker", "country": "de", "entity": entity]
                let answer = try await served.get("/search", question.merging(["limit": "200"]) { $1 })
                let truth = try await served.get("/_truth", question)
                #expect(try answer.bundleIDs().count > 10)
                #expect(try truth.json() as? [String] == answer.bundleIDs())
            }
        }
    }

    @Test func `requests are counted by endpoint and the simulator's own are not`() async throws {
        try await serving(Self.store) { served in
            for _ in 1...3 { _ = try await served.search("chess") }
            _ = try await served.get("/lookup", ["id": "1", "country": "us"])
            _ = try await served.get("/favicon.ico")
            _ = try await served.get("/_truth", ["term": "chess"])
            let stats = try await served.stats()
            #expect(stats.filter { $0.value > 0 } == ["search": 3, "lookup": 1, "other": 1])
        }
    }

    @Test func `the stats are one line of JSON`() async throws {
        try await serving(Self.store) { served in
            let text = try await served.get("/_stats").text
            let zeros = ["search", "lookup", "image", "other", "refused", "cutOff", "imageCutOff", "web"].map {
                "\"\($0)\": 0"
            }
            #expect(text == "{" + zeros.joined(separator: ", ") + "}")
        }
    }

    @Test func `beyond the limit the answer is an empty 403 until a minute is over, for each endpoint`() async throws {
        let options = SimulatorOptions(limitPerMinute: 2)
        let clock = TestTime(noon)
        try await serving(Self.store, options, now: { clock.now }) { served in
            #expect(try await served.search("chess").status == 200)
            #expect(try await served.search("chess").status == 200)
            let refused = try await served.search("chess")
            #expect(refused.status == 403)
            #expect(refused.bytes.isEmpty)
            #expect(refused.headers["content-length"] == ["0"])
            #expect(refused.headers["retry-after"].isEmpty)
            #expect(try await served.get("/lookup", ["id": "1"]).status == 200)
            clock.advance(by: 59)
            #expect(try await served.search("chess").status == 403)
            clock.advance(by: 1)
            #expect(try await served.search("chess").status == 200)
            #expect(
                try await served.stats().filter { $0.value > 0 } == ["search": 5, "lookup": 1, "refused": 2])
        }
    }

    @Test func `query strings are decoded as forms are`() async throws {
        try await serving(Self.store) { served in
            let spaced = try await served.get("/_truth?term=habit+tracker")
            #expect(try await served.get("/_truth?term=habit%20tracker").bytes == spaced.bytes)
            #expect(try await served.get("/_truth?term=habit%2Btracker").bytes != spaced.bytes)
            #expect(try await served.get("/search?term=%FF").status == 400)
        }
    }

    @Test func `bodies are compressed for those who accept it and only then`() async throws {
        try await serving(Self.store, SimulatorOptions(gzip: true)) { served in
            let question = ["term": "chess", "country": "us"]
            let plain = try await served.get("/search", question)
            #expect(plain.headers["content-encoding"].isEmpty)
            let packed = try await served.get("/search", question, headers: ["accept-encoding": "br, gzip;q=0.5"])
            #expect(packed.headers["content-encoding"] == ["gzip"])
            #expect(packed.headers["content-length"] == [String(packed.bytes.count)])
            #expect(try unzipped(packed.bytes) == plain.bytes)
            let refusing = try await served.get("/search", question, headers: ["accept-encoding": "gzip;q=0"])
            #expect(refusing.bytes == plain.bytes)
        }
    }

    @Test func `the latency is slept on the given clock`() async throws {
        let clock = NotingClock()
        try await serving(Self.store, SimulatorOptions(latency: .milliseconds(250)), clock: clock) { served in
            _ = try await served.search("chess")
            _ = try await served.stats()
        }
        #expect(clock.slept == [.milliseconds(250)])
    }

    @Test func `it stops with connections open and answers unfinished`() async throws {
        let options = SimulatorOptions(faults: FaultPlan(script: [.slowHead, .endless]))
        let silent = try await serving(Self.store, options) { served in
            let silent = Task { try await served.search("chess") }
            while try await served.stats()["search"] == 0 { await Task.yield() }
            let endless = try await served.open("/search", ["term": "chess"])
            #expect(endless.status == .ok)
            return silent
        }
        await #expect(throws: (any Error).self) { try await silent.value }
    }

    @Test func `a port that is taken is an error and not a hang`() async throws {
        try await serving(Self.store) { served in
            let port = try #require(served.origin.split(separator: ":").last.flatMap { Int($0) })
            await #expect(throws: (any Error).self) {
                try await serving(Self.store, SimulatorOptions(port: port)) { _ in }
            }
        }
    }
}

@Suite struct RequestTargetTests {
    @Test func `every character arrives byte for byte`() {
        let target = RequestTarget("/search?term=c%2B%2B+q%26a+50%25+a%23b+%F0%9F%8F%83+e%CC%81&country=us&term=x")
        #expect(target?.path == "/search")
        #expect(target?.parameters["term"]?.utf8.elementsEqual("c++ q&a 50% a#b 🏃 e\u{301}".utf8) == true)
        #expect(target?.parameters["country"] == "us")
    }

    @Test(arguments: ["/search?term=a%2", "/search?term=%zz", "/search?term=%", "/search?term=%C3%28"])
    func `what is not percent-encoded UTF-8 is refused`(_ text: String) {
        #expect(RequestTarget(text)?.parameters == nil)
    }
}

/// A time that tests move.
final class TestTime: Sendable {
    private let moment: Mutex<Timestamp>

    init(_ start: Timestamp) { moment = Mutex(start) }

    var now: Timestamp { moment.withLock { $0 } }

    func advance(by seconds: Int64) { moment.withLock { $0 = $0 + seconds } }
}

/// A clock on which every sleep is over at once, and noted.
final class NotingClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    private let noted = Mutex<[Duration]>([])

    var slept: [Duration] { noted.withLock { $0 } }
    var now: Instant { start }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        noted.withLock { $0.append(start.duration(to: deadline)) }
        try Task.checkCancellation()
    }
}
