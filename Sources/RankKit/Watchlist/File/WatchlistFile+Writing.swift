import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension WatchlistFile {
    /// Replaces the file at `path` by `bytes` at once and for good: whoever reads it sees the old bytes or the new,
    /// and after this returns a power cut leaves the new. The mode stays, and a symbolic link stays a link: its target
    /// is replaced.
    ///
    /// - Parameter isPrivate: whether nobody but its owner may read a file that is not there yet.
    package static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(Failure) {
        let target = try resolved(path)
        var status = stat()
        let exists = stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG { throw .notAFile(path: path, kind: "a special file") }
        let mode = exists ? status.st_mode & 0o7777 : isPrivate ? 0o600 : 0o640
        let temporary = target + ".new-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path) }
        var isOpen = true
        do throws(Failure) {
            try fill(descriptor, with: bytes, path)
            // As root the owner must stay as well, or the service could no longer read its list. For anybody else
            // the call may be refused, and then the new file is rightly theirs.
            if exists, fchown(descriptor, status.st_uid, status.st_gid) != 0, geteuid() == 0 { throw unwritable(path) }
            guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw unwritable(path) }
            isOpen = false
            guard close(descriptor) == 0, rename(temporary, target) == 0 else { throw unwritable(path) }
        } catch {
            if isOpen { close(descriptor) }
            unlink(temporary)
            throw error
        }
        try syncFolder(of: target, path)
    }

    private static func resolved(_ path: String) throws(Failure) -> String {
        guard let real = realpath(path, nil) else {
            if errno == ENOENT { return path }
            throw unwritable(path)
        }
        defer { free(real) }
        return String(cString: real)
    }

    private static func fill(_ descriptor: CInt, with bytes: [UInt8], _ path: String) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                throw unwritable(path)
            }
            written += count
        }
    }

    private static func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Darwin)
            Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Makes the new name last: a rename is durable once its folder is.
    private static func syncFolder(of target: String, _ path: String) throws(Failure) {
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unsynced(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unsynced(path) }
    }

    private static func unsynced(_ path: String) -> Failure {
        .unsynced(path: path, reason: String(cString: strerror(errno)))
    }

    private static func unwritable(_ path: String) -> Failure {
        .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
}
