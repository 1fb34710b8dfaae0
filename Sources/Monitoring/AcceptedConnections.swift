import HummingbirdCore
internal import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many connections a server takes: as many as it is to hold, and none while the process may open nothing more. A
/// connection that cannot be taken would be offered again at once and for ever, which is a whole processor's work; so it
/// waits in the system's line until one of those that were taken has ended.
package struct AcceptedConnections: AvailableConnectionsDelegate, Sendable {
    private let most: Int
    private let said: Said
    private let hasRoom: @Sendable () -> Bool
    private let note: @Sendable (String) -> Void
    private var count = 0

    /// Whether it was said that no more are taken, and none of those have ended since.
    private final class Said: Sendable {
        let isSaid = Mutex(false)
    }

    /// - Parameters:
    ///   - most: from 1.
    ///   - hasRoom: whether the process may open something more.
    ///   - note: told once that no more are taken, and again when a tenth of them had ended meanwhile.
    package init(
        most: Int, hasRoom: @escaping @Sendable () -> Bool = AcceptedConnections.mayOpen,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.most = max(1, most)
        self.hasRoom = hasRoom
        self.note = note
        said = Said()
    }

    package mutating func connectionOpened() { count += 1 }

    package mutating func connectionClosed() {
        count -= 1
        if count <= most - max(1, most / 10) { said.isSaid.withLock { $0 = false } }
    }

    package func isAcceptingNewConnections() -> Bool {
        // Without one that can end, nothing would ever have the rest looked at again.
        if count == 0 { return true }
        if count < most, hasRoom() { return true }
        let isNews = said.isSaid.withLock { isSaid in
            defer { isSaid = true }
            return !isSaid
        }
        if isNews {
            note(
                count < most
                    ? "new connections have to wait: the limit of open files is reached"
                    : "new connections have to wait: \(count) are open")
        }
        return false
    }

    /// Tries it: some are held for what an answer opens.
    @Sendable package static func mayOpen() -> Bool {
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        for _ in 0..<4 {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            held.append(descriptor)
        }
        return true
    }
}
