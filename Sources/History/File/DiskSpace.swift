import Foundation

/// The file system on which a history lies.
package struct DiskSpace: Sendable, Hashable {
    /// What the user that rankd runs as may still write, in bytes.
    package var freeBytes: UInt64
    package var totalBytes: UInt64

    package init(freeBytes: UInt64, totalBytes: UInt64) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
    }

    /// Of the file at `path`, or of its folder where it is not there; `nil` where the system does not say.
    package init?(of path: String) {
        var state = statvfs()
        guard
            statvfs(path, &state) == 0
                || statvfs(URL(fileURLWithPath: path).deletingLastPathComponent().path, &state) == 0
        else { return nil }
        let unit = UInt64(state.f_frsize)
        self.init(freeBytes: UInt64(state.f_bavail) * unit, totalBytes: UInt64(state.f_blocks) * unit)
    }
}
