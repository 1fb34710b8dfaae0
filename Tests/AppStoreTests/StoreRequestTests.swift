import AppStore
import Foundation
import RankKit
import Testing

@Suite struct StoreRequestTests {
    private let us = Country(code: "us")!

    @Test(arguments: ["c++", "q&a", "50%", "a#b", "a b", "피트니스", "👩‍👩‍👧‍👦", "e\u{301}", "a/b?c=d;e", "\"'<>\\", "~-._"])
    func `a term arrives byte for byte`(term: String) throws {
        let escaped = FormText.encoded(term)
        #expect(
            escaped.utf8.allSatisfy {
                Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%".utf8).contains($0)
            })
        let arrived = try #require(escaped.removingPercentEncoding)
        #expect(Array(arrived.utf8) == Array(term.utf8))
    }

    @Test func `a search names everything that Apple asks for`() {
        let query = Query(text: "habit tracker", country: us, platform: .ipad, language: "en_us")
        #expect(
            StoreRequest.search(query).url(at: .apple)
                == "https://itunes.apple.com/search?term=habit%20tracker&country=us&media=software"
                + "&entity=iPadSoftware&limit=200&lang=en_us")
    }

    @Test func `two spellings of one text are sent as one, in NFC`() {
        let sent = ["caf\u{E9}", "cafe\u{301}"].map {
            StoreRequest.search(Query(text: $0, country: us)).url(at: .apple)
        }
        #expect(sent[0].contains("term=caf%C3%A9&") && sent[0] == sent[1])
    }

    @Test func `a look-up names ids or bundle ids, never both`() {
        #expect(
            StoreRequest.lookup(.ids([AppID(1), AppID(2)], us)).url(at: .apple)
                == "https://itunes.apple.com/lookup?id=1%2C2&country=us")
        #expect(
            StoreRequest.lookup(.bundleIDs([BundleID("com.a")!, BundleID("swc")!], us)).url(at: .apple)
                == "https://itunes.apple.com/lookup?bundleId=com.a%2Cswc&country=us")
    }

    @Test(arguments: [
        ("https://itunes.apple.com", "https://itunes.apple.com"), ("http://127.0.0.1:80/", "http://127.0.0.1:80"),
        ("HTTP://localhost:8080", "http://localhost:8080"), ("http://[::1]:9", "http://[::1]:9"),
        ("https://ITUNES.Apple.com", "https://itunes.apple.com"),
        ("https://itunes.apple.com.", "https://itunes.apple.com"),
        ("http://LOCALHOST.:8080", "http://localhost:8080"), ("http://[0:0:0:0:0:0:0:1]:9", "http://[::1]:9"),
    ])
    func `an origin is a scheme, a host and a port`(text: String, origin: String) {
        #expect(Origin(text)?.description == origin)
    }

    @Test(arguments: [
        "", "itunes.apple.com", "ftp://a", "http://", "http://a/search", "http://a?x", "http://a#x", "http://u:p@a",
        "http://127.1", "http://0x7f000001", "http://2130706433", "http://a..b", "http://[fe80::1%25eth0]",
        "file:///etc/passwd", "http://a:0", "http://a:99999", "http://a b",
    ])
    func `what is more or less than an origin is refused`(text: String) {
        #expect(Origin(text) == nil)
    }
}
