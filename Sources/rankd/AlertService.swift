import Alerts
import Foundation
import ServiceLifecycle

/// Judges and sends beside the timer.
struct AlertService: Service {
    let desk: AlertDesk<ContinuousClock>

    func run() async throws {
        await cancelWhenGracefulShutdown { await desk.run() }
    }
}

extension Tracker {
    /// Where channels find what they need: their secrets, read anew at every reload, and a place for mail.
    var alertSurroundings: AlertSender.Surroundings {
        AlertSender.Surroundings(
            secrets: AlertSecrets(environment: ProcessInfo.processInfo.environment, watchlist: file.path),
            spool: MailSpool.beside(database), host: ProcessInfo.processInfo.hostName, now: Self.now)
    }
}
