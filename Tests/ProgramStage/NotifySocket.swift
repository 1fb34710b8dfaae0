#if os(Linux)
    import Foundation

    /// The receiving end of sd_notify(3): a datagram a message, of lines `NAME=value`.
    package final class NotifySocket: Sendable {
        package let path: String
        private let descriptor: Int32

        package init(path: String) throws {
            self.path = path
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }

        deinit { close(descriptor) }

        /// Whether nothing is left that nobody took.
        package var isSilent: Bool { next() == nil }

        /// The first of the coming messages that is as wanted; those before it are dropped.
        @discardableResult
        package func message(where isWanted: ([String: String]) -> Bool) async throws -> [String: String] {
            try await eventually("a message to systemd") {
                while let message = next() {
                    if isWanted(message) { return message }
                }
                return nil
            }
        }

        private func next() -> [String: String]? {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return nil }
            let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
            return Dictionary(
                lines.map { line in
                    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), String(parts.count > 1 ? parts[1] : ""))
                }, uniquingKeysWith: { first, _ in first })
        }
    }
#endif
