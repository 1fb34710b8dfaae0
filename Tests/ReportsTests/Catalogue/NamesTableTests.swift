import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// An app that was transferred is one app in every report, by whichever of its names it is asked for.
@Suite struct NamesTableTests {
    private let folder: TemporaryFolder
    private let texts = ["timer", "clock", "alarm"]

    init() throws { folder = try TemporaryFolder() }

    /// Number 777 is com.old for 40 days and com.new in the last 20. The watchlist has it as `name`.
    private func history(_ name: String) async throws -> HistoryReader {
        let store = try HistoryStore(path: folder.file("\(name).sqlite"))
        let queries = texts.flatMap { [query($0), query($0, "de")] }
        var plan = watchlist(queries.map { ($0, [name, "com.rival"]) }, every: day, competitors: ["com.rival"])
        plan.apps[0].competitors = [bundle("com.rival")]
        try await store.adopt(plan, now: noon - 60 * day)
        for daysAgo in (0..<60).reversed() as ReversedCollection<Range<Int64>> {
            let place = (daysAgo < 5 ? 4 : 29) + Int(daysAgo % 2)
            var apps = (0..<40).map { (id: Int64(1_000 + $0), name: "com.other\($0)") }
            apps[10] = (2, "com.rival")
            apps.insert((777, daysAgo < 20 ? "com.new" : "com.old"), at: place)
            let places = apps.map { app in
                SeenApp(
                    id: AppID(app.id), bundleID: bundle(app.name),
                    fingerprint: UInt64(app.id) &* 31 &+ UInt64(daysAgo < 20 ? 1 : 0)
                ) {
                    AppDetails(name: "App \(app.id)", version: daysAgo < 20 ? "2.0" : "1.0", rating: 4, ratingCount: 9)
                }
            }
            for query in queries {
                try await store.record(
                    Check(
                        query: query, at: noon - daysAgo * day - hour,
                        outcome: .answered(ResultList(places: places.map(Optional.some)))))
            }
        }
        return try HistoryReader(path: store.path)
    }

    /// What the report says, or why there is none.
    private func told<Request: ReportRequest>(
        _ request: Request.Type, _ arguments: [String], _ reader: HistoryReader
    ) throws -> [String] {
        let context = try ReportContext(reader, now: noon, zone: .gmt, database: "history")
        do {
            let value = try request.parse(arguments).answer(in: context)
            let style = TerminalStyle(colour: false, width: 200)
            return [ReportFormat.json, .csv, .table].map { value.render(as: $0, style: style) }
        } catch let refusal as ReportRefusal { return [refusal.description] }
    }

    /// Each example of a report with the app's old name and with its new one.
    private func questions<Request: ReportRequest>(_ request: Request.Type) -> [(old: [String], new: [String])] {
        let examples = ["com.old", "com.new"].map { app in
            request.examples(ExampleNames(app: app, queries: texts, countries: ["us", "de"], version: "2.0"))
        }
        let takesApp = request.options.contains { $0.name == "app" }
        var questions: [(old: [String], new: [String])] = []
        for (old, new) in zip(examples[0], examples[1]) {
            if old.arguments != new.arguments {
                questions.append((old.arguments, new.arguments))
            } else if takesApp {
                // The documentation has no example with --app for each report that takes one.
                questions.append((old.arguments + ["--app", "com.old"], new.arguments + ["--app", "com.new"]))
            }
        }
        return questions
    }

    private func compare<Request: ReportRequest>(_ request: Request.Type, _ reader: HistoryReader) throws -> Bool {
        let questions = questions(request)
        for question in questions {
            let old = try told(request, question.old, reader)
            let new = try told(request, question.new, reader)
            #expect(old == new, "\(question.old)")
            #expect(old.count > 1, "\(question.old): \(old)")
            let capitals = question.old.map { $0.replacing("com.old", with: "COM.OLD") }
            #expect(try told(request, capitals, reader) == old, "\(capitals)")
        }
        return !questions.isEmpty
    }

    @Test(arguments: ["com.old", "com.new"]) func `each report gives the same app by each of its names`(
        watched: String
    ) async throws {
        let reader = try await history(watched)
        var (asked, taking): ([String], [String]) = ([], [])
        for request in ReportCatalogue.reports {
            if request.options.contains(where: { $0.name == "app" }) { taking.append(request.about.name) }
            if try compare(request, reader) { asked.append(request.about.name) }
        }
        #expect(asked == taking && asked.count > 8, "\(asked)")
    }
}
