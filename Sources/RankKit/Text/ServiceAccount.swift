#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The user that the packages make for the service. What is said of it is said only on a machine that has it.
package struct ServiceAccount: Sendable {
    /// Of the user, and of its group.
    package static let name = "rankd"

    private let isHere: Bool
    package let hasSudo: Bool
    /// Whether it is the user that runs this program.
    package let isThis: Bool

    /// - Parameters:
    ///   - isHere: whether there is such a user, and it is not the one that runs this program.
    ///   - hasSudo: whether this machine has sudo(8).
    ///   - isThis: whether it is the user that runs this program.
    package init(isHere: Bool, hasSudo: Bool, isThis: Bool = false) {
        (self.isHere, self.hasSudo, self.isThis) = (isHere, hasSudo, isThis)
    }

    /// As this machine is.
    package static var ofThisMachine: ServiceAccount {
        let hasSudo = ["/usr/bin/sudo", "/bin/sudo", "/usr/local/bin/sudo"].contains { (path: String) in
            access(path, X_OK) == 0
        }
        let (known, own) = (user(name), geteuid())
        return ServiceAccount(isHere: known.map { $0 != own } ?? false, hasSudo: hasSudo, isThis: known == own)
    }

    /// As whom a command is to be run that may do what only rankd may: a phrase to follow “run this”.
    package var asService: String {
        guard isHere else { return "as the user that rankd runs as" }
        return hasSudo ? "as the user of rankd: sudo -u \(Self.name) …" : "as the user \(Self.name)"
    }

    /// A command that only root may run, as it is typed here.
    package func asRoot(_ command: String) -> String { hasSudo ? "sudo \(command)" : "as root: \(command)" }

    /// The number of the user `name`; `nil` if there is none. Reading it again and again must be safe beside other tasks.
    private static func user(_ name: String) -> uid_t? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var room = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &room, room.count, &found) == 0, let found else { return nil }
        return found.pointee.pw_uid
    }
}
