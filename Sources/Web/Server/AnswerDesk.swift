import Foundation
import HTTPTypes
import History
import NIOCore
import RankKit

/// Makes answers, few at a time, and keeps those that may be asked for again.
///
/// Who asks for what is being made waits for it rather than have it made twice. Making goes on where its first asker has
/// gone: somebody else may wait for it, and it ends soon.
actor AnswerDesk {
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

    /// An answer that is to be made, for all who ask for it until then.
    private struct Order {
        /// As it was last asked for.
        var identity: AnswerIdentity
        var task: Task<Made, any Error>
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
    private var underWay: [Key: Task<Made, any Error>] = [:]
    private var making = 0
    /// Answers made so far.
    private(set) var answersMade = 0
    /// Whether nothing is being made, or waits to be.
    var isResting: Bool { making == 0 && queued.isEmpty }
    private let waiting = WaitingTasks()

    /// In bytes, of all kept answers.
    private let room: Int
    /// Answers made at the same time.
    private let places: Int

    /// One processor is left to whoever records.
    private static var usualPlaces: Int { ProcessInfo.processInfo.activeProcessorCount > 2 ? 2 : 1 }

    /// Larger answers, in bytes, are made anew each time.
    private var largestKept: Int { room / 8 }
    /// Askers that may wait for a place.
    private static let mostQueued = 256

    /// - Parameters:
    ///   - room: for kept answers, in bytes.
    ///   - places: answers made at the same time, from 1; `nil` for as many as suit the machine.
    init(room: Int = 16 << 20, places: Int? = nil) {
        self.room = room
        self.places = places ?? Self.usualPlaces
    }

    /// The answer that is known by `identity`: kept, or made now.
    ///
    /// One that waits to be made is as good for whoever asks for it later, when the history has changed: it will be made
    /// of what the history is then.
    ///
    /// - Parameters:
    ///   - identity: everything that tells it from other answers.
    ///   - compressed: whether the asker takes gzip.
    ///   - make: makes it; may take its time, away from the actor.
    /// - Throws: what `make` throws, and `Refusal` where too many wait.
    func answer(
        _ identity: AnswerIdentity, compressed: Bool, make: @escaping @Sendable () throws -> Answer
    ) async throws -> Made {
        let key = Key(identity: identity, isCompressed: compressed)
        let place = Key(identity: identity.place, isCompressed: compressed)
        uses += 1
        if let found = kept[place], found.identity == identity {
            kept[place]?.lastUse = uses
            return found.made
        }
        if let task = underWay[key] { return try await task.value }
        if let order = queued[key.whenever] {
            queued[key.whenever]?.identity = identity
            return try await order.task.value
        }
        guard queued.count < Self.mostQueued else {
            throw Refusal(
                .serviceUnavailable, "Too busy", "Too many pages are being made just now. Try again in a few seconds.",
                fields: [.retryAfter: "5"], logged: "too many pages at the same time")
        }
        let task = Task.detached { try await self.made(key.whenever, make) }
        queued[key.whenever] = Order(identity: identity, task: task)
        return try await task.value
    }

    private func made(_ ordered: Key, _ make: @escaping @Sendable () throws -> Answer) async throws -> Made {
        while making >= places { await waiting.wait(evenIfCancelled: true) }
        making += 1
        answersMade += 1
        let order = queued.removeValue(forKey: ordered)
        let identity = order?.identity ?? ordered.identity
        let key = Key(identity: identity, isCompressed: ordered.isCompressed)
        underWay[key] = order?.task
        defer {
            underWay[key] = nil
            making -= 1
            waiting.wakeFirst()
        }
        // On a thread of its own: the few that tasks share have to tell the other visitors what is kept.
        let made = try await BlockingWork.run { _ in try Made(make(), compressed: key.isCompressed) }
        keep(made, as: key)
        return made
    }

    private func keep(_ made: Made, as key: Key) {
        guard made.size <= largestKept, made.status.code < 500 else { return }
        let place = Key(identity: key.identity.place, isCompressed: key.isCompressed)
        size += made.size - (kept[place]?.made.size ?? 0)
        kept[place] = Kept(identity: key.identity, made: made, lastUse: uses)
        while size > room, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            size -= oldest.value.made.size
            kept[oldest.key] = nil
        }
    }
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

extension AnswerDesk.Made {
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
