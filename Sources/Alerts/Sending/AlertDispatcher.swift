package import Foundation
package import History
package import Logging
package import RankKit
import Reports

/// Decides after each pass what is worth a message, and sends it: what runs beside the timer.
///
/// Whatever fails here, no pass waits for it: the history is read by a reader of its own, and written for a moment.
package actor AlertDispatcher<C: Clock> where C.Duration == Duration {
    private let history: HistoryStore
    private let clock: C
    private let now: @Sendable () -> Timestamp
    private let zone: TimeZone
    private let receipt: ReceiptFile
    private let log: Logger
    /// In days: how long after its time a digest is still sent.
    private let digestDelay: Int
    private let loop: DeliveryLoop<C>
    private var settings: AlertSettings?
    private var senders: [String: AlertSender] = [:]
    private var calls = 0
    /// Counts the settings so far, and the times at which they began to change.
    private var edition = 0
    /// Settings that could not be made what is judged by, and with what they are to be.
    private var pending: (settings: AlertSettings?, surroundings: AlertSender.Surroundings)?
    private let waiting = WaitingTasks()
    private nonisolated let rests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private var isTroubled = false
    private var hasToldOfReceipt = false
    private var trouble = TroubleWatch()

    /// However seldom passes end, what hangs on the time of day is looked at so often.
    private static var longestSleep: Duration { .seconds(300) }

    /// From one look at whether somebody asks for another try to the next.
    private static var requestInterval: Duration { .seconds(5) }

    /// - Parameters:
    ///   - zone: the machine's, for a watchlist that names none.
    ///   - digestDelay: in days, from 1 to 8: how long after its time a digest is still sent. Whoever looks once a week
    ///     sends one that was due a week ago.
    package init(
        history: HistoryStore, clock: C, zone: TimeZone, log: Logger, digestDelay: Int = 1,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.history = history
        self.clock = clock
        self.now = now
        self.zone = zone
        self.log = log
        self.digestDelay = digestDelay
        receipt = ReceiptFile(beside: history.path)
        loop = DeliveryLoop(
            history: history, clock: clock, now: now, receipt: receipt,
            oldest: Int64(digestDelay + 1) * Timestamp.secondsPerDay, log: log)
    }

    /// Makes `settings` what is judged by, and where messages go.
    ///
    /// A channel that cannot be used is told of in `rankctl alerts list`, and what is to go to it waits.
    ///
    /// What an earlier history may have sent already, which was restored from a backup since, is not sent.
    ///
    /// - Parameter settings: `nil` where nobody wants messages: when somebody does again, nothing is told of the time
    ///   between.
    /// - Throws: `HistoryError`. Then all stays as it was, and each look tries it again.
    package func adopt(_ settings: AlertSettings?, in surroundings: AlertSender.Surroundings) async throws {
        pending = (settings, surroundings)
        try await take(settings, in: surroundings)
    }

    private func take(_ settings: AlertSettings?, in surroundings: AlertSender.Surroundings) async throws {
        var senders: [String: AlertSender] = [:]
        var channels: [OutboxChannel] = []
        var usable: [AlertChannel] = []
        for channel in settings?.channels ?? [] {
            var kept = OutboxChannel(
                name: channel.name, kind: channel.kind, settings: channel.fingerprint)
            do throws(AlertSender.Unusable) {
                senders[channel.name] = try AlertSender(channel, in: surroundings)
                usable.append(channel)
            } catch {
                kept.trouble = error.reason
                log.warning(
                    "channel not usable", metadata: ["channel": "\(channel.name)", "reason": "\(error.reason)"])
            }
            channels.append(kept)
        }
        // What is being judged by the settings before is not written any more.
        edition += 1
        let mine = edition
        do {
            if let newest = receipt.newest(by: now()) { try await history.listDeliveries(decidedUpTo: newest) }
            try await history.adopt(channels)
            if settings == nil { try await history.forgetAlertMark() }
        } catch {
            for sender in senders.values { await sender.shutdown() }
            throw error
        }
        guard mine == edition else {
            // Others were to be taken up meanwhile, and they are.
            for sender in senders.values { await sender.shutdown() }
            return
        }
        pending = nil
        let former = self.senders
        self.settings = settings
        self.senders = senders
        edition += 1
        await loop.replace(with: usable) { [senders] message, channel in
            try await senders[channel.name]?.send(message) ?? .retry(after: nil, why: "not ready")
        }
        for sender in former.values { await sender.shutdown() }
        call()
    }

    /// Has what is new looked at soon: a pass has ended.
    package nonisolated func passEnded() { rests.continuation.yield() }

    private func call() {
        calls += 1
        waiting.wakeAll()
    }

    /// Judges and sends until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.loop.run() }
            group.addTask { await self.judgeOnCall() }
            group.addTask { for await _ in self.rests.stream { await self.call() } }
            group.addTask { await self.retryOnRequest() }
        }
        for sender in senders.values { await sender.shutdown() }
    }

    /// Judges once, and sends what is due: what `rankd --once` does after its pass.
    ///
    /// How rankd itself is, is not judged: one look cannot tell what lasts.
    ///
    /// - Parameter patience: how long to wait for a message that is to be tried again.
    /// - Returns: how many messages each channel took, by its name.
    /// - Throws: `HistoryError`, after what was due before was sent, or `CancellationError`.
    package func judgeAndSend(patience: Duration) async throws -> [String: Int] {
        if let wanted = RetryRequest(beside: history.path).take() { await retry(wanted.message) }
        let judged: Result<Void, any Error>
        do { judged = .success(try await judge()) } catch { judged = .failure(error) }
        await loop.sendDue(patience: patience)
        for sender in senders.values { await sender.shutdown() }
        try judged.get()
        return await loop.delivered
    }

    private func judgeOnCall() async {
        while !Task.isCancelled {
            let call = calls
            do {
                try await judge()
                if isTroubled { log.notice("new events can be judged again") }
                isTroubled = false
            } catch is CancellationError {
                return
            } catch {
                if !isTroubled { log.warning("new events cannot be judged for now", metadata: ["reason": "\(error)"]) }
                isTroubled = true
            }
            await sleep(after: call)
        }
    }

    private func retryOnRequest() async {
        let request = RetryRequest(beside: history.path)
        while !Task.isCancelled {
            if let wanted = request.take() { await retry(wanted.message) }
            do { try await clock.sleep(for: Self.requestInterval) } catch { return }
        }
    }

    private func retry(_ message: String?) async {
        do {
            let count = try await history.retryDeliveries(of: message, at: now())
            log.notice("sending again the messages that did not arrive", metadata: ["deliveries": "\(count)"])
        } catch {
            log.warning("the messages that did not arrive cannot be sent again", metadata: ["reason": "\(error)"])
        }
        await loop.wake()
    }

    /// Looks at what is new once.
    package func judge() async throws {
        if let pending { try await take(pending.settings, in: pending.surroundings) }
        guard let settings else { return }
        let (path, receipt, zone, now, digestDelay) = (history.path, receipt, zone, now(), digestDelay)
        tellOfReceipt(now)
        let (watch, edition) = (trouble, edition)
        let (judgement, found) = try await BlockingWork.run { _ in
            let reader = try HistoryReader(path: path).snapshot()
            let own = try reader.timeZone().flatMap(TimeZone.init(identifier:)) ?? zone
            var watch = watch
            let finding = watch.look(try ServiceTrouble(from: reader, now: now), now: now)
            let judgement = try AlertJudgement(
                settings, trouble: finding, receipt: receipt, digestDelay: digestDelay, zone: own, now: now,
                from: reader)
            return (judgement, watch)
        }
        trouble = found
        guard let judgement, edition == self.edition else { return }
        guard try await history.decide(judgement.decision, from: judgement.known) else {
            // A message went out meanwhile that it would have changed.
            return call()
        }
        for message in judgement.decision.messages where !message.isListed {
            log.info("message decided", metadata: ["message": "\(message.id)"])
        }
        await loop.wake()
    }

    private func tellOfReceipt(_ now: Timestamp) {
        guard !hasToldOfReceipt, receipt.isAhead(of: now) else { return }
        hasToldOfReceipt = true
        log.warning(
            "the note of what was sent last has a time that is yet to come, and is not believed; the next message corrects it",
            metadata: ["file": "\(receipt.path)"])
    }

    private func sleep(after call: Int) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                // Cancellation ends the sleep early, which the loop sees for itself.
                do { try await clock.sleep(for: Self.longestSleep) } catch {}
            }
            group.addTask { await self.called(since: call) }
            await group.next()
            group.cancelAll()
        }
    }

    private func called(since call: Int) async {
        while calls == call, await waiting.wait() {}
    }
}
