import Synchronization

/// Says on a terminal that work goes on which takes longer than a second.
package final class WaitNotice: Sendable {
    private let line = ProgressLine()
    private let ticker = Mutex<Task<Void, Never>?>(nil)

    package init(_ what: String) {
        let line = line
        ticker.withLock { ticker in
            ticker = Task.detached {
                var seconds = 0
                while true {
                    do { try await Task.sleep(for: .seconds(1)) } catch { return }
                    seconds += 1
                    line.show("\(what), \(seconds) s")
                }
            }
        }
    }

    package func end() async {
        let running = ticker.withLock { ticker in
            defer { ticker = nil }
            return ticker
        }
        running?.cancel()
        await running?.value
        line.end()
    }
}
