import Foundation
package import RankKit

/// What is asked of the iTunes Search API, and the URL that asks it.
///
/// Source: Apple, "iTunes Search API: Constructing Searches" and "Lookup Examples".
package enum StoreRequest: Sendable, Hashable {
    case search(Query)
    case lookup(Lookup)

    /// The most results that one answer can hold. Always asked for, and sliced here: no one has shown the order to
    /// be the same at other limits.
    package static let limit = 200

    package func url(at origin: Origin) -> String {
        let (path, items) = parts
        let question = items.map { "\($0.0)=\(Self.escape($0.1))" }.joined(separator: "&")
        return "\(origin)\(path)?\(question)"
    }

    private var parts: (path: String, items: [(String, String)]) {
        switch self {
        case .search(let query):
            var items = [
                ("term", query.text.precomposedStringWithCanonicalMapping), ("country", query.country.code),
                ("media", "software"),
                ("entity", query.platform.entity), ("limit", String(Self.limit)),
            ]
            if let language = query.language { items.append(("lang", language)) }
            return ("/search", items)
        case .lookup(.ids(let ids, let country)):
            return ("/lookup", [("id", ids.map(\.description).joined(separator: ",")), ("country", country.code)])
        case .lookup(.bundleIDs(let bundleIDs, let country)):
            return ("/lookup", [("bundleId", bundleIDs.map(\.text).joined(separator: ",")), ("country", country.code)])
        }
    }

    /// Percent-encodes every byte but RFC 3986's unreserved ones, so that each byte of the text arrives as it is.
    package static func escape(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.append(byte)
            default:
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

/// Apps asked for by what identifies them, in one country.
package enum Lookup: Sendable, Hashable {
    /// At most 50 ids.
    case ids([AppID], Country)
    /// At most 50.
    case bundleIDs([BundleID], Country)
}

extension Platform {
    /// Apple's name for the kind of app that the platform runs.
    package var entity: String {
        switch self {
        case .iphone: "software"
        case .ipad: "iPadSoftware"
        case .mac: "macSoftware"
        }
    }
}
