import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@Suite struct StoreImageTests {
    private static let store = SyntheticStore(seed: 5, options: .init(appCount: 50))
    private static let icon = "/image/thumb/Purple211/v4/ab/icon-1/"

    /// Types and contents of a PNG's chunks, if they fill it exactly.
    private func chunks(_ png: [UInt8]) throws -> [(type: String, content: ArraySlice<UInt8>)] {
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var chunks: [(String, ArraySlice<UInt8>)] = []
        var place = 8
        while place < png.count {
            try #require(place + 12 <= png.count)
            let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            try #require(place + 12 + length <= png.count)
            let type = String(decoding: png[place + 4..<place + 8], as: UTF8.self)
            chunks.append((type, png[place + 8..<place + 8 + length]))
            place += 12 + length
        }
        return chunks
    }

    @Test(arguments: [
        ("128x128bb.jpg", 128, 128), ("60x60bb.png", 60, 60), ("1280x696bb.jpg", 391, 696), ("392x696bb.png", 392, 696),
        ("1x1bb.png", 1, 1), ("7x7bb.png", 7, 7),
    ])
    func `an image is a PNG of the size that its address says`(_ ending: String, _ width: Int, _ height: Int)
        async throws
    {
        try await serving(Self.store) { served async throws in
            let received = try await served.get(Self.icon + ending)
            #expect(received.status == 200 && received.headers["content-type"] == ["image/png"])
            let chunks = try chunks(received.bytes)
            #expect(chunks.map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
            let sides = [width, height].flatMap { side -> [UInt8] in [0, 0, UInt8(side >> 8), UInt8(side & 255)] }
            #expect(Array(chunks[0].content) == sides + [2, 3, 0, 0, 0])
            // The checksum of the last chunk is the same in every PNG, and wrong where checksums are.
            #expect(Array(received.bytes.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])
            // The points by themselves, beside zlib's frame of 6 bytes and one of 5 for each stored block.
            let points = height * (1 + (width + 3) / 4)
            #expect(chunks[2].content.count == points + 6 + (points + 65_534) / 65_535 * 5)
        }
    }

    @Test func `the same address has the same picture and another app's another`() async throws {
        try await serving(Self.store) { served async throws in
            let first = try await served.get(Self.icon + "128x128bb.jpg").bytes
            #expect(try await served.get(Self.icon + "128x128bb.jpg").bytes == first)
            #expect(try await served.get("/image/thumb/other/128x128bb.jpg").bytes != first)
        }
    }

    @Test(arguments: ["", "bb.jpg", "0x1bb.jpg", "2001x10bb.jpg", "99999999999999999999x1bb.jpg", "x"])
    func `an address without a size has no picture`(_ ending: String) async throws {
        try await serving(Self.store) { served async throws in
            #expect(try await served.get(Self.icon + ending).status == 404)
        }
    }

    @Test func `every icon that the store names can be had`() async throws {
        try await serving(Self.store) { served async throws in
            let entries = try await served.search("timer").entries()
            for entry in entries.prefix(3) {
                let address = try #require(entry["artworkUrl512"] as? String)
                let path = try #require(URL(string: address)?.path)
                #expect(try await served.get(path).status == 200)
            }
        }
    }

    @Test func `an address can name a trick`() async throws {
        try await serving(Self.store) { served async throws in
            func get(_ trick: String) async throws -> Received {
                try await served.get("/image/thumb/trick/\(trick)/128x128bb.png", upTo: 20_000_000)
            }
            let healthy = try await get("none")
            #expect(healthy.status == 200)
            #expect(try await get("missing").status == 404)
            #expect(try await get("html").text.hasPrefix("<!DOCTYPE html>"))
            #expect(try await get("html").headers["content-type"] == ["image/png"])
            #expect(try await get("svg").text.contains("<script>"))
            let redirect = try await get("redirect")
            #expect(redirect.status == 302 && redirect.headers["location"][0].hasPrefix("http://images.example.com/"))
            let half = try await get("truncated").bytes
            #expect(half.count == healthy.bytes.count / 2 && healthy.bytes.prefix(24) == half.prefix(24))
            #expect(try await get("empty").bytes.isEmpty)
            #expect(try await get("bomb").headers["content-encoding"] == ["gzip"])
            #expect(try await get("big").bytes.count == 10_000_000)
            #expect(Array(try await get("jpeg").bytes.prefix(3)) == [0xFF, 0xD8, 0xFF])
            #expect(Array(try await get("webp").bytes.dropFirst(8).prefix(4)) == Array("WEBP".utf8))
        }
    }

    @Test func `one trick can be played with every image`() async throws {
        try await serving(Self.store, SimulatorOptions(images: .missing)) { served async throws in
            #expect(try await served.get(Self.icon + "128x128bb.jpg").status == 404)
            #expect(try await served.get("/image/thumb/trick/jpeg/128x128bb.jpg").status == 200)
        }
    }

    @Test func `a slow picture comes byte by byte and whole`() async throws {
        let clock = NotingClock()
        try await serving(Self.store, SimulatorOptions(images: .slow), clock: clock) { served async throws in
            let bytes = try await served.get(Self.icon + "7x7bb.jpg").bytes
            #expect(try chunks(bytes).count == 4)
            #expect(clock.slept.count >= bytes.count - 1 && clock.slept.allSatisfy { $0 == .seconds(1) })
        }
    }

    @Test func `images are counted, and those cut off by the client by themselves`() async throws {
        try await serving(Self.store) { served async throws in
            _ = try await served.get(Self.icon + "128x128bb.jpg")
            let hanging = Task { try await served.get("/image/thumb/trick/hang/128x128bb.jpg") }
            while try await served.stats()["image"] != 2 { await Task.yield() }
            hanging.cancel()
            while try await served.stats()["imageCutOff"] != 1 { await Task.yield() }
            _ = try await served.get(Self.icon + "128x128bb.jpg")
            #expect(try await served.stats().filter { $0.value > 0 } == ["image": 3, "imageCutOff": 1])
        }
    }

    @Test func `who asks and goes at once is cut off as well`() async throws {
        try await serving(Self.store) { served async throws in
            let port = try #require(served.origin.split(separator: ":").last.flatMap { Int($0) })
            for _ in 0..<20 {
                let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: port).get()
                let request = "GET /image/thumb/trick/hang/128x128bb.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try await channel.writeAndFlush(ByteBuffer(string: request))
                try await channel.close()
            }
            // One that is answered comes after them.
            _ = try await served.get(Self.icon + "128x128bb.jpg")
            var counts = try await served.stats()
            while counts["image"] != counts["imageCutOff"].map({ $0 + 1 }) {
                await Task.yield()
                counts = try await served.stats()
            }
        }
    }

    @Test func `a search that the client gives up is counted as cut off, and an answered one is not`() async throws {
        let options = SimulatorOptions(faults: FaultPlan(script: [nil, .slowHead, .reset]))
        try await serving(Self.store, options) { served async throws in
            _ = try await served.search("chess")
            let waiting = Task { try await served.search("chess") }
            while try await served.stats()["search"] != 2 { await Task.yield() }
            waiting.cancel()
            while try await served.stats()["cutOff"] != 1 { await Task.yield() }
            // One that the store itself resets is nobody's impatience.
            await #expect(throws: (any Error).self) { try await served.search("chess") }
            #expect(try await served.stats().filter { $0.value > 0 } == ["search": 3, "cutOff": 1])
        }
    }
}
