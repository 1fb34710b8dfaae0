import AppStore
import Foundation
import RankKit
import TestSupport
import Testing

/// What a server gets to see of a request, to the byte.
@Suite(.timeLimit(.minutes(30))) struct HTTPRequestTests {
    private static let emptyList = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{\"resultCount\":0,\"results\":[]}"

    /// The request's lines as they came, and the parameters of its target undone by Foundation, which shares nothing
    /// with the escaping under test.
    private func request(
        _ ask: (AppStore) async throws -> AppStore.Reply
    ) async throws -> (target: String, fields: [String: String], headers: [String: String]) {
        let server = try await ListeningServer.start(answer: Self.emptyList)
        let head = try await asking(server.origin) { store async throws in
            #expect(try list(from: await ask(store)).count == 0)
            return await server.nextRequest()
        }
        try await server.stop()
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        #expect(words.count == 3 && words[0] == "GET" && words[2] == "HTTP/1.1")
        let headers = lines.dropFirst().filter { !$0.isEmpty }.map { line in
            let colon = line.firstIndex(of: ":")!
            return (
                line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        let fields = words[1].components(separatedBy: "?")[1].components(separatedBy: "&").map { field in
            let parts = field.components(separatedBy: "=")
            return (parts[0], parts[1].removingPercentEncoding!)
        }
        return (
            words[1], Dictionary(uniqueKeysWithValues: fields),
            Dictionary(uniqueKeysWithValues: headers)
        )
    }

    @Test(arguments: [
        "c++", "q&a", "50%", "a#b", "a b", "a=b", "a;b/c?d", "\"quoted\"", "🏃🏽‍♀️ run", "피트니스", "cafe\u{301}", "café", "ﬁt",
        "%2B", "a+b c",
    ]) func `a search text arrives byte for byte, composed`(_ text: String) async throws {
        let request = try await request { try await $0.search(query(text)) }
        #expect(
            Array(try #require(request.fields["term"]).utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
        #expect(request.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(!request.target.contains("+"))
    }

    @Test(arguments: [(Platform.iphone, "software"), (.ipad, "iPadSoftware"), (.mac, "macSoftware")])
    func `a search asks for the platform's entity, and always for 200`(
        _ platform: Platform, _ entity: String
    ) async throws {
        let request = try await request { try await $0.search(query("habits", "jp", platform, language: "en_us")) }
        #expect(request.target.hasPrefix("/search?"))
        #expect(
            request.fields == [
                "term": "habits", "country": "jp", "media": "software", "entity": entity, "limit": "200",
                "lang": "en_us",
            ])
    }

    @Test func `a query without a language names none`() async throws {
        let request = try await request { try await $0.search(query("habits")) }
        #expect(request.fields["lang"] == nil)
    }

    @Test func `a look-up names all its ids at once`() async throws {
        let ids = [AppID(572_688_855), AppID(6_446_814_690)]
        let request = try await request { try await $0.lookup(.ids(ids, Country(code: "gb")!)) }
        #expect(request.target.hasPrefix("/lookup?"))
        #expect(request.fields == ["id": "572688855,6446814690", "country": "gb"])
    }

    @Test func `a look-up by bundle ids names them all at once`() async throws {
        let apps = [BundleID("com.a")!, BundleID("swc")!]
        let request = try await request { try await $0.lookup(.bundleIDs(apps, Country(code: "gb")!)) }
        #expect(request.fields == ["bundleId": "com.a,swc", "country": "gb"])
    }

    @Test func `a request says who asks, takes gzip, and carries nothing about anybody`() async throws {
        let headers = try await request { try await $0.search(query("habits")) }.headers
        #expect(headers["user-agent"] == "rankd/\(Release.version) (self-hosted App Store rank tracker)")
        #expect(headers["accept-encoding"]?.contains("gzip") == true)
        #expect(
            Set(headers.keys).isSubset(of: ["host", "user-agent", "accept", "accept-encoding", "connection"]),
            "\(headers)")
    }
}
