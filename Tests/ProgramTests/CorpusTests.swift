import Foundation
import ProgramStage
import Testing

extension ProgramTests {
    /// From Apple's recorded answers to the report.
    @Suite(
        .enabled(if: Corpus.folder != nil, "needs the recordings: put them in ../shared/corpus or name RANKD_CORPUS"))
    struct CorpusTests {
        private static let nowhere = "com.example.nowhere"

        /// One line a search: every app in it, and one that is in none.
        private static func watchlist(of searches: [Corpus.Search]) throws -> String {
            let lines = searches.map { search in
                [
                    "query": search.term, "country": search.country, "platform": search.platform, "every": "4w",
                    "bundleIds": Set(search.bundleIDs.compactMap(\.self)).sorted() + [nowhere],
                ]
            }
            let watchlist: [String: Any] = [
                "watch": lines, "service": ["requestsPerMinute": 100_000, "parallelism": 4],
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: watchlist), as: UTF8.self)
        }

        @Test func `every app of every recording is reported at its place in the file`() async throws {
            let searches = try Corpus.searches()
            try #require(searches.count >= 5)
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--replay", Corpus.folder!])
                try stage.watch(try Self.watchlist(of: searches))
                let pass = try await stage.pass(store: store.origin)
                #expect(pass.ending == .code(0), "\(pass.errors)")
                // What is empty or short is asked again, and is suspect: no other list supports it here.
                let short = searches.count { $0.bundleIDs.count < 10 }
                #expect(try await store.searches() == searches.count + short)

                let report = try await stage.rankctl(["report", "--format", "json", "--database", stage.database])
                #expect(report.ending == .code(0), "\(report.errors)")
                let document = try StandingsDocument(report.output)
                #expect(document.version == 1)
                var rows = document.standings[...]
                for search in searches {
                    let places = Dictionary(
                        search.bundleIDs.enumerated().compactMap { index, id in id.map { ($0.lowercased(), index + 1) }
                        },
                        uniquingKeysWith: min)
                    let reported = rows.filter {
                        $0.query == search.term && $0.country == search.country && $0.platform == search.platform
                    }
                    rows.removeAll {
                        $0.query == search.term && $0.country == search.country && $0.platform == search.platform
                    }
                    #expect(Set(reported.map { $0.bundleId.lowercased() }) == Set(places.keys).union([Self.nowhere]))
                    for row in reported {
                        guard search.bundleIDs.count >= 10 else {
                            #expect(row.state == "suspect" && row.reason == "early" && row.within == nil, "\(row)")
                            continue
                        }
                        let place = places[row.bundleId.lowercased()]
                        #expect(row.state == (place == nil ? "absent" : "ranked"), "\(row)")
                        #expect(row.position == place, "\(row)")
                        #expect(row.within == search.bundleIDs.count, "\(row)")
                        #expect(row.reason == nil && row.lastGood?.position == place, "\(row)")
                    }
                }
                #expect(rows.isEmpty)
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }

        @Test func `an empty answer of a new query is suspect, and no absence`() async throws {
            let empty = try #require(try Corpus.searches().first { $0.bundleIDs.isEmpty })
            try await Stage.run { stage async throws in
                let store = try await stage.simulator(["--replay", Corpus.folder!])
                try stage.watch(try Self.watchlist(of: [empty]))
                _ = try await stage.pass(store: store.origin)
                let report = try await stage.rankctl(["report", "--format", "json", "--database", stage.database])
                let row = try #require(try StandingsDocument(report.output).standings.first)
                #expect(row.state == "suspect" && row.position == nil && row.lastGood == nil)
            }
        }

        @Test func `a bad answer is a failure, and the good check before it stands`() async throws {
            let reasons = [
                "count-says-200-holds-391.json": "count-mismatch", "count-says-50-holds-12.json": "count-mismatch",
                "no-envelope.json": "no-results", "not-json-outer-braces-missing.json": "not-json",
            ]
            let files = try Corpus.badFiles()
            #expect(Set(files) == Set(reasons.keys), "each bad file needs the reason that it is to fail for")
            try await Stage.run { stage async throws in
                let good = try Recordings.ofFiveApps(for: files, name: "good", on: stage)
                var bad = try Recordings("bad", on: stage)
                for file in files { try bad.add(Corpus.contents("bad/\(file)"), as: file, for: [file]) }
                try stage.watch(
                    ProgramStage.watchlist(files, ["com.example.app3", Self.nowhere], every: "1s"))

                let first = try await stage.pass(store: try await stage.simulator(["--replay", good.folder]).origin)
                #expect(first.ending == .code(0), "\(first.errors)")
                let before = try StandingsDocument(
                    try await stage.rankctl(["report", "--format", "json", "--database", stage.database]).output)

                let spoiled = try await stage.simulator(["--replay", bad.folder])
                try await eventually("the queries are due again") {
                    let second = try await stage.pass(store: spoiled.origin)
                    if second.errors.contains("nothing is due") { return Program?.none }
                    #expect(second.ending == .code(69), "\(second.output) \(second.errors)")
                    return second
                }
                let after = try StandingsDocument(
                    try await stage.rankctl(["report", "--format", "json", "--database", stage.database]).output)
                #expect(after.standings.count == 2 * files.count)
                for (was, row) in zip(before.standings, after.standings) {
                    #expect(row.state == "failed" && row.reason == reasons[row.query], "\(row)")
                    #expect(row.position == nil && row.within == nil, "\(row)")
                    #expect(row.query == was.query && row.bundleId == was.bundleId)
                    #expect(row.lastGood == was.lastGood && row.lastGood?.within == 10, "\(row)")
                    #expect(row.lastGood?.position == (row.bundleId == Self.nowhere ? nil : 3), "\(row)")
                }
                #expect(try RecordedHistory(stage.database).flaws == [])
            }
        }
    }
}
