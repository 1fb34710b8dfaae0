import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Answers that are not believed by themselves, and wait in the file for their second asking.
@Suite struct HeldAnswerTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-20T12:00:00Z")
    private let timer = query("timer")
    private let pass = PassID(of: .itunes, number: 1)

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var long: ResultList { list((0..<99).map { "com.x\($0)" } + ["com.a"]) }

    /// Three good lists of a hundred places, a day apart, and one of two, asked for now in a pass.
    private func hold() async throws -> Applied {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        for day in 1...3 as ClosedRange<Int64> {
            try await store.record(Check(query: timer, at: start - day * 86_400, outcome: .answered(long)))
        }
        return try await answer(.first(pass), list(["com.b", "com.c"]))
    }

    private func answer(
        _ asking: SearchAnswer.Asking, _ list: ResultList, at moment: Timestamp? = nil
    ) async throws -> Applied {
        let at = moment ?? start
        return try await store.apply(
            .answer(SearchAnswer(to: timer, at: at, clock: at + 1, asking: asking, reply: .list(list))))
    }

    private func count(_ sql: String) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: sql) } ?? 0
    }

    private var standing: PairStanding { get throws { try HistoryReader(path: store.path).standings()[0] } }

    @Test func `a list that collapsed is held, and is neither a check nor an absence`() async throws {
        let applied = try await hold()
        #expect(applied.askAgain == [timer] && applied.recorded.isEmpty)
        #expect(try await count("SELECT count(*) FROM check_log") == 3)
        #expect(try standing.outcome.state == .ranked && standing.checkedAt == start - 86_400)
        #expect(try await store.lastRequest() == start)
        #expect(try await store.findings() == [])
        #expect(try await store.attempts(asOf: start)[timer]?.lastGood == start)
        let exported = try await store.export(to: folder)
        #expect(
            try String(contentsOfFile: exported, encoding: .utf8).split(separator: "\n").count {
                $0.contains(#""type":"check""#)
            } == 3)
    }

    @Test func `one that is held is there after a crash, and is settled as suspect`() async throws {
        _ = try await hold()
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try await again.openPasses() == [pass])
        #expect(try await again.heldAnswers(through: pass).map(\.query) == [timer])
        #expect(try await again.nextPass(of: .itunes) == 2)
        let applied = try await again.apply(.pass(.ended(pass, at: start + 600, nil)))
        #expect(applied.recorded.map(\.suspicion) == [.collapsed] && applied.recorded.map(\.within) == [2])
        #expect(try await again.openPasses().isEmpty)
        #expect(try HistoryReader(path: again.path).standings()[0].lastGood?.position == Position(100))
        var kept: [Int] = []
        try HistoryReader(path: again.path).lists(on: timer, in: start...start) {
            kept.append($0.places.count)
            return true
        }
        #expect(kept == [2])
    }

    @Test func `a whole second answer counts, and the first one, applied again, changes nothing`() async throws {
        _ = try await hold()
        let second = try await answer(.second(pass), long, at: start + 60)
        #expect(second.recorded.map(\.within) == [100])
        let dump = try await store.dump()
        #expect(
            try await answer(.first(pass), list(["com.b", "com.c"])).recorded.map(\.id) == second.recorded.map(\.id))
        #expect(try await answer(.second(pass), long, at: start + 60).recorded == second.recorded)
        #expect(try await store.dump() == dump)
        _ = try await store.apply(.pass(.ended(pass, at: start + 61, nil)))
        let ended = try await store.dump()
        #expect(try await answer(.first(pass), list(["com.b", "com.c"])).askAgain == [])
        _ = try await answer(.second(pass), long, at: start + 60)
        #expect(try await store.dump() == ended)
    }

    @Test func `the next pass goes on with what one before it left`() async throws {
        _ = try await hold()
        let next = PassID(of: .itunes, number: 2)
        let began = Entry.pass(.began(next, at: start + 600, due: 2))
        #expect(try await store.apply(began).recorded.isEmpty)
        #expect(try await store.openPasses() == [next])
        #expect(try await store.findings() == [])
        let dump = try await store.dump()
        _ = try await store.apply(began)
        #expect(try await answer(.first(pass), list(["com.b", "com.c"])).askAgain == [timer])
        #expect(try await store.dump() == dump)
        #expect(try await answer(.second(next), long, at: start + 660).recorded.map(\.within) == [100])
        let ended = try await store.apply(
            .pass(
                .ended(
                    next, at: start + 700,
                    PassResult(startedAt: start, finishedAt: start + 700, due: 1, succeeded: 1, requests: 1))))
        #expect(ended.pass?.succeeded == 1 && ended.pass?.suspect == 0)
        #expect(try await store.openPasses().isEmpty)
        #expect(try await count("SELECT count(*) FROM check_log WHERE outcome = 'suspect'") == 0)
    }

    @Test func `a pass that goes on counts the answers of both in whether the day is bad`() async throws {
        let queries = (0..<12).map { query("q\($0)") }
        try await store.adopt(watchlist(queries.map { ($0, ["com.a"]) }), now: start)
        for day in 1...3 as ClosedRange<Int64> {
            for query in queries {
                try await store.record(Check(query: query, at: start - day * 86_400, outcome: .answered(long)))
            }
        }
        func ask(_ query: Query, _ pass: Int64, at second: Int64) async throws -> Applied {
            try await store.apply(
                .answer(
                    SearchAnswer(
                        to: query, at: start + second, clock: start + second,
                        asking: .first(PassID(of: .itunes, number: pass)), reply: .list(list(["com.b"])))))
        }
        for (index, query) in queries.prefix(6).enumerated() { _ = try await ask(query, 1, at: Int64(index)) }
        let next = PassID(of: .itunes, number: 2)
        _ = try await store.apply(.pass(.began(next, at: start + 60, due: 6)))
        for (index, query) in queries.suffix(6).enumerated() { _ = try await ask(query, 2, at: 60 + Int64(index)) }
        let ended = try await store.apply(.pass(.ended(next, at: start + 100, nil)))
        #expect(ended.recorded.map(\.suspicion) == Array(repeating: .badDay, count: 12))
    }

    @Test func `an answer of a pass that has ended is not lost`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        _ = try await store.apply(.pass(.ended(PassID(of: .itunes, number: 9), at: start, nil)))
        #expect(try await answer(.first(pass), long).recorded.map(\.within) == [100])
        let dump = try await store.dump()
        #expect(try await answer(.first(pass), long).recorded.map(\.within) == [100])
        #expect(try await answer(.second(pass), long, at: start + 60).recorded.map(\.within) == [100])
        #expect(try await store.dump() != dump)
    }

    @Test func `two lists of one length and one second are two answers`() async throws {
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
        let other = list(["com.a"] + (0..<99).map { "com.y\($0)" })
        #expect(try await answer(.alone, long).recorded.map(\.ranked) == [1])
        let recorded = try await [answer(.alone, other), answer(.alone, other), answer(.alone, long)]
        #expect(Set(recorded.flatMap(\.recorded).map(\.id)).count == 2)
        #expect(try await count("SELECT count(*) FROM check_log") == 2)
    }

    @Test func `where asking again brings nothing, the first answer is what there is`() async throws {
        _ = try await hold()
        let applied = try await store.apply(
            .answer(
                SearchAnswer(
                    to: timer, at: start + 60, clock: start + 61, asking: .second(pass),
                    reply: .failed(Failure(.notJSON)))))
        #expect(applied.recorded.map(\.at) == [start] && applied.recorded.map(\.suspicion) == [.collapsed])
        #expect(try await store.lastRequest() == start + 60)
        #expect(try await count("SELECT count(*) FROM check_log WHERE outcome = 'failed'") == 0)
    }

    @Test func `what is held goes with its query, and with what is deleted of it`() async throws {
        _ = try await hold()
        _ = try await store.apply(.pruned(PruneRequest(queries: ["timer"], before: start)))
        #expect(try await count("SELECT count(*) FROM held_answer") == 1)
        _ = try await store.apply(.pruned(PruneRequest(queries: ["timer"], before: start + 1)))
        #expect(try await count("SELECT count(*) FROM held_answer") == 0)
        #expect(try await store.findings() == [])
        _ = try await answer(.first(PassID(of: .itunes, number: 2)), list([]), at: start + 100)
        _ = try await store.apply(.pruned(PruneRequest(queries: ["timer"])))
        #expect(try await count("SELECT count(*) FROM held_answer") + count("SELECT count(*) FROM query") == 0)
    }

    private static let damages = [
        "UPDATE held_answer SET source = 'nobody'", "UPDATE held_answer SET pass = -4",
        "UPDATE held_answer SET pass = 9223372036854775807", "UPDATE held_answer SET list = NULL",
        "UPDATE held_answer SET length = 9223372036854775807", "UPDATE held_answer SET length = -1",
        "UPDATE pass_answers SET doubtful = -1", "UPDATE pass_answers SET good = 9223372036854775807",
        "UPDATE pass_answers SET collapsed = 7", "UPDATE pass_answers SET source = 'nobody'",
        "UPDATE pass_answers SET country = 'nowhere'", "UPDATE pass_answers SET pass = 0",
        "INSERT INTO pass_count VALUES ('itunes', 9223372036854775807)", "INSERT INTO pass_count VALUES ('itunes', -1)",
        "INSERT INTO pass_count VALUES ('itunes', 9007199254740992)", "INSERT INTO pass_count VALUES ('nobody', 1)",
    ]

    @Test(arguments: damages)
    func `what no rankd writes is found, and keeps no pass from beginning, asking or ending`(damage: String)
        async throws
    {
        _ = try await hold()
        try await store.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try $0.execute(sql: damage)
            try $0.execute(sql: "PRAGMA ignore_check_constraints = 0")
        }
        #expect(try await store.findings().count == 1)
        if damage.contains("SET source") && damage.contains("held") {
            #expect(try await store.attempts(asOf: start)[timer]?.lastGood == start - 86_400)
        }
        let next = PassID(of: .itunes, number: try await store.nextPass(of: .itunes))
        _ = try await store.openPasses()
        _ = try await store.apply(.pass(.began(next, at: start + 60, due: 2)))
        _ = try await store.heldAnswers(through: next)
        _ = try await answer(.first(next), long, at: start + 90_000)
        _ = try await answer(.second(next), long, at: start + 90_060)
        _ = try await store.apply(.pass(.ended(next, at: start + 90_100, nil)))
        #expect(try HistoryReader(path: store.path).standings()[0].outcome.state == .ranked)
        #expect(try await store.findings().count == (damage.contains("pass_count VALUES ('nobody'") ? 1 : 0))
    }

    @Test(arguments: [
        "UPDATE held_answer SET list = x'0102'", "UPDATE held_answer SET length = 3",
        "UPDATE held_answer SET list = x''",
        "INSERT INTO pass_count VALUES ('itunes', 1)",
    ])
    func `one that is damaged, or of a pass that has ended, is found`(damage: String) async throws {
        _ = try await hold()
        try await store.write { try $0.execute(sql: damage) }
        #expect(try await !store.findings().isEmpty)
    }

    @Test func `one that is damaged keeps nobody from going on, and its question is due again`() async throws {
        _ = try await hold()
        try await store.write { try $0.execute(sql: "UPDATE held_answer SET list = x'0102'") }
        let applied = try await store.apply(.pass(.ended(pass, at: start + 60, nil)))
        #expect(applied.recorded.isEmpty)
        #expect(try await store.attempts(asOf: start)[timer]?.lastGood == start - 86_400)
        #expect(try await store.findings() == [])
    }

    @Test func `a backup of the middle of a pass has it, and whoever puts that back settles it`() async throws {
        _ = try await hold()
        let copy = folder.file("copy.sqlite")
        try await HistoryReader(path: store.path).backUp(to: copy) { _ in }
        let restored = try HistoryStore(path: copy)
        #expect(try await restored.findings() == [])
        #expect(try await restored.heldAnswers(through: pass).map(\.query) == [timer])
        let applied = try await restored.apply(.pass(.ended(pass, at: start + 90_000, nil)))
        #expect(applied.recorded.map(\.suspicion) == [.collapsed] && applied.recorded.map(\.at) == [start])
        #expect(try await restored.findings() == [])
    }

    @Test func `a pass that is ended again tells what it was when it ended`() async throws {
        _ = try await hold()
        let result = PassResult(startedAt: start, finishedAt: start + 60, due: 1, requests: 1)
        let ended = try await store.apply(.pass(.ended(pass, at: start + 60, result))).pass
        #expect(ended?.suspect == 1 && ended?.asked == 1)
        #expect(try await store.apply(.pass(.ended(pass, at: start + 60, result))).pass == ended)
        #expect(try HistoryReader(path: store.path).serviceRecord(now: start + 60).usualLane?.lastPass == ended)
        #expect(try await count("SELECT count(*) FROM pass") == 1)
    }
}
