/// An image that may be passed on: one of three kinds, told by its first bytes and by nothing that anybody says of it.
struct Picture: Hashable, Sendable {
    enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webP = "image/webp"
    }

    let kind: Kind
    let bytes: [UInt8]

    /// In bytes.
    static let largest = 2_000_000

    /// `nil` if the bytes begin as none of the three does, or are too many.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest else { return nil }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            // PNG 3rd edition, 5.2.
            kind = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            // A start of image and the next marker (ITU T.81, annex B).
            kind = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            // RFC 9649, 2.4.
            kind = .webP
        } else {
            return nil
        }
        self.bytes = bytes
    }
}
