import AppStore
import History
import Logging
import RankKit

/// What the loop knows of the apps that have not been seen in their countries.
struct UnseenApps {
    var apps: [StorefrontApp: AppPresence] = [:]
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
    func lookUp(_ unseen: inout UnseenApps, until deadline: Timestamp?, while state: State) async throws -> Bool {
        let now = pass.now()
        guard let lookups = pass.lookups, await lookups.lookup.pace.pauseLeft == nil,
            let batch = LookupSchedule.batches(unseen.apps, now: now).first
        else {
            unseen.passesHeldUp = 0
            return false
        }
        guard deadline.map({ now < $0 }) ?? true else { return false }
        async let _: Void = reportBeside { state }
        let before = await lookups.lookup.pace.health.pause
        for event in try await pass.lookUp([batch], until: deadline) { log.log(event) }
        log.change(of: await lookups.lookup.pace.health, from: before, endpoint: lookups.endpoint.name)
        let apps = try await pass.history.unseenApps()
        // One that was cut off has changed nothing: time for it is still to be found.
        if apps != unseen.apps { unseen.passesHeldUp = 0 }
        unseen.apps = apps
        return true
    }

    /// Reads again which apps have not been seen, after a pass whose lists may have shown some.
    func refresh(_ unseen: inout UnseenApps) async throws {
        guard pass.lookups != nil, !unseen.apps.isEmpty else { return }
        let before = unseen.apps
        unseen.apps = try await pass.history.unseenApps()
        unseen.passesHeldUp += 1
        // What is no longer unseen may also have left the watchlist.
        let gone = before.filter { $0.value.isUnknown && unseen.apps[$0.key] == nil }.keys
        for app in gone.sorted() {
            if try await pass.history.hasSeen(app) { log.log(LookupPass<C>.Event.foundAgain(app)) }
        }
    }

    /// When the next look-up may be made; `nil` where none is to be.
    func nextLookup(_ unseen: UnseenApps, now: Timestamp) async -> Timestamp? {
        guard let lookups = pass.lookups, let wake = LookupSchedule.nextWake(unseen.apps, now: now) else { return nil }
        return await lookups.earliest(wake, now: now)
    }
}

extension Logger {
    /// Writes one line where it has turned out that an app is not sold, or is; the rest only when asked to be wordy.
    package func log<C>(_ event: LookupPass<C>.Event) {
        switch event {
        case .unknown(let app):
            warning("storefront \(app.country) sells no app \(app.bundleID); check the bundleId")
        case .foundAgain(let app):
            notice("storefront \(app.country) sells the app \(app.bundleID) after all")
        case .failed(let failure, let apps):
            debug(
                "look-up failed",
                metadata: [
                    "apps": "\(apps)", "reason": "\(failure.reason.rawValue)", "detail": "\(failure.detail)",
                ])
        case .unrecorded(let error):
            debug("look-up not recorded", metadata: ["reason": "\(error)"])
        case .throttled(let status):
            debug("look-up throttled by the App Store", metadata: ["status": "\(status)"])
        }
    }
}
