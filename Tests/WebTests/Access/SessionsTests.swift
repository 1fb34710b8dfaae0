import RankKit
import TestSupport
import Testing

@testable import Web

@Suite struct SessionsTests {
    private let now = time("2026-11-20T10:00:00Z")
    private let credentials: Credentials

    init() throws {
        credentials = try Credentials(password: "correct horse", tokens: "client 0123456789abcdef tags=acme")
    }

    private func begun(_ sessions: Sessions, _ name: String = "client") throws -> String {
        sessions.begin(try #require(credentials.entry(named: name)), at: now)
    }

    @Test func `a session is known again, with what it may see, also after a restart`() throws {
        let key = SecretKey(bytes: Array(repeating: 7, count: 32))
        let text = try begun(Sessions(key: key))
        let again = Sessions(key: key).entry(of: text, among: credentials, at: now + 60)
        #expect(again?.visitor == Visitor(name: "client", tags: ["acme"]))
    }

    @Test func `a session ends after a month`() throws {
        let sessions = Sessions(key: SecretKey())
        let text = try begun(sessions)
        #expect(sessions.entry(of: text, among: credentials, at: now + Sessions.length - 1) != nil)
        #expect(sessions.entry(of: text, among: credentials, at: now + Sessions.length) == nil)
    }

    @Test func `who logs out is out, wherever the session was copied`() throws {
        let sessions = Sessions(key: SecretKey())
        let (text, other) = (try begun(sessions), try begun(sessions))
        sessions.end(text, at: now)
        #expect(sessions.entry(of: text, among: credentials, at: now) == nil)
        #expect(sessions.entry(of: other, among: credentials, at: now) != nil)
    }

    @Test func `a changed password ends the sessions of the old one`() throws {
        let sessions = Sessions(key: SecretKey())
        let text = try begun(sessions, "owner")
        let changed = try Credentials(password: "battery staple", tokens: nil)
        #expect(sessions.entry(of: text, among: changed, at: now) == nil)
    }

    @Test func `what another key signed, or nobody, is no session`() throws {
        let text = try begun(Sessions(key: SecretKey()))
        let sessions = Sessions(key: SecretKey())
        #expect(sessions.entry(of: text, among: credentials, at: now) == nil)
        for forged in ["", ".", "a.b", String(text.dropLast()), text + "A", "\u{0}"] {
            #expect(sessions.entry(of: forged, among: credentials, at: now) == nil)
        }
    }
}
