import History
import RankKit
import TestSupport
import Testing

@testable import Judging

/// Newcomers that are found from the newest list back, beside those that all lists show.
@Suite struct SettledNewcomerTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let first = time("2026-10-01T00:00:00Z").day
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    private func adopt(_ queries: [Query]) async throws {
        try await store.adopt(watchlist(queries.map { ($0, ["com.me"]) }), now: .startOfDay(first))
    }

    private func record(_ names: [String?], on query: Query, at moment: Timestamp) async throws {
        try await store.record(Check(query: query, at: moment, outcome: .answered(list(names))))
    }

    private func recent(
        _ days: ClosedRange<Int64>, top: Int = 3, until: Timestamp, on queries: [Query]
    ) throws -> [Query: [SettledNewcomer]] {
        try SettledNewcomer.recent(on: queries, top: top, days: days, until: until, from: reader)
    }

    // MARK: Beside all lists

    @Test(arguments: 0..<10)
    func `what is found from the newest list back is what all lists show`(_ seed: UInt64) async throws {
        var dice = SplitMix(seed: seed)
        let queries = (0..<4).map { query("query \($0)") }
        try await adopt(queries)
        let last = first + 23
        for (index, query) in queries.enumerated() {
            var walk = Walk(dice: SplitMix(seed: seed * 100 + UInt64(index)))
            // One has more changes in a week than are remembered.
            let checks = index == 0 && seed == 0 ? 60 : Int.random(in: 1...3, using: &dice)
            for check in walk.checks(of: query, days: first...last, aDay: checks) { try await store.record(check) }
        }
        if seed % 2 == 0 { try await compact(before: .startOfDay(last - Int64(seed / 2))) }
        var found = 0
        for until in [.startOfDay(last + 1) - 1, .startOfDay(last) + 40_000, .startOfDay(last + 1) + 3_600] {
            for top in [3, 10] {
                for reach: Int64 in [0, 1, 2, 4, 7] {
                    let days = until.day - reach...until.day
                    let quick = try recent(days, top: top, until: until, on: queries)
                    for query in queries {
                        let all = try SettledNewcomer.all(on: query, top: top, days: days, until: until, from: reader)
                        #expect(quick[query] ?? [] == all, "seed \(seed), \(query.text), top \(top), \(reach) days")
                        found += all.count
                    }
                }
            }
        }
        #expect(found > 0)
    }

    private func compact(before moment: Timestamp) async throws {
        for query in try await store.queriesToCompact(before: moment) {
            var mark: HistoryStore.CompactionMark?
            repeat {
                mark = try await store.compact(query: query, after: mark, before: moment, limit: 20).next
            } while mark != nil
        }
    }

    /// Lists into which apps come to stay, or for a while.
    private struct Walk {
        var dice: SplitMix
        private var names = (1...40).map { "com.old\($0)" }
        private var count = 0

        init(dice: SplitMix) { self.dice = dice }

        private mutating func step() {
            for _ in 0..<2 {
                let place = Int.random(in: 0..<names.count - 1, using: &dice)
                names.swapAt(place, place + 1)
            }
            guard dice.unit() < 0.25 else { return }
            // From outside, or from further down.
            let isNew = dice.unit() < 0.6
            count += 1
            let name = isNew ? "com.new\(count)" : names.remove(at: .random(in: 5..<names.count, using: &dice))
            names.insert(name, at: .random(in: 0...(dice.unit() < 0.6 ? 2 : 12), using: &dice))
            if isNew { names.removeLast() }
        }

        /// In the order of recording. Some days have none, some lists are suspect or hold a place that cannot be read, and
        /// some come late.
        mutating func checks(of query: Query, days: ClosedRange<Int64>, aDay: Int) -> [Check] {
            var checks: [Check] = []
            var late: Check?
            for day in days where aDay > 3 || dice.unit() > 0.05 {
                for slot in 0..<aDay {
                    step()
                    if aDay > 3 { names.swapAt(19, 20) }
                    var shown = names.map(Optional.some)
                    if dice.unit() < 0.02 { shown[.random(in: 0..<30, using: &dice)] = nil }
                    let at = Timestamp.startOfDay(day) + Int64(slot) * 86_000 / Int64(aDay) + 60
                    let isSuspect = dice.unit() < 0.06
                    let check = Check(
                        query: query, at: at,
                        outcome: isSuspect ? .suspect(list(Array(shown.prefix(9))), .collapsed) : .answered(list(shown))
                    )
                    if late == nil, dice.unit() < 0.02 {
                        late = check
                    } else {
                        checks.append(check)
                    }
                }
                if dice.unit() < 0.5, let one = late {
                    checks.append(one)
                    late = nil
                }
            }
            return checks
        }
    }

    // MARK: One by one

    /// A list a day of twenty-five old apps, the last ones with a stranger at some place; 0 for none.
    private func fill(_ places: [Int], of names: [String] = ["com.new"]) async throws -> Timestamp {
        for (index, place) in places.enumerated() {
            var shown = (1...25).map { "com.old\($0)" }
            if place > 0 { shown.insert(names[min(index, names.count - 1)], at: place - 1) }
            try await record(shown, on: timer, at: .startOfDay(first + Int64(index)) + 3_600)
        }
        return .startOfDay(first + Int64(places.count)) - 1
    }

    @Test func `one that was confirmed yesterday is found today, though it has left`() async throws {
        try await adopt([timer])
        let until = try await fill(Array(repeating: 0, count: 9) + [2, 3, 2, 9])
        let found = try recent(until.day - 1...until.day, until: until, on: [timer])[timer] ?? []
        #expect(found.map(\.since) == [first + 9] && found.first?.position == Position(2))
        #expect(try recent(until.day...until.day, until: until, on: [timer]).isEmpty)
    }

    @Test func `an app that Apple numbered anew is no newcomer`() async throws {
        try await adopt([timer])
        let until = try await fill(Array(repeating: 2, count: 9), of: ["com.new"])
        for day in 1...3 {
            let old = list((1...25).map { "com.old\($0)" }).places
            let anew = SeenApp(id: AppID(77), bundleID: bundle("com.new"), fingerprint: 1) { AppDetails(name: "New") }
            let shown = ResultList(places: [old[0], anew] + old.dropFirst())
            try await store.record(Check(query: timer, at: until + Int64(day) * 86_400, outcome: .answered(shown)))
        }
        let days = until.day + 2...until.day + 3
        #expect(try recent(days, until: until + 4 * 86_400, on: [timer]).isEmpty)
        let all = try SettledNewcomer.all(on: timer, top: 3, days: days, until: until + 4 * 86_400, from: reader)
        #expect(all.count == 1)
    }

    @Test func `an app that stands twice in a list came once`() async throws {
        try await adopt([timer])
        let until = try await fill(Array(repeating: 0, count: 9))
        for day in 1...3 {
            let shown = ["com.new", "com.new"] + (1...25).map { "com.old\($0)" }
            try await record(shown, on: timer, at: until + Int64(day) * 86_400)
        }
        let days = until.day + 2...until.day + 3
        let found = try recent(days, until: until + 4 * 86_400, on: [timer])[timer] ?? []
        #expect(found.map(\.position) == [Position(1)])
        #expect(
            try found == SettledNewcomer.all(on: timer, top: 3, days: days, until: until + 4 * 86_400, from: reader))
    }
}
