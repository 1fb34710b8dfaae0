import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Web

/// A connection of the site, in a time of its own.
@Suite(.timeLimit(.minutes(30))) struct RequestWatcherTests {
    private final class Notes: Sendable {
        private let said = Mutex<[String]>([])
        private let written = Mutex(0)
        var all: [String] { said.withLock { $0 } }
        var answers: Int { written.withLock { $0 } }
        func add(_ words: String) { said.withLock { $0.append(words) } }
        func answered() { written.withLock { $0 += 1 } }
        func taken() { written.withLock { $0 -= 1 } }
    }

    private struct Line {
        let channel: NIOAsyncTestingChannel
        let notes: Notes

        func send(_ text: String) async throws { try await channel.writeInbound(ByteBuffer(string: text)) }

        func wait(_ seconds: Int64) async { await channel.testingEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Sends a byte a second.
        func trickle(_ seconds: Int) async throws {
            for _ in 0..<seconds {
                try await send("x")
                await wait(1)
            }
        }

        /// The head of the next answer, once all of it is written.
        func answer() async throws -> String {
            var head = ""
            // An answer without a body ends with nothing.
            while head.isEmpty { head = String(buffer: try await channel.waitForOutboundWrite(as: ByteBuffer.self)) }
            while notes.answers == 0 { await Task.yield() }
            notes.taken()
            return head
        }
    }

    private func connected(
        pending: PendingBytes = PendingBytes(),
        responder: @escaping HTTPChannelHandler.Responder = { request, writer, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            var fields = HTTPFields()
            fields[.contentLength] = "0"
            fields[.location] = "/\(body.readableBytes)"
            try await writer.writeResponse(HTTPResponse(status: .ok, headerFields: fields))
        },
        _ body: (Line) async throws -> Void
    ) async throws {
        let channel = NIOAsyncTestingChannel()
        let notes = Notes()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let http = HTTP1Channel(

            responder: { request, writer, channel in
                try await responder(request, writer, channel)
                notes.answered()
            }, configuration: Site.connections(pending: pending) { notes.add($0) })
        let value = try await channel.testingEventLoop.executeInContext { http.setup(channel: channel, logger: logger) }
            .get()
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
        async let serving: Void = http.handle(value: value, logger: logger)
        do { try await body(Line(channel: channel, notes: notes)) } catch {
            channel.close(promise: nil)
            await serving
            throw error
        }
        channel.close(promise: nil)
        await serving
    }

    private static let slowHead = "a request whose head comes too slowly"

    @Test func `a head that comes a byte at a time is cut off and noted`() async throws {
        try await connected { line in
            try await line.send("GET /")
            try await line.trickle(19)
            #expect(line.channel.isActive)
            try await line.send("x")
            await line.wait(1)
            #expect(!line.channel.isActive && line.notes.all == [Self.slowHead])
        }
    }

    @Test func `a body that comes a byte at a time is cut off and noted`() async throws {
        try await connected { line in
            try await line.send("POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            try await line.trickle(29)
            #expect(line.channel.isActive)
            await line.wait(1)
            #expect(!line.channel.isActive && line.notes.all == ["a request that comes too slowly"])
        }
    }

    @Test func `a connection over which nothing is asked is closed after a minute, without a word`() async throws {
        try await connected { line in
            await line.wait(59)
            #expect(line.channel.isActive)
            await line.wait(1)
            #expect(!line.channel.isActive && line.notes.all.isEmpty)
        }
    }

    @Test func `after an answer the next request has as long as the first`() async throws {
        try await connected { line in
            for _ in 0..<3 {
                await line.wait(59)
                try await line.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await line.answer().hasPrefix("HTTP/1.1 200"))
            }
            try await line.send("GET")
            await line.wait(20)
            #expect(!line.channel.isActive && line.notes.all == [Self.slowHead])
        }
    }

    @Test func `an answer may take its time to be made`() async throws {
        let (made, making) = AsyncStream.makeStream(of: Void.self)
        try await connected(responder: { _, writer, _ in
            for await _ in made { break }
            try await writer.writeResponse(HTTPResponse(status: .noContent))
        }) { line in
            try await line.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await line.wait(3_600)
            #expect(line.channel.isActive)
            making.yield()
            #expect(try await line.answer().hasPrefix("HTTP/1.1 204") && line.notes.all.isEmpty)
        }
    }

    @Test func `of a body that is far too long the rest is thrown away as it comes`() async throws {
        try await connected { line in
            try await line.send("POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            for _ in 0..<100 { try await line.send(String(repeating: "x", count: 10_000)) }
            let answer = try await line.answer()
            let taken = try #require(answer.firstMatch(of: /ocation: \/(\d+)/).flatMap { Int($0.1) })
            #expect(taken > 0 && taken <= 64 << 10)
        }
    }

    @Test func `what unfinished requests hold together is bounded, and who holds little is left alone`() async throws {
        let pending = PendingBytes(most: 30_000)
        try await connected(pending: pending) { first in
            try await first.send("GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 14_000))
            try await connected(pending: pending) { second in
                try await second.send("GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 17_000))
                #expect(!second.channel.isActive && second.notes.all == ["too much was sent at the same time"])
            }
            #expect(first.channel.isActive && (14_000..<15_000).contains(pending.now))
            try await first.send("\r\n\r\n")
            #expect(try await first.answer().hasPrefix("HTTP/1.1 200"))
            #expect(pending.now == 0)
        }
    }

    @Test func `a reader that takes nothing is cut off after a minute`() async throws {
        try await connected { line in
            try await line.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await line.answer()
            await line.wait(1)
            line.channel.isWritable = false
            try await line.channel.testingEventLoop.executeInContext {
                line.channel.pipeline.fireChannelWritabilityChanged()
            }
            try await line.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await line.wait(59)
            #expect(line.channel.isActive)
            await line.wait(1)
            #expect(!line.channel.isActive)
        }
    }
}
