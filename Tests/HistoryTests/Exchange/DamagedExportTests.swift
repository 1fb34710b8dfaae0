import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct DamagedExportTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private static let rest = (1...10).map { "com.rest\($0)" }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// An export with a line of nearly every kind.
    private func exported() async throws -> String {
        try await store.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start)
        for hour in 0..<8 as Range<Int64> {
            let seen = list([hour % 2 == 0 ? "com.x" : nil, "com.a"] + Self.rest) { name in
                AppDetails(name: name, version: "1.\(hour / 4)", rating: 4, ratingCount: hour)
            }
            let outcome: Check.Outcome = hour % 4 == 3 ? .failed(Failure(.status, "status 500")) : .answered(seen)
            try await store.record(Check(query: query("timer"), at: start + hour * 3_600, outcome: outcome))
        }
        for name in ["com.old", "com.new"] {
            let renamed = SeenApp(id: AppID(777), bundleID: bundle(name), fingerprint: 7) { AppDetails(name: "App") }
            try await store.record(
                Check(
                    query: query("timer"), at: start + (name == "com.old" ? 40_000 : 41_000),
                    outcome: .answered(ResultList(places: list(["com.b"] + Self.rest).places + [renamed]))))
        }
        _ = try await store.record([StorefrontApp(bundle("com.a"), in: Country(code: "fr")!): .empty], at: start)
        try await store.record(
            PassResult(startedAt: start, finishedAt: start + 60, due: 3, succeeded: 2, failed: 1, requests: 4))
        return try String(contentsOfFile: try await store.export(to: folder), encoding: .utf8)
    }

    /// Has `bytes` refused, and nothing of them kept.
    private func isRefused(_ bytes: [UInt8], by store: HistoryStore, _ what: String) async throws {
        let file = folder.file("damaged.ndjson")
        try Data(bytes).write(to: URL(filePath: file))
        await #expect(throws: ImportRefusal.self, "\(what)") { try await store.importExport(file) }
        #expect(try await store.isBlank(), "\(what)")
    }

    @Test func `an export of which one byte was changed is refused, and nothing of it stays`() async throws {
        let bytes = Array(try await exported().utf8)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        var dice = SplitMix(seed: 17)
        for _ in 0..<150 {
            let index = Int.random(in: bytes.indices, using: &dice)
            var damaged = bytes
            damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            let before = String(decoding: bytes[max(0, index - 20)...index], as: UTF8.self)
            try await isRefused(damaged, by: other, "byte \(index), after \(before)")
        }
    }

    @Test func `a name that no line has is refused in each kind of line, also where there is no checksum`() async throws
    {
        let text = try await exported().withoutChecksum
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        let lines = text.split(separator: "\n")
        let kinds = Dictionary(grouping: lines.indices) { index in
            String(lines[index].firstMatch(of: /"type":"([a-z-]*)"/)?.1 ?? "")
        }
        #expect(kinds.count >= 11, "\(kinds.keys)")
        for (kind, indices) in kinds {
            for member in lines[indices[0]].matches(of: /"([a-zA-Z]+)":/).map(\.1) {
                var damaged = lines.map(String.init)
                damaged[indices[0]].replace("\"\(member)\":", with: "\"\(member.dropLast())_\":", maxReplacements: 1)
                try await isRefused(
                    Array((damaged.joined(separator: "\n") + "\n").utf8), by: other, "\(kind): \(member)")
            }
        }
    }

    /// Every number of one line of each kind, changed to one of `values`, where the file has no checksum.
    private func changedNumbers(_ text: String, to values: [Int64]) -> [(what: String, file: String)] {
        let lines = text.split(separator: "\n").map(String.init)
        let kinds = Dictionary(grouping: lines.indices) { index in
            String(lines[index].firstMatch(of: /"type":"([a-z-]*)"/)?.1 ?? "")
        }
        return kinds.sorted { $0.key < $1.key }.flatMap { kind, indices in
            let line = lines[indices[0]]
            return line.matches(of: /"([a-zA-Z]+)":(-?[0-9]+)/).flatMap { match in
                values.map { value in
                    var changed = lines
                    changed[indices[0]].replaceSubrange(match.range, with: "\"\(match.1)\":\(value)")
                    return ("\(kind): \(match.1) = \(value)", changed.joined(separator: "\n") + "\n")
                }
            }
        }
    }

    @Test func `a number that no report could read is refused, and any other can be read and recorded upon`()
        async throws
    {
        let text = try await exported().withoutChecksum
        var trial = try HistoryStore(path: folder.file("trial.sqlite"))
        var (refused, taken) = (0, 0)
        var dice = SplitMix(seed: 7)
        for (what, file) in changedNumbers(text, to: [1 << 50, 204_180_000, -7]).shuffled(using: &dice).prefix(150) {
            let path = try folder.write(file, to: "changed.ndjson")
            do { _ = try await trial.importExport(path) } catch is ImportRefusal {
                #expect(try await trial.isBlank(), "\(what)")
                refused += 1
                continue
            }
            let reader = try HistoryReader(path: trial.path)
            _ = (try reader.standings(), try reader.plan())
            _ = try await trial.findings()
            _ = try await trial.export(to: folder)
            try await trial.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start + 90_000)
            try await trial.record(
                Check(query: query("timer"), at: start + 90_000, outcome: .answered(list(["com.a"] + Self.rest))))
            taken += 1
            trial = try HistoryStore(path: folder.file("trial\(taken).sqlite"))
        }
        #expect(refused > 20 && taken > 0)
    }

    private static let contradictions = [
        (#""pair":1,"position":2"#, #""pair":1,"position":3"#), (#""pair":1,"position":2"#, #""pair":1"#),
        (#""pair":2,"position":1"#, #""pair":2,"position":4"#), (#""pair":2}"#, #""pair":2,"position":5}"#),
        (#""pair":1,"position":2"#, #""pair":1,"position":2,"within":4"#), (#""within":12"#, #""within":13"#),
        (#""pair":1,"position":2"#, #""pair":9,"position":2"#),
        (#""pair":1,"position":2"#, #""pair":1,"position":-9223372036854775808"#),
    ]

    @Test(arguments: contradictions)
    func `a position that is not that of the list beside it is refused`(_ was: String, _ now: String) async throws {
        let text = try await exported().withoutChecksum
        #expect(text.contains(was))
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await isRefused(
            Array(text.replacing(was, with: now, maxReplacements: 1).utf8), by: other, "\(was) for \(now)")
    }

    @Test func `nothing of a file that is wrong is left in a history that was there`() async throws {
        let text = try await exported()
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(query("own"), ["com.a"])]), now: start)
        try await other.record(Check(query: query("own"), at: start, outcome: .answered(list(["com.a"] + Self.rest))))
        let before = try String(contentsOfFile: try await other.export(to: folder), encoding: .utf8)
        let damaged = try folder.write(text.replacing("\"lines\":", with: "\"lines\":1"), to: "damaged.ndjson")
        await #expect(throws: ImportRefusal.self) { try await other.importExport(damaged) }
        #expect(try String(contentsOfFile: try await other.export(to: folder), encoding: .utf8) == before)
        #expect(try await other.findings() == [])
    }

    @Test func `a merge of a retired pair with a check that has an unreadable place is sound`() async throws {
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        let plan = watchlist([(query("timer"), ["com.a", "com.b"])])
        for (history, first) in [(store, 0), (other, 1_800)] as [(HistoryStore, Int64)] {
            try await history.adopt(plan, now: start + first)
            for hour in 0..<6 as Range<Int64> {
                try await history.record(
                    Check(
                        query: query("timer"), at: start + first + hour * 3_600,
                        outcome: .answered(list((hour % 2 == 0 ? ["com.b", nil] : ["com.b"]) + Self.rest))))
            }
        }
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + 4 * 3_600)
        _ = try await store.importExport(try await other.export(to: folder))
        #expect(try await store.findings() == [])
        let copy = try HistoryStore(path: folder.file("copy.sqlite"))
        _ = try await copy.importExport(try await store.export(to: folder))
        #expect(try await copy.findings() == [])
    }
}
