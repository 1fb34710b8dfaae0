import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// Two queries that differ in language alone are told apart wherever both are in sight, and each can be asked for.
@Suite struct LanguageTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let both = [query("timer"), query("timer", language: "es_mx")]
    private let names = ExampleNames(app: "com.me", queries: ["timer"], countries: ["us"], version: "2.0")

    /// The app stood at #30 and rose in the last five days, on both queries alike.
    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist(both.map { ($0, ["com.me"]) }, every: 86_400), now: noon - 60 * day)
        for daysAgo in (0...59).reversed() as ReversedCollection<ClosedRange<Int64>> {
            let place = (daysAgo < 5 ? 4 : 29) + Int(daysAgo % 2)
            let others = (0..<40).map { "com.other\($0)" }
            let answer = list(Array(others[..<place]) + ["com.me"] + Array(others[place...])) {
                AppDetails(name: $0, version: daysAgo < 20 ? "2.0" : "1.0")
            }
            for query in both {
                try await store.record(
                    Check(query: query, at: noon - daysAgo * day - hour, outcome: .answered(answer)))
            }
        }
    }

    private func answer<Request: ReportRequest>(
        _ request: Request.Type, _ arguments: [String], width: Int = 200
    ) throws -> [ReportFormat: String] {
        let context = try ReportContext(HistoryReader(path: store.path), now: noon, zone: .gmt)
        let value = try request.parse(arguments).answer(in: context)
        return Dictionary(
            uniqueKeysWithValues: ReportFormat.allCases.map {
                ($0, value.render(as: $0, style: TerminalStyle(colour: false, width: width)))
            })
    }

    /// Markdown has a sign before what would be emphasis.
    private static func names(_ text: String, _ language: String) -> Bool {
        text.replacing("\\_", with: "_").contains(language)
    }

    @Test(arguments: [80, 200]) func `every form of every report that names both tells them apart`(width: Int) throws {
        var telling: Set<String> = []
        for request in ReportCatalogue.reports {
            for example in request.examples(names) {
                do {
                    for (format, text) in try answer(request, example.arguments, width: width)
                    where text.contains("timer") {
                        telling.insert(example.name)
                        #expect(Self.names(text, "es_mx"), "\(example.name) as \(format): \(text)")
                    }
                } catch let refusal as ReportRefusal {
                    // Neither is preferred in silence: it says which there are and how each is asked for.
                    let words = refusal.description
                    guard words.contains("timer") else { continue }
                    telling.insert(example.name)
                    #expect(words.contains("--language none"), "\(example.name): \(words)")
                    #expect(words.contains("--language es_mx"), "\(example.name): \(words)")
                }
            }
        }
        #expect(telling.isSuperset(of: ["standings", "movers", "digest", "results", "history", "grid"]), "\(telling)")
    }

    @Test func `each can be asked for wherever a country or a platform can`() throws {
        for request in ReportCatalogue.reports {
            let options = request.options.map(\.name)
            #expect(
                options.contains("language") == (options.contains("country") && options.contains("platform")),
                "\(request.about.name)")
            guard options.contains("language") else { continue }
            for example in request.examples(names) {
                let none = try answer(request, example.arguments + ["--language", "none"])
                let spanish = try answer(request, example.arguments + ["--language", "es_mx"])
                for format in ReportFormat.allCases {
                    #expect(none[format].map { Self.names($0, "es_mx") } == false, "\(example.name) as \(format)")
                    if spanish[format]?.contains("timer") == true {
                        #expect(spanish[format].map { Self.names($0, "es_mx") } == true, "\(example.name) as \(format)")
                    }
                }
            }
        }
    }

    @Test func `the refusal to choose names the options that tell them apart`() async throws {
        func refusal(_ arguments: [String]) throws -> ReportRefusal? {
            #expect(throws: ReportRefusal.self) { try answer(ResultsRequest.self, ["--query", "timer"] + arguments) }
        }
        let ways = "in us on iPhone with --language none, in us on iPhone with --language es_mx"
        let alike = try #require(try refusal([]))
        #expect(alike.description == "“timer” is asked in several ways; choose one with --language: \(ways)")
        #expect(
            alike.plain == "“timer” is asked in several ways; choose one with language: "
                + ways.replacing("--", with: ""))
        try await store.adopt(
            watchlist((both + [query("timer", "de")]).map { ($0, ["com.me"]) }, every: 86_400), now: noon)
        let three = try #require(try refusal([]))
        #expect(three.description.contains("choose one with --country, --platform and --language: "), "\(three)")
        #expect(try refusal(["--country", "us"]) == alike)
    }

    @Test func `a language that no query has is refused`() throws {
        #expect(throws: ReportRefusal.self) { try answer(StandingsRequest.self, ["--language", "fr_fr"]) }
        #expect(throws: ReportRefusal.self) {
            try answer(ResultsRequest.self, ["--query", "timer", "--language", "fr_fr"])
        }
    }
}
