/// An address of Apple's image hosts, taken apart and found harmless: `https`, a name under `mzstatic.com`, a path that
/// means the same to everybody who reads it, and a size in its last part.
struct ImageAddress: Hashable, Sendable {
    /// In lower case: `is1-ssl.mzstatic.com`.
    let host: String
    /// From its first slash to the last one, which the size follows.
    let folder: String
    /// Names a size and a kind: `512x512bb.jpg`.
    let ending: String

    /// In bytes; Apple's longest were about 300 so far.
    private static let longest = 600
    private static let scheme = "https://"
    private static let domain = ".mzstatic.com"

    /// `nil` if `text` is anything else, whatever a browser would make of it: user names, ports, questions, fragments,
    /// escapes, dots and empty parts in the path are refused, not tidied up.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.hasPrefix(Self.scheme) else { return nil }
        self.init(place: text.dropFirst(Self.scheme.count))
    }

    /// - Parameter place: the address without its scheme.
    init?(place: Substring) {
        guard place.utf8.count <= Self.longest, let slash = place.firstIndex(of: "/"),
            let last = place.lastIndex(of: "/"), slash < last, Self.isHost(place[..<slash])
        else { return nil }
        let parts = place[place.index(after: slash)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy(Self.isPlain) else { return nil }
        host = String(place[..<slash])
        folder = String(place[slash...last])
        ending = String(place[place.index(after: last)...])
        guard ending.wholeMatch(of: #/[0-9]{1,5}x[0-9]{1,5}[a-z]{0,4}(-[0-9]{1,3})?\.(jpg|jpeg|png|webp)/#) != nil
        else { return nil }
    }

    /// Without its scheme.
    var place: String { host + folder + ending }

    private static func isHost(_ host: Substring) -> Bool {
        guard host.hasSuffix(domain) else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isLowerLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether nothing in a part of a path is ever escaped, dropped or joined with another.
    private static func isPlain(_ part: Substring) -> Bool {
        guard !part.isEmpty, part != ".", part != ".." else { return false }
        return part.utf8.allSatisfy { byte in
            isLowerLetter(byte) || isLowerLetter(byte | 0x20) || isDigit(byte) || "._-@+~,".utf8.contains(byte)
        }
    }

    private static func isLowerLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// The sizes that pages show; no other is asked for, so no visitor can fill the cache with a thousand sizes of one.
enum ImageSize: String, CaseIterable, Sendable {
    /// Beside an app's name, 64 points; twice that for sharp screens.
    case icon
    /// At the head of an app's page, 128 points.
    case large
    /// 348 points high, whatever its width.
    case screenshot

    /// What Apple calls it. “bb” asks for the largest picture that fits into the box; a screenshot's box is wide enough
    /// that its height decides. Icons keep their kind, since those of Mac apps are transparent; screenshots as PNG would
    /// be ten times as many bytes.
    fileprivate func ending(for former: String) -> String {
        let kind = former.split(separator: ".").last ?? "jpg"
        return switch self {
        case .icon: "128x128bb.\(kind)"
        case .large: "256x256bb.\(kind)"
        case .screenshot: "1280x696bb.jpg"
        }
    }
}

/// A picture in the size that is shown: what is fetched, and what is kept.
struct SizedImage: Hashable, Sendable {
    let host: String
    /// Begins with a slash and ends with a size of ours.
    let path: String

    init(_ address: ImageAddress, _ size: ImageSize) {
        host = address.host
        path = address.folder + size.ending(for: address.ending)
    }
}
