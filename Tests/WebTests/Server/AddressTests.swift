import RankKit
import Testing

@testable import Web

@Suite struct AddressTests {
    @Test func `a place to listen is a socket or a port`() {
        #expect(Listening("unix:/run/rankweb/web.sock") == .unix("/run/rankweb/web.sock"))
        #expect(Listening("127.0.0.1:0") != nil && Listening("[::1]:8480") != nil && Listening("localhost:80") != nil)
        for text in ["", "unix:", "8480", "host:", "host:-1", "host:65536", ":80", "::1:80", "a/b:80"] {
            #expect(Listening(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("[::1]:1", true), ("localhost:1", true), ("0.0.0.0:1", false), ("[::]:1", false),
        ("127.example.org:1", false),
    ])
    func `only loopback is local`(_ text: String, _ isLocal: Bool) throws {
        #expect(try #require(Listening(text)).isLocal == isLocal)
    }

    @Test func `an origin is compared without case and without its scheme's own port`() throws {
        #expect(WebOrigin("HTTPS://Ranks.example.com:443") == WebOrigin("https://ranks.example.com"))
        #expect(WebOrigin("http://a:443") != WebOrigin("http://a"))
        for text in ["https://H.example.", "https://h.example.:443", "https://h.example"] {
            let origin = try #require(WebOrigin(text), "\(text)")
            #expect(origin.authority == "h.example", "\(text)")
            #expect(origin.isOfTheSameHost(as: "https://h.example.") && origin.isOfTheSameHost(as: "https://H.EXAMPLE"))
        }
        #expect(WebOrigin("http://h.example.:8480")?.authority == "h.example:8480")
        #expect(WebOrigin("http://[::1]:8480")?.authority == "[::1]:8480")
        #expect(WebOrigin("http://[::1]")?.authority == "[::1]" && WebOrigin("https://.") == nil)
        for text in [
            "ranks.example.com", "https://", "ftp://a", "https://a@b", "https://a b", "https://a/b c", "https://a/../b",
            "https://a//b", "https://a/b?c", "https://a/\"b", "https://a/api", "https://a/reports/x", "https://a/%62",
        ] {
            #expect(WebOrigin(text) == nil, "\(text)")
        }
    }

    @Test func `a path that the site is found under is a part of its address, and none of its origin`() throws {
        let origin = try #require(WebOrigin("HTTPS://Example.com/Ranks/own/"))
        #expect(origin.base == "/Ranks/own" && origin.origin == "https://example.com")
        #expect(origin.description == "https://example.com/Ranks/own")
        #expect(origin != WebOrigin("https://example.com"))
        for (path, within) in [
            ("/Ranks/own/apps/a?b=c", "/apps/a?b=c"), ("/Ranks/own", "/"), ("/Ranks/own/", "/"), ("/apps/a", "/apps/a"),
            ("/Ranks/owner", "/Ranks/owner"), ("/Ranks/own?x", "/?x"),
        ] {
            #expect(origin.pathWithinBase(path) == within)
        }
    }

    @Test func `the site's own name over another scheme is the site, and another name is not`() throws {
        let origin = try #require(WebOrigin("https://ranks.example.com/ranks"))
        for same in ["https://ranks.example.com", "http://ranks.example.com", "HTTPS://RANKS.example.com:443"] {
            #expect(origin.isOfTheSameHost(as: same), "\(same)")
        }
        for other in ["https://example.com", "null", "", "https://ranks.example.com:8443", "ftp://ranks.example.com"] {
            #expect(!origin.isOfTheSameHost(as: other), "\(other)")
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"), ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("::1", "loopback"),
        ("127.0.0.1", "loopback"), ("127.255.3.9", "loopback"), ("::ffff:127.0.0.9", "loopback"),
        ("::2", "0:0:0:0::/64"),
    ])
    func `an IPv6 network and all of loopback count as one, and an IPv4 address as itself`(
        _ text: String, _ place: String
    ) throws {
        #expect(try #require(IPAddress(text)).place == place)
    }

    @Test func `a tag matches itself, strong or weak, among others`() {
        let tag = EntityTag.tag("x")
        #expect(EntityTag.isMatched(tag, by: tag))
        #expect(EntityTag.isMatched(tag, by: "\"other\", \(tag.dropFirst(2))"))
        #expect(EntityTag.isMatched(tag, by: "*"))
        #expect(!EntityTag.isMatched(tag, by: EntityTag.tag("y")))
        #expect(!EntityTag.isMatched(tag, by: nil))
    }
}
