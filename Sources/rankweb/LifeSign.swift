import Console
import ServiceLifecycle

/// Tells systemd twice in the time that it asks for that this process lives.
struct LifeSign: Service {
    let notifier: SystemdNotifier

    func run() async throws {
        guard let within = notifier.watchdog else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                notifier.alive("serving")
                do { try await Task.sleep(for: within / 2) } catch { return }
            }
        }
    }
}
