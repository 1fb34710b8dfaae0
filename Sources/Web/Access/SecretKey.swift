import Crypto
import Foundation
import RankKit

/// Signs what the site hands out and wants to know again: sessions, links, addresses of images.
struct SecretKey: Sendable {
    private let key: SymmetricKey

    /// A new one, for as long as the program runs.
    init() { key = SymmetricKey(size: .bits256) }

    init(bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

    /// The key that is kept in this folder, made now where there is none, and made anew where it is damaged.
    ///
    /// - Parameter complain: told what is wrong with the file.
    /// - Returns: `nil` if none can be kept: what is signed then is forgotten at the end of the program.
    static func kept(in folder: String, complain: (String) -> Void) -> SecretKey? {
        let path = folder + "/key"
        mkdir(folder, 0o700)
        switch read(path) {
        case .whole(let bytes): return SecretKey(bytes: bytes)
        case .unreadable(let code):
            complain(
                "\(path) cannot be read (\(String(cString: strerror(code)))): log-ins and links end with the program")
            return nil
        case .damaged:
            complain("\(path) was damaged and has been replaced: all log-ins and links have ended")
            unlink(path)
        case .missing: break
        }
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        do throws(WatchlistFile.Failure) { try WatchlistFile.write(bytes, to: path, isPrivate: true) } catch {
            complain("\(error): log-ins and links may end with the program")
        }
        // Another program may have made it at the same moment: the one that is there counts.
        guard case .whole(let kept) = read(path) else { return nil }
        return SecretKey(bytes: kept)
    }

    private enum Kept {
        case whole([UInt8]), damaged, missing
        case unreadable(Int32)
    }

    private static func read(_ path: String) -> Kept {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT ? .missing : .unreadable(errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 33)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return .unreadable(errno) }
        return count == 32 ? .whole(Array(bytes.prefix(32))) : .damaged
    }

    /// A part of a secret's digest that only this key can make: it tells whether the secret is still the same, and
    /// helps nobody to guess it.
    func mark(of entry: Credentials.Entry) -> String {
        Self.base64(
            Array(HMAC<SHA256>.authenticationCode(for: Data("mark\u{0}".utf8) + entry.digest, using: key).prefix(12)))
    }

    /// `payload` with its signature, fit for a cookie and for an address.
    ///
    /// - Parameter purpose: what it is for: a signature for one is none for another.
    func signed(_ payload: String, for purpose: String) -> String {
        let body = Self.base64(Array(payload.utf8))
        return body + "."
            + Self.base64(Array(HMAC<SHA256>.authenticationCode(for: Self.data(purpose, body), using: key)))
    }

    /// What was signed; `nil` if this key did not sign it for this.
    func payload(of text: some StringProtocol, for purpose: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Self.bytes(String(parts[1])), let body = Self.bytes(String(parts[0])) else {
            return nil
        }
        // A text has one spelling: whatever else decodes to the same bytes would be another address of the same link.
        guard Self.base64(code) == parts[1], Self.base64(body) == parts[0] else { return nil }
        // In constant time, as swift-crypto says.
        let isOurs = HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: Self.data(purpose, String(parts[0])), using: key)
        return isOurs ? String(validating: body, as: UTF8.self) : nil
    }

    private static func data(_ purpose: String, _ body: String) -> Data { Data("\(purpose)\u{0}\(body)".utf8) }

    /// Source: RFC 4648, section 5, without padding.
    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 16_384 else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map(
            Array.init)
    }
}
