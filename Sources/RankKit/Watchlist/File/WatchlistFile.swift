import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The watchlist on disk.
package enum WatchlistFile {
    /// The largest file that is read, in bytes: 16 MiB.
    package static let largestSize = 16 << 20

    /// Why a file could not be read or written.
    package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// Nothing has this name: what `rankd` ends with 66 for.
        case missing(path: String)
        case notPermitted(path: String)
        /// Something else than a file: `kind` says what, with its article.
        case notAFile(path: String, kind: String)
        case tooLarge(path: String)
        case empty(path: String)
        /// Any other refusal of the system, in its own words.
        case unreadable(path: String, reason: String)
        case unwritable(path: String, reason: String)
        /// Replaced, but not yet certain to survive a power cut.
        case unsynced(path: String, reason: String)

        package var description: String {
            switch self {
            case .missing(let path):
                "\(path): no such file; name another with --watchlist FILE, or make one with “rankctl init”"
            case .notPermitted(let path):
                "\(path): you may not read it; let the user that runs this read the file and enter its folders"
            case .notAFile(let path, let kind): "\(path): \(kind), not a file; name the watchlist itself"
            case .tooLarge(let path):
                "\(path): larger than \(WatchlistFile.largestSize >> 20) MiB; name a watchlist, or split this one"
            case .empty(let path): "\(path): the file is empty; write { \"watch\": [ … ] }"
            case .unreadable(let path, let reason): "\(path): cannot be read: \(reason); check the disk"
            case .unwritable(let path, let reason):
                "\(path): cannot be written: \(reason); nothing was changed; check the folder's permissions and the disk"
            case .unsynced(let path, let reason):
                "\(path): changed, but the folder could not be flushed to the disk: \(reason); check the disk"
            }
        }
    }

    /// The bytes of the file at `path`, through symbolic links. Never waits, whatever stands there.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO waits for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, path) }
        defer { close(descriptor) }
        _ = try size(of: descriptor, path)
        // The size that fstat tells may be out of date by the time of reading: only the bytes count.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= largestSize {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno, path)
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        guard bytes.count <= largestSize else { throw .tooLarge(path: path) }
        guard !bytes.isEmpty else { throw .empty(path: path) }
        return bytes
    }

    private static func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Darwin)
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// What `fstat` tells of an open file, which must be a regular one.
    private static func size(of descriptor: CInt, _ path: String) throws(Failure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notAFile(path: path, kind: "a folder")
        case S_IFIFO: throw .notAFile(path: path, kind: "a FIFO")
        case S_IFSOCK: throw .notAFile(path: path, kind: "a socket")
        default: throw .notAFile(path: path, kind: "a device")
        }
        guard status.st_size <= largestSize else { throw .tooLarge(path: path) }
        return status
    }

    private static func failure(_ code: CInt, _ path: String) -> Failure {
        switch code {
        case ENOENT, ENOTDIR: .missing(path: path)
        case EACCES, EPERM: .notPermitted(path: path)
        // What Linux says to the opening of a socket.
        case ENXIO: .notAFile(path: path, kind: "a socket")
        default: .unreadable(path: path, reason: String(cString: strerror(code)))
        }
    }
}

extension WatchlistFile {
    /// How much of a file tells whether it is a watchlist, in bytes.
    package static let tellingSize = 64 << 10

    /// Whether a file looks like a watchlist, sound or with slips in it: whoever writes one by hand can't make it again.
    ///
    /// - Parameter beginning: its first `tellingSize` bytes, or all.
    package static func isLikely(_ beginning: [UInt8]) -> Bool {
        let text = String(decoding: beginning, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        // What reports write as JSON begins with its version and when it was made, which no watchlist says.
        guard let first = text.first, "{[/".contains(first), !text.prefix(100).contains("\"generatedAt\"") else {
            return false
        }
        // Every watchlist has one of these; lines of other JSON seldom do.
        return text.firstMatch(of: /[\s{,\["'](?:watch|apps|bundleIds?)["']?\s*:/) != nil
    }
}
