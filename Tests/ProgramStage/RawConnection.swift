#if os(Linux)
    import Foundation

    /// A connection over which a test sends bytes that no HTTP client would send.
    package final class RawConnection: Sendable {
        private let descriptor: Int32

        /// What a server sent, as far as it was read.
        package struct Answer: Sendable {
            package let status: Int
            package let head: String
            package let body: String

            /// The value of the first field of that name.
            package subscript(_ name: String) -> String? {
                let prefix = name.lowercased() + ":"
                let line = head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(prefix) }
                return line.map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
            }
        }

        /// - Parameter address: `http://127.0.0.1:PORT` or `unix:PATH`.
        package init(to address: String) throws {
            let path = address.hasPrefix("unix:") ? String(address.dropFirst(5)) : nil
            descriptor = socket(
                path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            let code: Int32
            if let path {
                var target = sockaddr_un()
                target.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path.utf8) }
                code = Self.connect(descriptor, &target)
            } else {
                var target = sockaddr_in()
                target.sin_family = sa_family_t(AF_INET)
                target.sin_port = in_port_t(URL(string: address)?.port ?? 0).bigEndian
                target.sin_addr.s_addr = inet_addr("127.0.0.1")
                code = Self.connect(descriptor, &target)
            }
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }

        deinit { close(descriptor) }

        private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }

        /// Sends as much of `text` as the server takes.
        package func send(_ text: String) {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// Whether the server has closed it, as far as has come here.
        package var isClosed: Bool {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        }

        /// Reads until `text` has come, or the server has closed; `nil` if that was before the end of the head.
        package func answer(until text: String? = nil) -> Answer? {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while text.map({ !String(decoding: bytes, as: UTF8.self).contains($0) }) ?? true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                bytes += buffer.prefix(count)
            }
            let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
            guard parts.count > 1, let status = parts[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) })
            else { return nil }
            return Answer(status: status, head: parts[0], body: parts.dropFirst().joined(separator: "\r\n\r\n"))
        }
    }
#endif
