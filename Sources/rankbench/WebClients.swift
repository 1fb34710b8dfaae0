import Foundation
import Synchronization

/// People who look at the site at the same time, each with a page open.
final class WebClients: Sendable {
    /// What came of all they asked.
    struct Outcome: Sendable {
        var answers = 0
        /// Of those that came, how long they took, in milliseconds.
        var times: [Double] = []
        var errors: [String] = []
    }

    private struct State {
        var isOver = false
        var outcome = Outcome()
    }

    private let state = Mutex(State())
    private let ended = DispatchGroup()

    /// Each has a stream of events open, and asks for a page every second as a browser does: by what it has of it.
    ///
    /// - Parameter paths: what they ask for, one after the other; each begins at another one.
    init(_ count: Int, asking paths: [String], of origin: String) {
        for client in 0..<count {
            ended.enter()
            let thread = Thread { [self] in
                ask(paths, of: origin, as: client)
                ended.leave()
            }
            thread.start()
        }
    }

    /// Ends them and tells what came of it.
    func stop() -> Outcome {
        state.withLock { $0.isOver = true }
        ended.wait()
        return state.withLock { $0.outcome }
    }

    private func ask(_ paths: [String], of origin: String, as client: Int) {
        do {
            let events = try WebConnection(origin)
            try events.listen()
            let connection = try WebConnection(origin)
            var tags: [String: String] = [:]
            var turn = client
            // Not all in the same moment.
            usleep(UInt32(client) * 20_000)
            while !state.withLock({ $0.isOver }) {
                let path = paths[turn % paths.count]
                let began = ContinuousClock.now
                let known = tags[path].map { ["If-None-Match: \($0)"] } ?? []
                let answer = try connection.get(path, ["Accept-Encoding: gzip"] + known)
                let took = began.duration(to: .now)
                tags[path] = answer.fields["etag"]
                note(answer.status == 200 || answer.status == 304 ? nil : "\(answer.status) of \(path)", took)
                turn += 1
                if took < .seconds(1) { usleep(UInt32((.seconds(1) - took) / .microseconds(1))) }
            }
            withExtendedLifetime(events) {}
        } catch {
            note("\(error)", .zero)
        }
    }

    private func note(_ problem: String?, _ took: Duration) {
        state.withLock { state in
            state.outcome.answers += 1
            if let problem {
                state.outcome.errors.append(problem)
            } else {
                state.outcome.times.append(took / .milliseconds(1))
            }
        }
    }
}
