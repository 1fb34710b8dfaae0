import History
import Logging
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Alerts

/// Senders that are killed before, while and after they send.
@Suite struct KilledSenderTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private static let start = time("2026-11-01T00:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private enum End: CaseIterable {
        case beforeSending, beforeNoting, whileNoting
    }

    /// Has one sender deliver what is due, once, and kills it.
    private func killed(_ end: End, at now: Timestamp, _ seen: @escaping @Sendable (String) -> Void) async {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let sender = DeliveryLoop(
            history: store, clock: ManualClock(), now: { now }, receipt: ReceiptFile(beside: store.path),
            chance: { 0 }, log: log)
        let tries = AsyncStream<Void>.makeStream()
        let channel = AlertChannel(name: "team", transport: .command(["/bin/true"], seconds: 1))
        await sender.replace(with: [channel]) { message, _ in
            defer { tries.continuation.yield() }
            if end == .beforeSending { throw CancellationError() }
            seen(message.id)
            if end == .beforeNoting { throw CancellationError() }
            return .delivered
        }
        let task = Task { await sender.run() }
        for await _ in tries.stream { break }
        task.cancel()
        await task.value
    }

    /// As whoever decides does, who may be killed before the commit, or after it and decide again.
    private func decide(_ number: Int64, _ random: inout SplitMix, at now: Timestamp) async throws {
        let known = try HistoryReader(path: store.path).alertMark()
        let message = AlertMessage(id: "m\(number)", at: now, severity: .normal, title: "title", lines: [])
        let decision = OutboxDecision(
            mark: AlertMark(since: Self.start, check: number, judgedAt: now),
            messages: [
                OutboxMessage(id: message.id, decidedAt: now, content: message.stored, channels: ["team"])
            ])
        #expect(try await store.decide(decision, from: known))
        if random.unit() < 0.5 { #expect(try await store.decide(decision, from: known) == false) }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `each message arrives, and once for whoever drops what he knows`(seed: UInt64) async throws {
        try await store.adopt([OutboxChannel(name: "team", kind: "command", settings: "1")])
        var random = SplitMix(seed: seed)
        let seen = Seen()
        var now = Self.start
        var decided: Int64 = 0
        for round in 0..<100 {
            now = now + 62
            if round.isMultiple(of: 4) {
                decided += 1
                try await decide(decided, &random, at: now)
            }
            guard try await store.nextDelivery(on: "team", at: now).map({ $0 <= now }) == true else { continue }
            let end = End.allCases[Int(random.unit() * 3) % 3]
            await killed(end, at: now) { id in seen.ids.withLock { $0.append(id) } }
        }
        while try await store.nextDelivery(on: "team", at: now) != nil {
            now = now + 62
            await killed(.whileNoting, at: now) { id in seen.ids.withLock { $0.append(id) } }
        }
        let ids = seen.ids.withLock { $0 }
        #expect(Set(ids) == Set((1...decided).map { "m\($0)" }))
        let deliveries = try HistoryReader(path: store.path).deliveries(limit: 100)
        #expect(deliveries.count == Int(decided) && deliveries.allSatisfy { $0.state == .delivered })
        // Some arrived twice, or nothing was killed between sending and noting.
        #expect(ids.count > Int(decided))
    }

    private final class Seen: Sendable {
        let ids = Mutex<[String]>([])
    }
}
