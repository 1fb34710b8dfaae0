import History
package import RankKit
import Synchronization

/// What rankd knows of itself and no file says, beside what the history says.
package final class DaemonMetrics: Sendable {
    /// What it is doing.
    package enum Activity: String, Sendable, Hashable, CaseIterable {
        case idle, asking, paused
        /// The history cannot be read.
        case stalled
    }

    package struct State: Sendable, Hashable {
        package var activity: Activity
        /// Queries of the pass under way.
        package var queries: Int
        package var done: Int
        /// Results that wait in memory because the history cannot be written.
        package var waiting: Int

        package init(_ activity: Activity, done: Int = 0, of queries: Int = 0, waiting: Int = 0) {
            self.activity = activity
            self.queries = queries
            self.done = done
            self.waiting = waiting
        }
    }

    private let state = Mutex(State(.idle))
    private let database: String
    private let startedAt: Timestamp
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - database: the history's file, which is opened for each text and closed after it.
    ///   - now: the wall clock.
    package init(database: String, startedAt: Timestamp, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.startedAt = startedAt
        self.now = now
    }

    /// Takes up what rankd is doing now.
    package func note(_ state: State) { self.state.withLock { $0 = state } }

    /// All that Prometheus gets. A history that cannot be read leaves rankd's own figures, and says so.
    ///
    /// It reads on a thread of its own, so that it takes none from the tasks that ask and record.
    package func text() async throws -> String {
        try await BlockingWork.run { [self] _ in
            var text = PrometheusText()
            do {
                let reader = try HistoryReader(path: database)
                try HistoryMetrics.add(reader, now: now(), isNarrowed: false, to: &text)
                text.add(.readable, true)
            } catch {
                // Half of the figures would look like a change of the rest.
                text = PrometheusText()
                text.add(.readable, false)
            }
            addOwn(to: &text)
            return text.text
        }
    }

    private func addOwn(to text: inout PrometheusText) {
        let state = state.withLock { $0 }
        HistoryMetrics.addProgram(to: &text)
        text.add(.startTime, Double(startedAt.secondsSinceEpoch))
        for activity in Activity.allCases { text.add(.activity, activity == state.activity, activity.rawValue) }
        text.add(.passQueries, Double(state.queries))
        text.add(.passQueriesDone, Double(state.done))
        text.add(.waitingResults, Double(state.waiting))
    }
}
