import HTTPTypes
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

@Suite struct SharedLinkTests {
    private let key = SecretKey()
    private let now = time("2026-11-20T10:00:00Z")

    private func link(_ tags: Set<String>? = ["acme"]) -> SharedLink {
        SharedLink(
            report: "movers", parameters: [.init("since", "30d"), .init("query", "a & b")], tags: tags, until: now + 60)
    }

    private func signed(_ link: SharedLink) throws -> String { String(try link.path(key).dropFirst("/shared/".count)) }

    @Test func `a link leads to its report, with its narrowing, and nowhere else`() throws {
        let read = try SharedLink(signed: try signed(link()), key: key, now: now)
        #expect(read == link())
        #expect(read.visitor.tags == ["acme"])
        #expect(read.requestParameters == [.init("since", "30d"), .init("query", "a & b")])
        #expect(try SharedLink(signed: try signed(link(nil)), key: key, now: now).visitor.tags == nil)
    }

    @Test func `a link ends`() throws {
        let text = try signed(link())
        let refusal = try #require(throws: Refusal.self) { try SharedLink(signed: text, key: key, now: now + 60) }
        #expect(refusal.status == .gone)
    }

    @Test func `a session is no link, and a forged link is none`() throws {
        let entry = try #require(try Credentials(password: "correct horse", tokens: nil).entry(named: "owner"))
        for text in [Sessions(key: key).begin(entry, at: now), String(try signed(link()).dropLast(2)), ""] {
            let refusal = try #require(throws: Refusal.self) { try SharedLink(signed: text, key: key, now: now) }
            #expect(refusal.status == .notFound)
        }
    }

    @Test(arguments: [
        ("/reports/movers?since=7d", "/reports/movers?since=7d"), ("//evil.example", "/"), ("/\\evil.example", "/"),
        ("https://evil.example", "/"), ("/a\u{0A}b", "/"), ("", "/"),
    ])
    func `the log-in leads to this site's pages alone`(_ wanted: String, _ path: String) {
        #expect(LoginRoom<ContinuousClock>.local(wanted) == path)
    }
}
