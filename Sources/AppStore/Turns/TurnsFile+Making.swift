import Foundation

extension TurnsFile {
    /// Why the file is of no use, for people.
    package enum Trouble: Error, Sendable, Hashable, CustomStringConvertible {
        case missing(path: String)
        /// Not to be opened, not to be written, or no regular file.
        case unusable(path: String, what: String)
        /// Somebody does not let go of its lock.
        case locked(path: String)
        /// What others wrote into it kept a program from asking for longer than that is believed.
        case held(path: String)

        package var description: String {
            switch self {
            case .missing(let path): "there is no \(path)"
            case .unusable(let path, let what): "\(path) cannot be used (\(what))"
            case .locked(let path): "\(path) is locked by a program that does not let go of it"
            case .held(let path): "another program keeps others waiting through \(path)"
            }
        }

        init(errno code: Int32, path: String) {
            self = code == ENOENT ? .missing(path: path) : .unusable(path: path, what: String(cString: strerror(code)))
        }
    }

    /// Makes the file where there is none. Its group may write it: other programs that ask run as other users.
    package func make() throws(Trouble) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = open(path, flags, 0o660)
        guard descriptor >= 0 else { throw Trouble(errno: errno, path: path) }
        defer { close(descriptor) }
        // The umask has taken the group's right to write. Where the file is another's, its mode is another's business.
        _ = fchmod(descriptor, 0o660)
    }

    package func makeIfMissing() throws(Trouble) {
        if access(path, F_OK) != 0 { try make() }
    }

    /// Removes the file, so that nobody goes by one that its keeper cannot write.
    package func discard() { _ = unlink(path) }
}

/// The file, open and locked until the value goes.
struct LockedFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// In bytes: no honest file comes near.
    static let largest = 16_384
    /// How often the lock is tried for, and microseconds between: it is held for a read and a write.
    private static let tries = (count: 100, pause: UInt32(2_000))

    init(_ path: String) throws(TurnsFile.Trouble) {
        self.path = path
        // Removed and made anew while its lock was waited for: another file.
        for _ in 1...3 {
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
            do throws(TurnsFile.Trouble) {
                if try Self.lock(descriptor, path) {
                    self.descriptor = descriptor
                    return
                }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw .missing(path: path)
    }

    /// - Returns: whether the locked file is still the one at `path`.
    private static func lock(_ descriptor: Int32, _ path: String) throws(TurnsFile.Trouble) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unusable(path: path, what: "not a regular file") }
        var left = tries.count
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw TurnsFile.Trouble(errno: errno, path: path) }
            left -= 1
            guard left > 0 else { throw .locked(path: path) }
            usleep(tries.pause)
        }
        guard fstat(descriptor, &status) == 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
        return status.st_nlink > 0
    }

    deinit { close(descriptor) }

    func content() throws(TurnsFile.Trouble) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
        return Array(bytes.prefix(count))
    }

    /// Writes `bytes` in one go and over what was there, so that a program that is killed leaves the one or the other:
    /// spaces fill the rest.
    func replace(with bytes: [UInt8]) throws(TurnsFile.Trouble) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
        let step = 512
        let size = max((bytes.count + step - 1) / step * step, min(Int(status.st_size), Self.largest))
        let padded = bytes + [UInt8](repeating: UInt8(ascii: " "), count: size - bytes.count)
        let written = pwrite(descriptor, padded, padded.count, 0)
        guard written >= 0 else { throw TurnsFile.Trouble(errno: errno, path: path) }
        guard written == padded.count else { throw .unusable(path: path, what: "no room") }
        // Something far too long stood there.
        if Int(status.st_size) > Self.largest, ftruncate(descriptor, off_t(padded.count)) != 0 {
            throw TurnsFile.Trouble(errno: errno, path: path)
        }
    }
}
