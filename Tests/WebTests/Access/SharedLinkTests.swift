import HTTPTypes
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

@Suite struct SharedLinkTests {
    private let key = SecretKey()
    private let now = time("2026-11-20T10:00:00Z")

    private let credentials: Credentials

    init() throws {
        credentials = try Credentials(password: "correct horse", tokens: "client 0123456789abcdef tags=acme")
    }

    /// - Parameter maker: the name of whoever gives it away.
    private func link(_ maker: String? = "client") -> SharedLink {
        SharedLink(
            report: "movers", parameters: [.init("since", "30d"), .init("query", "a & b")],
            maker: maker.flatMap(credentials.entry(named:)), until: now + 60, key: key)
    }

    private func read(_ text: String, at moment: Timestamp? = nil) throws -> SharedLink {
        try SharedLink(signed: text, key: key, among: credentials, now: moment ?? now)
    }

    private func signed(_ link: SharedLink) throws -> String { String(try link.path(key).dropFirst("/shared/".count)) }

    @Test func `a link leads to its report, with its narrowing, and nowhere else`() throws {
        let read = try self.read(try signed(link()))
        #expect(read == link())
        #expect(read.visitor.tags == ["acme"])
        #expect(read.requestParameters == [.init("since", "30d"), .init("query", "a & b")])
        #expect(try self.read(try signed(link("owner"))).visitor.tags == nil)
    }

    @Test func `a link ends`() throws {
        let text = try signed(link())
        let refusal = try #require(throws: Refusal.self) { try read(text, at: now + 60) }
        #expect(refusal.status == .gone)
    }

    @Test(arguments: [
        "client fedcba9876543210 tags=acme", "client 0123456789abcdef tags=acme,more", "client 0123456789abcdef",
        "other 0123456789abcdef tags=acme",
    ])
    func `a link ends with its maker's token, and with what that token shows`(_ tokens: String) throws {
        let text = try signed(link())
        let changed = try Credentials(password: "correct horse", tokens: tokens)
        let refusal = try #require(throws: Refusal.self) {
            try SharedLink(signed: text, key: key, among: changed, now: now)
        }
        #expect(refusal.status == .gone)
    }

    @Test func `a link of a site without a password is none once it has one`() throws {
        let text = try signed(link(nil))
        #expect(try SharedLink(signed: text, key: key, among: nil, now: now).visitor.tags == nil)
        #expect(throws: Refusal.self) { try read(text) }
    }

    @Test func `a link tells nothing by which its maker's secret could be guessed`() throws {
        let other = SharedLink(
            report: "movers", parameters: [], maker: credentials.entry(named: "client"), until: now, key: SecretKey())
        #expect(link().mark != nil && link().mark == link().mark && link().mark != other.mark)
    }

    @Test func `a session is no link, and a forged link is none`() throws {
        let entry = try #require(credentials.entry(named: "owner"))
        for text in [Sessions(key: key).begin(entry, at: now), String(try signed(link()).dropLast(2)), ""] {
            let refusal = try #require(throws: Refusal.self) { try read(text) }
            #expect(refusal.status == .notFound)
        }
    }

    @Test(arguments: [
        ("/reports/movers?since=7d", "/reports/movers?since=7d"), ("//evil.example", "/"), ("/\\evil.example", "/"),
        ("https://evil.example", "/"), ("/a\u{0A}b", "/"), ("", "/"),
    ])
    func `the log-in leads to this site's pages alone`(_ wanted: String, _ path: String) {
        #expect(LoginController<ContinuousClock>.local(wanted) == path)
    }
}
