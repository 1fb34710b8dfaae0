import AppStoreSimulator
import Foundation
import NIOHTTP1
import RankKit
import Testing

@Suite struct ReplayTests {
    private static let older = "\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n"
    private static let newer = "\n\n\n{ \"resultCount\":1, \"results\": [{\"bundleId\":\"a.b\"}] }  \n\n\n"

    private func write(_ folder: URL, _ files: [String: String], manifest: String) throws {
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try Data(manifest.utf8).write(to: folder.appending(path: "MANIFEST.json"))
    }

    private func withRecordings(_ body: (Served) async throws -> Void) async throws {
        try await withFolder { folder in
            try write(
                folder,
                [
                    "older.json": Self.older, "newer.json": Self.newer, "error.json": #"{"errorMessage":"no"}"#,
                    "raw.http": "HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Length: 3\r\n\r\n{}\nrest",
                ],
                manifest: """
                    {"responses": [
                      {"file": "newer.json", "endpoint": "search", "term": "c++ é", "country": "us",
                       "entity": "software", "limit": 20, "recordedOn": "2026-02-01"},
                      {"file": "older.json", "endpoint": "search", "term": "c++ é", "country": "us",
                       "entity": "software", "recordedOn": "2025-12-31"},
                      {"file": "error.json", "endpoint": "search", "term": "bad", "country": "de", "status": 400},
                      {"file": "older.json", "endpoint": "bad", "term": "unserved", "country": "us"},
                      {"file": "newer.json", "endpoint": "lookup", "id": 7, "bundleId": "A.b", "country": "us"},
                      {"file": "raw.http", "endpoint": "lookup", "id": "9", "country": "fr"}
                    ]}
                    """)
            try await serving(Replay(folder: folder)) { try await body($0) }
        }
    }

    @Test func `the newest recording is served byte for byte`() async throws {
        try await withRecordings { served in
            let received = try await served.get("/search", ["term": "c++ é", "country": "US", "entity": "software"])
            #expect(received.text == Self.newer)
            #expect(received.status == 200)
            #expect(received.headers["content-type"] == ["text/javascript; charset=utf-8"])
            #expect(received.headers["content-length"] == [String(Self.newer.utf8.count)])
        }
    }

    @Test func `a term is compared by its characters and not by how they look`() async throws {
        try await withRecordings { served in
            let decomposed = try await served.get("/search", ["term": "c++ e\u{301}", "country": "us"])
            #expect(decomposed.status == 404)
            let plusAsSpace = try await served.get("/search?term=c%2B%2B+%C3%A9&country=us")
            #expect(plusAsSpace.text == Self.newer)
        }
    }

    @Test func `a request that is not recorded is 404 with its term, country and entity`() async throws {
        try await withRecordings { served in
            let received = try await served.get("/search", ["term": "q&\"a", "country": "fr", "entity": "macSoftware"])
            #expect(received.status == 404)
            let reason = try #require(try received.json() as? [String: String])["error"]
            #expect(reason == "no search for term “q&\"a” with entity macSoftware in country fr is recorded")
        }
    }

    @Test func `a recorded status is served with its body`() async throws {
        try await withRecordings { served in
            let received = try await served.get("/search", ["term": "bad", "country": "de"])
            #expect(received.status == 400)
            #expect(received.text == #"{"errorMessage":"no"}"#)
        }
    }

    @Test func `a look-up is found by id and by bundleId without regard to case`() async throws {
        try await withRecordings { served async throws in
            #expect(try await served.get("/lookup", ["id": "7", "country": "us"]).text == Self.newer)
            #expect(try await served.get("/lookup", ["bundleId": "a.B", "country": "us"]).text == Self.newer)
            #expect(try await served.get("/lookup", ["id": "7", "country": "fr"]).status == 404)
        }
    }

    @Test func `a look-up of several bundleIds is put together from all that the country's recordings hold`()
        async throws
    {
        try await withRecordings { served async throws in
            let received = try await served.get("/lookup", ["bundleId": "com.typo,A.B", "country": "us"])
            #expect(try received.bundleIDs() == ["a.b"])
            #expect(try await served.get("/lookup", ["bundleId": "com.typo", "country": "us"]).entries().isEmpty)
            #expect(try await served.get("/lookup", ["bundleId": "com.typo", "country": "jp"]).status == 404)
        }
    }

    @Test func `a look-up of several numbers is put together in the same way`() async throws {
        try await withFolder { folder in
            let body = #"{"results": [{"trackId":777, "bundleId":"a.b"}, {"bundleId":"c.d","trackId": 8}]}"#
            try write(
                folder, ["a.json": body],
                manifest: #"{"responses": [{"file": "a.json", "endpoint": "search", "term": "x", "country": "us"}]}"#)
            try await serving(Replay(folder: folder)) { served async throws in
                let both = try await served.get("/lookup", ["id": "8,9,777", "country": "us"])
                #expect(try both.bundleIDs() == ["c.d", "a.b"])
                #expect(try await served.get("/lookup", ["id": "77", "country": "us"]).entries().isEmpty)
                #expect(try await served.get("/lookup", ["id": "777", "country": "jp"]).status == 404)
            }
        }
    }

    @Test func `look-ups have a limit of their own and faults like searches`() async throws {
        try await withFolder { folder in
            try write(
                folder, ["a.json": Self.newer],
                manifest: #"{"responses": [{"file": "a.json", "endpoint": "search", "term": "x", "country": "us"}]}"#)
            try await serving(Replay(folder: folder), SimulatorOptions(limitPerMinute: 1)) { served async throws in
                #expect(try await served.search("x").status == 200)
                #expect(try await served.search("x").status == 403)
                #expect(try await served.get("/lookup", ["bundleId": "a.b", "country": "us"]).status == 200)
                #expect(try await served.get("/lookup", ["bundleId": "a.b", "country": "us"]).status == 403)
            }
            let faults = FaultPlan(chances: [.init(.countMismatch, probability: 1)])
            try await serving(Replay(folder: folder), SimulatorOptions(faults: faults)) { served async throws in
                let received = try await served.get("/lookup", ["bundleId": "a.b,c", "country": "us"])
                #expect((try received.json() as? [String: Any])?["resultCount"] as? Int == 2)
            }
        }
    }

    @Test func `of a raw message the body is served with its own content type`() async throws {
        try await withRecordings { served in
            let received = try await served.get("/lookup", ["id": "9", "country": "fr"])
            #expect(received.text == "{}\n")
            #expect(received.headers["content-type"] == ["text/x"])
        }
    }

    @Test func `recordings of other endpoints are not served`() async throws {
        try await withRecordings { served async throws in
            #expect(try await served.get("/search", ["term": "unserved", "country": "us"]).status == 404)
        }
    }

    @Test func `compressed recordings expand to the same bytes as often as they are asked for`() async throws {
        try await withFolder { folder in
            let body = String(repeating: Self.newer, count: 50)
            try write(
                folder, ["a.json": body],
                manifest: #"{"responses": [{"file": "a.json", "endpoint": "search", "term": "x", "country": "us"}]}"#)
            try await serving(Replay(folder: folder), SimulatorOptions(gzip: true)) { served in
                for _ in 1...2 {
                    let plain = try await served.search("x")
                    #expect(plain.text == body)
                    let packed = try await served.get(
                        "/search", ["term": "x", "country": "us"], headers: ["accept-encoding": "gzip"])
                    #expect(packed.headers["content-encoding"] == ["gzip"])
                    #expect(packed.bytes.count < body.utf8.count / 5)
                    #expect(try unzipped(packed.bytes) == Array(body.utf8))
                }
            }
        }
    }

    @Test func `a folder without a manifest is refused by name`() async throws {
        try await withFolder { folder in
            let error = #expect(throws: ReplayError.self) { try Replay(folder: folder) }
            #expect(error?.description.contains("no MANIFEST.json can be read in \(folder.path)") == true)
        }
    }

    @Test(arguments: ["../secret.json", "/etc/hostname", "inside/../../secret.json"])
    func `a recording outside the folder is refused`(_ file: String) async throws {
        try await withFolder { folder in
            let inner = folder.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: folder.appending(path: "secret.json"))
            try write(
                inner, [:],
                manifest: #"{"responses": [{"file": "\#(file)", "endpoint": "search", "term": "x"}]}"#)
            let error = #expect(throws: ReplayError.self) { try Replay(folder: inner) }
            #expect(error?.description.contains("lies outside the folder") == true)
        }
    }

    @Test func `a missing recording is refused by name`() async throws {
        try await withFolder { folder in
            try write(
                folder, [:], manifest: #"{"responses": [{"file": "no.json", "endpoint": "search", "term": "x"}]}"#)
            let error = #expect(throws: ReplayError.self) { try Replay(folder: folder) }
            #expect(error?.description.contains("names no.json, which cannot be read") == true)
        }
    }
}

@Suite struct CorpusReplayTests {
    private static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["RANKD_CORPUS"] { return URL(filePath: path) }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.deletingLastPathComponent().appending(path: "shared/corpus")
    }()
    private static let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.json").path)

    @Test(.enabled(if: isThere, "no corpus at RANKD_CORPUS or ../shared/corpus"))
    func `every recorded search of the corpus is served as it lies on disk`() async throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "MANIFEST.json"))
        let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let responses = try #require(manifest["responses"] as? [[String: Any]])
        let searches = responses.filter { $0["endpoint"] as? String == "search" }
        try await serving(Replay(folder: Self.folder)) { served in
            var exact: Set<String> = []
            for search in searches {
                let term = try #require(search["term"] as? String)
                let country = try #require(search["country"] as? String)
                let entity = try #require(search["entity"] as? String)
                let received = try await served.get(
                    "/search", ["term": term, "country": country, "entity": entity, "limit": "200"])
                let file = try #require(search["file"] as? String)
                if received.bytes == Array(try Data(contentsOf: Self.folder.appending(path: file))) {
                    exact.insert(file)
                }
            }
            let files = Set(searches.compactMap { $0["file"] as? String })
            #expect(files.subtracting(exact) == ["search/fitness-kr-2023-08-24-limit20.json"])
        }
    }
}
