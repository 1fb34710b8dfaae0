internal import Dispatch
internal import Synchronization

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
    /// The same as `map`, on several processors: for whoever waits at the terminal. A daemon keeps to one.
    package func mapped<Result: Sendable>(on processors: Int, _ transform: @Sendable (Element) -> Result) -> [Result] {
        guard processors > 1, count > 1 else { return map(transform) }
        // More parts than processors, as some take longer.
        let parts = Swift.min(count, processors * 8)
        let done = Mutex<[Int: [Result]]>([:])
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = startIndex + count * part / parts..<startIndex + count * (part + 1) / parts
            let results = self[range].map(transform)
            done.withLock { $0[part] = results }
        }
        return done.withLock { done in (0..<parts).flatMap { done[$0] ?? [] } }
    }
}

/// Work that goes on while its owner does something else, where there is more than one processor; else it is done when
/// its value is asked for.
package struct AtOnce<Value: Sendable>: Sendable {
    private let work: @Sendable () -> Value
    private let group: DispatchGroup?
    private let done = Done()

    private final class Done: Sendable {
        let value = Mutex<Value?>(nil)
    }

    package init(on processors: Int, _ work: @escaping @Sendable () -> Value) {
        self.work = work
        guard processors > 1 else {
            group = nil
            return
        }
        let group = DispatchGroup()
        self.group = group
        DispatchQueue.global().async(group: group) { [done] in
            let value = work()
            done.value.withLock { $0 = value }
        }
    }

    /// Returns once it no longer goes on.
    package func wait() { group?.wait() }

    package var value: Value {
        wait()
        return done.value.withLock { $0 } ?? work()
    }
}
