import Crypto
import Foundation
import Logging

/// Pictures kept on disk, so that a restart fetches nothing again: files of a folder that is this program's own.
///
/// Nothing here fails for anybody: a folder that cannot be read holds nothing, and one that cannot be written is told of
/// once.
actor ImageFolder {
    private let path: String
    /// In bytes, of all pictures together.
    private let limit: Int
    private let logger: Logger
    /// Bytes of all pictures; `nil` until they were counted.
    private var size: Int?
    private var hasComplained = false

    private static let keyName = "key"
    private static let suffix = ".image"
    private static let unfinished = ".partial"

    init(path: String, limit: Int, logger: Logger) {
        self.path = path
        self.limit = limit
        self.logger = logger
    }

    /// The picture of that name; `nil` if there is none, or what is there is no picture, which then goes.
    func picture(_ image: SizedImage) -> Picture? {
        let file = Self.file(image)
        guard let bytes = read(file, upTo: Picture.largest) else { return nil }
        guard let picture = Picture(bytes) else {
            remove(file, bytes.count)
            return nil
        }
        // The time of the last change is that of the last use: access times are often switched off.
        _ = utimensat(AT_FDCWD, full(file), nil, AT_SYMLINK_NOFOLLOW)
        return picture
    }

    /// Keeps a picture, and drops what was not used for longest where there is no room.
    func keep(_ picture: Picture, _ image: SizedImage) {
        let file = Self.file(image)
        let total = size ?? counted()
        let former = status(file).map(\.size) ?? 0
        guard write(picture.bytes, to: file) else { return }
        size = total + picture.bytes.count - former
        if let size, size > limit { makeRoom() }
    }

    /// The key that is kept here, made where there is none; one for this process alone where it cannot be kept.
    func key() -> SymmetricKey {
        if let bytes = read(Self.keyName, upTo: 32), bytes.count == 32 { return SymmetricKey(data: bytes) }
        let key = SymmetricKey(size: .bits256)
        _ = write(key.withUnsafeBytes { Array($0) }, to: Self.keyName)
        return key
    }

    private static func file(_ image: SizedImage) -> String {
        let digest = SHA256.hash(data: Data((image.host + image.path).utf8))
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + suffix
    }

    private static func isOurs(_ file: String) -> Bool {
        let name = file.hasSuffix(unfinished) ? file.dropLast(unfinished.count) : file[...]
        return name.hasSuffix(suffix) && name.utf8.count == 64 + suffix.utf8.count
            && name.dropLast(suffix.count).allSatisfy { "0123456789abcdef".contains($0) }
    }

    private func full(_ file: String) -> String { path + "/" + file }

    // MARK: Room

    private func counted() -> Int {
        var total = 0
        for (file, status) in ours() {
            if file.hasSuffix(Self.unfinished) { unlink(full(file)) } else { total += status.size }
        }
        return total
    }

    /// Down to nine tenths, so that not every picture has to make room.
    private func makeRoom() {
        let files = ours().sorted { $0.status.usedAt < $1.status.usedAt }
        var total = files.reduce(0) { $0 + $1.status.size }
        for (file, status) in files where total > limit / 10 * 9 {
            if unlink(full(file)) == 0 { total -= status.size }
        }
        size = total
    }

    private func ours() -> [(file: String, status: Status)] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter(Self.isOurs).compactMap { file in status(file).map { (file, $0) } }
    }

    private struct Status {
        var size: Int
        var usedAt: Date
    }

    /// `nil` unless it is a plain file.
    private func status(_ file: String) -> Status? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: full(file)),
            attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int,
            let usedAt = attributes[.modificationDate] as? Date
        else { return nil }
        return Status(size: size, usedAt: usedAt)
    }

    // MARK: Files

    private func read(_ file: String, upTo most: Int) -> [UInt8]? {
        let descriptor = open(full(file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return (try? handle.read(upToCount: most + 1)).map { Array($0) } ?? nil
    }

    private func remove(_ file: String, _ bytes: Int) {
        if unlink(full(file)) == 0 { size = size.map { $0 - bytes } }
    }

    /// Under its name only once it is whole; it need not outlive a power cut, as it can be fetched again.
    private func write(_ bytes: [UInt8], to file: String) -> Bool {
        mkdir(path, 0o700)
        let temporary = full(file) + Self.unfinished
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return complain(String(cString: strerror(errno))) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do {
            try handle.write(contentsOf: bytes)
            try handle.close()
        } catch {
            close(descriptor)
            unlink(temporary)
            return complain(Self.reason(error))
        }
        guard rename(temporary, full(file)) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            return complain(reason)
        }
        return true
    }

    /// In the system's words where it is the system's: Foundation's own name is of its objects.
    private static func reason(_ error: any Error) -> String {
        guard let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError,
            cause.domain == NSPOSIXErrorDomain
        else { return "\(error)" }
        return String(cString: strerror(Int32(cause.code)))
    }

    private func complain(_ reason: String) -> Bool {
        guard !hasComplained else { return false }
        hasComplained = true
        logger.warning("cannot keep images in \(path): \(reason); they are kept in memory alone")
        return false
    }
}
