import Foundation
import HTTPTypes
import History
import NIOCore
import RankKit

/// Makes answers, few at a time, and keeps those that may be asked for again.
///
/// Each client has one answer in the making at most, and those that have asked for several take turns with the others: who
/// has waited for longest since the last one comes first, and whoever has logged in before whoever has not. Who asks for
/// what is being made waits for it rather than have it made twice. What nobody waits for any more is not made.
actor AnswerCache {
    /// An answer as it is sent. All who are sent it share one copy of its body.
    struct Made: Sendable {
        var status: Answer.Status
        /// The media type.
        var type: String
        var fields: HTTPFields
        var body: ByteBuffer
        var isCompressed: Bool

        fileprivate var size: Int { body.readableBytes + 512 }
    }

    private struct Kept {
        var identity: AnswerIdentity
        var made: Made
        var lastUse: Int
    }

    private struct Waiter {
        let client: Client
        let continuation: CheckedContinuation<Made, any Error>
    }

    /// An answer that is to be made, for all who ask for it until then.
    private struct Order {
        let number: Int
        /// As it was last asked for.
        var identity: AnswerIdentity
        let make: @Sendable () throws -> Answer
        var waiters: [Int: Waiter] = [:]

        var isForKnown: Bool { waiters.values.contains { $0.client.isKnown } }
    }

    /// An answer that is being made.
    private struct Work {
        /// Of its order.
        let number: Int
        /// Whose turn it is.
        let client: Client
        var task: Task<Void, Never>?
        var waiters: [Int: Waiter]
    }

    private struct Key: Hashable {
        var identity: AnswerIdentity
        var isCompressed: Bool

        /// Whatever the history is by then.
        var whenever: Key { Key(identity: identity.whenever, isCompressed: isCompressed) }
    }

    /// The newest of each place.
    private var kept: [Key: Kept] = [:]
    private var size = 0
    private var uses = 0
    /// How often answers were asked for.
    var asked: Int { uses }
    private var queued: [Key: Order] = [:]
    private var underWay: [Key: Work] = [:]
    /// For whom an answer is being made.
    private var busy: Set<Client> = []
    /// Whose turn it was last, by the number of the turn.
    private var turns: [Client: Int] = [:]
    private var lastTicket = 0
    /// Answers made so far.
    private(set) var answersMade = 0
    private var making = 0
    /// Whether nothing is being made, or waits to be.
    var isResting: Bool { making == 0 && queued.isEmpty }
    /// Answers that wait to be made.
    var queueLength: Int { queued.count }

    /// In bytes, of all kept answers.
    private let capacity: Int
    /// Answers made at the same time.
    private let places: Int
    /// Comes back when an answer that was begun just before it has had its time.
    private let timeIsUp: (@Sendable () async throws -> Void)?

    /// One processor is left to whoever records.
    private static var usualPlaces: Int { ProcessInfo.processInfo.activeProcessorCount > 2 ? 2 : 1 }

    /// Larger answers, in bytes, are made anew each time.
    private var largestKept: Int { capacity / 8 }
    /// In seconds: what one answer may take, while the others wait for its place.
    static let longest: Int64 = 60
    /// Answers that may wait for a place.
    static let mostQueued = 256
    /// Answers of one client that may.
    static let mostOfOne = 32

    /// - Parameters:
    ///   - capacity: for kept answers, in bytes.
    ///   - places: answers made at the same time, from 1; `nil` for as many as suit the machine.
    ///   - timeIsUp: waits for as long as one answer may take; `nil` where it may take any time.
    init(
        capacity: Int = 16 << 20, places: Int? = nil,
        timeIsUp: (@Sendable () async throws -> Void)? = nil
    ) {
        self.capacity = capacity
        self.places = places ?? Self.usualPlaces
        self.timeIsUp = timeIsUp
    }

    /// The answer that is known by `identity`: kept, or made now.
    ///
    /// One that waits to be made is as good for whoever asks for it later, when the history has changed: it will be made
    /// of what the history is then.
    ///
    /// - Parameters:
    ///   - identity: everything that tells it from other answers.
    ///   - compressed: whether the asker takes gzip.
    ///   - client: who asks.
    ///   - make: makes it; may take its time, away from the actor.
    /// - Throws: what `make` throws, `Refusal` where too many wait, and `CancellationError` at once where the asker is
    ///   cancelled.
    func answer(
        _ identity: AnswerIdentity, compressed: Bool, for client: Client,
        make: @escaping @Sendable () throws -> Answer
    ) async throws -> Made {
        try Task.checkCancellation()
        let key = Key(identity: identity, isCompressed: compressed)
        let place = Key(identity: identity.place, isCompressed: compressed)
        uses += 1
        if let found = kept[place], found.identity == identity {
            kept[place]?.lastUse = uses
            return found.made
        }
        if underWay[key] == nil, queued[key.whenever] == nil { try makeRoom(for: client) }
        lastTicket += 1
        let ticket = lastTicket
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(client: client, continuation: continuation)
                if underWay[key] != nil {
                    underWay[key]?.waiters[ticket] = waiter
                } else {
                    queued[key.whenever, default: Order(number: ticket, identity: identity, make: make)]
                        .waiters[ticket] = waiter
                    queued[key.whenever]?.identity = identity
                    begin()
                }
            }
        } onCancel: {
            Task { await leave(ticket) }
        }
    }

    /// - Throws: `Refusal` where the client has asked for too much, or all together have and it comes last.
    private func makeRoom(for client: Client) throws {
        let own = queued.values.count { $0.waiters.values.contains { $0.client == client } }
        guard own < Self.mostOfOne else {
            throw Refusal.tooMany(
                "This client already waits for \(own) pages. Try again when one has arrived.", retryAfter: 5,
                logged: "a client that asks for many pages at once")
        }
        guard queued.count >= Self.mostQueued else { return }
        // The newest of those who have not logged in makes room for whoever has.
        guard client.isKnown,
            let last = queued.filter({ !$0.value.isForKnown }).max(by: { $0.value.number < $1.value.number })
        else { throw Self.tooBusy }
        queued[last.key] = nil
        for waiter in last.value.waiters.values { waiter.continuation.resume(throwing: Self.tooBusy) }
    }

    private static var takesTooLong: Refusal {
        Refusal(
            .serviceUnavailable, "This takes too long",
            "It takes longer than the \(longest) seconds that one answer may take here. Ask for less: a later --since, or "
                + "fewer apps, countries and queries. rankctl on the server takes the time that it needs.",
            kind: .tooBusy, logged: "an answer that takes longer than \(longest) seconds")
    }

    private static var tooBusy: Refusal {
        Refusal(
            .serviceUnavailable, "Too busy", "Too many pages are being made just now. Try again in a few seconds.",
            kind: .tooBusy, fields: [.retryAfter: "5"], logged: "too many pages at the same time")
    }

    /// Whoever asked has gone, or does not want it any more.
    private func leave(_ ticket: Int) {
        for (key, order) in queued where order.waiters[ticket] != nil {
            order.waiters[ticket]?.continuation.resume(throwing: CancellationError())
            queued[key]?.waiters[ticket] = nil
            if queued[key]?.waiters.isEmpty == true { queued[key] = nil }
            return
        }
        for (key, work) in underWay where work.waiters[ticket] != nil {
            work.waiters[ticket]?.continuation.resume(throwing: CancellationError())
            underWay[key]?.waiters[ticket] = nil
            guard underWay[key]?.waiters.isEmpty == true else { return }
            // Whoever asks for it from now on has it made anew: this one is broken off.
            underWay[key] = nil
            work.task?.cancel()
            return
        }
    }

    /// Breaks off an answer whose time is up. It keeps its place until it is at an end.
    private func breakOff(_ key: Key, number: Int) {
        guard let work = underWay[key], work.number == number else { return }
        underWay[key] = nil
        for waiter in work.waiters.values { waiter.continuation.resume(throwing: Self.takesTooLong) }
        work.task?.cancel()
    }

    // MARK: Making

    /// Begins what there are places for.
    private func begin() {
        while making < places, let (key, client) = next(), let order = queued.removeValue(forKey: key) {
            making += 1
            answersMade += 1
            busy.insert(client)
            forgetTurns()
            turns[client] = answersMade
            let full = Key(identity: order.identity, isCompressed: key.isCompressed)
            underWay[full] = Work(number: order.number, client: client, task: nil, waiters: order.waiters)
            underWay[full]?.task = Task.detached { await self.work(order, full, client) }
        }
    }

    /// Which order comes next, and whose turn that is.
    private func next() -> (Key, Client)? {
        var best: (key: Key, client: Client, rank: (Int, Int, Int))?
        for (key, order) in queued {
            for waiter in order.waiters.values where !busy.contains(waiter.client) {
                let rank = (waiter.client.isKnown ? 0 : 1, turns[waiter.client] ?? 0, order.number)
                if best.map({ rank < $0.rank }) ?? true { best = (key, waiter.client, rank) }
            }
        }
        return best.map { ($0.key, $0.client) }
    }

    /// Who has asked for nothing in a while has no turn to be remembered.
    private func forgetTurns() {
        guard turns.count >= 1_000 else { return }
        turns = turns.filter { answersMade - $0.value < 500 }
    }

    private func work(_ order: Order, _ key: Key, _ client: Client) async {
        let timer = Task {
            guard let timeIsUp else { return }
            do { try await timeIsUp() } catch { return }
            breakOff(key, number: order.number)
        }
        defer { timer.cancel() }
        let result: Result<Made, any Error>
        // On a thread of its own: the few that tasks share have to tell the other visitors what is kept.
        do {
            result = .success(
                try await BlockingWork.run(breakingOffReads: true) { _ in
                    try Made(order.make(), compressed: key.isCompressed)
                })
        } catch { result = .failure(error) }
        making -= 1
        busy.remove(client)
        // One that was given up may have been begun anew for others meanwhile.
        if !Task.isCancelled, let work = underWay.removeValue(forKey: key) {
            if case .success(let made) = result { keep(made, as: key) }
            for waiter in work.waiters.values { waiter.continuation.resume(with: result) }
        }
        begin()
    }

    private func keep(_ made: Made, as key: Key) {
        guard made.size <= largestKept, made.status.code < 500 else { return }
        let place = Key(identity: key.identity.place, isCompressed: key.isCompressed)
        size += made.size - (kept[place]?.made.size ?? 0)
        kept[place] = Kept(identity: key.identity, made: made, lastUse: uses)
        while size > capacity, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            size -= oldest.value.made.size
            kept[oldest.key] = nil
        }
    }
}

/// Who shares the site's work with others: a session, a token, a link, or an address.
struct Client: Sendable, Hashable {
    /// What tells it from others; never shown.
    var name: String
    /// Whether it has logged in, or the site lets everybody in.
    var isKnown: Bool

    /// Whoever asks from `place` without having logged in.
    static func address(_ place: String) -> Client { Client(name: "address " + place, isKnown: false) }
}

/// By what an answer is told from all others.
struct AnswerIdentity: Sendable, Hashable {
    /// What was asked, and by whom as far as that matters.
    var question: String
    /// To what the answer rounds its time.
    var moment: String
    /// Of the history.
    var version: String

    var text: String { [version, moment, question].joined(separator: "\n") }

    fileprivate var whenever: AnswerIdentity { AnswerIdentity(question: question, moment: moment, version: "") }
    fileprivate var place: AnswerIdentity { AnswerIdentity(question: question, moment: "", version: "") }
}

extension AnswerCache.Made {
    /// - Parameter compressed: whether the asker takes gzip.
    init(_ answer: Answer, compressed: Bool) {
        let packed = compressed ? Self.packed(answer) : nil
        self.init(
            status: answer.status, type: answer.type, fields: answer.fields,
            body: ByteBuffer(bytes: packed ?? answer.body), isCompressed: packed != nil)
    }

    /// `nil` where it is better sent as it is.
    private static func packed(_ answer: Answer) -> [UInt8]? {
        guard answer.body.count >= Gzip.shortest, answer.fields[.contentEncoding] == nil,
            !answer.type.hasPrefix("image/") || answer.type.hasPrefix("image/svg")
        else { return nil }
        return Gzip.compressed(answer.body)
    }
}
