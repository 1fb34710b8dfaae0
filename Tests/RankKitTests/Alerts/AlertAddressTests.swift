import RankKit
import Testing

@Suite struct AlertAddressTests {
    @Test(arguments: [
        ("https://example.com", "example.com", 443, "/", "https://example.com"),
        ("https://example.com/", "example.com", 443, "/", "https://example.com"),
        ("HTTPS://Example.COM:8443/a/b?c=d&e=%2F", "example.com", 8443, "/a/b?c=d&e=%2F", "https://example.com:8443"),
        ("https://example.com?x", "example.com", 443, "/?x", "https://example.com"),
        ("https://[2001:db8::1]:443/x", "2001:db8::1", 443, "/x", "https://[2001:db8::1]"),
        ("https://10.0.0.7/", "10.0.0.7", 443, "/", "https://10.0.0.7"),
        ("http://127.0.0.1:8080/hook", "127.0.0.1", 8080, "/hook", "http://127.0.0.1:8080"),
        ("http://[::1]/", "::1", 80, "/", "http://[::1]"),
        ("http://localhost:1/", "localhost", 1, "/", "http://localhost:1"),
        ("https://xn--bcher-kva.example/x_y", "xn--bcher-kva.example", 443, "/x_y", "https://xn--bcher-kva.example"),
    ])
    func `an address is read in its parts`(
        text: String, host: String, port: Int, target: String, origin: String
    ) throws {
        let address = try AlertAddress(text)
        #expect(address.text == text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.target == target)
        #expect(address.origin == origin)
    }

    @Test(
        arguments: [
            ("https://example.com/" + String(repeating: "a", count: 1_981), .tooLong),
            ("https://example.com/a b", .character), ("https://example.com/ä", .character),
            ("https://exämple.com/", .character), ("https://example.com\\@evil.com/", .character),
            ("https://example.com/%2", .character), ("https://example.com/%zz", .character),
            ("https://example.com/\r\nX: y", .character), ("", .scheme), ("example.com/x", .scheme),
            ("ftp://example.com/", .scheme), ("https:example.com", .scheme), ("file:///etc/passwd", .scheme),
            ("http://example.com/", .notSecure), ("http://127.0.0.2/", .notSecure),
            ("http://localhost.evil.com/", .notSecure),
            ("https://user@example.com/", .user), ("https://a:b@example.com/", .user), ("https:///x", .host),
            ("https://:443/", .host), ("https://a..b/", .host), ("https://.b/", .host), ("https://[::1/", .host),
            ("https://[::1]x/", .host), ("https://[1.2.3.4]/", .host), ("https://::1/", .host),
            ("https://127.1/", .host),
            ("https://2130706433/", .host), ("https://0x7f.1/", .host), ("https://256.1.1.1/", .host),
            ("https://exam%70le.com/", .host), ("https://[fe80::1%25eth0]/", .host), ("https://example.com:/", .port),
            ("https://example.com:0/", .port), ("https://example.com:65536/", .port),
            ("https://example.com:+1/", .port),
            ("https://example.com:8:8/", .port), ("https://example.com/#x", .fragment),
        ] as [(String, AlertAddress.Flaw)])
    func `what is no safe address is refused`(text: String, flaw: AlertAddress.Flaw) {
        #expect(throws: flaw) { try AlertAddress(text) }
    }

    @Test func `the longest address is taken`() throws {
        let text = "https://example.com/" + String(repeating: "a", count: 1_980)
        #expect(try AlertAddress(text).text.utf8.count == AlertAddress.longest)
    }

    @Test(arguments: AlertAddress.Flaw.allCases)
    func `every flaw has a remedy`(flaw: AlertAddress.Flaw) {
        #expect(!flaw.problem.isEmpty)
        #expect(!flaw.remedy.isEmpty)
    }
}
