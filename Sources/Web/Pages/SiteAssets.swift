import Crypto
import HTTPTypes
import Reports

/// The files that every page needs beside itself. Each has the digest of its content in its address, so that a browser
/// keeps it for good and asks for a new one the moment there is one.
struct SiteAssets: Sendable {
    let name: String
    let type: String
    let text: String
    private let digest: String

    var path: String { "/assets/\(digest)/\(name)" }
    var route: String { "/assets/:digest/\(name)" }

    private init(_ name: String, type: String, _ text: String) {
        self.name = name
        self.type = type
        self.text = text
        let hash = SHA256.hash(data: Array(text.utf8))
        digest = hash.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    static let style = SiteAssets("site.css", type: "text/css; charset=utf-8", PageStyle.css + SiteStyle.css)
    static let script = SiteAssets(
        "site.js", type: "text/javascript; charset=utf-8", SiteScript.sent)
    static let icon = SiteAssets("icon.svg", type: "image/svg+xml", SiteStyle.icon)

    static let all = [style, script, icon]

    /// For good under its own address. A page that was made before an update asks under an older one: it gets what
    /// there is now, and asks again the next time.
    func answer(_ visit: Visit) -> Answer {
        let isCurrent = visit.captures["digest"] == digest
        var fields = HTTPFields()
        fields[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        return Answer(type: type, text, fields: fields)
    }
}
