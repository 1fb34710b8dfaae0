import Crypto
import HTTPTypes
import Reports

/// The files that every page needs beside itself. Each has the digest of its content in its address, so that a browser
/// keeps it for good and asks for a new one the moment there is one.
struct SiteAssets: Sendable {
    let name: String
    let type: String
    let body: [UInt8]
    private let digest: String

    var path: String { "/assets/\(digest)/\(name)" }
    var route: String { "/assets/:digest/\(name)" }
    /// From where another asset is.
    fileprivate var pathFromAsset: String { "../\(digest)/\(name)" }

    private init(_ name: String, type: String, _ body: [UInt8]) {
        self.name = name
        self.type = type
        self.body = body
        let hash = SHA256.hash(data: body)
        digest = hash.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    private init(_ name: String, type: String, _ text: String) { self.init(name, type: type, Array(text.utf8)) }

    static let style = SiteAssets("site.css", type: "text/css; charset=utf-8", PageStyle.css + SiteStyle.css)
    static let script = SiteAssets(
        "site.js", type: "text/javascript; charset=utf-8", SiteScript.sent)
    static let icon = SiteAssets("icon.svg", type: "image/svg+xml", SiteStyle.icon)
    /// What a phone puts on its home screen: without round corners, which it cuts itself.
    static let homeIcon = SiteAssets("icon-180.png", type: "image/png", SiteStyle.icon180)
    private static let icon192 = SiteAssets("icon-192.png", type: "image/png", SiteStyle.icon192)
    private static let icon512 = SiteAssets("icon-512.png", type: "image/png", SiteStyle.icon512)

    /// What a browser needs to keep the site as an app (W3C, Web Application Manifest). Its addresses are relative to
    /// its own, so that they hold under any path.
    static let manifest = SiteAssets(
        "site.webmanifest", type: "application/manifest+json",
        """
        {"name": "rankd", "short_name": "rankd", "start_url": "../../", "scope": "../../",
        "display": "standalone", "background_color": "#ffffff", "theme_color": "\(themeColor)",
        "icons": [{"src": "\(icon192.pathFromAsset)", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"},
        {"src": "\(icon512.pathFromAsset)", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"}]}

        """)

    /// Of the icon.
    static let themeColor = "#0b57c2"

    static let all = [style, script, icon, homeIcon, icon192, icon512, manifest]

    /// For good under its own address. A page that was made before an update asks under an older one: it gets what
    /// there is now, and asks again the next time.
    func answer(_ visit: Visit) -> Answer {
        let isCurrent = visit.captures["digest"] == digest
        var fields = HTTPFields()
        fields[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        return Answer(type: type, body: body, fields: fields)
    }
}
