import Foundation

/// Which file of the disk a name leads to, through links.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// `nil` where there is no such file, or it may not be looked at.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether both names lead to one file that is there.
    package static func areSame(_ left: String, _ right: String) -> Bool {
        guard let identity = FileIdentity(path: left) else { return false }
        return identity == FileIdentity(path: right)
    }
}
