import Foundation
import GRDB
import RankKit
import TestSupport

@testable import History

/// A history that lives through what a machine can do to it: clocks ahead and behind, pairs that come and go, apps that
/// come under another bundle identifier, imports, clean-ups and prunes. The same seed gives the same life.
final class RandomLife {
    let folder: TemporaryFolder
    var store: HistoryStore
    var dice: SplitMix
    /// The right time.
    var time = TestSupport.time("2026-11-20T12:00:00Z")
    /// How many seconds the clock is ahead.
    var ahead: Int64 = 0 {
        didSet { hasJumped = hasJumped || ahead != 0 }
    }
    /// Whether the clock was ever wrong.
    var hasJumped = false
    /// The watchlist's.
    private var zone: String?
    var files = 0
    /// A copy that was made some time ago, as a backup is.
    var backup: HistoryStore?
    /// Whether something was deleted since: the copy knows more then.
    var hasLostSince = false
    /// What each app comes with now, by its number.
    private var names: [Int64: String]
    /// Those that come under another name since, and without their numbers at first.
    private var unnumbered: Set<Int64> = []
    /// What happened, the newest last.
    private(set) var diary: [String] = []

    static let words = [query("timer"), query("clock"), query("timer", "de"), query("timer", "us", .ipad)]
    static let apps = (1...14).map { Int64($0) }
    static let tracked = ["com.app1", "com.app2", "com.app3", "com.app3.new", "com.new"]
    static let day: Int64 = 86_400
    static let jumps: [Int64] = [
        120, 7_200, -7_200, 18_000, day, -day, 40 * day, -40 * day, 3_653 * day, -3_653 * day,
    ]

    init(seed: UInt64) async throws {
        dice = SplitMix(seed: seed)
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        names = Dictionary(uniqueKeysWithValues: Self.apps.map { ($0, "com.app\($0)") })
        // A clock may be ahead at the first start.
        if roll(3) {
            ahead = pick(Self.jumps)
            // No observer is called here.
            hasJumped = true
        }
        try await adopt()
    }

    var now: Timestamp { time + ahead }

    func roll(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &dice) == 0 }

    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &dice)! }

    func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &dice) }

    /// Does something.
    func step() async throws {
        time = time + number(1...(roll(6) ? 3 * Self.day : 20_000))
        let event = Int.random(in: 0..<22, using: &dice)
        switch event {
        case 0: try await adopt()
        case 1: transfer()
        case 2...3: setClock()
        case 4: try await cleanUp()
        case 5: try await exchange()
        case 6: try await prune()
        case 7: try await importTable()
        case 8: try await lookUp()
        case 9: try await restore()
        default: for _ in 0...number(0...5) { try await ask() }
        }
    }

    /// Brings what is put off to its end.
    func settle() async throws {
        try await store.fillIn()
        while let days = try await store.nextDayToRollUp(today: now.day) {
            _ = try await store.rollUp(day: days, after: 0, limit: 100)
        }
    }

    /// A new history that its export is imported into.
    func copy() async throws -> HistoryStore {
        let copy = try HistoryStore(path: folder.file("copy.sqlite"))
        _ = try await copy.importExport(try await store.export(to: folder))
        try await copy.fillIn()
        return copy
    }

    func findings() async throws -> [String] { try await store.findings() }

    func note(_ event: String) { diary.append("\(now): \(event)") }

    static let zones: [String?] = [
        nil, "America/Sao_Paulo", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin",
    ]

    func setClock() {
        ahead = roll(2) ? 0 : pick(Self.jumps)
        note("the clock is \(ahead) s ahead")
    }

    private func transfer() {
        let app = pick(Self.apps)
        names[app] = roll(4) ? "com.app\(app)" : roll(3) ? "com.new" : "com.app\(app).new"
        if roll(2) { unnumbered.insert(app) }
        note("\(app) comes as \(names[app] ?? "")\(unnumbered.contains(app) ? ", without its number at first" : "")")
    }

    func adopt() async throws {
        let queries = Self.words.filter { _ in !roll(5) }.map { query in
            (query, Self.tracked.filter { _ in roll(2) })
        }.filter { !$0.1.isEmpty }
        if roll(4) { zone = pick(Self.zones) }
        note("\(queries.map { "\($0.0.text) \($0.0.country): \($0.1)" }), \(zone ?? "no zone")")
        var plan = watchlist(queries)
        plan.timeZone = zone
        try await store.adopt(plan, now: now)
    }

    func ask() async throws {
        let queries = try await store.scheduledQueries().map(\.query)
        guard !queries.isEmpty else { return }
        let query = pick(queries)
        // Checks are recorded later than they were asked, and not in that order.
        let check = Check(query: query, at: now - number(0...90), outcome: outcome())
        note("\(query.text) \(query.country) \(query.platform) at \(check.at): \(check.outcome.word)")
        let restarts = roll(30)
        try await store.record(check, clock: roll(20) ? nil : now, restartsBaseline: restarts)
        if roll(4) { time = time + number(1...4_000) }
    }

    private func lookUp() async throws {
        let apps = try await store.unseenApps()
        var outcomes: [StorefrontApp: AppPresence.Outcome] = [:]
        var found: [AppID: BundleID] = [:]
        for (app, presence) in apps.sorted(by: { $0.key < $1.key }) {
            outcomes[app] = pick([.found, .empty, .failed])
            if outcomes[app] == .found, let id = presence.numbers.first, let name = names[id.number] {
                found[id] = bundle(name)
            }
        }
        note("looked up \(outcomes.count) apps")
        _ = try await store.record(outcomes, names: found, at: now)
    }

    private func outcome() -> Check.Outcome {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: .failed(Failure(pick([.timedOut, .status])))
        case 1: .failed(Failure(.status))
        case 2: .suspect(list(), pick([.collapsed, .badDay]))
        default: .answered(list())
        }
    }

    private func list() -> ResultList {
        var apps = Self.apps.shuffled(using: &dice)
        if roll(4) { apps = Array(apps.prefix(Int(number(0...12)))) }
        if roll(6), let first = apps.first { apps.append(first) }
        return ResultList(
            places: apps.map { app in
                guard !roll(40) else { return nil }
                if roll(50) { return SeenApp(id: nil, bundleID: bundle("com.app\(app).unnumbered")) }
                if unnumbered.contains(app), !roll(4) {
                    unnumbered.remove(app)
                    return SeenApp(id: nil, bundleID: bundle(names[app] ?? "com.app\(app)"))
                }
                let version = "1.\(time.day - 20_770 + app % 3)"
                let name = names[app] ?? "com.app\(app)"
                return SeenApp(
                    id: roll(60) ? nil : AppID(app), bundleID: bundle(name),
                    fingerprint: UInt64(bitPattern: time.day &* 1_000 &+ app)
                ) { AppDetails(name: "App \(app)", version: version, rating: 4.5, ratingCount: 10) }
            })
    }

    private func cleanUp() async throws {
        note("cleaned up")
        while let day = try await store.nextDayToRollUp(today: now.day) {
            _ = try await store.rollUp(day: day, after: 0, limit: 100)
        }
        if roll(2) { try await store.compact(before: now - number(0...3) * Self.day, limit: 7) }
        if roll(2) { try await store.deriveCountryDays(now: now) }
        if roll(2) { while try await store.thinFailures(before: now - 7 * Self.day, limit: 50) > 0 {} }
        var query: Int64? = 0
        while let next = query { query = try await store.judgeEarlyLists(after: next, limit: 10).last }
        if roll(2) { try await store.fillIn() }
    }

    private func prune() async throws {
        var request = PruneRequest()
        if roll(2) { request.before = now - number(0...20) * Self.day }
        if roll(2) {
            request.apps = [pick(Self.tracked)]
        } else {
            request.queries = [pick(Self.words).folded]
        }
        note("pruned \(request)")
        hasLostSince = true
        try await store.prune(try await store.plan(request))
    }
}

extension Check.Outcome {
    fileprivate var word: String {
        switch self {
        case .answered(let list): "good, \(list.places.count) places"
        case .suspect(let list, _): "suspect, \(list.places.count) places"
        case .failed: "failed"
        }
    }
}
