import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite struct FaultTests {
    private static let store = SyntheticStore(seed: 5, options: .init(appCount: 800))
    private static let term = "habit tracker"

    /// What one search with this fault comes to, beside the answer without it.
    private func withFault<Result: Sendable>(
        _ fault: Fault, clock: any Clock<Duration> = ContinuousClock(),
        _ body: (Served, _ healthy: Received) async throws -> Result
    ) async throws -> Result {
        let options = SimulatorOptions(faults: FaultPlan(script: [nil, fault]))
        return try await serving(Self.store, options, clock: clock) { served in
            let healthy = try await served.search(Self.term)
            #expect(try healthy.entries().count > 10)
            return try await body(served, healthy)
        }
    }

    @Test(arguments: [(Fault.forbidden, 403), (.tooManyRequests, 429), (.serverError, 500)])
    func `a refusal has a status and no body`(_ fault: Fault, _ status: Int) async throws {
        try await withFault(fault) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.status == status)
            #expect(received.bytes.isEmpty && received.headers["content-length"] == ["0"])
        }
    }

    @Test func `503 comes with a page`() async throws {
        try await withFault(.unavailable) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.status == 503)
            #expect(received.text.contains("<html>"))
        }
    }

    @Test func `400 has a message and no results`() async throws {
        try await withFault(.badRequest) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.status == 400)
            let json = try #require(try received.json() as? [String: Any])
            #expect(json["errorMessage"] is String && json["results"] == nil)
        }
    }

    @Test func `a reset ends the connection before any byte`() async throws {
        try await withFault(.reset) { served, _ async throws in
            await #expect(throws: (any Error).self) { try await served.search(Self.term) }
            #expect(try await served.search(Self.term).status == 200)
        }
    }

    @Test func `a short body ends before its promised length`() async throws {
        try await withFault(.short) { served, healthy in
            let response = try await served.open("/search", ["term": Self.term, "country": "us", "limit": "200"])
            #expect(response.headers["content-length"] == [String(healthy.bytes.count)])
            var received: [UInt8] = []
            await #expect(throws: (any Error).self) {
                for try await piece in response.body { received += piece.readableBytesView }
            }
            #expect(received == Array(healthy.bytes.prefix(healthy.bytes.count / 2)))
        }
    }

    @Test func `a slow head keeps silent for ten minutes and then answers`() async throws {
        let clock = NotingClock()
        try await withFault(.slowHead, clock: clock) { served, healthy async throws in
            #expect(try await served.search(Self.term).bytes == healthy.bytes)
        }
        #expect(clock.slept == [.seconds(600)])
    }

    @Test func `a slow body comes one byte a second`() async throws {
        let clock = NotingClock()
        let options = SimulatorOptions(faults: FaultPlan(script: [.slowBody]))
        try await serving(Self.store, options, clock: clock) { served in
            let received = try await served.search("xkqzvbwt")
            #expect(received.status == 200)
            #expect(clock.slept == Array(repeating: .seconds(1), count: received.bytes.count))
        }
    }

    @Test func `an endless body has no length and goes on`() async throws {
        try await withFault(.endless) { served, _ in
            let response = try await served.open("/search", ["term": Self.term, "country": "us"])
            #expect(response.headers["content-length"].isEmpty)
            #expect(response.headers["transfer-encoding"] == ["chunked"])
            await #expect(throws: NIOTooManyBytesError.self) { try await response.body.collect(upTo: 4 << 20) }
        }
    }

    @Test func `a big body has a hundred megabytes and is an empty list`() async throws {
        try await withFault(.big) { served, _ in
            let response = try await served.open("/search", ["term": Self.term, "country": "us"])
            var count = 0
            var end = ""
            for try await piece in response.body {
                count += piece.readableBytes
                let tail = min(piece.readableBytes, 100)
                let bytes = piece.getBytes(at: piece.writerIndex - tail, length: tail) ?? []
                end = String((end + String(decoding: bytes, as: UTF8.self)).suffix(100))
            }
            #expect(count > 100_000_000)
            #expect(end.contains("\"resultCount\":0"))
        }
    }

    @Test func `a bomb is a megabyte that expands to a gigabyte`() async throws {
        try await withFault(.bomb) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.headers["content-encoding"] == ["gzip"])
            #expect((900_000...1_200_000).contains(received.bytes.count))
            #expect(try expandedSize(received.bytes) == 1 << 30)
        }
    }

    @Test func `truncated gzip cannot be expanded to its end`() async throws {
        try await withFault(.truncatedGzip) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.headers["content-encoding"] == ["gzip"])
            #expect(received.bytes.starts(with: [0x1F, 0x8B]))
            #expect(throws: ShellCommand.Failed.self) { try unzipped(received.bytes) }
        }
    }

    @Test func `a wrong encoding is plain text that claims to be gzip`() async throws {
        try await withFault(.wrongEncoding) { served, healthy in
            let received = try await served.search(Self.term)
            #expect(received.headers["content-encoding"] == ["gzip"])
            #expect(received.bytes == healthy.bytes)
        }
    }

    @Test func `a redirect leads back to the simulator, where its follower is counted`() async throws {
        try await withFault(.redirect) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.status == 302)
            let location = try #require(received.headers["location"].first)
            #expect(try await served.get(location).status == 404)
            #expect(try await served.stats()["other"] == 1)
        }
    }

    @Test(arguments: [(Fault.html, "<!DOCTYPE html>"), (.emptyBody, ""), (.null, "null"), (.deep, "[[[[")])
    func `a body that is no list is still a 200`(_ fault: Fault, _ beginning: String) async throws {
        try await withFault(fault) { served, _ in
            let received = try await served.search(Self.term)
            #expect(received.status == 200)
            #expect(received.text.hasPrefix(beginning))
            #expect(received.bytes.count == [.emptyBody: 0, .null: 4, .deep: 200_000][fault] ?? received.bytes.count)
        }
    }

    @Test func `truncated JSON is the first half of the answer`() async throws {
        try await withFault(.truncatedJSON) { served, healthy in
            let received = try await served.search(Self.term)
            #expect(received.bytes == Array(healthy.bytes.prefix(healthy.bytes.count / 2)))
        }
    }

    @Test func `bad UTF-8 is the answer with bytes in it that are none`() async throws {
        try await withFault(.badUTF8) { served, healthy in
            let received = try await served.search(Self.term)
            #expect(received.bytes.count == healthy.bytes.count + 2)
            #expect(String(validating: received.bytes, as: UTF8.self) == nil)
        }
    }

    @Test func `a count mismatch says one more than there are`() async throws {
        try await withFault(.countMismatch) { served, healthy in
            let received = try await served.search(Self.term)
            let json = try #require(try received.json() as? [String: Any])
            #expect(try received.bundleIDs() == healthy.bundleIDs())
            #expect(json["resultCount"] as? Int == (try healthy.entries().count + 1))
        }
    }

    @Test func `no results is a count alone`() async throws {
        try await withFault(.noResults) { served, _ in
            let json = try #require(try await served.search(Self.term).json() as? [String: Any])
            #expect(Set(json.keys) == ["resultCount"])
        }
    }

    @Test func `a bad entry holds its place among good ones`() async throws {
        try await withFault(.badEntry) { served, healthy in
            let (spoiled, good) = (try await served.search(Self.term).entries(), try healthy.entries())
            #expect(spoiled.count == good.count)
            let bad = spoiled.indices.filter { !(spoiled[$0]["bundleId"] is String) }
            #expect(bad == [good.count / 2])
            #expect(
                spoiled.indices.allSatisfy {
                    bad.contains($0) || spoiled[$0]["trackId"] as? Int64 == good[$0]["trackId"] as? Int64
                })
        }
    }

    @Test func `an empty list is well-formed`() async throws {
        try await withFault(.emptyList) { served, _ async throws in
            #expect(
                try await served.search(Self.term).text == "\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n")
        }
    }

    @Test func `a short list is the first tenth`() async throws {
        try await withFault(.shortList) { served, healthy in
            let (short, all) = (try await served.search(Self.term), try healthy.bundleIDs())
            #expect(try short.bundleIDs() == Array(all.prefix((all.count + 9) / 10)))
            let json = try #require(try short.json() as? [String: Any])
            #expect(json["resultCount"] as? Int == (all.count + 9) / 10)
        }
    }

    @Test func `a probability is met and its seed draws the same faults again`() async throws {
        let plan = FaultPlan(
            chances: [.init(.serverError, probability: 0.3), .init(.null, probability: 0.2)], seed: 4)
        func outcomes() async throws -> [Int] {
            try await serving(Self.store, SimulatorOptions(faults: plan)) { served in
                var outcomes: [Int] = []
                for _ in 1...120 {
                    let received = try await served.search("xkqzvbwt")
                    outcomes.append(received.text == "null" ? 0 : received.status)
                }
                return outcomes
            }
        }
        let first = try await outcomes()
        #expect((20...54).contains(first.count { $0 == 500 }))
        #expect((10...40).contains(first.count { $0 == 0 }))
        #expect(try await outcomes() == first)
    }

    @Test func `a script is used up by searches alone`() async throws {
        let options = SimulatorOptions(faults: FaultPlan(script: [.serverError, nil, .null]))
        try await serving(Self.store, options) { served async throws in
            #expect(try await served.get("/lookup", ["id": "1"]).status == 200)
            #expect(try await served.search(Self.term).status == 500)
            #expect(try await served.search(Self.term).status == 200)
            #expect(try await served.search(Self.term).text == "null")
            #expect(try await served.search(Self.term).text != "null")
        }
    }
}
