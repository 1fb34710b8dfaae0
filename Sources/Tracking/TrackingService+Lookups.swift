import AppStore
import History
import RankKit

/// What the loop knows of the apps that have not been seen in their countries.
struct UnseenApps {
    var apps: [StorefrontApp: AppPresence] = [:]
    /// When they were last read; `nil` if they never were.
    var readAt: Timestamp?
    /// Passes since nothing was due, or an answer last came.
    var passesHeldUp = 0

    /// The request to be made beside a pass: of apps that have waited for longer than one pass already, because
    /// searches fall due faster than they are asked.
    func heldUp(now: Timestamp) -> [LookupSchedule.Batch] {
        passesHeldUp < 1 ? [] : Array(LookupSchedule.batches(apps, now: now).prefix(1))
    }
}

extension TrackingService {
    /// Looks up a batch of what is due, if it can be done before a search falls due at `deadline`. One at a time, so that
    /// a new watchlist and the watchdog never wait for more than that.
    ///
    /// - Returns: whether anything was asked.
    func lookUp(_ memory: inout Memory, until deadline: Timestamp?, while state: State) async throws -> Bool {
        let now = pass.now()
        guard let lookups = pass.lookups, await lookups.lane.pace.pauseLeft == nil,
            let batch = LookupSchedule.batches(memory.unseen.apps, now: now).first
        else {
            memory.unseen.passesHeldUp = 0
            return false
        }
        guard deadline.map({ now < $0 }) ?? true else { return false }
        async let _: Void = reportBeside { state }
        let before = await lookups.lane.pace.health.pause
        for event in try await pass.lookUp([batch], until: deadline) { memory.tell(.lookedUp(event)) }
        await tellHealth(of: lookups.lane, before: before, memory)
        let apps = try await pass.history.unseenApps()
        // One that was cut off has changed nothing: time for it is still to be found.
        if apps != memory.unseen.apps { memory.unseen.passesHeldUp = 0 }
        memory.unseen.apps = apps
        return true
    }

    /// Looks up everything that is due, however long it takes.
    func lookUpAll(_ memory: Memory) async throws {
        guard await pass.mayLookUp else { return }
        let batches = LookupSchedule.batches(try await pass.history.unseenApps(), now: pass.now())
        guard !batches.isEmpty else { return }
        memory.tell(.lookingUp(apps: batches.reduce(0) { $0 + $1.bundleIDs.count }))
        for event in try await pass.lookUp(batches) { memory.tell(.lookedUp(event)) }
    }

    /// Reads again which apps have not been seen, after a pass whose lists may have shown some.
    ///
    /// - Returns: whether they were read.
    func refresh(_ memory: inout Memory) async throws -> Bool {
        let now = pass.now()
        // One that lists no longer show becomes one of them only with time.
        let isFresh = memory.unseen.readAt.map { $0 <= now && now - $0 < Self.secondsBetweenReadings } ?? false
        guard pass.lookups != nil, !memory.unseen.apps.isEmpty || !isFresh else { return false }
        memory.unseen.readAt = now
        let before = memory.unseen.apps
        memory.unseen.apps = try await pass.history.unseenApps()
        // What is no longer unseen may also have left the watchlist.
        let gone = before.filter { $0.value.isUnknown && memory.unseen.apps[$0.key] == nil }.keys
        for app in gone.sorted() {
            if try await pass.history.hasSeen(app) { memory.tell(.lookedUp(.foundAgain(app))) }
        }
        return true
    }

    private static var secondsBetweenReadings: Int64 { 3_600 }

    /// When the next look-up may be made; `nil` if none is to be.
    func nextLookup(_ unseen: UnseenApps, now: Timestamp) async -> Timestamp? {
        guard let lookups = pass.lookups, let wake = LookupSchedule.nextWake(unseen.apps, now: now) else { return nil }
        return await lookups.earliest(wake, now: now)
    }
}
