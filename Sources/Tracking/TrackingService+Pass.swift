import AppStore
import History
import Logging
import RankKit
import Synchronization

/// One pass of the service, with all that is told and done beside it.
extension TrackingService {
    /// After so long without rest, steps of the clean-up go on beside the searches.
    private static var longestWithoutRest: Duration { .seconds(300) }

    /// Asks what is due, and says how it goes.
    func run(
        _ due: [ScheduledQuery], _ watchlist: Watchlist, _ edition: Int, _ memory: inout Memory
    ) async throws {
        let done = Mutex(0)
        let before = await pass.pace.health.pause
        let lookupsBefore = await pass.lookups?.lookup.pace.health.pause
        log.info("pass started", metadata: ["due": "\(due.count)"])
        report(Self.state(.asking(done: 0, of: due.count), await pass.recorder.backlog))
        async let _: Void = reportBeside { .asking(done: done.withLock { $0 }, of: due.count) }
        var pass = pass
        pass.parallelism = watchlist.service.parallelism
        let plan = plan
        let result = try await pass.run(
            due, beside: memory.unseen.heldUp(now: pass.now()),
            until: nextSearch(after: due, of: watchlist.scheduledQueries, memory.attempts),
            goesOn: { await plan.edition == edition }
        ) { event in
            memory.events.write(event)
            switch event {
            case .recorded(let check):
                done.withLock { $0 += 1 }
                memory.attempts.add(check.query, good: check.failure == nil, at: check.at)
            case .waits(let check, _):
                done.withLock { $0 += 1 }
                memory.attempts.add(check.query, good: check.outcome.isGood, at: check.at)
            case .throttled: done.withLock { $0 += 1 }
            case .lookedUp: return
            case .landed, .settled, .mended: break
            }
            report(Self.state(.asking(done: done.withLock { $0 }, of: due.count), await pass.recorder.backlog))
            await letStep(&memory)
        }
        log.info(
            "pass ended",
            metadata: [
                "asked": "\(result.asked)", "succeeded": "\(result.succeeded)", "failed": "\(result.failed)",
                "throttled": "\(result.throttled)", "seconds": "\(result.finishedAt - result.startedAt)",
            ])
        if result.isBadDay {
            log.warning(
                "a bad day of the store", metadata: ["suspect": "\(result.suspect)", "asked": "\(result.asked)"])
        }
        log.change(of: await pass.pace.health, from: before)
        if let lookups = pass.lookups, await lookups.lookup.pace.health.pause != lookupsBefore {
            log.change(of: await lookups.lookup.pace.health, from: lookupsBefore, endpoint: lookups.endpoint.name)
        }
    }

    /// Lets the clean-up take a step a second at most where searches have left it no time for long.
    private func letStep(_ memory: inout Memory) async {
        let now = clock.now
        guard memory.rested.duration(to: now) > Self.longestWithoutRest,
            memory.stepped.duration(to: now) >= .seconds(1)
        else { return }
        memory.stepped = now
        await activity.letStep()
    }

    /// When a search falls due again where all of `due` succeed now.
    private func nextSearch(
        after due: [ScheduledQuery], of queries: [ScheduledQuery], _ attempts: [Query: Attempts]
    ) -> Timestamp? {
        let now = pass.now()
        let supposed = attempts.merging(due.map { ($0.query, Attempts(lastGood: now)) }) { $1 }
        return Schedule.nextWake(queries, attempts: supposed, now: now)
    }
}

extension [Query: Attempts] {
    fileprivate mutating func add(_ query: Query, good: Bool, at moment: Timestamp) {
        self[query] = (self[query] ?? Attempts()).adding(good: good, at: moment)
    }
}
