import ArgumentParser
import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// How much one answer may hold, where many share the memory of one program.
@Suite struct MostReadingsTests {
    private func refusal(
        _ report: any ReportRequest.Type, _ arguments: [String], most: Int?, _ clients: TwoClients
    ) throws -> ReportRefusal? {
        let context = try ReportContext(
            try HistoryReader(path: clients.store.path), now: noon, zone: .gmt, mostReadings: most)
        do {
            _ = try report.parse(arguments).answer(in: context)
            return nil
        } catch let refusal as ReportRefusal { return refusal }
    }

    @Test func `a history of more checks than may be shown is refused with their number and how to narrow it`()
        async throws
    {
        let clients = try await TwoClients()
        let all = ["--app", "focus"]
        let words = try #require(try refusal(HistoryRequest.self, all, most: 100, clients)).description
        #expect(words.contains("these are 180 readings") && words.contains("at most 100"), "\(words)")
        for option in ["--query", "--country", "--since"] { #expect(words.contains(option), "\(words)") }
        #expect(try refusal(HistoryRequest.self, all, most: 180, clients) == nil)
        #expect(try refusal(HistoryRequest.self, all, most: nil, clients) == nil)
        for narrower in [["--query", "clock"], ["--since", "30d"], ["--country", "de"]] {
            #expect(try refusal(HistoryRequest.self, all + narrower, most: 100, clients) == nil, "\(narrower)")
        }
    }

    @Test func `so are standings of more pairs, however many rows are asked for`() async throws {
        let clients = try await TwoClients(more: 4)
        let words = try #require(
            try refusal(StandingsRequest.self, ["--all", "--competitors"], most: 100, clients)
        ).description
        #expect(words.contains("these are 25 pairs") && words.contains("at most 10 "), "\(words)")
        #expect(words.contains("give a limit"), "\(words)")
        #expect(try refusal(StandingsRequest.self, ["--limit", "100000"], most: 100, clients) != nil)
        #expect(try refusal(StandingsRequest.self, ["--limit", "10"], most: 100, clients) == nil)
        #expect(try refusal(StandingsRequest.self, ["--all"], most: 250, clients) == nil)
        #expect(try refusal(StandingsRequest.self, ["--all"], most: nil, clients) == nil)
    }

    @Test func `so is a comparison`() async throws {
        let clients = try await TwoClients()
        let all = ["--app", "focus", "--since", "59d"]
        let words = try #require(try refusal(CompareRequest.self, all, most: 100, clients)).description
        #expect(words.contains("at most 100") && words.contains("--query"), "\(words)")
        #expect(try refusal(CompareRequest.self, all, most: 100_000, clients) == nil)
        #expect(try refusal(CompareRequest.self, ["--app", "focus", "--since", "2d"], most: 100, clients) == nil)
    }

    @Test func `so is a grid of more days and queries`() async throws {
        let clients = try await TwoClients()
        #expect(try refusal(GridRequest.self, ["--app", "focus"], most: 41, clients) != nil)
        #expect(try refusal(GridRequest.self, ["--app", "focus"], most: 42, clients) == nil)
        #expect(try refusal(GridRequest.self, ["--app", "focus", "--since", "50d"], most: 42, clients) != nil)
    }

    @Test func `so are values, counts and days of queries, one for each day`() async throws {
        let clients = try await TwoClients()
        for (report, arguments) in [
            (VisibilityRequest.self, []), (DistributionRequest.self, []),
            (TimelineRequest.self, ["--app", "focus"]),
        ] as [(any ReportRequest.Type, [String])] {
            let words = try refusal(report, arguments + ["--since", "59d"], most: 50, clients)?.description
            #expect(words?.contains("choose a later --since") == true, "\(report.about.name): \(words ?? "none")")
            #expect(try refusal(report, arguments + ["--since", "59d"], most: 50_000, clients) == nil)
        }
        #expect(try refusal(AppsRequest.self, ["--limit", "50"], most: 100, clients) != nil)
        #expect(try refusal(AppsRequest.self, ["--limit", "10"], most: 100, clients) == nil)
    }

    @Test func `no report is about the centuries before the first check, or longer than all there is`() async throws {
        let clients = try await TwoClients()
        let names = ExampleNames(
            app: TwoClients.own.app, queries: TwoClients.own.queries, countries: TwoClients.own.countries,
            version: TwoClients.own.version)
        let context = try ReportContext(
            try HistoryReader(path: clients.store.path), now: noon, zone: .gmt, mostReadings: 100_000)
        for report in ReportCatalogue.reports {
            let options = report.options.map(\.name)
            var arguments = report.examples(names)[0].arguments
            if options.contains("since"), !arguments.contains("--since") { arguments += ["--since", "9999y"] }
            if options.contains("limit"), !arguments.contains("--limit") { arguments += ["--limit", "1000000"] }
            if options.contains("days"), !arguments.contains("--days") { arguments += ["--days", "1000000"] }
            // An option that does not go with the others, or cannot be so large, is refused before anything is read.
            guard !arguments.contains("--compare"), let request = try? report.parse(arguments) else { continue }
            do {
                let answer = try request.answer(in: context)
                var bytes = 0
                answer.write(as: .json) { bytes += $0.count }
                #expect(bytes < 1 << 20, "\(report.about.name): \(bytes)")
            } catch is ReportRefusal {}
        }
    }

    @Test func `a long span begins with the first check, and a short one where it says`() async throws {
        let clients = try await TwoClients()
        let reader = try HistoryReader(path: clients.store.path)
        func days(_ since: Int64?) throws -> Int {
            try DaySpan(
                since: since.map { noon - $0 * day }, until: nil, now: noon, defaultDays: 90, from: reader
            ).shown.count
        }
        // The first check was 60 days ago.
        for (since, count) in [(nil, 91), (36_000, 91), (70, 71)] as [(Int64?, Int)] {
            #expect(try days(since) == count)
        }
        let short = try DaySpan(
            since: noon - 36_000 * day, until: nil, now: noon, defaultDays: 30, from: reader)
        #expect(short.shown.count == 61)
    }
}
