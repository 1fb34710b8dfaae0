import Foundation
import RankKit
import Testing

@testable import AppStore

@Suite struct WebStorePageTests {
    private typealias Page = PageOfResults

    private func numbers(_ page: Page) throws -> [Int64] { try list(page).numbers }

    private func list(_ page: Page) throws -> ResultList { try WebStorePage.list(from: page.html, for: Page.query) }

    private func failure(_ body: [UInt8]) -> Failure? {
        do {
            _ = try WebStorePage.list(from: body, for: Page.query)
            return nil
        } catch { return error }
    }

    private func reason(_ page: Page) -> Failure.Reason? { failure(page.html)?.reason }

    // MARK: The envelope

    @Test(arguments: [false, true]) func `the data is an object, or a bare list as on older pages`(isBare: Bool) throws
    {
        #expect(try numbers(Page(items: [Page.app(1), Page.app(2)], isBareList: isBare)) == [1, 2])
    }

    @Test func `an unknown country is answered with the page of the United States, and that is a failure`() throws {
        let found = failure(Page(storefront: "gb", items: [Page.app(1)]).html)
        #expect(found?.reason == .wrongStorefront && found?.detail == "asked in us, answered from gb")
    }

    @Test func `the answer to another question is a failure`() throws {
        #expect(reason(Page(term: "habits", items: [Page.app(1)])) == .changedPage)
        #expect(reason(Page(platform: "ipad", items: [Page.app(1)])) == .changedPage)
        #expect(reason(Page(intentKind: "ProductPageIntent", items: [Page.app(1)])) == .changedPage)
        #expect(reason(Page(pageKind: "ChartsPage", items: [Page.app(1)])) == .changedPage)
    }

    @Test func `a text in another normal form is the same text`() throws {
        let query = Query(text: "cafe\u{301}", country: Country(code: "us")!, source: .web)
        let page = Page(term: "caf\u{E9}", items: [Page.app(1)])
        #expect(try WebStorePage.list(from: page.html, for: query).count == 1)
    }

    @Test func `a page without exactly one shelf of results has changed`() throws {
        #expect(reason(Page(shelfID: "Recommendations", items: [Page.app(1)])) == .changedPage)
        let second = #"{"$kind":"Shelf","contentType":"searchResult","id":"SearchResults.shelfId","items":[]}"#
        #expect(reason(Page(items: [Page.app(1)], otherShelves: [second])) == .changedPage)
    }

    @Test func `other shelves hold no results`() throws {
        let other = #"{"$kind":"Shelf","contentType":"smallLockup","id":"x","items":[\#(Page.app(9))]}"#
        #expect(try numbers(Page(items: [Page.app(1)], otherShelves: [other])) == [1])
    }

    @Test func `an empty shelf of results is an empty list`() throws {
        #expect(try list(Page()).count == 0)
    }

    @Test(arguments: [
        "<html><head><title>Before you continue</title></head></html>", "", "<html></html>", "{\"resultCount\":0}",
        "<html><script>var captcha = 1</script></html>", "<p>serialized-server-data</p>",
    ]) func `a page without the script is another page, never an empty list`(html: String) throws {
        let found = failure(Array(html.utf8))
        #expect(found?.reason == .otherPage && found?.detail.isEmpty == false)
        if html.contains("title") { #expect(found?.detail.contains("Before you continue") == true) }
    }

    @Test func `a script that is not whole is a failure`() throws {
        let whole = Page(items: [Page.app(1)], nextPage: "null").html
        for length in stride(from: 120, to: whole.count - 30, by: 7) {
            #expect(failure(Array(whole.prefix(length))) != nil)
        }
        #expect(failure(Page.html(Page(items: [Page.app(1)]).json + "x"))?.reason == .notJSON)
        // A browser ends the script there.
        #expect(failure(Page.html(Page(items: [Page.app(1, #","x":"</script>""#)]).json)) != nil)
        #expect(failure(whole + whole)?.reason == .changedPage)
    }

    @Test func `a page of more than 6 MiB is too large`() throws {
        let body = Array("<!--".utf8) + [UInt8](repeating: 0x78, count: 7 << 20) + Array("-->".utf8)
        #expect(failure(body + Page(items: [Page.app(1)]).html)?.reason == .tooLarge)
    }

    // MARK: Items

    @Test func `advertisements are counted and named, and are no places`() throws {
        let ad = Page.item("AppSearchResult", "ad", 7)
        let found = try list(Page(items: [ad, Page.app(1), ad, Page.app(7)]))
        #expect(found.numbers == [1, 7])
        #expect(found.beside.advertisements.map(\.name) == ["App 7", "App 7"])
        #expect(found.beside.advertisements.map(\.placesAbove) == [0, 1])
    }

    @Test func `an app that shows an event has a place`() throws {
        #expect(try numbers(Page(items: [Page.item("AppEventSearchResult", "appEvent", 3), Page.app(1)])) == [3, 1])
    }

    @Test(arguments: [
        ("EditorialSearchResult", "content"), ("DeveloperSearchResult", "content"), ("AppBundleSearchResult", "bundle"),
        ("BundleSearchResult", "bundle"), ("InAppSearchResult", "content"), ("GroupingSearchResult", "content"),
    ]) func `what is no app has no place`(kind: String, type: String) throws {
        let found = try list(Page(items: [Page.app(1), Page.item(kind, type, 5), Page.app(2)]))
        #expect(found.numbers == [1, 2])
        #expect(found.beside.others == 1 && found.beside.unknownKinds.isEmpty)
    }

    @Test func `an unknown kind with an app makes a changed page, and without one is counted and told once`() throws {
        #expect(reason(Page(items: [Page.app(1), Page.item("NewSearchResult", "content", 5)])) == .changedPage)
        let new = #"{"$kind":"NewSearchResult","resultType":"content"}"#
        let found = try list(Page(items: [new, Page.app(1), new]))
        #expect(found.numbers == [1])
        #expect(found.beside.others == 2 && found.beside.unknownKinds == ["NewSearchResult"])
    }

    @Test(arguments: [
        #"{"$kind":"New","lockup":{"adamId":"x"}}"#, #"{"$kind":"New","lockup":{"adamId":0}}"#,
        #"{"$kind":"New","lockup":[{"adamId":"1"}]}"#, #"{"$kind":"New","lockups":[{"adamId":"1"}]}"#,
    ]) func `an unknown kind that may show an app makes a changed page`(item: String) throws {
        #expect(reason(Page(items: [Page.app(9), item])) == .changedPage)
    }

    @Test func `a page that shows nothing but unknown kinds has changed, whatever it counts up`() throws {
        let new = #"{"$kind":"NewSearchResult","resultType":"content","app":{"adamId":"1"}}"#
        for next in ["null", Page.more([1, 2, 3])] {
            #expect(reason(Page(items: [new, new], nextPage: next)) == .changedPage)
        }
        #expect(reason(Page(items: [], nextPage: Page.more([1, 2, 3]))) == .changedPage)
        #expect(try numbers(Page(items: [])) == [])
    }

    @Test func `lists of lists do not fill the memory`() throws {
        let shelf = #"{"$kind":"Shelf","id":"other","items":[]}"#
        #expect(reason(Page(items: two, otherShelves: Array(repeating: shelf, count: 30))) == .tooLarge)
    }

    @Test(arguments: [
        #"{"$kind":"AppSearchResult","resultType":"content"}"#, #"{"$kind":"AppSearchResult","lockup":{"adamId":"1"}}"#,
        #"{"$kind":"AppSearchResult","resultType":"content","lockup":{"adamId":"x"}}"#,
        #"{"$kind":"AppSearchResult","resultType":"content","lockup":{"adamId":0}}"#,
        #"{"$kind":"AppSearchResult","resultType":"new","lockup":{"adamId":"1"}}"#, #"{"lockup":{"adamId":"1"}}"#,
        "null",
    ]) func `a place that cannot be read makes a changed page`(item: String) throws {
        #expect(reason(Page(items: [Page.app(9), item])) == .changedPage)
    }

    @Test func `a member that stands twice is refused`() throws {
        #expect(reason(Page(items: [Page.app(1, #","adamId":"2""#)])) == .notJSON)
    }

    @Test func `a place tells what the page tells about its app`() throws {
        let rest = #"""
            ,"subtitle":"Build &amp; keep","developerTagline":"Me GmbH","rating":4.8,"ratingCount":"2.4K",
            "icon":{"template":"https://a.example/i/{w}x{h}{c}.{f}","crop":"bb"},
            "screenshots":[
              {"mediaPlatform":{"appPlatform":"pad"},"artwork":[{"template":"https://a.example/pad/{w}x{h}{c}.{f}"}]},
              {"mediaPlatform":{"appPlatform":"phone"},
               "artwork":[{"template":"https://a.example/s/{w}x{h}{c}.{f}","width":1290,"height":2796}]}]
            """#
        let details = try #require(try list(Page(items: [Page.app(1, rest)])).places[0]).details()
        #expect(details.name == "App 1" && details.developer == "Me GmbH")
        // Entities are no part of JSON: decoding them would spoil a name.
        #expect(details.subtitle == "Build &amp; keep")
        #expect(details.rating == 4.8 && details.ratingCount == 2_400)
        #expect(details.iconURL == "https://a.example/i/512x512bb.jpg")
        #expect(details.screenshotURLs == ["https://a.example/s/392x849bb.png"])
    }

    @Test func `a tagline that repeats the subtitle is nobody's name`() throws {
        let rest = #","subtitle":"Relax","developerTagline":"Relax""#
        let details = try #require(try list(Page(items: [Page.app(1, rest)])).places[0]).details()
        #expect(details.developer == nil && details.subtitle == "Relax")
    }

    @Test(
        arguments: [
            ("12", 12), ("1,234", 1_234), ("2.4K", 2_400), ("2.4k", 2_400), ("1.2M", 1_200_000), ("3M", 3_000_000),
            ("1.2", nil), ("2,4 Tsd.", nil), ("", nil), ("K", nil), ("-3", nil), ("1,2", nil), ("9e99", nil),
        ] as [(String, Int64?)]) func `a number of ratings may be written as people read it`(
            text: String, count: Int64?
        ) throws
    {
        #expect(WebStoreItem.ratingCount(text) == count)
    }

    @Test func `an app of which only the number is told keeps its place`() throws {
        let bare = #"{"$kind":"AppSearchResult","resultType":"content","lockup":{"adamId":2,"title":"Two"}}"#
        let found = try list(Page(items: [Page.app(1), bare], nextPage: Page.more([3, 4])))
        #expect(found.count == 4 && found.unnamed == [1: AppID(2), 2: AppID(3), 3: AppID(4)])
        #expect(found.told[1]?.name == "Two" && found.places[1] == nil)
        let known = SeenApp(id: AppID(3), bundleID: BundleID("com.three")!)
        let named = found.naming(ResultList(places: [known]))
        #expect(named.places[2]?.bundleID.text == "com.three" && named.unnamed == [1: AppID(2), 3: AppID(4)])
        #expect(named.count == 4)
    }

    @Test func `what the page tells of an app goes before what a look-up does`() throws {
        let bare =
            #"{"$kind":"AppSearchResult","resultType":"content","lockup":{"adamId":2,"title":"Two","subtitle":"Sub"}}"#
        let known = SeenApp(id: AppID(2), bundleID: BundleID("com.two")!, fingerprint: nil) {
            AppDetails(name: "Other", developer: "Dev", rating: 4)
        }
        let details = try #require(try list(Page(items: [bare])).naming(ResultList(places: [known])).places[0])
            .details()
        #expect(details.name == "Two" && details.subtitle == "Sub")
        #expect(details.developer == "Dev" && details.rating == 4)
    }

    // MARK: The rest of the list

    private let two = [PageOfResults.app(1), PageOfResults.app(2)]

    @Test func `the rest is the whole order again, or what follows`() throws {
        #expect(try numbers(Page(items: two, nextPage: Page.more([1, 2, 3, 4]))) == [1, 2, 3, 4])
        #expect(try numbers(Page(items: two, nextPage: Page.more([3, 4]))) == [1, 2, 3, 4])
        #expect(try numbers(Page(items: two, nextPage: "null")) == [1, 2])
    }

    @Test(arguments: [[2, 1, 3], [1, 3, 2], [3, 1], [2, 3], [1]])
    func `anything between is a failure`(ids: [Int]) throws {
        #expect(reason(Page(items: two, nextPage: Page.more(ids))) == .cutList)
    }

    @Test(arguments: ["{}", #"{"results":null}"#, #"{"results":[]}"#, #"{"url":"/next"}"#, "1", "[]", #""x""#])
    func `a page that leaves out the rest is a cut list`(next: String) throws {
        #expect(reason(Page(items: two, nextPage: next)) == .cutList)
    }

    @Test func `a page that does not say whether there is more has changed`() throws {
        #expect(reason(Page(items: two, nextPage: nil)) == .changedPage)
    }

    @Test func `of the rest only apps count`() throws {
        let next = #"""
            {"results":[{"id":"9","type":"editorial-items"},{"id":3,"type":"apps"},{"id":"8","type":"app-bundles"},
            {"id":"7","type":"in-apps"},{"id":"4","type":"apps"}]}
            """#
        #expect(try numbers(Page(items: two, nextPage: next)) == [1, 2, 3, 4])
    }

    @Test(arguments: [
        #"{"id":"3","type":"movies"}"#, #"{"id":"3"}"#, #"{"id":"x","type":"apps"}"#, #"{"type":"apps"}"#, "3",
    ])
    func `an entry of the rest that cannot be read makes a changed page`(entry: String) throws {
        #expect(reason(Page(items: two, nextPage: #"{"results":[\#(entry)]}"#)) == .changedPage)
    }

    @Test func `of an app that comes twice the first place counts`() throws {
        #expect(try numbers(Page(items: [Page.app(1), Page.app(2), Page.app(1), Page.app(3)])) == [1, 2, 3])
        #expect(try numbers(Page(items: two, nextPage: Page.more([3, 4, 3, 5]))) == [1, 2, 3, 4, 5])
        #expect(
            try numbers(Page(items: two + [Page.app(1)], nextPage: Page.more([1, 2, 1, 3]))) == [1, 2, 3])
    }

    @Test func `more than a thousand results are too many`() throws {
        #expect(reason(Page(items: two, nextPage: Page.more(Array(3...1_200)))) == .tooLarge)
        #expect(reason(Page(items: (1...1_200).map { Page.app($0) })) == .tooLarge)
    }

    // MARK: The request

    @Test func `a page is asked for by country and platform, its term escaped strictly`() throws {
        let query = Query(text: "c++ & é", country: Country(code: "de")!, platform: .mac, source: .web)
        #expect(
            StoreRequest.search(query).url(at: .apple)
                == "https://apps.apple.com/de/mac/search?term=c%2B%2B%20%26%20%C3%A9")
        #expect(
            StoreRequest.search(query).url(at: Origin("http://127.0.0.1:8080")!).hasPrefix(
                "http://127.0.0.1:8080/de/mac/search?"))
        #expect(StoreRequest.search(query).manner.userAgent.hasPrefix("Mozilla/5.0 (compatible; rankd/"))
    }
}

extension ResultList {
    /// Apple's numbers in their order.
    var numbers: [Int64] { places.indices.compactMap { (places[$0]?.id ?? unnamed[$0])?.number } }
}
