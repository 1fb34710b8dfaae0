import HTTPTypes
import RankKit

/// Makes answers, few at a time, and keeps those that may be asked for again.
///
/// Who asks for what is being made waits for it rather than have it made twice. Making goes on where its first asker has
/// gone: somebody else may wait for it, and it ends soon.
actor AnswerDesk {
    /// An answer as it is sent.
    struct Made: Sendable {
        var answer: Answer
        var isCompressed: Bool

        fileprivate var size: Int { answer.body.count + 512 }
    }

    private struct Kept {
        var made: Made
        var lastUse: Int
    }

    private var kept: [String: Kept] = [:]
    private var size = 0
    private var uses = 0
    private var underWay: [String: Task<Made, any Error>] = [:]
    private var making = 0
    private let waiting = WaitingTasks()
    private var queued = 0

    /// In bytes, of all kept answers.
    private let room: Int
    /// Answers made at the same time: as many as a small server has cores.
    private let places: Int

    /// Larger answers, in bytes, are made anew each time.
    private var largestKept: Int { room / 8 }
    /// Askers that may wait for a place.
    private static let mostQueued = 256

    /// - Parameters:
    ///   - room: for kept answers, in bytes.
    ///   - places: answers made at the same time, from 1.
    init(room: Int = 16 << 20, places: Int = 2) {
        self.room = room
        self.places = places
    }

    /// The answer that is known by `identity`: kept, or made now.
    ///
    /// - Parameters:
    ///   - identity: everything that tells it from other answers.
    ///   - compressed: whether the asker takes gzip.
    ///   - make: makes it; may take its time, away from the actor.
    /// - Throws: what `make` throws, and `Refusal` where too many wait.
    func answer(
        _ identity: String, compressed: Bool, make: @escaping @Sendable () throws -> Answer
    ) async throws -> Made {
        let key = (compressed ? "z" : "p") + identity
        uses += 1
        if let found = kept[key] {
            kept[key]?.lastUse = uses
            return found.made
        }
        if let task = underWay[key] { return try await task.value }
        guard queued < Self.mostQueued else {
            throw Refusal(
                .serviceUnavailable, "Too busy", "Too many pages are being made just now. Try again in a few seconds.",
                fields: [.retryAfter: "5"], logged: "too many pages at the same time")
        }
        let task = Task.detached { try await self.made(compressed: compressed, make) }
        underWay[key] = task
        defer { underWay[key] = nil }
        let made = try await task.value
        keep(made, as: key)
        return made
    }

    private func made(compressed: Bool, _ make: @escaping @Sendable () throws -> Answer) async throws -> Made {
        queued += 1
        while making >= places { await waiting.wait(evenIfCancelled: true) }
        queued -= 1
        making += 1
        defer {
            making -= 1
            waiting.wakeFirst()
        }
        return try await Task.detached { try Made(make(), compressed: compressed) }.value
    }

    private func keep(_ made: Made, as key: String) {
        guard made.size <= largestKept, made.answer.status.code < 500, kept[key] == nil else { return }
        kept[key] = Kept(made: made, lastUse: uses)
        size += made.size
        while size > room, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            size -= oldest.value.made.size
            kept[oldest.key] = nil
        }
    }
}

extension AnswerDesk.Made {
    /// - Parameter compressed: whether the asker takes gzip.
    init(_ answer: Answer, compressed: Bool) {
        guard compressed, answer.body.count >= Gzip.shortest, answer.fields[.contentEncoding] == nil,
            !answer.type.hasPrefix("image/") || answer.type.hasPrefix("image/svg"),
            let body = Gzip.compressed(answer.body)
        else {
            self.init(answer: answer, isCompressed: false)
            return
        }
        var answer = answer
        answer.body = body
        self.init(answer: answer, isCompressed: true)
    }
}
