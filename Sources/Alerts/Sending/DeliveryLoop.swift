package import History
package import Logging
package import RankKit

/// Sends what is due: each channel by itself, so that one that hangs or fails delays no other.
///
/// A try is noted in the history before it is made, and counted when it has ended. A process that is killed in between
/// tries again under the same id.
package actor DeliveryLoop<C: Clock> where C.Duration == Duration {
    /// Delivers a message to a channel, once. Throws `CancellationError` alone.
    package typealias Deliver = @Sendable (AlertMessage, AlertChannel) async throws -> DeliveryAnswer

    private let history: HistoryStore
    private let clock: C
    private let now: @Sendable () -> Timestamp
    private let chance: @Sendable () -> Double
    private let receipt: ReceiptFile
    private let log: Logger

    private var channels: [AlertChannel] = []
    private var deliver: Deliver = { _, _ in .retry(after: nil, why: "not ready") }
    /// Counts the plans so far.
    private var edition = 0
    /// Counts the calls of `wake`.
    private var calls = 0
    private let waiting = WaitingTasks()
    private var failing: Set<String> = []
    /// How many messages each channel took, by its name.
    private(set) var delivered: [String: Int] = [:]

    /// In seconds: what was decided longer ago is summed up in the next message.
    private let oldest: Int64
    /// Between two messages to one channel: the strictest of the services takes one a second.
    private static var spacing: Duration { .seconds(1) }
    private static var longestSleep: Duration { .seconds(60) }
    /// In seconds, of a try over the network from its beginning to its end, and some more.
    private static var lease: Int64 { 60 }

    /// - Parameters:
    ///   - oldest: in seconds: what was decided longer ago is summed up in the next message.
    ///   - receipt: where it is kept what was sent last.
    ///   - chance: a number from 0 to 1, another one each time.
    package init(
        history: HistoryStore, clock: C, now: @escaping @Sendable () -> Timestamp, receipt: ReceiptFile,
        oldest: Int64 = 2 * Timestamp.secondsPerDay,
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }, log: Logger
    ) {
        self.oldest = oldest
        self.history = history
        self.clock = clock
        self.now = now
        self.chance = chance
        self.receipt = receipt
        self.log = log
    }

    /// Makes `channels` the ways out, and `deliver` the way to them.
    package func replace(with channels: [AlertChannel], deliver: @escaping Deliver) {
        self.channels = channels
        self.deliver = deliver
        edition += 1
        waiting.wakeAll()
    }

    /// Looks for what is due now: something was decided, or is to be tried anew.
    package func wake() {
        calls += 1
        waiting.wakeAll()
    }

    /// Sends until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            let edition = edition
            await withTaskGroup(of: Void.self) { group in
                for channel in channels {
                    group.addTask { await self.serve(channel) }
                }
                group.addTask { await self.changed(from: edition) }
                // A plan that was replaced ends those that serve the one before; nothing else ends them.
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Sends what is due now, and what falls due again within `patience`; then returns, as it does when the task is
    /// cancelled. A message that did not arrive by then stays due.
    func sendDue(patience: Duration) async {
        let last = now() + patience.components.seconds
        await withTaskGroup(of: Void.self) { group in
            for channel in channels { group.addTask { await self.sendDue(to: channel, until: last) } }
        }
    }

    private func sendDue(to channel: AlertChannel, until last: Timestamp) async {
        do {
            while !Task.isCancelled {
                if try await sendNext(to: channel) {
                    try await clock.sleep(for: Self.spacing)
                } else if now() < last, let due = try await history.nextDelivery(on: channel.name, at: now()),
                    due <= last
                {
                    try await clock.sleep(for: .seconds(max(1, due - now())))
                } else {
                    return
                }
            }
        } catch is CancellationError {
            return
        } catch {
            complainUnread(channel, error)
        }
    }

    private func complainUnread(_ channel: AlertChannel, _ error: any Error) {
        log.warning(
            "waiting messages cannot be read", metadata: ["channel": "\(channel.name)", "reason": "\(error)"])
    }

    private func changed(from edition: Int) async {
        while self.edition == edition, await waiting.wait() {}
    }

    private func serve(_ channel: AlertChannel) async {
        while !Task.isCancelled {
            let call = calls
            do {
                if try await sendNext(to: channel) {
                    try await clock.sleep(for: Self.spacing)
                } else {
                    await sleep(channel, after: call)
                }
            } catch is CancellationError {
                return
            } catch {
                complainUnread(channel, error)
                await sleep(channel, after: nil)
            }
        }
    }

    /// - Returns: whether there was one.
    private func sendNext(to channel: AlertChannel) async throws -> Bool {
        let began = now()
        let attempt = try await history.beginTry(
            on: channel.name, at: began, oldest: began - oldest, lease: Self.lease(of: channel))
        guard let attempt else { return false }
        guard var message = AlertMessage(stored: attempt.content) else {
            try await history.end(attempt, .refused, answer: "written by another version", at: now())
            return true
        }
        message.remark = remark(message.remark, missed: attempt.missed)
        let answer = try await deliver(message, channel)
        // What was cut off is tried again by whoever comes next. What arrived is noted all the same.
        if answer != .delivered { try Task.checkCancellation() }
        try await note(answer, of: attempt, message)
        return true
    }

    private func note(_ answer: DeliveryAnswer, of attempt: OutboxTry, _ message: AlertMessage) async throws {
        let ended = now()
        switch answer {
        case .delivered:
            keepReceipt(of: attempt)
            delivered[attempt.channel, default: 0] += 1
            try await history.end(attempt, .delivered, answer: "delivered", at: ended)
            if failing.remove(attempt.channel) != nil {
                log.notice("messages are delivered again", metadata: ["channel": "\(attempt.channel)"])
            }
            log.info("message delivered", metadata: ["message": "\(message.id)", "channel": "\(attempt.channel)"])
        case .retry(let wanted, let why):
            try await noteAgain(after: wanted, holding: .newer, why, of: attempt, at: ended)
        case .declined(let wanted, let why):
            try await noteAgain(after: wanted, holding: .nothing, why, of: attempt, at: ended)
        case .refused(let why):
            try await history.end(attempt, .refused, answer: why, at: ended)
            complain("message refused", why, attempt)
        case .gone:
            try await history.end(attempt, .gone, answer: "status 410: the address no longer takes messages", at: ended)
            complain("channel switched off until the watchlist changes it", "status 410", attempt)
        }
    }

    private func noteAgain(
        after wanted: Int64?, holding held: OutboxTry.Outcome.Held, _ why: String, of attempt: OutboxTry,
        at ended: Timestamp
    ) async throws {
        let due: Timestamp?
        if let usual = attempt.dueAt {
            due = max(usual, ended + RetrySchedule.wanted(wanted))
        } else {
            due = RetrySchedule.wait(after: attempt.tries, wanted: wanted, chance: chance()).map { ended + $0 }
        }
        // The message may wait for longer than the channel asked for: the others do not.
        let rest = wanted.map { ended + RetrySchedule.wanted($0) }
        try await history.end(
            attempt, due.map { .again(at: $0, holding: held) } ?? .givenUp, answer: why, rest: rest, at: ended)
        if failing.insert(attempt.channel).inserted || due == nil {
            complain(due == nil ? "message given up" : "message not delivered yet", why, attempt)
        }
    }

    /// Without one, a backup that is restored could have this message sent again.
    private func keepReceipt(of attempt: OutboxTry) {
        do { try receipt.note(attempt.decidedAt, by: now()) } catch {
            log.warning("the history could not record what was sent", metadata: ["reason": "\(error)"])
        }
    }

    private func complain(_ what: String, _ why: String, _ attempt: OutboxTry) {
        log.warning(
            "\(what)",
            metadata: ["message": "\(attempt.message)", "channel": "\(attempt.channel)", "reason": "\(why)"])
    }

    /// Sleeps until something is due on the channel, somebody calls, or a minute has gone by.
    ///
    /// - Parameter call: the calls that were heard; `nil` to sleep through them.
    private func sleep(_ channel: AlertChannel, after call: Int?) async {
        var duration = Self.longestSleep
        if call != nil, let due = try? await history.nextDelivery(on: channel.name, at: now()) {
            duration = min(duration, .seconds(max(1, due - now())))
        }
        await withTaskGroup(of: Void.self) { [duration] group in
            group.addTask { [clock] in
                // Cancellation ends the sleep early, which the loop sees for itself.
                do { try await clock.sleep(for: duration) } catch {}
            }
            if let call { group.addTask { await self.called(since: call) } }
            await group.next()
            group.cancelAll()
        }
    }

    private func called(since call: Int) async {
        while calls == call, await waiting.wait() {}
    }

    private static func lease(of channel: AlertChannel) -> Int64 {
        if case .command(_, let seconds) = channel.transport { lease + Int64(seconds) } else { lease }
    }

    /// What a message says of those before it that were not sent.
    private func remark(_ remark: String?, missed: [String]) -> String? {
        guard !missed.isEmpty else { return remark }
        let titles = missed.compactMap { AlertMessage(stored: $0)?.title }
        let shown = titles.prefix(Self.mostMissed).joined(separator: "; ")
        let more = missed.count - min(titles.count, Self.mostMissed)
        let sum =
            "Could not be sent for \(oldest / Timestamp.secondsPerDay) days: \(shown)"
            + (more > 0 ? "; and \(more) more" : "")
            + ". rankctl alerts log shows them."
        return [remark, sum].compactMap(\.self).joined(separator: " ")
    }

    private static var mostMissed: Int { 5 }
}
