import RankKit
import TestSupport

/// A page of results written by hand: what a test does not change is as the store writes it.
struct PageOfResults {
    var intentKind = "SearchResultsPageIntent"
    var term = "habit tracker"
    var storefront = "us"
    var platform = "iphone"
    var pageKind = "SearchResultsPage"
    var shelfID = "SearchResults.shelfId"
    /// JSON, each.
    var items: [String] = []
    var otherShelves: [String] = []
    /// JSON; `nil` leaves the member out.
    var nextPage: String? = "null"
    var isBareList = false

    static let query = Query(text: "habit tracker", country: Country(code: "us")!, source: .web)

    static func app(_ id: Int, _ rest: String = "") -> String {
        item("AppSearchResult", "content", id, rest)
    }

    static func item(_ kind: String, _ type: String, _ id: Int, _ rest: String = "") -> String {
        #"{"$kind":"\#(kind)","resultType":"\#(type)","lockup":{"$kind":"Lockup","adamId":"\#(id)","#
            + #""title":"App \#(id)","bundleId":"com.example.app\#(id)"\#(rest)}}"#
    }

    /// `nextPage` with these apps.
    static func more(_ ids: [Int]) -> String {
        let entries = ids.map { #"{"id":"\#($0)","type":"apps","href":"/v1/catalog/us/apps/\#($0)"}"# }
        return #"{"results":[\#(entries.joined(separator: ","))]}"#
    }

    var json: String {
        let next = nextPage.map { #","nextPage":\#($0)"# } ?? ""
        let shelf =
            #"{"$kind":"Shelf","contentType":"searchResult","id":"\#(shelfID)","items":[\#(items.joined(separator: ","))]}"#
        let element =
            #"{"intent":{"$kind":"\#(intentKind)","term":"\#(term)","storefront":"\#(storefront)","#
            + #""platform":"\#(platform)"},"data":{"$kind":"\#(pageKind)","#
            + #""shelves":[\#((otherShelves + [shelf]).joined(separator: ","))]\#(next)}}"#
        return isBareList ? "[\(element)]" : #"{"data":[\#(element)],"userTokenHash":"x"}"#
    }

    var html: [UInt8] { Self.html(json) }

    static func html(_ json: String) -> [UInt8] {
        Array(
            ("<!DOCTYPE html><html><head><script type=\"application/json\" id=\"serialized-server-data\">\(json)</script>"
                + "</head><body></body></html>").utf8)
    }
}
