import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Two machines that asked the same query in the same second.
@Suite struct TwinChecksTests {
    private let folder: TemporaryFolder
    private let start = time("2026-11-01T00:00:00Z")

    init() throws { folder = try TemporaryFolder() }

    enum Answer: CaseIterable, CustomTestStringConvertible {
        case long, reversed, short, partly, suspect, otherSuspect, refused, late

        var outcome: Check.Outcome {
            switch self {
            case .long: .answered(list(["com.x", "com.a", "com.b"]))
            case .reversed: .answered(list(["com.b", "com.a", "com.x"]))
            case .short: .answered(list(["com.a"]))
            case .partly: .answered(list(["com.x", nil, "com.b"]))
            case .suspect: .suspect(list(["com.b"]), .collapsed)
            case .otherSuspect: .suspect(list(["com.x"]), .collapsed)
            case .refused: .failed(Failure(.status, "503"))
            case .late: .failed(Failure(.timedOut, "30 s"))
            }
        }

        var isFailed: Bool { self == .refused || self == .late }

        var testDescription: String { "\(self)" }
    }

    private func machine(_ name: String, _ answer: Answer, tracking apps: [String]) async throws -> HistoryStore {
        let store = try HistoryStore(path: folder.file("\(name).sqlite"))
        try await store.adopt(watchlist([(query("timer"), apps)]), now: start)
        let before: Check.Outcome = .answered(list(["com.a", "com.b", "com.x"]))
        try await store.record(
            Check(query: query("timer"), at: start + (name.hasPrefix("one") ? 60 : 120), outcome: before))
        try await store.record(Check(query: query("timer"), at: start + 21_600, outcome: answer.outcome))
        return store
    }

    /// What is kept of the second in question: outcome, list, and each pair's place.
    private func kept(_ store: HistoryStore) async throws -> [String] {
        let at = (start + 21_600).secondsSinceEpoch
        return try await store.read { database in
            var kept: [String] = []
            try KeptCheck.each(of: 1, in: database) { check in
                guard check.at == at else { return }
                var names = "none"
                if case .places(let places) = check.list {
                    names = try places.map { number in
                        try number.flatMap {
                            try String.fetchOne(
                                database, sql: "SELECT bundle_id FROM app WHERE id = ?", arguments: [$0])
                        } ?? "?"
                    }.joined(separator: " ")
                }
                let places = try String.fetchAll(
                    database,
                    sql: """
                        SELECT pair.bundle_id || ' ' || ifnull(position, '-') || '/' || position.within
                        FROM position JOIN pair ON pair.id = position.pair
                        WHERE check_id = ? ORDER BY pair.bundle_id
                        """, arguments: [check.id])
                kept.append("\(check.outcome.columns.outcome): \(names): \(places.joined(separator: ", "))")
            }
            return kept.sorted()
        }
    }

    private func expected(_ answer: Answer) -> String {
        switch answer {
        case .long: "good: com.x com.a com.b: com.a 2/3, com.b 3/3"
        case .reversed: "good: com.b com.a com.x: com.a 2/3, com.b 1/3"
        case .short: "good: com.a: com.a 1/1, com.b -/1"
        case .partly: "good: com.x ? com.b: com.b 3/3"
        case .suspect: "suspect: com.b: "
        case .otherSuspect: "suspect: com.x: "
        case .refused, .late: "failed: none: "
        }
    }

    @Test(arguments: Answer.allCases, Answer.allCases)
    func `what both saw is kept, once where it is the same, and a failure gives way`(own: Answer, other: Answer)
        async throws
    {
        let (one, two) = (
            try await machine("one", own, tracking: ["com.a", "com.b"]),
            try await machine("two", other, tracking: ["com.b", "com.a"])
        )
        let file = try await two.export(to: folder)
        _ = try await one.importExport(file)
        try await one.fillIn()
        var answers = own == other ? [own] : [own, other]
        if answers.contains(where: { !$0.isFailed }) { answers.removeAll(where: \.isFailed) }
        if own.isFailed, other.isFailed { answers = [own] }
        #expect(try await kept(one) == answers.map(expected).sorted())
        #expect(try await one.findings() == [])
        // Once more, nothing is new.
        let again = try await one.importExport(file)
        #expect(again.checks == 0 && again.positions == 0)
        try await one.compact(before: start + 86_400 * 9)
        #expect(try await one.importExport(file).checks == 0)
        #expect(try await kept(one) == answers.map(expected).sorted())
        #expect(try await one.findings() == [])
    }

    /// The exports of both machines, of the same second, whose headers are equal.
    private func imported(_ answers: [Answer], into name: String, blocksAs form: BlockName) async throws -> HistoryStore
    {
        let store = try HistoryStore(path: folder.file("\(name).sqlite"))
        for (index, answer) in answers.enumerated() {
            let machine = try await machine(
                (index == 0 ? "one-" : "two-") + name, answer, tracking: ["com.a", "com.b"])
            let file = try await machine.export(to: folder)
            for isFirst in [true, false] {
                let result = try await store.importExport(file)
                #expect(isFirst || result.checks == 0 && result.positions == 0)
                if form == .headerAlone { try await store.nameBlocksByHeader() }
            }
        }
        try await store.fillIn()
        return store
    }

    enum BlockName: CaseIterable {
        case headerAndChecksum, headerAlone
    }

    @Test(arguments: Answer.allCases, Answer.allCases)
    func `two exports with one header are two files, also beside what earlier versions noted of a file`(
        first: Answer, second: Answer
    ) async throws {
        for form in BlockName.allCases {
            let store = try await imported([first, second], into: "third-\(form)", blocksAs: form)
            var answers = first == second ? [first] : [first, second]
            if answers.contains(where: { !$0.isFailed }) { answers.removeAll(where: \.isFailed) }
            if first.isFailed, second.isFailed { answers = [first] }
            #expect(try await kept(store) == answers.map(expected).sorted(), "\(form)")
            #expect(try await store.findings() == [], "\(form)")
        }
    }

    @Test func `a file whose checks have other numbers than one of the same header brings nothing twice`() async throws
    {
        let one = try await machine("one", .long, tracking: ["com.a", "com.b"])
        let store = try HistoryStore(path: folder.file("third.sqlite"))
        let file = try await one.export(to: folder)
        #expect(try await store.importExport(file).checks == 2)
        try await store.nameBlocksByHeader()
        // The same checks, the other way around.
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropLast().map(String.init)
        let swapped = lines.map { line in
            guard line.contains(#""type":"check""#) else { return line }
            let (own, other) = line.contains(#""n":1,"#) ? ("1", "2") : ("2", "1")
            return line.replacing(#""n":\#(own),"#, with: #""n":\#(other),"#)
        }
        let end = #"{"lines":\#(lines.count + 1),"type":"end"}"#
        let other = try folder.write((swapped + [end]).joined(separator: "\n") + "\n", to: "other.ndjson")
        let again = try await store.importExport(other)
        #expect(again.checks == 0 && again.positions == 0)
        #expect(try await store.findings() == [])
    }

    @Test func `a file that is imported again after rankd recorded something brings nothing twice`() async throws {
        let one = try HistoryStore(path: folder.file("one.sqlite"))
        let two = try await machine("two", .long, tracking: ["com.a", "com.b"])
        let file = try await two.export(to: folder)
        #expect(try await one.importExport(file).checks == 2)
        try await one.adopt(watchlist([(query("timer"), ["com.a", "com.b"])]), now: start + 43_200)
        for hour in [13, 14] as [Int64] {
            try await one.record(
                Check(query: query("timer"), at: start + hour * 3_600, outcome: Answer.reversed.outcome))
            let again = try await one.importExport(file)
            #expect(again.checks == 0 && again.positions == 0)
        }
        #expect(try await kept(one) == [expected(.long)])
        #expect(try await one.findings() == [])
    }

    @Test func `of a list that is not kept any more the positions tell whether it is the same`() async throws {
        for (index, other) in [Answer.long, .reversed].enumerated() {
            let one = try await machine("one\(index)", .long, tracking: ["com.a", "com.b"])
            let two = try await machine("two\(index)", other, tracking: ["com.a", "com.b"])
            try await one.write { try $0.execute(sql: "DELETE FROM result_list") }
            let result = try await one.importExport(try await two.export(to: folder))
            #expect(result.checks == 1 + index)
        }
    }
}

extension HistoryStore {
    /// As versions named the blocks of imports that took a file's header for the file.
    fileprivate func nameBlocksByHeader() async throws {
        try await write { database in
            let blocks = try RecordedOrder.blocks(in: database).map { block in
                var block = block
                block.file = String(block.file.prefix { $0 != "-" })
                return block
            }
            try RecordedOrder.keep(blocks, in: database)
        }
    }
}
