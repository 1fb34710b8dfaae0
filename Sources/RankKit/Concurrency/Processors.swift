internal import Dispatch
internal import Synchronization

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
    /// The same as `map`, on several processors: for whoever waits at the terminal. A daemon keeps to one.
    ///
    /// - Throws: the first error, in the elements' order. Others may have been transformed by then.
    package func mapped<Value: Sendable, Failure: Error>(
        on processors: Int, _ transform: @Sendable (Element) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        guard processors > 1, count > 1 else { return try map(transform) }
        // More parts than processors, as some take longer: at the end none waits long for another.
        let parts = Swift.min(count, processors * 32)
        let done = Mutex<[Int: Result<[Value], Failure>]>([:])
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = startIndex + count * part / parts..<startIndex + count * (part + 1) / parts
            let values = Result { () throws(Failure) in try self[range].map(transform) }
            done.withLock { $0[part] = values }
        }
        let found = done.withLock { $0 }
        var values: [Value] = []
        values.reserveCapacity(count)
        for part in 0..<parts { values += try found[part]?.get() ?? [] }
        return values
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
