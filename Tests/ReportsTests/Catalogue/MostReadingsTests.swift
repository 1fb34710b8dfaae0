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
    private func refusal<Request: ReportRequest>(
        _ report: Request.Type, _ arguments: [String], most: Int?, _ clients: TwoClients
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

    @Test func `so is a grid of more days and queries`() async throws {
        let clients = try await TwoClients()
        #expect(try refusal(GridRequest.self, ["--app", "focus"], most: 41, clients) != nil)
        #expect(try refusal(GridRequest.self, ["--app", "focus"], most: 42, clients) == nil)
        #expect(try refusal(GridRequest.self, ["--app", "focus", "--since", "50d"], most: 42, clients) != nil)
    }
}
