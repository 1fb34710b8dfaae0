import AppStore
import History
import RankKit

/// Asks the App Store for visitors: three searches a minute at most, off rankd's budget, and nothing is recorded. One
/// of them is always left by those who see only a part of the history.
///
/// A search that waits for its turn and is cancelled gives turn and place back. One that has been sent is cut off, all
/// the way to Apple's connection, and counts.
actor LiveSearch<C: Clock> where C.Duration == Duration {
    /// What the App Store answered, or why it was not asked.
    enum Answer: Sendable {
        case answered(ResultList, at: Timestamp)
        case other(SearchOutcome)
    }

    private let history: String
    private let endpoint: Endpoint
    private let store: AppStore
    private let turns: TurnsFile
    private let clock: C
    private let now: @Sendable () -> Timestamp
    /// Made with the first search: it goes on from what the history and the file say then.
    private var pace: Pace<C>?
    /// When searches were sent within the last minute, and those that wait to be; of whom.
    private var sent: [(at: C.Instant, of: Share)] = []
    private var waiting: [Share] = []
    private var running: [String: (ticket: Int, task: Task<Answer, Never>)] = [:]
    /// How many searches have been wanted and were not known.
    private(set) var lastTicket = 0
    private var kept: [(query: Query, list: ResultList, at: Timestamp, kept: C.Instant)] = []

    /// Who searches.
    enum Share: Sendable, Hashable {
        /// Of those who see the whole history.
        case whole
        /// Of those who see a part of it.
        case part

        fileprivate var mostPerMinute: Int { self == .whole ? LiveSearch.mostPerMinute : LiveSearch.mostPerMinute - 1 }
    }

    private static var mostPerMinute: Int { 3 }
    private static var minute: Duration { .seconds(60) }
    private static var mostKept: Int { 8 }
    /// Visitors whose searches are under way; each holds a place of the three, or is about to be refused.
    private static var mostRunning: Int { 64 }

    /// - Parameters:
    ///   - history: the file that rankd writes.
    ///   - origin: who is asked by `store`.
    ///   - turns: where the turns are shared; beside the history unless given.
    ///   - now: the wall clock.
    init(
        history: String, origin: Origin, store: AppStore, turns: TurnsFile? = nil, clock: C,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.history = history
        endpoint = .search(at: origin.description)
        self.store = store
        self.turns = turns ?? TurnsFile(beside: history)
        self.clock = clock
        self.now = now
    }

    /// Asks, in place of what `session` was asking before.
    ///
    /// - Parameters:
    ///   - session: who searches: one tab of one visitor.
    ///   - share: out of whose searches.
    func ask(_ query: Query, session: String, outOf share: Share = .whole) async -> Answer {
        let before = running[session]?.task
        before?.cancel()
        if let known = known(query) { return known }
        guard running.count < Self.mostRunning || before != nil else { return .other(.waiting(until: now() + 60)) }
        lastTicket += 1
        let ticket = lastTicket
        let task = Task {
            // What it held is free only when it has ended.
            _ = await before?.value
            return await turnAndAsk(query, share)
        }
        running[session] = (ticket, task)
        let answer = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if running[session]?.ticket == ticket { running[session] = nil }
        return answer
    }

    /// Asks beside whatever else is asked.
    func ask(_ query: Query, outOf share: Share = .whole) async -> Answer {
        lastTicket += 1
        return await ask(query, session: "#\(lastTicket)", outOf: share)
    }

    private func known(_ query: Query) -> Answer? {
        let now = clock.now
        kept.removeAll { $0.kept.duration(to: now) >= Self.minute }
        // As it is sent: the store may tell capitals apart.
        return kept.first { $0.query == query && $0.query.text == query.text }.map { .answered($0.list, at: $0.at) }
    }

    private func turnAndAsk(_ query: Query, _ share: Share) async -> Answer {
        guard !Task.isCancelled else { return .other(.superseded) }
        if let known = known(query) { return known }
        do {
            if let outcome = try await refusal(share) { return .other(outcome) }
            waiting.append(share)
            defer { waiting.remove(at: waiting.firstIndex(of: share) ?? 0) }
            guard let pace, case .granted = try await pace.turn() else { return .other(.paused(until: await pauseEnd)) }
        } catch is CancellationError {
            return .other(.superseded)
        } catch let trouble as TurnsFile.Trouble {
            return .other(.off("\(Self.words(trouble))"))
        } catch {
            return .other(.off("the history cannot be read"))
        }
        if Task.isCancelled {
            await pace?.giveUp()
            return .other(.superseded)
        }
        sent.append((clock.now, share))
        return await send(query)
    }

    private func send(_ query: Query) async -> Answer {
        let at = now()
        let reply: AppStore.Reply
        do { reply = try await store.search(query) } catch {
            await pace?.giveUp()
            return .other(.superseded)
        }
        await pace?.note(reply.endpointOutcome, at: now())
        switch reply {
        case .answered(let list):
            kept = Array((kept + [(query, list, at, clock.now)]).suffix(Self.mostKept))
            return .answered(list, at: at)
        case .throttled: return .other(.throttled(until: await pauseEnd))
        case .failed(let failure): return .other(.failed(failure))
        }
    }

    private var pauseEnd: Timestamp {
        get async {
            let left = await pace?.pauseLeft
            return left.map { now().end(of: $0) } ?? now() + 1
        }
    }

    // MARK: Whether to ask at all

    private func refusal(_ share: Share) async throws -> SearchOutcome? {
        let reader = try HistoryReader(path: history)
        if let why = try whyOff(reader) { return .off(why) }
        let health = try reader.health(of: endpoint)
        let moment = now()
        if health.pause == .throttled, health.secondsLeft(at: moment) > 0 {
            return .paused(until: moment + health.secondsLeft(at: moment))
        }
        let perMinute = try reader.requestsPerMinute()
        if let pace { await pace.set(requestsPerMinute: perMinute) } else { try makePace(perMinute) }
        if let left = await pace?.pauseLeft { return .paused(until: moment.end(of: left)) }
        let instant = clock.now
        sent.removeAll { $0.at.duration(to: instant) >= Self.minute }
        let isFull = sent.count + waiting.count >= Self.mostPerMinute
        let ofShare = sent.filter { $0.of == share }
        let isShareFull = ofShare.count + waiting.count(where: { $0 == share }) >= share.mostPerMinute
        guard isFull || isShareFull else { return nil }
        let limits = (isFull ? [sent] : []) + (isShareFull ? [ofShare] : [])
        let left =
            limits.map { $0.first.map { Self.minute - $0.at.duration(to: instant) } ?? Self.minute }.max()
            ?? Self.minute
        return .waiting(until: moment.end(of: left))
    }

    /// Together never more than the pace: so nothing is asked while a rankd runs that does not say its turns.
    private func whyOff(_ reader: HistoryReader) throws -> String? {
        let writer = reader.writer
        if writer == .nobody { try turns.makeIfMissing() }
        do throws(TurnsFile.Trouble) {
            guard try !turns.isShared(by: writer) else { return nil }
            return
                "rankd runs but does not share its pace: restart it, and look at its log if that does not help"
        } catch { return Self.words(error) }
    }

    private func makePace(_ perMinute: Int) throws {
        pace = try .sharing(
            turns, of: endpoint, as: Self.program, requestsPerMinute: perMinute, now: now, clock: clock)
    }

    private static var program: String { "rankweb" }

    private static func words(_ trouble: TurnsFile.Trouble) -> String {
        switch trouble {
        case .missing: "the file that shares rankd's pace is missing; start or restart rankd"
        case .unusable(_, let what): "the file that shares rankd's pace cannot be used (\(what))"
        case .locked: "the file that shares rankd's pace stays locked; restart rankd"
        case .held: "other programs keep this one waiting through the file that shares rankd's pace"
        }
    }
}
