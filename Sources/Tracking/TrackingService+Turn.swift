import AppStore
import History
import Logging
import RankKit
import Synchronization

/// What one turn of the loop is about.
struct Turn: Sendable {
    let now: Timestamp
    let watchlist: Watchlist
    /// The plan's, that the watchlist is.
    let edition: Int
    let queries: [ScheduledQuery]

    /// - Parameter source: whose queries it is about; `nil` for all sources.
    init(now: Timestamp, of plan: CurrentPlan, asking source: Source?) async {
        self.now = now
        (watchlist, edition) = await plan.current
        queries = watchlist.scheduledQueries.filter { source == nil || $0.query.source == source }
    }
}

extension TrackingService {
    /// One turn: what is due of the loop's source is searched for. Where nothing is, an app is looked up, or there is
    /// rest until something is.
    func turn(_ memory: inout Memory) async throws {
        let (turn, due) = try await due(&memory)
        let pause = await pass.lane.pace.pauseLeft
        guard due.isEmpty || pause != nil else {
            _ = try await search(due, turn, &memory)
            return try await doUpkeep(&memory)
        }
        if isMain { try await rest(turn, pause, &memory) } else { try await sleep(turn, pause, &memory) }
    }

    /// Searches for what is due of the loop's source, to its end: with `--once`.
    ///
    /// - Returns: how the searches went, where there were any.
    func searchDue(_ memory: inout Memory) async throws -> PassResult? {
        let (turn, due) = try await due(&memory)
        return due.isEmpty ? nil : try await search(due, turn, &memory)
    }

    private func due(_ memory: inout Memory) async throws -> (turn: Turn, due: [ScheduledQuery]) {
        let turn = await Turn(now: pass.now(), of: plan, asking: pass.source)
        try await takeUpPlan(turn, &memory)
        if isMain { try await landWhatWaits(turn, memory) }
        return (turn, try await pass.recorder.due(turn.queries, now: turn.now))
    }

    // MARK: Before anything is asked

    /// Reads anew what lies behind the queries where the plan is another one, or the clock was set back.
    private func takeUpPlan(_ turn: Turn, _ memory: inout Memory) async throws {
        let setBack = memory.newest.map { $0 - turn.now } ?? 0
        if setBack > 0, isMain { log.notice("the clock was set back", metadata: ["by": "\(setBack)s"]) }
        if memory.edition != turn.edition || setBack > 0 {
            // What a pass that was cut off has left may take a while to record.
            async let _: Void = reportBeside { .asking(done: 0, of: turn.queries.count) }
            for event in try await pass.recorder.takeUp(pass.source, asOf: turn.now) { memory.tell(event) }
            if pass.lookups != nil, isMain { memory.unseen = UnseenApps(apps: try await pass.history.unseenApps()) }
            if memory.edition != turn.edition, memory.extent == .untilStopped, isMain {
                await upkeep.takeUpPlan(now: turn.now)
            }
            memory.edition = turn.edition
        }
        if memory.newest == nil, isMain { try await warnOfClock(turn.now) }
        memory.newest = turn.now
        try await upkeep.requireSound()
    }

    /// Says that the clock may not have been set yet. It is not waited for: what is due follows from the stored checks
    /// whatever the clock says, and the unit starts after the time is in order where something sees to that.
    private func warnOfClock(_ now: Timestamp) async throws {
        var last = try await pass.history.lastRequest()
        for source in pass.otherSources {
            last = [last, try await pass.history.lastRequest(of: source)].compactMap(\.self).max()
        }
        guard let last, last - now > 600 else { return }
        log.warning("the clock is behind the last request", metadata: ["by": "\(last - now)s"])
    }

    /// Records what the history could not take before, where it can now.
    private func landWhatWaits(_ turn: Turn, _ memory: Memory) async throws {
        var hasSettled = false
        for event in try await pass.recorder.land() {
            memory.tell(event)
            if case .settled = event { hasSettled = true }
        }
        await upkeep.goOn(now: turn.now, hasPassed: hasSettled)
    }

    // MARK: Searching

    /// Asks what is due, and says how it goes. The upkeep waits meanwhile.
    private func search(_ due: [ScheduledQuery], _ turn: Turn, _ memory: inout Memory) async throws -> PassResult {
        let before = await pauses
        memory.tell(.began(due: due.count, of: pass.source))
        await upkeep.activity.begin()
        var result: PassResult
        do {
            result = try await runPass(due, turn, &memory)
        } catch {
            await upkeep.activity.end()
            throw error
        }
        await upkeep.activity.end()
        if memory.extent == .once {
            for event in try await pass.recorder.land(isLastChance: true) {
                if case .wasBadDay(let kept, pass.source) = event { result = kept } else { memory.tell(event) }
            }
        }
        let backlog = await pass.recorder.backlog
        memory.tell(.ended(result, of: pass.source, backlog: backlog))
        if memory.extent == .once, let backlog { throw backlog.reason }
        await tellHealth(of: pass.lane, before: before.searches, memory)
        if let lookups = pass.lookups, await lookups.lane.pace.health.pause != before.lookups {
            await tellHealth(of: lookups.lane, before: before.lookups, memory)
        }
        return result
    }

    private func runPass(_ due: [ScheduledQuery], _ turn: Turn, _ memory: inout Memory) async throws -> PassResult {
        let done = Mutex(0)
        let isOnce = memory.extent == .once
        report(.asking(done: 0, of: due.count).with(await pass.recorder.backlog))
        async let _: Void = reportBeside { .asking(done: done.withLock { $0 }, of: due.count) }
        var pass = pass
        pass.parallelism = turn.watchlist.service.parallelism
        let now = pass.now()
        let next = isOnce ? nil : await pass.recorder.nextWake(turn.queries, asked: due, now: now)
        return try await pass.run(
            due, beside: memory.unseen.heldUp(now: now), until: next,
            goesOn: { [plan, recorder = pass.recorder] in
                // With `--once`, what cannot be recorded need not be asked.
                if isOnce { await recorder.backlog == nil } else { await plan.edition == turn.edition }
            },
            progress: { event in
                memory.tell(event)
                switch event {
                case .recorded, .waits, .throttled: done.withLock { $0 += 1 }
                case .lookedUp: return
                default: break
                }
                report(.asking(done: done.withLock { $0 }, of: due.count).with(await pass.recorder.backlog))
                await letStep(&memory)
            })
    }

    /// After so long without rest, steps of the upkeep go on beside the searches.
    private static var longestWithoutRest: Duration { .seconds(300) }

    /// Lets the upkeep take a step a second at most where searches have left it no time for long.
    private func letStep(_ memory: inout Memory) async {
        let now = clock.now
        guard memory.rested.duration(to: now) > Self.longestWithoutRest,
            memory.stepped.duration(to: now) >= .seconds(1)
        else { return }
        memory.stepped = now
        await upkeep.activity.letStep()
    }

    private var pauses: (searches: EndpointHealth.Pause?, lookups: EndpointHealth.Pause?) {
        get async { (await pass.lane.pace.health.pause, await pass.lookups?.lane.pace.health.pause) }
    }

    func tellHealth<Question: Sendable>(
        of lane: Lane<Question, C>, before: EndpointHealth.Pause?, _ memory: Memory
    ) async {
        let until = await lane.pace.pauseLeft.map { pass.now().end(of: $0) }
        memory.tell(.health(await lane.pace.health, of: lane.endpoint, before: before, pausedUntil: until))
    }

    // MARK: After a pass, and where nothing is due

    /// What follows a pass. Where one pass follows the other there is no other time for it.
    private func doUpkeep(_ memory: inout Memory) async throws {
        if isMain {
            if try await refresh(&memory) { memory.unseen.passesHeldUp += 1 }
            guard try await settle(&memory) == nil else { return }
        } else if await pass.recorder.backlog != nil {
            return
        }
        try await upkeep.startCleanUp(now: pass.now())
        try await upkeep.startBackup(now: pass.now())
    }

    /// Looks an app up where it is time for one, else sleeps until something is due.
    private func rest(_ turn: Turn, _ pause: Duration?, _ memory: inout Memory) async throws {
        let pauseEnd = pause.map { turn.now.end(of: $0) }
        let wake: Timestamp? =
            if let pauseEnd { pauseEnd } else { await pass.recorder.nextWake(turn.queries, now: turn.now) }
        let state = pauseEnd.map { State.paused(until: $0) } ?? .idle(until: wake)
        // A report that follows proves that work is possible.
        try await pass.history.answer()
        let backlog = try await settle(&memory)
        report(state.with(backlog))
        memory.rested = clock.now
        if backlog == nil {
            // Lists of another source may have shown some.
            if turn.watchlist.queries.contains(where: { $0.query.source != pass.source }) {
                _ = try await refresh(&memory)
            }
            await beat(turn.now, &memory)
            try await upkeep.startBackup(now: turn.now)
        }
        let mayLookUp = await pass.mayLookUp
        if mayLookUp, try await lookUp(&memory, until: wake, while: state) { return }
        let lookup = mayLookUp ? await nextLookup(memory.unseen, now: turn.now) : nil
        let nextTry = backlog.map { _ in turn.now + Recorder<C>.retryInterval.components.seconds }
        await sleep(until: [wake, lookup, nextTry].compactMap(\.self).min(), now: turn.now, edition: turn.edition)
    }

    /// Sleeps until something is due of a further source.
    private func sleep(_ turn: Turn, _ pause: Duration?, _ memory: inout Memory) async throws {
        let wake: Timestamp? =
            if let pause { turn.now.end(of: pause) } else { await pass.recorder.nextWake(turn.queries, now: turn.now) }
        memory.rested = clock.now
        if !turn.queries.isEmpty { memory.tell(.rested(backlog: await pass.recorder.backlog)) }
        await sleep(until: wake, now: turn.now, edition: turn.edition)
    }

    /// Leaves a sign of life in the history, now and then: searches leave their own.
    private func beat(_ now: Timestamp, _ memory: inout Memory) async {
        if let last = memory.beat, (last..<last + ServiceLife.beat).contains(now) { return }
        // What is wrong with the disk the next recording finds out, and tells.
        do { try await pass.history.noteServiceAlive(at: now) } catch {}
        memory.beat = now
    }

    /// Keeps the write-ahead log short, and tells what still waits.
    private func settle(_ memory: inout Memory) async throws -> Backlog? {
        try await keepLogShort(&memory)
        let backlog = await pass.recorder.backlog
        memory.tell(.rested(backlog: backlog))
        return backlog
    }

    /// Empties a long write-ahead log between passes, and says where that does not help.
    private func keepLogShort(_ memory: inout Memory) async throws {
        if pass.history.logBytes > HistoryStore.logLimit {
            // Whatever else is wrong the next recording finds out, and mends or tells.
            do { try await pass.history.checkpoint() } catch let error as HistoryError where !error.isFinal {}
        }
        let isLarge = pass.history.logBytes > HistoryStore.largeLog
        if isLarge, !memory.isLogLarge {
            log.warning(
                "the write-ahead log grows because a program keeps reading the history: end that program",
                metadata: ["file": "\(pass.history.path)-wal", "bytes": "\(pass.history.logBytes)"])
        } else if !isLarge, memory.isLogLarge {
            log.notice("the write-ahead log is short again")
        }
        memory.isLogLarge = isLarge
    }

    // MARK: Once

    /// What follows the searches of `--once`: look-ups and upkeep, to their end.
    func finish(_ result: PassResult?, _ memory: Memory) async throws -> PassResult? {
        if result == nil {
            let turn = await Turn(now: pass.now(), of: plan, asking: nil)
            memory.tell(.nothingDue(until: await pass.recorder.nextWake(turn.queries, now: pass.now())))
        } else if Task.isCancelled {
            return result
        }
        try await lookUpAll(memory)
        guard !Task.isCancelled || result == nil else { return result }
        try await upkeep.finish(hasSearched: result != nil, now: pass.now, memory.tell)
        return result
    }
}
