import NIOCore
package import RankKit

extension ListeningFailure.Cause {
    /// - Parameter error: what opening the port or the socket threw.
    package init(_ error: any Error) {
        switch error {
        case let error as IOError: self.init(code: error.errnoCode)
        case SocketAddressError.unknown: self = .unknownHost
        default: self = .other("\(error)")
        }
    }
}
