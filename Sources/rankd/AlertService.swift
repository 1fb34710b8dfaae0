import Alerts
import Console
import Foundation
import Logging
import RankKit
import ServiceLifecycle

/// Judges and sends beside the timer.
struct AlertService: Service {
    let dispatcher: AlertDispatcher<ContinuousClock>

    func run() async throws {
        await cancelWhenGracefulShutdown { await dispatcher.run() }
    }
}

extension Tracker {
    /// Where channels find what they need: their secrets, read anew at every reload, and a place for mail.
    private var alertSurroundings: AlertSender.Surroundings {
        AlertSender.Surroundings(
            secrets: AlertSecrets(environment: ProcessInfo.processInfo.environment, watchlist: file.path),
            spool: MailSpool.beside(database), host: ProcessInfo.processInfo.hostName, now: Self.now)
    }

    /// Has messages decided and sent as `settings` say. Where that fails it is tried again at every look, and nothing else
    /// waits for it.
    func adopt(_ settings: AlertSettings?, in alerts: AlertDispatcher<ContinuousClock>) async {
        // Secrets are about to be read.
        if settings != nil { CoreFiles.refuse() }
        do { try await alerts.adopt(settings, in: alertSurroundings) } catch {
            log.error(
                "the watchlist is in force, but its alerts are not yet: rankd tries again",
                metadata: ["reason": "\(error)"])
        }
    }
}
