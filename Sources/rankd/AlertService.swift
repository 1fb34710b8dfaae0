import Alerts
import Console
import Foundation
import History
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
    /// Where channels find what they need: their secrets, read anew at every reload, and what takes mails.
    private func alertSurroundings(_ mail: MailRoute) -> AlertSender.Surroundings {
        AlertSender.Surroundings(
            secrets: AlertSecrets(environment: ProcessInfo.processInfo.environment, watchlist: file.path),
            mail: mail, host: ProcessInfo.processInfo.hostName, now: Self.now)
    }

    /// Decides what is new and sends what is due, as the service does beside its timer. Where that fails a warning says
    /// so, and the next run tries again.
    ///
    /// Mails go to sendmail itself: nothing keeps a program that a person or cron starts from it.
    func sendAlerts(of settings: AlertSettings?, in history: HistoryStore) async {
        let sendmail = Sendmail(environment: ProcessInfo.processInfo.environment)
        let alerts = AlertDispatcher(
            history: history, clock: ContinuousClock(), zone: .gmt, log: log, digestDelay: 8, now: Self.now)
        if settings != nil { CoreFiles.refuse() }
        do {
            try await alerts.adopt(settings, in: alertSurroundings(.program { await sendmail.handOver($0) }))
            let delivered = try await alerts.judgeAndSend(patience: Self.resendingPatience)
            guard !delivered.isEmpty else { return }
            let parts = delivered.sorted { $0.key < $1.key }.map { "\($0.value) to \($0.key)" }
            Terminal.say(SafeText.escaped("messages sent: \(parts.joined(separator: ", "))"))
        } catch is CancellationError {
            return
        } catch {
            log.warning(
                "new events could not be judged: the next run tries again", metadata: ["reason": "\(error)"])
        }
    }

    /// A message that does not arrive is tried again after five seconds or six.
    private static let resendingPatience = Duration.seconds(15)

    /// Has messages decided and sent as `settings` say. Where that fails it is tried again at every look, and nothing else
    /// waits for it.
    func adopt(_ settings: AlertSettings?, in alerts: AlertDispatcher<ContinuousClock>) async {
        // Secrets are about to be read.
        if settings != nil { CoreFiles.refuse() }
        do { try await alerts.adopt(settings, in: alertSurroundings(.folder(.beside(database)))) } catch {
            log.error(
                "the watchlist is in force, but its alerts are not yet: rankd tries again",
                metadata: ["reason": "\(error)"])
        }
    }
}
