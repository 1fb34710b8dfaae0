import Foundation

/// Why a program cannot listen where it was told to.
package struct ListeningFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        case inUse
        case notPermitted
        /// The address belongs to another machine, or to none.
        case notOurs
        /// The host's name leads to no address.
        case unknownHost
        /// This machine does not speak the address's protocol, such as IPv6.
        case noSuchProtocol
        case noFolder
        /// Something that is not a socket has the socket's name.
        case notASocket
        /// A socket has the name that this user may not talk to: whether a program listens there cannot be told.
        case closedSocket
        case other(String)

        /// - Parameter code: an `errno` of `bind` or `listen`.
        package init(code: Int32) {
            self =
                switch code {
                case EADDRINUSE: .inUse
                case EACCES, EPERM, EROFS: .notPermitted
                case EADDRNOTAVAIL: .notOurs
                case EAFNOSUPPORT: .noSuchProtocol
                case ENOENT, ENOTDIR: .noFolder
                default: .other(String(cString: strerror(code)))
                }
        }
    }

    /// The host and the port; `nil` for a socket in the file system.
    private let port: HostPort?
    /// As people write it: `127.0.0.1:8480` or `unix:/run/web.sock`.
    private let place: String
    /// As people type it: `--listen`.
    private let option: String
    package let cause: Cause

    package init(_ place: HostPort, option: String, _ cause: Cause) {
        (port, self.place, self.option, self.cause) = (place, place.description, option, cause)
    }

    package init(socket path: String, option: String, _ cause: Cause) {
        (port, place, self.option, self.cause) = (nil, "unix:" + path, option, cause)
    }

    /// For people: what happened, where, and what to do.
    package var description: String { "cannot listen on \(place) (\(option)): \(reason); \(remedy)" }

    /// The ports that only programs with a right of their own may use.
    private static let reservedPorts = 1..<1_024

    private var reason: String {
        switch cause {
        case .inUse: "another program already listens there"
        case .notPermitted where port != nil: "you may not use this port"
        case .notPermitted: "you may not make a socket in that folder"
        case .notOurs: "this machine does not have that address"
        case .unknownHost: "the host's name cannot be found"
        case .noSuchProtocol: "this machine does not have such addresses"
        case .noFolder: "its folder does not exist"
        case .notASocket: "a file that is not a socket has this name, and it was left unchanged"
        case .closedSocket: "a socket with this name is there, and you may not use it"
        case .other(let words): words
        }
    }

    private var remedy: String {
        switch cause {
        case .inUse where port != nil: "stop that program, or choose another port, or port 0 for a free one"
        case .inUse: "stop that program, or choose another path"
        case .notPermitted where port.map { Self.reservedPorts.contains($0.port) } ?? false:
            "choose a port from 1024 on, and let a web server pass requests on"
        case .notPermitted where port != nil: "choose another port, or port 0 for a free one"
        case .notPermitted: "choose a folder that you may write in"
        case .notOurs, .unknownHost, .noSuchProtocol:
            "choose an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them"
        case .noFolder: "make the folder first, or choose another path"
        case .notASocket: "choose another path"
        case .closedSocket: "run this as the user that owns it, or choose another path"
        case .other: port == nil ? "choose another path" : "choose another address, or port 0 for a free one"
        }
    }
}
