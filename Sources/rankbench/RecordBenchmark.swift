import Foundation
import History
import RankKit

/// How many checks a second the history takes with full durability.
struct RecordBenchmark {
    let bench: Workbench

    static let explanation = """
        record-rate: checks a second, each of 200 places with 5 pairs and 40 changed apps, one durable transaction a \
        check, in passes of 20 questions; beside the same rows written through SQLite's own interface, without the \
        look-ups.
        """

    private static let rounds = 5
    private static let checks = 200
    static let places = 200
    private static let pairs = 5
    /// Apps whose rating has changed since the query's last check.
    private static let changed = 40
    static let queries = 20

    func run() async throws -> [Row] {
        let start = Timestamp(Date())
        let ours = bench.file("record.sqlite")
        let theirs = bench.file("plain.sqlite")
        for path in [ours, theirs] { try await prepare(path, at: start) }
        var rates: [Double] = []
        var plainRates: [Double] = []
        for round in 0..<Self.rounds {
            let moments = (0..<Self.checks).map { start + Int64(1 + round * Self.checks + $0) }
            rates.append(try await Self.rate { try await record(moments, in: ours) })
            plainRates.append(try await Self.rate { try insert(moments, in: theirs) })
        }
        return [
            Row(name: .recordRate, value: rates.median ?? 0, unit: "checks/s", reference: plainRates.median, goal: nil)
        ]
    }

    /// Makes a history in which every query has been asked once, so that its apps are known.
    func prepare(_ path: String, at moment: Timestamp, queries: Int = Self.queries) async throws {
        let store = try HistoryStore(path: path)
        let plan = try Watchlist(
            queries: (0..<queries).map { number in
                WatchedQuery(
                    query: try Self.query(number), cadences: [.every(seconds: 21_600)],
                    pairs: try (0..<Self.pairs).map { WatchedPair(bundleID: try Self.bundle(number, $0 * 7)) })
            })
        try await store.adopt(plan, now: moment)
        for number in 0..<queries { try await store.record(Self.check(number, at: moment)) }
        try await store.close()
    }

    private func record(_ moments: [Timestamp], in path: String) async throws -> Duration {
        let store = try HistoryStore(path: path)
        var number = try await store.nextPass(of: .itunes)
        var entries: [Entry] = []
        for start in stride(from: 0, to: moments.count, by: Self.queries) {
            let moments = moments[start..<min(start + Self.queries, moments.count)]
            guard let first = moments.first, let last = moments.last else { continue }
            let pass = PassID(of: .itunes, number: number)
            number += 1
            entries.append(.pass(.began(pass, at: first, due: moments.count)))
            for (query, moment) in moments.enumerated() {
                entries.append(.answer(try Self.answer(to: query, at: moment, in: pass)))
            }
            let result = PassResult(
                startedAt: first, finishedAt: last, due: moments.count, succeeded: moments.count,
                requests: moments.count)
            entries.append(.pass(.ended(pass, at: last, result)))
        }
        let clock = ContinuousClock()
        let began = clock.now
        for entry in entries { _ = try await store.apply(entry) }
        let duration = began.duration(to: clock.now)
        try await store.close()
        return duration
    }

    private func insert(_ moments: [Timestamp], in path: String) throws -> Duration {
        let database = try PlainSQLite(path)
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
        let places = ResultListCodec.encode((0..<Self.places).map { Int64($0 + 1) })
        let clock = ContinuousClock()
        let began = clock.now
        for (index, moment) in moments.enumerated() {
            try insert(index % Self.queries, at: moment.secondsSinceEpoch, places: places, into: database)
        }
        return began.duration(to: clock.now)
    }

    /// The rows that `HistoryStore.apply` writes for such a check.
    private func insert(_ query: Int, at: Int64, places: [UInt8], into database: PlainSQLite) throws {
        try database.run("BEGIN IMMEDIATE")
        try database.run(
            "INSERT INTO check_log (query, at, outcome, within) VALUES (?, ?, 'good', 200)",
            [.integer(Int64(query + 1)), .integer(at)])
        let check = database.lastRow
        try database.run("INSERT INTO result_list (check_id, places) VALUES (?, ?)", [.integer(check), .blob(places)])
        for app in 0..<Self.changed {
            try database.run(
                "UPDATE sighting SET fingerprint = ?, rating = ?, rating_count = ? WHERE storefront = 1 AND app = ?",
                [.integer(at), .real(4.5), .integer(at), .integer(Int64(query * Self.places + app + 1))])
        }
        for pair in 0..<Self.pairs {
            let number = Int64(query * Self.pairs + pair + 1)
            try database.run(
                "INSERT INTO position (pair, at, check_id, position, within) VALUES (?, ?, ?, ?, 200)",
                [.integer(number), .integer(at), .integer(check), .integer(Int64(pair * 7 + 1))])
            try database.run(
                "UPDATE standing SET checked_at = ?1, good_at = ?1, position = ?2, state = 'ranked' WHERE pair = ?3",
                [.integer(at), .integer(Int64(pair * 7 + 1)), .integer(number)])
        }
        try database.run("COMMIT")
    }

    private static func answer(to query: Int, at moment: Timestamp, in pass: PassID) throws -> SearchAnswer {
        let check = try check(query, at: moment)
        guard case .answered(let list) = check.outcome else { throw BenchmarkFailure("no list") }
        return SearchAnswer(to: check.query, at: moment, clock: moment, asking: .first(pass), reply: .list(list))
    }

    private static func rate(_ work: () async throws -> Duration) async throws -> Double {
        let duration = try await work()
        return Double(checks) / (duration / .seconds(1))
    }

    static func query(_ number: Int) throws -> Query {
        guard let country = Country(code: "us") else { throw BenchmarkFailure("no country “us”") }
        return Query(text: "habit \(number)", country: country)
    }

    private static func bundle(_ query: Int, _ place: Int) throws -> BundleID {
        guard let bundle = BundleID("com.example.app\(query * places + place)") else {
            throw BenchmarkFailure("no bundle identifier")
        }
        return bundle
    }

    static func check(_ query: Int, at moment: Timestamp) throws -> Check {
        let places = try (0..<places).map { place -> SeenApp? in
            let isChanged = place < changed
            let details = AppDetails(
                name: "App \(place)", developer: "Developer \(place)", version: "1.0", rating: 4.5,
                ratingCount: isChanged ? moment.secondsSinceEpoch : 1_000)
            return SeenApp(
                id: AppID(Int64(1_000_000_000 + query * Self.places + place)), bundleID: try bundle(query, place),
                fingerprint: UInt64(isChanged ? moment.secondsSinceEpoch : 1), details: { details })
        }
        return Check(query: try Self.query(query), at: moment, outcome: .answered(ResultList(places: places)))
    }
}
