import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// First lists that later ones speak against, as a history has them that was recorded before first lists were judged.
@Suite struct EarlyListsTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func places(_ count: Int) -> ResultList { list((0..<count).map { "com.x\($0)" }) }

    /// Records good lists so many hours after the start.
    private func record(_ checks: [(hours: Int64, places: Int)], in store: HistoryStore? = nil) async throws {
        for (hours, count) in checks {
            try await (store ?? self.store).record(
                Check(query: timer, at: start + hours * 3_600, outcome: .answered(places(count))))
        }
    }

    private func adopt(in store: HistoryStore? = nil) async throws {
        try await (store ?? self.store).adopt(watchlist([(timer, ["com.x2", "com.none"])]), now: start)
    }

    /// What people's own SQL shows of an app.
    private func states(of app: String, in store: HistoryStore? = nil) async throws -> [String] {
        let reader = try HistoryReader(path: (store ?? self.store).path)
        return try reader.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT state, position, within FROM position_history WHERE bundle_id = ? ORDER BY at",
                arguments: [app]
            ).map(\.text)
        }
    }

    private func rollUp(today: Int64) async throws {
        while let day = try await store.nextDayToRollUp(today: today) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        try await store.deriveCountryDays(today: today)
    }

    @Test func `a history that was cut off begins with no first lists`() async throws {
        try await adopt()
        try await record([(0, 150), (24, 150), (48, 150), (96, 3), (120, 3), (144, 3), (168, 150), (192, 150)])
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"], before: start + 96 * 3_600)))
        try await record([(216, 150), (240, 150)])
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(try await store.export(to: folder))
        for machine in [store, other] {
            #expect(
                try await states(of: "com.x2", in: machine)
                    == Array(repeating: "'ranked' 3 3", count: 3) + Array(repeating: "'ranked' 3 150", count: 4))
            #expect(try await machine.findings() == [])
        }
    }

    @Test func `three longer lists make the short ones before them suspect, everywhere`() async throws {
        try await adopt()
        try await record([(0, 0), (24, 3), (30, 0), (48, 150), (54, 0), (72, 150)])
        try await store.compact(before: start + 72 * 3_600)
        try await rollUp(today: start.day + 3)
        #expect(try await states(of: "com.none").prefix(2) == ["'absent' NULL 0", "'absent' NULL 3"])
        try await record([(78, 150), (96, 150)])
        let suspects = ["'suspect' NULL 0", "'suspect' NULL 3", "'suspect' NULL 0"]
        let absent = "'absent' NULL 150"
        #expect(
            try await states(of: "com.none")
                == suspects + [absent, "'suspect' NULL 0"] + Array(repeating: absent, count: 3))
        #expect(try await states(of: "com.x2").prefix(4) == suspects + ["'ranked' 3 150"])
        let standings = try HistoryReader(path: store.path).standings()
        #expect(standings.map { $0.best?.at } == [start + 48 * 3_600, nil])
        #expect(try await store.findings() == [])
        try await store.deriveCountryDays(today: start.day + 4)
        try await store.compact(before: start + 200 * 3_600)
        #expect(try await store.findings() == [])
    }

    @Test func `an empty list that is outgrown takes nothing from a list of the same second`() async throws {
        try await adopt()
        try await record([(0, 150), (0, 0), (24, 150), (48, 150), (72, 150)])
        #expect(try await store.findings() == [])
    }

    @Test func `a short list that comes late, after longer ones, is suspect at once`() async throws {
        try await adopt()
        try await record([(48, 150), (72, 150), (96, 150), (24, 3)])
        #expect(try await states(of: "com.none").first == "'suspect' NULL 3")
        #expect(try await store.findings() == [])
    }

    @Test func `longer lists that are dated ahead of the clock speak against a short one, too`() async throws {
        try await adopt()
        try await record([(48, 150), (72, 150), (96, 150)])
        try await store.record(Check(query: timer, at: start, outcome: .answered(places(3))), clock: start)
        #expect(try await states(of: "com.none").first == "'suspect' NULL 3")
        #expect(try await store.findings() == [])
    }

    @Test func `a pair that a short list could not tell stands as suspect once it is outgrown`() async throws {
        try await adopt()
        let short = Check.Outcome.answered(list(["com.x0", nil]))
        try await store.record(Check(query: timer, at: start, outcome: short))
        try await record([(24, 150), (48, 150)])
        // The clock is behind again: the longer ones do not count.
        let later = start + 600
        try await store.record(Check(query: timer, at: later, outcome: short), clock: later)
        try await record([(72, 150)])
        try await store.record(Check(query: timer, at: later + 60, outcome: short), clock: later + 60)
        let outcomes = try HistoryReader(path: store.path).standings().map(\.outcome)
        #expect(outcomes == [.suspect(.outgrown), .suspect(.outgrown)])
        #expect(try await store.findings() == [])
    }

    @Test func `longer lists that a short one stood between speak against an earlier one at once`() async throws {
        try await adopt()
        try await record([(0, 6), (24, 5), (48, 14), (54, 14), (60, 2), (66, 14), (72, 14), (78, 12)])
        let suspects = ["'suspect' NULL 6", "'suspect' NULL 5"]
        #expect(try await states(of: "com.none").prefix(2) == suspects[...])
        #expect(try await store.findings() == [])
    }

    @Test func `a short list that lasted a week stays`() async throws {
        try await adopt()
        try await record([(0, 3), (24, 3), (168, 3), (192, 150), (216, 150), (240, 150)])
        #expect(try await states(of: "com.x2").prefix(3) == ["'ranked' 3 3", "'ranked' 3 3", "'ranked' 3 3"])
    }

    @Test func `a back-fill that read a short list before it was judged writes no position from it`() async throws {
        try await adopt()
        try await record([(0, 0), (24, 150), (48, 150)])
        try await store.adopt(watchlist([(timer, ["com.x2", "com.none", "com.late"])]), now: start + 49 * 3_600)
        let work = try #require(try await store.backFillWork(on: timer))
        let batch = try BackFillBatch(work, from: HistoryReader(path: store.path))
        try await record([(72, 150)])
        _ = try await batch.write(to: store, turn: {})
        let positions = try await store.writeWithoutTransaction { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM position WHERE at = ?", arguments: [start.secondsSinceEpoch])
        }
        #expect(positions == 0)
        #expect(try await store.findings() == [])
    }

    @Test func `a back-fill that read lists before an app came under its name writes no absence from them`()
        async throws
    {
        try await store.adopt(watchlist([(timer, ["com.other"])]), now: start)
        func record(_ name: String, after hours: Int64) async throws {
            let places = (1...12).map {
                SeenApp(id: AppID($0), bundleID: bundle($0 == 7 ? name : "com.a\($0)"), fingerprint: nil) {
                    AppDetails()
                }
            }
            try await store.record(
                Check(query: timer, at: start + hours * 3_600, outcome: .answered(ResultList(places: places))))
        }
        for hour in 0..<4 { try await record("com.old", after: Int64(hour)) }
        try await store.adopt(watchlist([(timer, ["com.other", "com.new"])]), now: start + 4 * 3_600)
        let work = try #require(try await store.backFillWork(on: timer))
        let batch = try BackFillBatch(work, from: HistoryReader(path: store.path))
        try await record("com.new", after: 5)
        _ = try await batch.write(to: store, turn: {})
        try await store.fillIn()
        let readings = try HistoryReader(path: store.path).readings(of: bundle("com.new"), on: timer)
        #expect(readings.map { $0.position?.number } == [7, 7, 7, 7, 7])
        #expect(try await store.findings() == [])
    }

    @Test func `the clean-up judges a query that nobody asks any more`() async throws {
        try await adopt()
        try await record([(0, 0), (24, 150), (48, 150)])
        // As it was recorded before first lists were judged.
        try await store.writeWithoutTransaction { database in
            try database.execute(
                literal: """
                    INSERT INTO check_log (query, at, outcome, within)
                    SELECT id, \((start + 72 * 3_600).secondsSinceEpoch), 'good', 150 FROM query
                    """)
        }
        try await store.adopt(watchlist([(query("other"), ["com.x2"])]), now: start + 80 * 3_600)
        let first = try await store.judgeEarlyLists(after: 0, limit: 10)
        let second = try await store.judgeEarlyLists(after: first.last ?? 0, limit: 10)
        #expect(first.isJudged && !second.isJudged && second.last == nil)
        #expect(try await states(of: "com.none").first == "'suspect' NULL 0")
    }

    @Test func `an export of before is judged when it is imported, and does not bring the absences back`() async throws
    {
        try await adopt()
        try await record([(0, 0), (24, 150), (48, 150)])
        let old = try await store.export(to: folder)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(old)
        #expect(try await states(of: "com.none", in: other).first == "'absent' NULL 0")
        try await record([(72, 150)], in: other)
        #expect(try await states(of: "com.none", in: other).first == "'suspect' NULL 0")
        _ = try await other.importExport(old)
        #expect(try await states(of: "com.none", in: other).first == "'suspect' NULL 0")
        #expect(try await other.findings() == [])

        try await record([(72, 150)])
        let exported = try await store.export(to: folder)
        let third = try HistoryStore(path: folder.file("third.sqlite"))
        _ = try await third.importExport(exported)
        #expect(try await states(of: "com.none", in: third) == states(of: "com.none"))
        #expect(try await third.findings() == [])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever the first lists were, verify finds nothing`(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        try await adopt()
        var hours: Int64 = 0
        for step in 0..<14 {
            hours += .random(in: 1...30, using: &random)
            let isShort = step < 9 && Bool.random(using: &random)
            let count = isShort ? Int.random(in: 0...9, using: &random) : .random(in: 10...40, using: &random)
            try await record([(hours, count)])
            if Int.random(in: 0..<4, using: &random) == 0 { try await store.compact(before: start + hours * 3_600) }
            if Int.random(in: 0..<4, using: &random) == 0 { try await rollUp(today: (start + hours * 3_600).day) }
        }
        #expect(try await store.findings() == [])
        let long = try await states(of: "com.none").suffix(3)
        #expect(long.allSatisfy { $0.hasPrefix("'absent'") })
    }
}
