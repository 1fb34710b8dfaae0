import Crypto
import Foundation

/// The addresses under which the site's pages show images: `/images/icon/SIGNATURE/is1-ssl.mzstatic.com/…`.
///
/// The signature says that this site wrote the address, so that nobody can have it fetch others. Nothing has to be
/// remembered for it, and it outlives a restart if its key does.
struct ImageNames: Sendable {
    static let root = "/images/"
    static let placeholder = "placeholder"
    private static let instead = "or"

    private let key: SymmetricKey
    /// Another where the key is another: part of what tells pages apart, since a page with signatures of an old key has
    /// no images.
    let edition: String

    /// 96 bits of HMAC-SHA-256 (RFC 2104, section 5): forging one is a matter of luck for an age of the world, and long
    /// signatures would be a good part of a page's bytes.
    private static let signatureBytes = 12

    init(key: SymmetricKey) {
        self.key = key
        edition = Self.text(HMAC<SHA256>.authenticationCode(for: Data("edition".utf8), using: key).prefix(6))
    }

    /// What an `<img>` names, to be escaped as any attribute. Percent-encoded ASCII, always with something behind it: an
    /// address that is none of Apple's images gets a placeholder's.
    ///
    /// - Parameters:
    ///   - address: as the store gave it.
    ///   - name: the app's, for the placeholder that stands in where there is no image; `nil` for screenshots.
    func path(for address: String?, _ size: ImageSize, name: String?) -> String {
        let mark = name.map { ImagePlaceholder(name: $0).mark } ?? ""
        let encoded = mark.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii)) ?? ""
        guard let address = address.flatMap({ ImageAddress($0) }) else {
            return Self.root + Self.placeholder + "/" + (encoded.isEmpty ? "-" : encoded)
        }
        let path = "\(Self.root)\(size.rawValue)/\(signature(size, address.place))/\(address.place)"
        return encoded.isEmpty ? path : "\(path)?\(Self.instead)=\(encoded)"
    }

    /// What a visit asks for, if this site wrote its address.
    ///
    /// - Parameter path: percent-decoded, without what is asked for.
    func image(at path: String) -> SizedImage? {
        guard path.hasPrefix(Self.root) else { return nil }
        let parts = path.dropFirst(Self.root.count).split(
            separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let size = ImageSize(rawValue: String(parts[0])),
            let signature = Self.bytes(parts[1]), let address = ImageAddress(place: parts[2]),
            isOurs(signature, size, address.place)
        else { return nil }
        return SizedImage(address, size)
    }

    /// The placeholder that a visit asks for by itself, or would have in place of an image.
    static func placeholder(for visit: Visit) -> ImagePlaceholder {
        let own = root + placeholder + "/"
        let mark = visit.path.hasPrefix(own) ? String(visit.path.dropFirst(own.count)) : visit[instead]
        return ImagePlaceholder(mark: mark ?? "")
    }

    private func code(_ size: ImageSize, _ place: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data("\(size.rawValue)\n\(place)".utf8), using: key)
    }

    private func signature(_ size: ImageSize, _ place: String) -> String {
        Self.text(code(size, place).prefix(Self.signatureBytes))
    }

    /// Compared in constant time.
    private func isOurs(_ signature: [UInt8], _ size: ImageSize, _ place: String) -> Bool {
        let right = code(size, place).prefix(Self.signatureBytes)
        guard signature.count == Self.signatureBytes else { return false }
        return zip(signature, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Base64 as addresses can have it (RFC 4648, section 5).
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `nil` unless `text` is exactly what `text(_:)` writes for 12 bytes.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: String(plain)).map(Array.init)
    }
}

extension CharacterSet {
    fileprivate static let ascii = CharacterSet(charactersIn: Unicode.Scalar(0)..<Unicode.Scalar(128))
}
