import Foundation
import History
import JudgingStage
import RankKit
import TestSupport

/// A history that stops at a moment, and the same one that goes on: new places, names, prices, versions, ratings and
/// bundle identifiers, apps and queries that come, pairs that go, answers that cannot be believed. Both have the
/// watchlist of the later one. The same seed gives the same history.
final class GrowingHistory {
    private let folder: TemporaryFolder
    /// The one that goes on, and the one that has nothing after `moment`.
    let (whole, ended): (HistoryStore, HistoryStore)
    /// When the ended one ends.
    let moment: Timestamp
    /// When both are looked at.
    let now: Timestamp

    private static let apps = ["com.me", "com.mine", "com.rival", "com.late", "com.far"]
    private static let (days, more): (Int64, Int64) = (40, 12)
    private static let queries = [query("timer"), query("clock"), query("timer", "de"), query("alarm")]
    /// What is asked only after the moment.
    private static let later = [query("watch"), query("clock", "fr")]

    init(seed: UInt64, hour: Int64? = nil) async throws {
        folder = try TemporaryFolder()
        let path = folder.file("ended.sqlite")
        let first = try HistoryStore(path: path)
        var life = StoreLife(seed: seed)
        now = noon
        let end = noon.day - Self.more
        moment = Timestamp.startOfDay(end) + (hour ?? life.number(0...23)) * JudgingStage.hour + 1_800
        try await first.adopt(Self.plan(isLater: false), now: .startOfDay(end - Self.days))
        for day in end - Self.days...end {
            try await Self.ask(Self.queries, on: day, &life, first) { [moment] in $0 <= moment }
        }
        let rest = life.waiting
        try await first.close()
        let copy = folder.file("whole.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        ended = try HistoryStore(path: path)
        whole = try HistoryStore(path: copy)
        for (check, clock) in rest { try await whole.record(check, clock: clock) }
        life.isLater = true
        try await Self.keep(ended, today: moment.day)
        for store in [ended, whole] { try await store.adopt(Self.plan(isLater: true), now: moment + 7_200) }
        for day in end + 1...now.day {
            try await Self.ask(Self.queries + Self.later, on: day, &life, whole) { $0 <= noon }
        }
        try await Self.keep(whole, today: now.day)
        try await Self.fillIn(ended)
        try await Self.fillIn(whole)
    }

    private static func ask(
        _ queries: [Query], on day: Int64, _ life: inout StoreLife, _ store: HistoryStore,
        until isDue: (Timestamp) -> Bool
    ) async throws {
        life.turn(to: day)
        for hour in [Int64(1), 13] {
            for (index, query) in queries.enumerated() {
                let at = Timestamp.startOfDay(day) + hour * JudgingStage.hour + Int64(index) * 60
                let check = Check(query: query, at: at, outcome: life.outcome(of: query))
                if isDue(at) {
                    try await store.record(check, clock: at + 5)
                } else {
                    life.waiting.append((check, at + 5))
                }
            }
        }
    }

    private static func plan(isLater: Bool) -> Watchlist {
        let apps = isLater ? Self.apps : Array(Self.apps.prefix(3)) + ["com.gone"]
        var plan = watchlist(
            (queries + (isLater ? later : [])).map { query in
                (query, isLater && query.folded == "alarm" ? ["com.me", "com.late"] : apps)
            }, every: 8 * JudgingStage.hour, competitors: ["com.rival", "com.far"])
        plan.apps[0].alias = "me"
        plan.apps[0].competitors = [bundle("com.rival")]
        plan.notes = [
            Note(on: "2026-10-20", bundleID: bundle("com.me"), version: "1.3", text: "new words", added: ["timer"]),
            Note(on: "2026-10-25", text: "a note of nobody's"),
            Note(on: "2026-11-16", bundleID: bundle("com.me"), version: "9.9", text: "later words", added: ["clock"]),
        ]
        plan.timeZone = "UTC"
        return plan
    }

    /// What the clean-up does in the night before `today`.
    private static func keep(_ store: HistoryStore, today: Int64) async throws {
        while let day = try await store.nextDayToRollUp(today: today) {
            _ = try await store.rollUp(day: day, after: 0, limit: 1_000)
        }
        for query in try await store.queriesToCompact(before: .startOfDay(today)) {
            let moment = Timestamp.startOfDay(today)
            var mark = try await store.compact(query: query, after: nil, before: moment, limit: 512).next
            while let next = mark {
                mark = try await store.compact(query: query, after: next, before: moment, limit: 512).next
            }
        }
        let reader = try HistoryReader(path: store.path)
        while let days = try await store.nextCountryDays(now: .startOfDay(today), limit: 31) {
            var draft = try CountryDayDraft(days, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
    }

    private static func fillIn(_ store: HistoryStore) async throws {
        let reader = try HistoryReader(path: store.path)
        for query in try await store.queriesToFill() {
            while let work = try await store.backFillWork(on: query),
                try await BackFillBatch(work, from: reader).write(to: store, turn: {})
            {}
        }
    }
}

/// What stores show from day to day.
private struct StoreLife {
    private var dice: SplitMix
    private var day: Int64 = 0
    /// Whether the moment is past at which the other history ends.
    var isLater = false
    /// What was asked after the moment on its day.
    var waiting: [(Check, Timestamp)] = []
    /// By app: what it is called, its version, price and ratings.
    private var details: [String: AppDetails] = [:]
    private var places: [String: Double] = [:]
    private var wishes: [String: Double] = [:]

    private static let strangers = (1...40).map { "com.other\($0)" }
    private static let tracked = ["com.me", "com.mine", "com.rival", "com.late", "com.far", "com.gone"]

    init(seed: UInt64) {
        dice = SplitMix(seed: seed)
        for (index, app) in (Self.tracked + Self.strangers).enumerated() {
            details[app] = AppDetails(
                name: "App \(app)", developer: "Dev \(app)", version: "1.0", price: 0, currency: "USD", rating: 4.5,
                ratingCount: Int64(100 + index * 50))
            places[app] = Double(3 + (index * 7) % 45)
        }
    }

    mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &dice) }
    private mutating func roll(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &dice) == 0 }

    mutating func turn(to day: Int64) {
        self.day = day
        for app in Self.tracked + Self.strangers {
            guard var told = details[app] else { continue }
            told.ratingCount = (told.ratingCount ?? 0) + number(0...9)
            if roll(25) { told.version = "1.\(day - 20_700)" }
            if roll(25) { told.name = "App \(app) \(day)" }
            if roll(40) { told.developer = "Dev \(day)" }
            if roll(40) { told.price = Double(number(0...5)) }
            details[app] = told
            if roll(20) { places[app] = Double(number(1...48)) }
        }
    }

    /// An app's number stays its own; its bundle identifier may be another one later.
    private func app(_ name: String, in country: Country) -> SeenApp {
        var told = details[name] ?? AppDetails()
        told.name = told.name.map { "\($0) \(country.code)" }
        let shown = told
        let number = (Self.tracked + Self.strangers).firstIndex(of: name) ?? 0
        let isRenamed = isLater && ["com.rival", "com.other3", "com.other4"].contains(name)
        return SeenApp(
            id: AppID(Int64(number + 1)), bundleID: bundle(isRenamed ? name + ".new" : name),
            fingerprint: UInt64(bitPattern: Int64(told.hashValue))
        ) { shown }
    }

    mutating func outcome(of query: Query) -> Check.Outcome {
        switch number(0...25) {
        case 0: return .failed(Failure(.timedOut))
        case 1: return .suspect(list(query, most: 5), .collapsed)
        default: return .answered(list(query, most: roll(12) ? 25 : 60))
        }
    }

    /// An app whose entries have no number, and one that has the same name with a number. After the moment that one
    /// gives the name up, and another number takes it up, as one does with the name of a competitor.
    private func sharers(on query: Query) -> [SeenApp] {
        func app(_ number: Int64?, _ name: String) -> SeenApp {
            SeenApp(id: number.map(AppID.init), bundleID: bundle(name), fingerprint: 7) { AppDetails(name: name) }
        }
        switch (query.text, query.country.code) {
        case ("timer", "us"): return [app(nil, "com.shared"), app(nil, "com.numberless")]
        case ("clock", "us") where isLater:
            return [app(900, "com.shared.moved"), app(901, "com.shared"), app(902, "com.rival")]
        // So the entries of the days before have no number.
        case ("clock", "us") where day >= noon.day - 17: return [app(900, "com.shared")]
        default: return []
        }
    }

    private mutating func list(_ query: Query, most: Int) -> ResultList {
        var order: [(Double, String)] = []
        for name in Self.tracked + Self.strangers {
            // What nobody has seen before the moment, or nobody in this country.
            if !isLater, name == "com.other40" || name == "com.far" && query.country.code == "de" { continue }
            if isLater, name == "com.gone", query.country.code == "us" { continue }
            let offset = Double((query.text.count * 5 + query.country.code.utf8.reduce(0) { $0 + Int($1) }) % 9)
            order.append(((places[name] ?? 0) + offset * 0.3 + 3 * Double(number(0...10)) / 10, name))
        }
        var apps: [SeenApp?] = order.sorted { $0 < $1 }.prefix(most).map { app($0.1, in: query.country) }
        apps.insert(contentsOf: sharers(on: query), at: min(6, apps.count))
        if roll(30), apps.count > 9 { apps[Int(number(0...8))] = nil }
        return ResultList(places: apps)
    }
}
