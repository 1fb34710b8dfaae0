import Console
import Logging
import Monitoring
import RankKit
import ServiceLifecycle
import Tracking

extension Tracker {
    /// Tracking beside the answers to Prometheus. It begins when the port is had: one that is in use is to end rankd
    /// before anything is asked.
    ///
    /// - Parameter begin: called when the port is had.
    func services(
        _ tracking: TrackingService<ContinuousClock>, answering place: HostPort, with metrics: DaemonMetrics,
        _ begin: @escaping @Sendable () -> Void
    ) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        let (ready, announcement) = AsyncStream.makeStream(of: Void.self)
        let server = MetricsServer(place, log: log, text: { try await metrics.text() }) { [log] address in
            begin()
            log.notice("metrics", metadata: ["address": "\(address)"])
            announcement.finish()
        }
        return [
            .init(service: Following(ready: ready, service: tracking)),
            // rankd goes on without it.
            .init(service: server, successTerminationBehavior: .ignore),
        ]
    }

    /// Runs `service` once another one is ready.
    private struct Following: Service {
        let ready: AsyncStream<Void>
        let service: TrackingService<ContinuousClock>

        func run() async throws {
            for await _ in ready {}
            try await service.run()
        }
    }
}

extension ListeningFailure {
    /// Says so, and how the program ends because of it.
    var ending: ExitStatus {
        Terminal.say(SafeText.escaped(description))
        return .ioError
    }
}

extension TrackingService.State {
    /// The same for Prometheus.
    var metrics: DaemonMetrics.State {
        switch self {
        case .idle: DaemonMetrics.State(.idle)
        case .asking(let done, let total): DaemonMetrics.State(.asking, done: done, of: total)
        case .paused: DaemonMetrics.State(.paused)
        case .stalled: DaemonMetrics.State(.stalled)
        case .waiting(let checks, _, let state):
            state.metrics.waiting(checks)
        }
    }
}

extension DaemonMetrics.State {
    fileprivate func waiting(_ results: Int) -> Self {
        var state = self
        state.waiting = results
        return state
    }
}
