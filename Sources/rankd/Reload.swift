import Alerts
import AppStore
import Console
import Foundation
import History
import Logging
import RankKit
import ServiceLifecycle
import Tracking
import UnixSignals

/// The watchlist's file, read anew at every reload.
struct WatchlistSource: Sendable {
    let path: String

    /// - Throws: `WatchlistFile.Failure` or `WatchlistError`.
    func load() throws -> DecodedWatchlist {
        try WatchlistFile.decode(path)
    }
}

/// What a SIGHUP does.
extension Tracker {
    /// Makes the file as it now stands the plan; where it is invalid, the running plan stays.
    func reload(
        plan: CurrentPlan, pass: TrackingPass<ContinuousClock>, alerts: AlertDispatcher<ContinuousClock>,
        _ clock: StatusClock
    ) async {
        notifier.reloading()
        do {
            let decoded = try file.load()
            let adoption = try await pass.history.adopt(decoded.watchlist, now: Self.now())
            await pass.set(requestsPerMinute: decoded.watchlist.service.requestsPerMinute)
            clock.set(decoded.watchlist)
            await plan.replace(with: decoded.watchlist)
            await adopt(decoded.watchlist.alerts, in: alerts)
            log.notice(
                "watchlist reloaded",
                metadata: [
                    "queries": "\(decoded.watchlist.queries.count)", "pairsAdded": "\(adoption.pairsAdded)",
                    "pairsRetired": "\(adoption.pairsRetired)", "pairsKept": "\(adoption.pairsKept)",
                ])
            warn(decoded.warnings)
            notifier.ready("watching \(decoded.watchlist.queries.count) queries")
        } catch let error as WatchlistError {
            stay(because: "the watchlist is invalid", mistakes: error.lines)
            await note(error, in: pass.history)
        } catch {
            stay(because: "\(error)")
            // The service, which this wakes, ends where the history is beyond use.
            if let error = error as? HistoryError, error.isFinal {
                await plan.replace(with: await plan.current.watchlist)
            } else {
                await note(error, in: pass.history)
            }
        }
    }

    /// Keeps the refusal in the file, where `rankctl status` finds it. What the disk does not take the log has said.
    private func note(_ refusal: any Error, in history: HistoryStore) async {
        do { try await history.noteRefusal(RefusedWatchlist.words(refusal), at: Self.now()) } catch {
            log.warning("the history could not record the refused watchlist", metadata: ["error": "\(error)"])
        }
    }

    private func stay(because reason: String, mistakes: [String] = []) {
        let count: Logger.Metadata = mistakes.isEmpty ? [:] : ["mistakes": "\(mistakes.count)"]
        log.error(
            "watchlist not reloaded: the previous one stays in force",
            metadata: ["reason": "\(reason)"].merging(count) { $1 })
        list(mistakes) { log.error("watchlist invalid", metadata: ["mistake": "\($0)"]) }
        notifier.ready(trouble: "watchlist not reloaded: the previous one stays in force")
    }

    /// Writes what the watchlist could say better.
    func warn(_ warnings: [Warning]) {
        list(warnings) { log.warning("watchlist", metadata: ["warning": "\($0)"]) }
    }

    /// Writes ten lines at most: of thousands at once a journal would drop most, and of other lines with them.
    private func list<Fault>(_ faults: [Fault], _ write: (Fault) -> Void) {
        let most = 10
        for fault in faults.prefix(most) { write(fault) }
        guard faults.count > most else { return }
        log.warning("and \(faults.count - most) more: rankctl watch check \(file.path)")
    }
}

/// A watchlist that was not taken up, as `rankctl status` tells it.
enum RefusedWatchlist {
    /// Why it was not.
    static func words(_ error: any Error) -> String {
        guard let mistakes = (error as? WatchlistError)?.lines else { return "\(error)" }
        guard let first = mistakes.first else { return "it is invalid" }
        return mistakes.count == 1 ? "\(first)" : "\(mistakes.count) mistakes, the first of them \(first)"
    }

    /// Keeps it in the history that rankd was to go on with. A history that is not there yet is not made for that, and
    /// one that another rankd writes has that one's watchlist.
    static func note(_ error: any Error, inHistoryAt database: String) async {
        guard FileManager.default.fileExists(atPath: database) else { return }
        do {
            let history = try HistoryStore(path: database)
            try await history.noteRefusal(words(error), at: Tracker.now())
            try await history.close()
        } catch HistoryError.heldByAnother {
        } catch { Terminal.say("the history could not record the refused watchlist: \(SafeText.escaped("\(error)"))") }
    }
}

/// Reads the watchlist again on each SIGHUP.
struct ReloadService: Service {
    let hangups: UnixSignalsSequence
    let reload: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in hangups { await reload() }
        }
    }
}
