import RankKit

/// A page of results as the web store writes it: HTML with the page's data in a script.
struct WebPage {
    let term: String
    let storefront: String
    let platform: Platform
    /// The places, best first.
    let apps: [SyntheticApp]
    /// What the rest of the page is drawn from.
    let hash: UInt64
    let moment: Timestamp

    static let scriptStart = #"<script type="application/json" id="serialized-server-data">"#

    var html: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(contentsOf: "<!DOCTYPE html>\n<html><head><title>App Store</title>\n".utf8)
        bytes.append(contentsOf: Self.scriptStart.utf8)
        bytes.append(contentsOf: data.utf8)
        bytes.append(contentsOf: "</script></head><body><div id=\"app\"></div></body></html>\n".utf8)
        return bytes
    }

    private var shown: ArraySlice<SyntheticApp> { apps.prefix(SyntheticStore.shownItems) }

    private var data: String {
        let intent = Self.object([
            ("$kind", Self.text("SearchResultsPageIntent")), ("term", Self.text(term)),
            ("storefront", Self.text(storefront)), ("platform", Self.text(platform.rawValue)),
        ])
        let shelf = Self.object([
            ("$kind", Self.text("Shelf")), ("contentType", Self.text("searchResult")),
            ("id", Self.text("SearchResults.shelfId")), ("items", "[\(items.joined(separator: ","))]"),
        ])
        let page = Self.object([
            ("$kind", Self.text("SearchResultsPage")), ("title", Self.text(term)), ("shelves", "[\(shelf)]"),
            ("nextPage", nextPage),
        ])
        return #"{"data":["# + Self.object([("intent", intent), ("data", page)]) + #"],"userTokenHash":"x"}"#
    }

    // MARK: Items

    private func draw(_ number: Int64) -> Double { SeededHash.mix(hash, number).unit }

    private var items: [String] {
        var items = shown.enumerated().map { index, app in
            let isEvent = index == 4 && draw(1) < 0.5
            return item(isEvent ? "AppEventSearchResult" : "AppSearchResult", isEvent ? "appEvent" : "content", app)
        }
        guard !items.isEmpty else { return items }
        if draw(2) < 0.5 {
            items.insert(
                #"{"$kind":"EditorialSearchResult","resultType":"content","title":"Our favourites"}"#,
                at: min(3, items.count))
        }
        if draw(3) < 0.4 {
            items.insert(
                #"{"$kind":"AppBundleSearchResult","resultType":"bundle","lockup":{"adamId":"1500000001","title":"Bundle"}}"#,
                at: min(7, items.count))
        }
        let advertised = apps.suffix(Int(draw(4) * 3)).map { item("AppSearchResult", "ad", $0) }
        return advertised + items
    }

    private func item(_ kind: String, _ type: String, _ app: SyntheticApp) -> String {
        Self.object([("$kind", Self.text(kind)), ("resultType", Self.text(type)), ("lockup", lockup(app))])
    }

    private func lockup(_ app: SyntheticApp) -> String {
        let ratings = app.ratings(step: app.edition(at: moment).ratingStep)
        let image = "https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\(String(app.traits, radix: 16))"
        var members = [
            ("$kind", Self.text("Lockup")),
            ("adamId", app.trackID % 2 == 0 ? Self.text(String(app.trackID)) : String(app.trackID)),
            ("title", Self.text(app.name)), ("subtitle", Self.text(app.genre.terms.prefix(3).joined(separator: ", "))),
            ("developerName", Self.text(app.developer)),
            ("icon", #"{"template":"\#(image)/icon/{w}x{h}{c}.{f}","crop":"bb","width":1024,"height":1024}"#),
            (
                "screenshots",
                #"[{"mediaPlatform":{"appPlatform":"\#(appPlatform)"},"artwork":"#
                    + #"[{"template":"\#(image)/screen/{w}x{h}{c}.{f}","width":1290,"height":2796}]}]"#
            ),
        ]
        // A few come without, as they do in the store.
        if app.trait(50) >= 0.1 { members.append(("bundleId", Self.text(app.bundleID.text))) }
        if ratings.count > 0 {
            members.append(("rating", String((ratings.average * 10).rounded() / 10)))
            members.append(("ratingCount", Self.count(ratings.count)))
        }
        return Self.object(members)
    }

    private var appPlatform: String {
        switch platform {
        case .iphone: "phone"
        case .ipad: "pad"
        case .mac: "mac"
        }
    }

    /// A small number as a number, a large one as people read it.
    private static func count(_ count: Int64) -> String {
        switch count {
        case ..<1_000: String(count)
        case ..<1_000_000: "\"\(count / 1_000).\(count % 1_000 / 100)K\""
        default: "\"\(count / 1_000_000).\(count % 1_000_000 / 100_000)M\""
        }
    }

    // MARK: The rest of the list

    /// The whole order again for some queries, and what follows for others.
    private var nextPage: String {
        guard apps.count > shown.count else { return "null" }
        let isWhole = draw(5) < 0.5
        var entries = (isWhole ? apps[...] : apps.dropFirst(shown.count)).map {
            #"{"id":"\#($0.trackID)","type":"apps","href":"/v1/catalog/\#(storefront)/apps/\#($0.trackID)"}"#
        }
        entries.insert(#"{"id":"1500000002","type":"editorial-items"}"#, at: min(entries.count, 15))
        return #"{"results":[\#(entries.joined(separator: ","))]}"#
    }

    // MARK: JSON

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    /// Without `<`, which would end the script.
    private static func text(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONString.append(text, to: &bytes, keepsUnsafe: true)
        return String(decoding: bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    }
}

extension WebPage {
    /// What the path of a page names: `/us/iphone/search`. Without a platform there is no page.
    struct Address {
        let country: String
        let platform: String

        init?(_ path: String) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0].isEmpty, parts[3] == "search", Platform(rawValue: String(parts[2])) != nil
            else { return nil }
            (country, platform) = (String(parts[1]), String(parts[2]))
        }
    }
}
