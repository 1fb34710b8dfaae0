import Foundation
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

    @Test func `who logged out stays out when the program is started anew, until the session would have ended`() throws
    {
        let folder = try TemporaryFolder()
        let key = SecretKey(bytes: Array(repeating: 7, count: 32))
        let first = Sessions(key: key, ended: EndedSessions(in: folder.path))
        let (text, other) = (try begun(first), try begun(first, "owner"))
        first.end(text, at: now)
        let second = Sessions(key: key, ended: EndedSessions(in: folder.path))
        #expect(second.entry(of: text, among: credentials, at: now) == nil)
        #expect(second.entry(of: other, among: credentials, at: now) != nil)
        // What has ended by itself is forgotten.
        let later = second.begin(try #require(credentials.entry(named: "owner")), at: now + Sessions.length)
        second.end(later, at: now + Sessions.length)
        let kept = try String(contentsOfFile: folder.file("ended"), encoding: .utf8)
        #expect(kept.split(separator: "\n").count == 1 && !kept.contains("owner"))
    }

    @Test func `of who logs out without end all sessions end, and nobody else's`() throws {
        let folder = try TemporaryFolder()
        let sessions = Sessions(key: SecretKey(), ended: EndedSessions(in: folder.path, most: 20))
        let (mine, other) = (try begun(sessions), try begun(sessions, "owner"))
        for _ in 0...20 { sessions.end(try begun(sessions), at: now) }
        #expect(sessions.entry(of: mine, among: credentials, at: now) == nil)
        #expect(sessions.entry(of: other, among: credentials, at: now) != nil)
        let after = sessions.begin(try #require(credentials.entry(named: "client")), at: now + 1)
        #expect(sessions.entry(of: after, among: credentials, at: now + 1) != nil)
        #expect(try String(contentsOfFile: folder.file("ended"), encoding: .utf8).utf8.count < 100)
    }

    @Test func `a file of ended sessions that holds something else does no harm`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("\u{0}\n a b\n1 2 3 4\nx y z\n", to: "ended")
        let sessions = Sessions(key: SecretKey(), ended: EndedSessions(in: folder.path))
        #expect(sessions.entry(of: try begun(sessions), among: credentials, at: now) != nil)
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
