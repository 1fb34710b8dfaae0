import Foundation
import RankKit
import ServiceLifecycle
import Synchronization

/// Tells systemd how the service is doing: datagrams to the socket that `NOTIFY_SOCKET` names.
///
/// Source: sd_notify(3), "Standalone Implementations". Without that variable every call does nothing.
package final class SystemdNotifier: Sendable {
    private let address: [UInt8]?
    /// Within what time this process is to prove that it lives, by `WATCHDOG_USEC` and `WATCHDOG_PID`; `nil` if it
    /// need not.
    package let watchdog: Duration?
    /// What is wrong for as long as it is, beside what is going on.
    private let trouble = Mutex<String?>(nil)
    /// Whether the end has been told: what a loop that is still turning, or a reload that is under way, says after it
    /// would take it back.
    private let isStopping = Mutex(false)

    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { Self.address($0) }
        let pid = environment["WATCHDOG_PID"].flatMap { Int32($0) }
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
        watchdog =
            pid == nil || pid == getpid() ? microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
    }

    /// The history is open, migrated, and the watchlist is in force.
    ///
    /// - Parameter trouble: what is wrong until the next time that this is called, such as a watchlist that could not be
    ///   taken up.
    package func ready(_ status: String? = nil, trouble: String? = nil) {
        self.trouble.withLock { $0 = trouble }
        tell("READY=1\nSTATUS=\(line(status))", within: Self.patience)
    }

    /// The start takes longer, for at least so long.
    package func starting(_ status: String, for duration: Duration) {
        let microseconds = (duration + .seconds(30)).components.seconds * 1_000_000
        tell("EXTEND_TIMEOUT_USEC=\(microseconds)\nSTATUS=\(line(status))")
    }

    /// A reload has begun; `ready` ends it.
    package func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        tell("RELOADING=1\nMONOTONIC_USEC=\(microseconds)", within: Self.patience)
    }

    /// The loop moved and the history answered.
    package func alive(_ status: String) {
        tell((watchdog != nil ? "WATCHDOG=1\n" : "") + "STATUS=\(line(status))")
    }

    package func stopping() {
        isStopping.withLock { isStopping in
            isStopping = true
            send("STOPPING=1\nSTATUS=stopping", within: Self.patience)
        }
    }

    /// How long the socket of a busy systemd is waited for where no later message would say the same, in seconds.
    private static let patience = 2

    /// Sends `message` unless the end has been told.
    private func tell(_ message: String, within seconds: Int = 0) {
        isStopping.withLock { isStopping in
            if !isStopping { send(message, within: seconds) }
        }
    }

    /// A status is one line, and shows on terminals.
    private func line(_ status: String?) -> String {
        let status = [status, trouble.withLock { $0 }].compactMap { $0 }.joined(separator: "; ")
        return SafeText.escaped(status)
    }

    /// The bytes of the socket's name: a path, or after `@` a name in the abstract namespace. `nil` if it does not
    /// fit a socket address.
    private static func address(_ name: String) -> [UInt8]? {
        var bytes = Array(name.utf8)
        guard bytes.count > 1, bytes.count < 108, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@") else {
            return nil
        }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        return bytes
    }

    /// A socket that stays full loses the message.
    ///
    /// - Parameter seconds: how long it is waited for; not at all where the next message makes it good.
    private func send(_ message: String, within seconds: Int) {
        #if os(Linux)
            guard let address else { return }
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            var limit = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let flags = seconds > 0 ? 0 : Int32(MSG_DONTWAIT)
            var target = sockaddr_un()
            target.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
            let bytes = Array(message.utf8)
            _ = withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(descriptor, bytes, bytes.count, flags, $0, length)
                }
            }
        #endif
    }
}

/// Tells systemd that the end has begun.
package struct StopNotice: Service {
    private let notifier: SystemdNotifier

    package init(notifier: SystemdNotifier) { self.notifier = notifier }

    package func run() async throws {
        try await gracefulShutdown()
        notifier.stopping()
    }
}
