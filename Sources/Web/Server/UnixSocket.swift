import Foundation
import RankKit

/// A socket of the file system, before it is listened on.
enum UnixSocket {
    /// - Throws: `ListeningFailure` if somebody answers there or may do so, or something else has the name: what a program that has
    ///   ended left behind may be replaced, and one that runs may not be robbed of its name.
    static func requireFree(_ path: String) throws(ListeningFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw Listening.unix(path).failure(.notASocket) }
        if let trouble = trouble(path) { throw Listening.unix(path).failure(trouble) }
    }

    /// Why the socket cannot be replaced; `nil` if nobody has it any more. Whoever is too busy to answer, or wants to be
    /// talked to in another way, still has it.
    private static func trouble(_ path: String) -> ListeningFailure.Cause? {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_UNIX, kind, 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #endif
        // Whoever binds it then says why.
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // One that does not fit is refused by whoever binds it.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard !isConnected else { return .inUse }
        return switch errno {
        case ECONNREFUSED, ENOENT: nil
        case EACCES, EPERM: .closedSocket
        default: .inUse
        }
    }

    /// What is kept from everybody but the owner and the group, from the moment that the socket is there: its owner and
    /// the group may talk to it, and nobody else.
    static let mask: mode_t = 0o117
}
