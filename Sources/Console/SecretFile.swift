import Foundation
import RankKit

/// A file with a password or tokens, which is nobody else's to read.
package enum SecretFile {
    private static let largest = 1 << 20

    /// - Throws: `ExitStatus`, after saying what is wrong with the file.
    package static func read(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw refusal(path, String(cString: strerror(errno)), .noInput) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refusal(path, "it is no file", .data)
        }
        guard status.st_mode & 0o007 == 0 else {
            throw refusal(path, "every user of this machine may read it: chmod 640 it, or 600", .configuration)
        }
        guard status.st_size <= largest else { throw refusal(path, "it is larger than 1 MiB", .data) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw refusal(path, "it is not text (UTF-8)", .data)
        }
        return text
    }

    private static func refusal(_ path: String, _ why: String, _ status: ExitStatus) -> any Error {
        Terminal.say(SafeText.escaped("\(path): \(why)"))
        return status.code
    }
}
