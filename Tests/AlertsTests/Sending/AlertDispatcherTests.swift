import Foundation
import GRDB
import History
import JudgingStage
import Logging
import NIOHTTP1
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Alerts

@Suite struct AlertDispatcherTests {
    private let history: AlertHistory
    private let moment = Moment()
    private let dispatcher: AlertDispatcher<ManualClock>

    private final class Moment: Sendable {
        let now = Mutex(noon - 7 * day)
    }

    init() async throws {
        history = try AlertHistory()
        try await history.adopt()
        try await history.fill(jitter, last: 7)
        dispatcher = AlertDispatcher(
            history: history.store, clock: ManualClock(), zone: .gmt,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { [moment] in moment.now.withLock { $0 } })
    }

    private func settings(_ url: SecretText) -> AlertSettings {
        AlertSettings(
            channels: [AlertChannel(name: "hook", transport: .webhook(url: url, secrets: []))], to: ["hook"],
            rules: [AlertRule(when: [.moved])])
    }

    private func surroundings(_ environment: [String: String] = [:]) -> AlertSender.Surroundings {
        var surroundings = AlertSender.Surroundings(
            secrets: AlertSecrets(environment: environment, watchlist: nil), mail: nil, host: "box",
            now: { [moment] in moment.now.withLock { $0 } })
        surroundings.clock = ManualClock()
        return surroundings
    }

    /// Three checks by which a move is confirmed.
    private func move() async throws {
        try await history.fill([12, 11, 12], last: 4)
        moment.now.withLock { $0 = noon - 4 * day }
    }

    /// Runs the dispatcher until `body` has returned.
    private func running(_ body: () async throws -> Void) async throws {
        let task = Task { [dispatcher] in await dispatcher.run() }
        do { try await body() } catch {
            task.cancel()
            await task.value
            throw error
        }
        task.cancel()
        await task.value
    }

    private func deliveries() throws -> [OutboxDelivery] { try history.reader.deliveries(limit: 10) }

    @Test func `a move arrives after the pass that confirmed it`() async throws {
        try await withReceiver(.status(204)) { receiver async throws in
            try await dispatcher.adopt(settings(.plain("http://127.0.0.1:\(receiver.port)/")), in: surroundings())
            try await dispatcher.judge()
            try await move()
            try await running {
                dispatcher.passEnded()
                await receiver.arrived(1)
            }
            #expect(try deliveries().map(\.tries) == [1])
            #expect(receiver.requests.first?.headers["webhook-id"].first == (try deliveries().first?.message))
        }
    }

    @Test func `nothing is told of the time in which nobody wanted messages`() async throws {
        let wanted = settings(.plain("http://127.0.0.1:9/"))
        try await dispatcher.adopt(wanted, in: surroundings())
        try await dispatcher.judge()
        try ReceiptFile(beside: history.store.path).note(noon - 7 * day, by: noon)
        try await dispatcher.adopt(nil, in: surroundings())
        try await move()
        try await dispatcher.judge()
        #expect(try history.reader.alertMark() == nil)
        try await dispatcher.adopt(wanted, in: surroundings())
        try await dispatcher.judge()
        #expect(try deliveries().isEmpty && history.reader.alertMark() != nil)
    }

    @Test func `what is due to a channel whose secret is missing waits for it`() async throws {
        try await withReceiver(.status(204)) { receiver async throws in
            let wanted = settings(.secret(name: "hook-url"))
            try await dispatcher.adopt(wanted, in: surroundings())
            #expect(try history.reader.outboxChannels().map { $0.trouble != nil } == [true])
            try await dispatcher.judge()
            try await move()
            try await dispatcher.judge()
            #expect(try deliveries().map(\.state) == [.due])
            let address = "http://127.0.0.1:\(receiver.port)/"
            try await dispatcher.adopt(wanted, in: surroundings([AlertSecrets.variable("hook-url"): address]))
            #expect(try history.reader.outboxChannels().map(\.trouble) == [nil])
            try await running { await receiver.arrived(1) }
            #expect(receiver.requests.count == 1)
        }
    }

    @Test func `settings that could not be taken up are tried again by the next look`() async throws {
        let wanted = settings(.plain("http://127.0.0.1:9/"))
        try await writing("CREATE TRIGGER full BEFORE INSERT ON alert_channel BEGIN SELECT raise(ABORT, 'full'); END")
        await #expect(throws: HistoryError.self) { try await dispatcher.adopt(wanted, in: surroundings()) }
        await #expect(throws: HistoryError.self) { try await dispatcher.judge() }
        #expect(try history.reader.outboxChannels().isEmpty && history.reader.alertMark() == nil)
        try await writing("DROP TRIGGER full")
        try await dispatcher.judge()
        #expect(try history.reader.outboxChannels().map(\.name) == ["hook"])
        #expect(try history.reader.alertMark() != nil)
    }

    /// What a disk or another program does to the file.
    private func writing(_ sql: String) async throws {
        let queue = try DatabaseQueue(path: history.store.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `what a restored history would send again is listed before anything is sent`() async throws {
        try await withReceiver(.status(204)) { receiver async throws in
            let wanted = settings(.plain("http://127.0.0.1:\(receiver.port)/"))
            try await dispatcher.adopt(settings(.secret(name: "hook-url")), in: surroundings())
            try await dispatcher.judge()
            try await move()
            try await dispatcher.judge()
            #expect(try deliveries().map(\.state) == [.due])
            try ReceiptFile(beside: history.store.path).note(noon - 4 * day + 60, by: noon)
            try await dispatcher.adopt(wanted, in: surroundings())
            #expect(try deliveries().map(\.state) == [.listed])
            #expect(receiver.requests.isEmpty)
        }
    }

    @Test func `a note of a time that is yet to come silences nothing, and is told of once`() async throws {
        let log = LogLines()
        let dispatcher = AlertDispatcher(
            history: history.store, clock: ManualClock(), zone: .gmt, log: log.logger,
            now: { [moment] in moment.now.withLock { $0 } })
        try ReceiptFile(beside: history.store.path).note(noon + 40 * day, by: noon + 40 * day)
        try await dispatcher.adopt(settings(.plain("http://127.0.0.1:9/")), in: surroundings())
        try await dispatcher.judge()
        try await move()
        try await dispatcher.judge()
        #expect(try deliveries().map(\.state) == [.due])
        #expect(log.lines.count == 1 && log.lines[0].contains("yet to come"), "\(log.lines)")
    }

    @Test func `a request to try again is taken once, of one message or of all`() throws {
        let request = RetryRequest(beside: history.store.path)
        #expect(request.take() == nil)
        try request.leave("m1")
        #expect(request.take() == RetryRequest.Request(message: "m1"))
        #expect(request.take() == nil)
        try request.leave(nil)
        #expect(request.take() == RetryRequest.Request(message: nil))
    }

    @Test func `what was refused is tried again where somebody asks for it`() async throws {
        try await withReceiver(.status(204)) { receiver async throws in
            try await dispatcher.adopt(settings(.plain("http://127.0.0.1:\(receiver.port)/")), in: surroundings())
            try await dispatcher.judge()
            try await move()
            try await dispatcher.judge()
            let now = noon - 4 * day
            let attempt = try #require(
                try await history.store.beginTry(on: "hook", at: now, oldest: now - day, lease: 60))
            try await history.store.end(attempt, .refused, answer: "status 404", at: now)
            try RetryRequest(beside: history.store.path).leave(attempt.message)
            try await running { await receiver.arrived(1) }
            #expect(receiver.requests.first?.headers["webhook-id"].first == attempt.message)
        }
    }
}
