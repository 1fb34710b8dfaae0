import ArgumentParser
import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// The page of each morning, from a real history.
@Suite struct DigestTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-10T06:00:00Z")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(_ queries: [Query], notes: [Note] = [], apps: [String] = ["com.me", "com.rival"]) async throws {
        var plan = watchlist(queries.map { ($0, apps) }, every: day, competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        plan.notes = notes
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: start - 30 * day)
    }

    private func answer(
        _ query: Query, _ names: [String?], at moment: Timestamp, version: String? = nil
    ) async throws {
        let details: @Sendable (String) -> AppDetails = { AppDetails(name: "App \($0)", version: version) }
        try await store.record(Check(query: query, at: moment, outcome: .answered(list(names, details: details))))
    }

    private func digest(
        since: Timestamp? = nil, until: Timestamp? = nil, filter: PairFilter = PairFilter(), unit: ServiceUnit? = nil,
        now: Timestamp? = nil
    ) throws -> Digest {
        try Digest(
            from: try HistoryReader(path: store.path), filter: filter, since: since, until: until, zone: .gmt,
            unit: unit, now: now ?? start + day + hour)
    }

    private func names(_ count: Int, from first: Int = 1) -> [String?] { (first..<first + count).map { "com.n\($0)" } }

    private let timer = query("timer")
    private let clock = query("clock")

    @Test func `a history of nothing makes a page of nothing`() async throws {
        let digest = try digest()
        #expect((digest.pairs, digest.movers.compared, digest.requests) == (0, 0, 0))
        #expect(digest.newcomers.isEmpty && digest.versions.isEmpty && digest.notes.isEmpty && digest.checks.isEmpty)
        #expect(digest.since == start + hour)
    }

    @Test func `moves are judged over a week, as a day is too short to tell them from noise`() async throws {
        let now = start + 30 * day
        #expect(try digest(now: now).movers.since == now - 7 * day)
        #expect(try digest(since: now - 20 * day, now: now).movers.since == now - 20 * day)
    }

    @Test func `one check alone moves nothing and makes nobody new`() async throws {
        try await adopt([timer])
        try await answer(timer, names(5), at: start + day)
        let digest = try digest()
        #expect((digest.pairs, digest.movers.compared) == (1, 0))
        #expect(digest.newcomers.isEmpty)
        #expect(digest.checks.map(\.good) == [1])
    }

    // MARK: Candidates

    @Test func `since yesterday is one slot, also where today's check is a second earlier in the day`() async throws {
        try await adopt([timer])
        try await answer(timer, names(12), at: start - day)
        try await answer(timer, ["com.old"] + names(12), at: start + 1)
        try await answer(timer, ["com.fresh", "com.old"] + names(12), at: start + day)
        let digest = try digest(now: start + day + 30)
        #expect(digest.newcomers.map(\.app.bundleID) == [bundle("com.fresh")])
        // A moment in between is kept to.
        let exact = try self.digest(since: start, now: start + day + 30)
        #expect(Set(exact.newcomers.map(\.app.bundleID)) == [bundle("com.fresh"), bundle("com.old")])
    }

    @Test func `an app is new where it is in the top ten and was not, and a candidate if it was not in the top twenty`()
        async throws
    {
        try await adopt([timer])
        try await answer(timer, names(21), at: start)
        // The 20th and the 21st come up, and two that were nowhere; one stops short of the tenth place.
        try await answer(
            timer, ["com.n21", "com.n20", "com.new"] + names(7) + ["com.late"] + names(8, from: 8), at: start + day)
        let digest = try digest()
        let found = digest.newcomers
        #expect(found.map(\.app.bundleID.text) == ["com.n21", "com.new", "com.n20"])
        #expect(found.map(\.app.name) == ["App com.n21", "App com.new", "App com.n20"])
        #expect(found.map { $0.entries.map(\.position.number) } == [[1], [3], [2]])
        #expect(digest.candidates.map(\.app.bundleID.text) == ["com.n21", "com.new"])
        let text = DigestReport(digest).render(as: .table, style: TerminalStyle(colour: false, width: 120))
        let shown = lines(text)
        let others = try #require(shown.firstIndex(of: "others"))
        #expect(shown[others + 1].contains("App com.n20") && shown[others + 1].contains("#2 timer (us, iPhone)"))
        #expect((shown.firstIndex(of: "others: candidates to watch") ?? .max) < others)
    }

    @Test func `those on more queries come first, and whom the watchlist names is no candidate`() async throws {
        try await adopt([timer, clock])
        for asked in [timer, clock] { try await answer(asked, names(20), at: start) }
        try await answer(timer, ["com.one", "com.both", "com.rival", "com.me"], at: start + day)
        try await answer(clock, ["com.x", "com.y", "com.both", "com.both"], at: start + day)
        let found = try digest().newcomers
        #expect(found.map(\.app.bundleID.text) == ["com.both", "com.one", "com.x", "com.y"])
        #expect(found[0].entries.map { "\($0.query.text) \($0.position)" } == ["timer #2", "clock #3"])
    }

    @Test func `one that was away for a moment only is no candidate`() async throws {
        try await adopt([timer])
        try await answer(timer, names(20), at: start)
        try await answer(timer, names(20, from: 2), at: start + 2 * hour)
        try await answer(timer, names(20), at: start + 3 * hour)
        #expect(try digest(since: start + hour, now: start + 4 * hour).newcomers.isEmpty)
        let found = try digest(since: start + 2 * hour, now: start + 4 * hour).newcomers
        #expect(found.map(\.app.bundleID.text) == ["com.n1"])
    }

    @Test func `mine and competitors that came into the top ten are told, from whatever place`() async throws {
        try await adopt([timer, clock], apps: ["com.me", "com.rival"])
        // Mine from the 12th place, the competitor from nowhere; on the other query both stay where they are.
        try await answer(timer, names(11) + ["com.me"], at: start)
        try await answer(timer, names(8) + ["com.me", "com.rival"], at: start + day)
        for moment in [start, start + day] { try await answer(clock, ["com.me", "com.rival"], at: moment) }
        let digest = try digest()
        #expect(
            digest.entered.map { "\($0.app.bundleID) \($0.app.mark == .mine)" } == ["com.me true", "com.rival false"])
        #expect(
            digest.entered.map { $0.entries.map { "\($0.query.text) \($0.position)" } } == [
                ["timer #9"], ["timer #10"],
            ])
        #expect(digest.newcomers.isEmpty)
        let json = DigestReport(digest).render(as: .json)
        try expectConforms(json, to: "digest")
        #expect(json.contains(#""mark":"mine","candidate":false,"entries":[{"query":"timer","#))
        #expect(
            DigestReport(digest).render(as: .csv).contains("top-10,,com.me,App com.me,true,timer,us,iphone,itunes,,,9,")
        )
    }

    @Test func `one of mine that was not read at the beginning is not called new`() async throws {
        try await adopt([timer, clock])
        try await answer(timer, names(15) + ["com.me"], at: start)
        for asked in [timer, clock] { try await answer(asked, ["com.me"], at: start + day) }
        #expect(try digest().entered.map { $0.entries.map(\.query) } == [[timer]])
        // Nor is one whose list is no longer fresh.
        #expect(try digest(now: start + 20 * day).entered.isEmpty)
    }

    @Test func `an app of mine that is not tracked on the query is told of as well`() async throws {
        var plan = watchlist([(timer, ["com.me"]), (clock, ["com.other"])], every: day)
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: start - 30 * day)
        try await answer(timer, names(20), at: start)
        try await answer(timer, ["com.other", "com.new"], at: start + day)
        let digest = try digest()
        #expect(
            digest.entered.map { "\($0.app.bundleID) \($0.entries.map(\.query.text))" } == [#"com.other ["timer"]"#])
        #expect(digest.newcomers.map(\.app.bundleID.text) == ["com.new"])
    }

    /// Lists that change from hour to hour, with apps that go and come back.
    @Test(arguments: 1...6)
    func `who is new and who is a candidate is what the two lists themselves say`(seed: UInt64) async throws {
        try await adopt([timer, clock])
        var dice = SplitMix(seed: seed)
        var lists: [Query: [[String?]]] = [:]
        for asked in [timer, clock] {
            var order = names(30)
            for step in 0..<20 as Range<Int64> {
                order.swapAt(.random(in: 0..<30, using: &dice), .random(in: 0..<30, using: &dice))
                lists[asked, default: []].append(order)
                try await answer(asked, order, at: start + step * hour)
            }
        }
        for since in 0..<20 {
            func expected(_ first: Int) -> Set<String> {
                lists.values.reduce(into: []) { expected, lists in
                    let before = Set(lists[since].prefix(first))
                    expected.formUnion(lists[19].prefix(10).filter { !before.contains($0) }.compactMap(\.self))
                }
            }
            let digest = try digest(since: start + Int64(since) * hour + 60, now: start + 20 * hour)
            #expect(digest.newcomers.map(\.app.bundleID.text).sorted() == expected(10).sorted())
            #expect(digest.candidates.map(\.app.bundleID.text).sorted() == expected(20).sorted())
        }
    }

    @Test func `a query without a list from then, or without a fresh one now, makes nobody new`() async throws {
        try await adopt([timer, clock])
        try await answer(timer, names(5), at: start + day)
        try await answer(clock, names(5), at: start - 20 * day)
        try await answer(clock, names(5, from: 50), at: start + day)
        #expect(try digest().newcomers.isEmpty)
    }

    // MARK: What was told before

    @Test func `a further fall is new once more, and stands as told before on the days after`() async throws {
        try await adopt([timer], apps: ["com.me"])
        let places =
            (0..<40).map { [10, 10, 11, 10, 9, 10, 12, 10][$0 % 8] } + [22, 22, 21, 22, 22, 40, 41, 40, 40, 40]
        for (index, place) in places.enumerated() {
            var names = names(100)
            names[place - 1] = "com.me"
            try await answer(timer, names, at: start + Int64(index - places.count) * day)
        }
        let words = try (1...9).map { later -> String in
            let digest = try digest(now: start + Int64(later - 10) * day + hour)
            return digest.fresh.rows.contains(where: \.mine)
                ? "new" : digest.still.rows.contains(where: \.mine) ? "still" : "-"
        }
        #expect(words.count { $0 == "new" } == 2, "\(words)")
        #expect(words.last == "still", "\(words)")
    }

    // MARK: Versions and notes

    @Test func `versions count when they become known, mine first`() async throws {
        try await adopt([timer])
        try await answer(timer, ["com.rival", "com.me"], at: start - day, version: "1")
        try await answer(timer, ["com.rival", "com.me"], at: start + day, version: "2")
        let found = try digest().versions
        #expect(found.map { "\($0.app.bundleID) \($0.release.version ?? "")" } == ["com.me 2", "com.rival 2"])
        #expect(try digest(now: start + 4 * day).versions.isEmpty)
    }

    @Test func `notes of the days that are told of are there, those of others are not`() async throws {
        try await adopt(
            [timer],
            notes: [
                Note(on: "2026-11-09", text: "before"), Note(on: "2026-11-11", text: "today"),
                Note(on: "2026-11-10", bundleID: bundle("com.me"), text: "yesterday"),
                Note(on: "2026-11-12", text: "after"),
            ])
        let notes = try digest().notes
        #expect(notes.map(\.note.text) == ["yesterday", "today"])
        #expect(notes.map { $0.app?.alias } == ["me", nil])
    }

    // MARK: Failures and requests

    @Test func `failures are told by reason and by query`() async throws {
        try await adopt([timer, clock])
        for minutes in [0, 5, 15] as [Int64] {
            try await store.record(
                Check(query: timer, at: start + 6 * hour + minutes * 60, outcome: .failed(Failure(.timedOut))))
        }
        try await store.record(Check(query: clock, at: start + 7 * hour, outcome: .failed(Failure(.timedOut))))
        try await store.record(Check(query: clock, at: start + 8 * hour, outcome: .suspect(list([]), .badDay)))
        let digest = try digest()
        #expect(
            digest.reasons == [
                .init(gap: .failed(.check(.timedOut)), checks: 4, queries: 2),
                .init(gap: .suspect(.badDay), checks: 1, queries: 1),
            ])
        #expect(digest.troubled.map { "\($0.query.text) \($0.failed) \($0.suspect)" } == ["timer 3 0", "clock 1 1"])
    }

    @Test func `requests stand beside what the pace would have allowed`() async throws {
        try await adopt([timer])
        // One good check, of which the third try was the first to be answered.
        try await answer(timer, names(3), at: start + day - 60)
        try await store.record(
            PassResult(startedAt: start + day - 60, finishedAt: start + day, due: 1, succeeded: 1, requests: 3))
        #expect(try digest().requests == 3)
        #expect(try digest().budget == 15 * 60 * 24)
        #expect(try digest(since: start + day).budget == 15 * 60)
    }

    @Test func `the digest says of the service what status says, a unit that failed included`() async throws {
        try await adopt([timer])
        try await answer(timer, names(5), at: start + day)
        try await store.close()
        #expect(try digest().status.level == .fine)
        let unit = try #require(
            ServiceUnit("rankd.service", shown: "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\n"))
        let status = try Status(from: try HistoryReader(path: store.path), unit: unit, now: start + day + hour)
        #expect(status.level != .fine)
        let digest = try digest(unit: unit)
        #expect(digest.status.level == status.level)
        #expect(DigestReport(digest).subject.contains(", \(status.level.rawValue) · "))
        let context = try ReportContext(try HistoryReader(path: store.path), now: start + day + hour, zone: .gmt)
        #expect(try DigestRequest.parse([]).report(in: context, unit: unit).digest.status.level == status.level)
    }

    // MARK: Filters and times

    @Test func `a filter leaves out queries and the apps that are on none of the rest`() async throws {
        var plan = watchlist([(timer, ["com.me"]), (clock, ["com.you"])], every: day)
        plan.notes = [
            Note(on: "2026-11-11", bundleID: bundle("com.me"), text: "mine"),
            Note(on: "2026-11-11", bundleID: bundle("com.you"), text: "other"), Note(on: "2026-11-11", text: "all"),
        ]
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: start - day)
        for asked in [timer, clock] { try await answer(asked, names(20), at: start) }
        for asked in [timer, clock] { try await answer(asked, ["com.new"], at: start + day) }
        let digest = try digest(filter: PairFilter(apps: ["com.me"]))
        #expect(digest.pairs == 1)
        #expect(digest.notes.map(\.note.text) == ["mine", "all"])
        #expect(digest.newcomers.map { $0.entries.map(\.query.text) } == [["timer"]])
        #expect(digest.checks.map(\.query) == [timer])
    }

    @Test func `every count of a filtered digest is of what the filter leaves`() async throws {
        try await adopt([timer, clock])
        try await store.record(Check(query: timer, at: start + day, outcome: .failed(Failure(.timedOut))))
        try await store.record(Check(query: clock, at: start + day, outcome: .suspect(list([]), .collapsed)))
        try await store.record(
            PassResult(startedAt: start + day - 60, finishedAt: start + day, due: 2, failed: 1, requests: 3, suspect: 1)
        )
        let whole = try digest()
        #expect((whole.requests, whole.budget) == (3, 15 * 60 * 24))
        #expect((whole.status.overdueCount, whole.status.requests.wantedPerDay) == (1, 2))
        let some = try digest(filter: PairFilter(queries: ["timer"]))
        #expect((some.pairs, some.checks.map(\.failed)) == (1, [1]))
        #expect(some.reasons.map(\.gap) == [.failed(.check(.timedOut))])
        // A pass does not tell for which queries it asked.
        #expect((some.requests, some.budget) == (nil, nil))
        #expect((some.status.overdueCount, some.status.requests.wantedPerDay) == (1, 1))
        #expect(try digest(filter: PairFilter(queries: ["clock"])).status.overdueCount == 0)
        #expect(some.status.suspects.isEmpty && some.status.level == whole.status.level)
        let report = DigestReport(some)
        #expect(report.render(as: .table).contains("asked: 0 good checks\n"))
        try expectConforms(report.render(as: .json), to: "digest")
    }

    @Test func `an earlier moment is told of as it was`() async throws {
        try await adopt([timer])
        try await answer(timer, names(20), at: start)
        try await answer(timer, ["com.early"], at: start + day)
        try await answer(timer, ["com.later"], at: start + 2 * day)
        let then = try digest(until: start + day + hour, now: start + 2 * day + hour)
        #expect(then.newcomers.map(\.app.bundleID.text) == ["com.early"])
        #expect(then.since == start + hour)
        #expect(then.generatedAt == start + 2 * day + hour)
        #expect(try digest(until: start + 9 * day, now: start + day + hour).until == start + day + hour)
    }
}
