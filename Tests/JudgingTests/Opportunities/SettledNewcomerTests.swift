import History
import RankKit
import TestSupport
import Testing

@testable import Judging

/// Newcomers as they are found, beside those that all lists show.
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

    private func found(
        _ days: ClosedRange<Int64>, tops: [Int] = [3], until: Timestamp, on query: Query
    ) throws -> [SettledNewcomer] {
        try SettledNewcomer.all(on: query, tops: tops, days: days, until: until, from: reader)
    }

    // MARK: Beside all lists

    /// By the definition, from whole lists: three days with a list in a row among the first places, and seven before
    /// (three at least) on which it was not, on the older ones not among the first twenty.
    private func expected(
        _ days: ClosedRange<Int64>, top: Int, until: Timestamp, on query: Query
    ) throws -> [SettledNewcomer] {
        var last: [Int64: StoredList] = [:]
        try reader.lists(on: query, in: .startOfDay(days.lowerBound - 15)...until) { list in
            if list.outcome == .good { last[list.at.day] = list }
            return true
        }
        let daily = last.values.sorted { $0.at < $1.at }
        return daily.indices.filter { days.contains(daily[$0].at.day) && $0 >= 5 }.flatMap { index in
            let (list, before) = (daily[index], daily[max(0, index - 9)...index - 3])
            guard before.allSatisfy({ !$0.places.prefix(20).contains(nil) }) else { return [SettledNewcomer]() }
            return list.places.prefix(top).enumerated().compactMap { place, app in
                guard let app, list.places.firstIndex(of: app) == place, let position = Position(place + 1),
                    daily[index - 2...index].allSatisfy({ $0.places.prefix(top).contains(app) }),
                    !before.contains(where: { $0.places.prefix(top).contains(app) }),
                    !before.prefix(max(3, before.count - 3)).contains(where: { $0.places.prefix(20).contains(app) })
                else { return nil }
                return SettledNewcomer(
                    query: query, top: top, number: app, position: position, since: daily[index - 2].at,
                    at: list.at)
            }
        }
    }

    @Test(arguments: 0..<10)
    func `what is found is what all lists show`(_ seed: UInt64) async throws {
        var dice = SplitMix(seed: seed)
        let queries = (0..<4).map { query("query \($0)") }
        try await adopt(queries)
        let last = first + 33
        for (index, query) in queries.enumerated() {
            var walk = Walk(dice: SplitMix(seed: seed * 100 + UInt64(index)))
            let checks = index == 0 && seed == 0 ? 20 : Int.random(in: 1...3, using: &dice)
            for check in walk.checks(of: query, days: first...last, aDay: checks) { try await store.record(check) }
        }
        if seed % 2 == 0 { try await compact(before: .startOfDay(last - Int64(seed))) }
        var count = 0
        for until in [.startOfDay(last + 1) - 1, .startOfDay(last) + 40_000, .startOfDay(last + 1) + 3_600] {
            for reach: Int64 in [0, 1, 4, 7, 18] {
                let days = until.day - reach...until.day
                for query in queries {
                    let all = try found(days, tops: [3, 10], until: until, on: query)
                    for top in [3, 10] {
                        let expected = try expected(days, top: top, until: until, on: query)
                        #expect(
                            all.filter { $0.top == top } == expected,
                            "seed \(seed), \(query.text), top \(top), \(reach)")
                        count += expected.count
                    }
                }
            }
        }
        #expect(count > 0)
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
        let found = try found(until.day - 1...until.day, until: until, on: timer)
        #expect(found.map(\.since.day) == [first + 9] && found.first?.position == Position(2))
        #expect(try self.found(until.day...until.day, until: until, on: timer).isEmpty)
    }

    @Test(arguments: [true, false])
    func `an app that Apple numbered anew is no newcomer`(wasThere: Bool) async throws {
        try await adopt([timer])
        // It left long ago, or stayed until it got its new number.
        let until = try await fill(
            Array(repeating: 2, count: 9) + Array(repeating: wasThere ? 2 : 0, count: 9), of: ["com.new"])
        for day in 1...3 {
            let old = list((1...25).map { "com.old\($0)" }).places
            let anew = SeenApp(id: AppID(77), bundleID: bundle("com.new"), fingerprint: 1) { AppDetails(name: "New") }
            let shown = ResultList(places: [old[0], anew] + old.dropFirst())
            try await store.record(Check(query: timer, at: until + Int64(day) * 86_400, outcome: .answered(shown)))
        }
        let days = until.day + 2...until.day + 3
        #expect(try found(days, until: until + 4 * 86_400, on: timer).count == (wasThere ? 0 : 1))
    }

    @Test func `an app that stands twice in a list came once`() async throws {
        try await adopt([timer])
        let until = try await fill(Array(repeating: 0, count: 9))
        for day in 1...3 {
            let shown = ["com.new", "com.new"] + (1...25).map { "com.old\($0)" }
            try await record(shown, on: timer, at: until + Int64(day) * 86_400)
        }
        let found = try found(until.day + 2...until.day + 3, until: until + 4 * 86_400, on: timer)
        #expect(found.map(\.position) == [Position(1)])
    }
}
