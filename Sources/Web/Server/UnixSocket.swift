import Foundation

/// A socket of the file system, before it is listened on.
package enum UnixSocket {
    /// Why it cannot be listened on.
    package struct InUse: Error, Sendable, CustomStringConvertible {
        let path: String

        package var description: String { "another program listens on \(path) already" }
    }

    /// - Throws: `InUse` where somebody answers there: what a program that has ended left behind may be replaced, and
    ///   one that runs may not be robbed of its name.
    static func requireFree(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // One that does not fit is refused by whoever binds it.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isAnswered = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isAnswered { throw InUse(path: path) }
    }
}
