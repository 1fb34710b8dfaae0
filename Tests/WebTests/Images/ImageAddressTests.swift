import Crypto
import Foundation
import RankKit
import Reports
import Testing

@testable import Web

@Suite struct ImageAddressTests {
    static let icon = "https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ab/cd/x_U007e@2x.png/512x512bb.jpg"

    @Test func `Apple's image hosts are known by their domain`() {
        for host in ["is1-ssl.mzstatic.com", "is5-ssl.mzstatic.com", "a1.mzstatic.com", "a.b-c.mzstatic.com"] {
            #expect(ImageAddress("https://\(host)/image/a.png/512x512bb.jpg")?.host == host)
        }
    }

    @Test(arguments: [
        "http://is1-ssl.mzstatic.com/image/a.png/512x512bb.jpg",
        "HTTPS://is1-ssl.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://IS1-ssl.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://mzstatic.com/image/a.png/512x512bb.jpg",
        "https://.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://a..mzstatic.com/image/a.png/512x512bb.jpg",
        "https://-a.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://evilmzstatic.com/image/a.png/512x512bb.jpg",
        "https://is1-ssl.mzstatic.com.evil.example/image/a.png/512x512bb.jpg",
        "https://is1-ssl.mzstatic.com./image/a.png/512x512bb.jpg",
        "https://is1-ssl.mzstatic.com:8443/image/a.png/512x512bb.jpg",
        "https://me@is1-ssl.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://127.0.0.1/image/a.png/512x512bb.jpg",
        "https://[::1]/image/a.png/512x512bb.jpg",
        "https://2130706433/image/a.png/512x512bb.jpg",
        "https://example.com#.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://example.com\\.mzstatic.com/image/a.png/512x512bb.jpg",
        "https://is1-ssl.mzstatic.com\\image/a.png/512x512bb.jpg",
        "https://ıs1-ssl.mzstatic.com/image/a.png/512x512bb.jpg",
        "//is1-ssl.mzstatic.com/image/a.png/512x512bb.jpg", "", "https://", "javascript:alert(1)",
    ])
    func `any other host, however written, is refused`(_ text: String) {
        #expect(ImageAddress(text) == nil)
    }

    @Test(arguments: [
        "image/../a.png/512x512bb.jpg", "image/./a.png/512x512bb.jpg", "image//a.png/512x512bb.jpg",
        "image/%2e%2e/512x512bb.jpg", "image/a%2Fb/512x512bb.jpg", "image/a b/512x512bb.jpg",
        "image/a\u{0}/512x512bb.jpg", "image/a\r\nX: y/512x512bb.jpg", "image/ä/512x512bb.jpg",
        "image/a.png/512x512bb.jpg?x=1", "image/a.png/512x512bb.jpg#x", "image/a.png/512x512bb.svg",
        "image/a.png/bb.jpg", "image/a.png/", "image/a.png", "512x512bb.jpg", "",
    ])
    func `a path that could be read in two ways, or names no size, is refused`(_ path: String) {
        #expect(ImageAddress("https://is1-ssl.mzstatic.com/\(path)") == nil)
    }

    @Test func `an address of endless length is refused`() {
        let long = String(repeating: "a", count: 700)
        #expect(ImageAddress("https://is1-ssl.mzstatic.com/image/\(long)/512x512bb.jpg") == nil)
    }

    @Test(arguments: [
        ("512x512bb.jpg", ImageSize.icon, "128x128bb.jpg"), ("100x100bb.png", .icon, "128x128bb.png"),
        ("0x0ss-85.jpg", .icon, "128x128bb.jpg"), ("512x512bb.jpg", .large, "256x256bb.jpg"),
        ("392x696bb.png", .screenshot, "1280x696bb.jpg"), ("552x414bb.webp", .screenshot, "1280x696bb.jpg"),
    ])
    func `the size is rewritten to the one that is shown`(_ former: String, _ size: ImageSize, _ ending: String) throws
    {
        let address = try #require(ImageAddress("https://is2-ssl.mzstatic.com/image/a.png/\(former)"))
        #expect(SizedImage(address, size).path == "/image/a.png/\(ending)")
    }
}

@Suite struct ImageNamesTests {
    private let names = ImageNames(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    private func path(_ size: ImageSize = .icon) -> String {
        names.path(for: ImageAddressTests.icon, size, name: nil)
    }

    @Test(arguments: ImageSize.allCases) func `a path that the site wrote leads to its image`(_ size: ImageSize) throws
    {
        let address = try #require(ImageAddress(ImageAddressTests.icon))
        #expect(names.image(at: path(size)) == SizedImage(address, size))
    }

    @Test func `a path is its own percent-decoded form`() {
        #expect(path().removingPercentEncoding == path())
        #expect(path().allSatisfy { $0.isASCII && $0 != "%" && $0 != "\"" && $0 != "&" })
    }

    @Test func `a path that was changed anywhere leads nowhere`() throws {
        let path = path()
        for place in path.indices {
            var changed = path
            changed.replaceSubrange(place...place, with: path[place] == "a" ? "b" : "a")
            #expect(names.image(at: changed) == nil, "\(changed)")
        }
        #expect(names.image(at: path + "/") == nil)
        #expect(names.image(at: String(path.dropLast())) == nil)
        #expect(names.image(at: path.replacing("/icon/", with: "/large/")) == nil)
        #expect(names.image(at: path.replacing("/icon/", with: "/huge/")) == nil)
    }

    @Test func `a signature of another key counts for nothing`() {
        let others = ImageNames(key: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
        #expect(names.image(at: others.path(for: ImageAddressTests.icon, .icon, name: nil)) == nil)
        #expect(others.edition != names.edition)
    }

    @Test func `a shortened or missing signature counts for nothing`() throws {
        let address = try #require(ImageAddress(ImageAddressTests.icon))
        for signature in ["", "AAAA", "A", "=", "AAAAAAAAAAAAAAAA"] {
            #expect(names.image(at: "/images/icon/\(signature)/\(address.place)") == nil)
        }
    }

    @Test func `an address that is none of Apple's gets a placeholder`() {
        #expect(names.path(for: "http://127.0.0.1/x", .icon, name: "Pomelo").hasPrefix("/images/placeholder/"))
        #expect(names.path(for: nil, .screenshot, name: nil) == "/images/placeholder/-")
    }

    @Test(arguments: ["Pomelo", "écran", "番茄", "<script>", "\"'&", "🍅 Tomato", "🍅", "", "שלום"])
    func `the placeholder of a path is the one of the app's name`(_ name: String) throws {
        let alone = names.path(for: nil, .icon, name: name)
        let beside = names.path(for: ImageAddressTests.icon, .icon, name: name)
        #expect((alone + beside).utf8.allSatisfy { (0x21...0x7E).contains($0) && !#"<>"'&"#.utf8.contains($0) })
        var visit = Visit(path: try #require(alone.removingPercentEncoding), visitor: .owner, now: .startOfDay(0))
        #expect(ImageNames.placeholder(for: visit) == ImagePlaceholder(name: name))
        let parts = beside.split(separator: "?or=")
        visit = Visit(path: String(parts[0]), visitor: .owner, now: .startOfDay(0))
        visit.parameters = [RequestParameter("or", try #require(parts[1].removingPercentEncoding))]
        #expect(ImageNames.placeholder(for: visit) == ImagePlaceholder(name: name))
    }
}

@Suite struct ImagePlaceholderTests {
    @Test func `it has the first letter of the name, in upper case`() {
        #expect(ImagePlaceholder(name: "pomelo – Focus").svg.contains(">P</text>"))
        #expect(ImagePlaceholder(name: "🍅 (ßtart)").svg.contains(">S</text>"))
        #expect(ImagePlaceholder(name: "7 Minutes").svg.contains(">7</text>"))
        #expect(!ImagePlaceholder(name: "🍅!").svg.contains("<text"))
    }

    @Test func `the same name has the same colour and another name mostly another`() {
        let marks = Set((0..<200).map { ImagePlaceholder(name: "A\($0)").mark })
        #expect(marks.count == 12)
        #expect(ImagePlaceholder(name: "Pomelo") == ImagePlaceholder(name: "Pomelo"))
    }

    @Test(arguments: ["", "-", "z", "3PP", "3<", "3\"", "3&", "<script>", "33\u{301}\u{301}\u{301}\u{301}\u{301}"])
    func `a mark that somebody made up draws no markup of theirs`(_ mark: String) {
        let svg = ImagePlaceholder(mark: mark).svg
        #expect(!svg.contains("script") && svg.count { $0 == "<" } <= 5 && svg.utf8.count < 400)
        #expect(!svg.contains("<text"))
    }
}
