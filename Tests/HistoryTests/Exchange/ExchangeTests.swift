import Foundation
import GRDB
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import History

@Suite struct ExchangeTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let exported = time("2026-11-08T12:00:00Z")
    private var file: String { folder.file("history.ndjson") }

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// A little of everything that a history can hold.
    private func fill(_ store: HistoryStore, checks: Range<Int64> = 0..<40) async throws {
        var plan = watchlist(
            [
                (query("timer"), ["com.a", "com.b"]),
                (query("Ärger ＝\u{202E}", "de", .ipad, language: "de_de"), ["com.a"]),
            ], competitors: ["com.b"])
        plan.apps[0].competitors = [bundle("com.b")]
        plan.apps[0].alias = "mine"
        plan.queries[0].popularity = 46.5
        plan.queries[0].pairs[0].tags = ["core", "x"]
        plan.timeZone = "Europe/Berlin"
        plan.sensitivity = .keen
        plan.notes = [
            Note(on: "2026-11-02", bundleID: bundle("com.a"), text: "two\nlines", added: ["a", "b"], removed: [])
        ]
        try await store.adopt(plan, now: start)
        for number in checks {
            let outcome: Check.Outcome =
                switch number % 5 {
                case 0: .answered(list(["com.x", "com.a", nil, "com.b", "com.x"]) { Self.details($0, number) })
                case 1: .answered(list(["com.b"]) { Self.details($0, number) })
                case 2: .failed(Failure(.status, "status 503 \u{1B}[2J"))
                case 3: .suspect(list(["com.y"]), .badDay)
                default: .answered(list([]))
                }
            let query = plan.queries[number.isMultiple(of: 3) ? 1 : 0].query
            try await store.record(Check(query: query, at: start + number * 7_200, outcome: outcome))
        }
        while let day = try await store.nextDayToRollUp(today: start.day + 2) {
            _ = try await store.rollUp(day: day, after: 0, limit: 10)
        }
        _ = try await store.record([StorefrontApp(bundle("com.a"), in: Country(code: "fr")!): .empty], at: start)
        try await store.record(
            PassResult(startedAt: start, finishedAt: start + 60, due: 3, succeeded: 2, failed: 1, requests: 4))
    }

    private static func details(_ name: String, _ number: Int64) -> AppDetails {
        AppDetails(
            name: "App \(name)", developer: "D\u{202E}", version: "1.\(number / 10)", price: 1.99, currency: "EUR",
            rating: 4.5, ratingCount: 10 + number, screenshotURLs: ["https://a", "https://b"])
    }

    private func export(_ path: String, since: Timestamp? = nil) async throws -> String {
        let text = Mutex<[UInt8]>([])
        let reader = try HistoryReader(path: path)
        let result = try await reader.export(since: since, now: exported) { _, _ in
        } write: { bytes in
            text.withLock { $0 += bytes }
        }
        let all = String(decoding: text.withLock { $0 }, as: UTF8.self)
        #expect(result.lines == all.split(separator: "\n").count)
        return all
    }

    private func other(_ name: String = "other") throws -> HistoryStore {
        try HistoryStore(path: folder.file("\(name).sqlite"))
    }

    private func findings(_ store: HistoryStore) async throws -> [String] { try await store.findings() }

    private func standings(_ store: HistoryStore) throws -> [String] {
        try HistoryReader(path: store.path).standings(days: [1, 7], trendSince: start.day).map { pair in
            let earlier = pair.earlier.sorted { $0.key < $1.key }.map { "\($0)" }
            var rest = pair
            rest.earlier = [:]
            return "\(rest) \(earlier)"
        }
    }

    @Test func `what is exported and imported is exported the same, and reports the same`() async throws {
        try await fill(store)
        let text = try await export(store.path)
        _ = try folder.write(text, to: "history.ndjson")
        let other = try other()
        let result = try await other.importExport(file)
        #expect(result.checks == 40 && result.duplicates == 0 && result.hasChecksum)
        #expect(result.lines == text.split(separator: "\n").count)
        #expect(try await export(other.path) == text)
        #expect(try await findings(other) == [])
        #expect(try standings(other) == standings(store))
        #expect(try HistoryReader(path: other.path).sensitivity() == .keen)
        #expect(
            try HistoryReader(path: other.path).watchedApps() == HistoryReader(path: store.path).watchedApps())
    }

    private func apps(_ store: HistoryStore) async throws -> [String] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT query, app_id, best, best_at FROM query_app JOIN app ON app.id = app ORDER BY 1, 2"
            ).map(\.description)
        }
    }

    @Test func `pages are exported as the lists that they hold, and import as those`() async throws {
        try await fill(store)
        let text = try await export(store.path)
        try await store.compact(before: start + 30 * 7_200, limit: 5)
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM result_page") } == 2)
        #expect(try await export(store.path) == text)
        _ = try folder.write(text, to: "history.ndjson")
        let other = try other()
        _ = try await other.importExport(file)
        #expect(try await export(other.path) == text)
        #expect(try await findings(other) == [])
        #expect(try await apps(other) == apps(store))
        #expect(try await other.queriesToFill() == [])
        // And once more into what has been compacted meanwhile.
        try await other.compact(before: start + 30 * 7_200)
        #expect(try await other.importExport(file).checks == 0)
        #expect(try await export(other.path) == text)
        #expect(try await findings(other) == [])
    }

    @Test func `lists that lie between those in pages are read, and find their page`() async throws {
        try await fill(store)
        let whole = try await export(store.path)
        _ = try folder.write(whole, to: "history.ndjson")
        let other = try other()
        let plan = watchlist([(query("timer"), ["com.own", "com.y"])])
        try await other.adopt(plan, now: start)
        for number in 0..<60 as Range<Int64> {
            try await other.record(
                Check(
                    query: query("timer"), at: start + number * 7_200 + 60,
                    outcome: .answered(list(["com.x", "com.own"]))
                ))
        }
        try await other.compact(before: start + 50 * 7_200)
        #expect(try await other.importExport(file).checks == 40)
        for finding in try await findings(other) { Issue.record("\(finding)") }
        let reader = try HistoryReader(path: other.path)
        let count = { () throws -> Int in
            var count = 0
            try reader.lists(on: query("timer")) { _ in
                count += 1
                return true
            }
            return count
        }
        let lists = try count()
        #expect(lists > 60)
        // What the imported lists say of this history's own pairs.
        #expect(try await !other.queriesToFill().isEmpty)
        try await other.fillIn()
        for finding in try await findings(other) { Issue.record("\(finding)") }
        let good = try await other.read {
            // Those with a place that could not be read tell of no app that they do not name.
            try Int.fetchOne(
                $0,
                sql: """
                    SELECT count(*) FROM check_log
                    WHERE query = 1 AND outcome = 'good' AND (reason IS NULL OR EXISTS (
                        SELECT 1 FROM position JOIN pair ON pair.id = position.pair
                        WHERE position.check_id = check_log.id AND pair.bundle_id = 'com.own'))
                    """)
        }
        #expect(try reader.readings(of: bundle("com.own"), on: query("timer")).count == good)
        try await other.compact(before: start + 99 * 7_200)
        #expect(try count() == lists)
        for finding in try await findings(other) { Issue.record("\(finding)") }
    }

    @Test func `daily ratings are moved, and of a day that both have the newer reading stays`() async throws {
        try await fill(store)
        func days(_ store: HistoryStore) throws -> [String] {
            try HistoryReader(path: store.path).ratingDays(of: bundle("com.a"), start.day...start.day + 9)
                .filter { $0.country.code == "us" }.map { "+\(($0.at - start) / 3_600)h \($0.ratings)" }
        }
        #expect(try days(store) == ["+20h 20", "+40h 30", "+70h 45"])
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        try await other.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        let details = AppDetails(name: "A", ratingCount: 1)
        for hours in [23, 25] as [Int64] {
            try await other.record(
                Check(
                    query: query("timer"), at: start + hours * 3_600,
                    outcome: .answered(list(["com.a"]) { _ in details })))
        }
        _ = try await other.importExport(file)
        #expect(try days(other) == ["+23h 1", "+40h 30", "+70h 45"])
        let late = try await export(store.path, since: start + 2 * 86_400)
        #expect(late.split(separator: "\n").count { $0.contains("\"ratings\":[") } > 0)
        #expect(!late.contains("\"at\":\((start + 40 * 3_600).secondsSinceEpoch),\"average\""))
    }

    @Test func `what look-ups told is moved, and what is known already stays`() async throws {
        try await fill(store)
        let text = try await export(store.path)
        #expect(text.contains(#""bundleId":"com.a","country":"fr","emptyAnswers":1"#))
        _ = try folder.write(text, to: "history.ndjson")
        let other = try other()
        _ = try await other.record([StorefrontApp(bundle("com.a"), in: Country(code: "fr")!): .found], at: start + 5)
        _ = try await other.importExport(file)
        let found = try await other.read { try Int64.fetchAll($0, sql: "SELECT found_at FROM app_presence") }
        #expect(found == [(start + 5).secondsSinceEpoch])
    }

    @Test func `where two histories looked an app up, the later answer counts in both orders`() async throws {
        try await fill(store)
        let other = try other()
        let app = StorefrontApp(bundle("com.a"), in: Country(code: "fr")!)
        _ = try await other.record([app: .found], at: start + 5)
        let (empty, found) = (try await export(store.path), try await export(other.path))
        _ = try folder.write(found, to: "history.ndjson")
        _ = try await store.importExport(file)
        _ = try folder.write(empty, to: "history.ndjson")
        _ = try await other.importExport(file)
        for history in [store, other] {
            let rows = try await history.read {
                try Row.fetchAll($0, sql: "SELECT found_at, empty_answers, empty_at FROM app_presence").map(\.text)
            }
            #expect(rows == ["\((start + 5).secondsSinceEpoch) 0 NULL"])
        }
    }

    @Test func `an export has nothing that would act on a terminal`() async throws {
        try await fill(store)
        let text = try await export(store.path)
        #expect(!text.contains("\u{202E}") && !text.contains("\u{1B}") && text.contains("\\u202E"))
    }

    @Test func `importing twice changes nothing`() async throws {
        try await fill(store)
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        _ = try await other.importExport(file)
        let before = try await export(other.path)
        let again = try await other.importExport(file)
        #expect(again.checks == 0 && again.positions == 0 && again.duplicates == 40)
        #expect(try await export(other.path) == before)
    }

    @Test func `an import that was cut off anywhere can be run again`() async throws {
        try await fill(store)
        let text = try await export(store.path)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, count) in stride(from: 1, to: lines.count - 1, by: 7).enumerated() {
            let other = try other("cut\(index)")
            let part = try folder.write(lines.prefix(count).joined(separator: "\n") + "\n", to: "part.ndjson")
            await #expect(throws: ImportRefusal.self) { try await other.importExport(part) }
            let whole = try folder.write(text, to: "part.ndjson")
            _ = try await other.importExport(whole)
            #expect(try await export(other.path) == text, "cut after line \(count)")
            #expect(try await findings(other) == [])
            try await other.close()
        }
    }

    @Test func `a history with a plan of its own keeps it, and what is new comes as retired`() async throws {
        try await fill(store)
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        let plan = watchlist([(query("TIMER"), ["com.a"]), (query("own"), ["com.own"])])
        let later = start + 100 * 7_200
        try await other.adopt(plan, now: later)
        for number in 0..<5 as Range<Int64> {
            try await other.record(
                Check(
                    query: query("timer"), at: later + number * 7_200, outcome: .answered(list(["com.own", "com.a"]))))
        }
        while let day = try await other.nextDayToRollUp(today: later.day + 1) {
            _ = try await other.rollUp(day: day, after: 0, limit: 10)
        }
        let result = try await other.importExport(file)
        #expect(result.checks == 40)
        #expect(try await findings(other) == [])
        let reader = try HistoryReader(path: other.path)
        #expect(try reader.standings().map { "\($0.query.text) \($0.bundleID)" } == ["TIMER com.a", "own com.own"])
        let timer = try reader.standings()[0]
        #expect(timer.lastGood?.checkedAt == later + 4 * 7_200, "what was recorded here is newer")
        let before = try await export(other.path)
        #expect(try await other.importExport(file).checks == 0)
        #expect(try await export(other.path) == before)
        // And going on after it.
        try await other.record(
            Check(query: query("timer"), at: later - 500, outcome: .answered(list(["com.a"]))))
        #expect(try await findings(other) == [])
    }

    @Test func `newer checks of another history become where a pair stands`() async throws {
        try await fill(store)
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        try await other.adopt(watchlist([(query("timer"), ["com.a"])]), now: start - 9_000)
        try await other.record(
            Check(query: query("timer"), at: start - 8_000, outcome: .answered(list(["com.a"]))))
        _ = try await other.importExport(file)
        let standing = try HistoryReader(path: other.path).standings()[0]
        #expect(standing.checkedAt.map { $0 > start } == true)
        #expect(try await findings(other) == [])
    }

    @Test func `what was still to be filled in of a retired pair is no finding where its export is imported`()
        async throws
    {
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start)
        // The clock was ahead, and is right again when the pair is added.
        for seconds in [90_000, 100_000] as [Int64] {
            try await store.record(
                Check(query: query("timer"), at: start + seconds, outcome: .answered(list(["com.x"]))))
        }
        try await store.adopt(watchlist([(query("timer"), ["com.b", "com.a"])]), now: start + 3_600)
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start + 200_000)
        #expect(try await findings(store) == [])
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        _ = try await other.importExport(file)
        #expect(try await findings(other) == [])
    }

    @Test func `a pair whose time another history knows is read from the lists that are here`() async throws {
        let other = try other()
        try await other.adopt(
            watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start - 3_600)
        try await other.record(
            Check(query: query("clock"), at: start, outcome: .answered(list(["com.a"]))))
        _ = try folder.write(try await export(other.path), to: "history.ndjson")
        try await store.adopt(watchlist([(query("timer"), ["com.b"])]), now: start)
        for hour in 1...3 as ClosedRange<Int64> {
            try await store.record(
                Check(query: query("timer"), at: start + hour * 3_600, outcome: .answered(list(["com.x"]))))
        }
        _ = try await store.importExport(file)
        #expect(try await count("SELECT count(*) FROM position WHERE position IS NULL", store) == 6)
        #expect(try await findings(store) == [])
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let copy = try self.other("copy")
        _ = try await copy.importExport(file)
        #expect(try await findings(copy) == [])
    }

    @Test func `checks that do not count yet do not count where they are imported either`() async throws {
        try await store.adopt(watchlist([(query("timer"), ["com.a"]), (query("clock"), ["com.a"])]), now: start)
        let answer = Check.Outcome.answered(list(["com.a"]))
        try await store.record(Check(query: query("timer"), at: start + 3_456_000, outcome: answer))
        try await store.record(Check(query: query("clock"), at: start, outcome: answer), clock: start)
        try await store.prune(try await store.plan(PruneRequest(queries: ["clock"])))
        _ = try folder.write(try await export(store.path), to: "history.ndjson")
        let other = try other()
        _ = try await other.importExport(file)
        for history in [store, other] {
            #expect(try await count("SELECT count(*) FROM check_log", history) == 1)
            #expect(try await count("SELECT count(*) FROM query WHERE newest_check IS NOT NULL", history) == 0)
            #expect(try await findings(history) == [])
        }
    }

    private func count(_ sql: String, _ store: HistoryStore) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    @Test func `what a killed import had no time to derive, the next writer derives`() async throws {
        try await fill(store)
        try await store.write { database in
            try database.execute(sql: "DELETE FROM standing WHERE pair = 1; UPDATE query SET newest_check = NULL")
            try Derivation.note([1, 2], in: database)
        }
        // What is noted is no damage.
        #expect(try await findings(store) == [])
        #expect(try await count("SELECT count(*) FROM standing WHERE pair = 1", store) == 0)
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try await findings(again) == [])
        #expect(try await count("SELECT count(*) FROM standing WHERE pair = 1", again) == 1)
        #expect(try await again.read { try Setting.underived.text(in: $0) } == nil)
        try await again.close()
    }

    @Test func `an import that is broken off is run again, with nothing to find wrong in between`() async throws {
        try await fill(store, checks: 0..<1_500)
        let text = try await export(store.path)
        _ = try folder.write(text, to: "history.ndjson")
        let other = try other()
        let file = file
        let begun = AsyncStream<Void>.makeStream()
        let brokenOff = DispatchSemaphore(value: 0)
        let task = Task {
            // The importing waits here until it has been broken off.
            try await other.importExport(file) { _, _ in
                begun.continuation.yield()
                brokenOff.wait()
                brokenOff.signal()
            }
        }
        for await _ in begun.stream { break }
        task.cancel()
        brokenOff.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await findings(other) == [])
        _ = try await other.importExport(file)
        #expect(try await export(other.path) == text)
        #expect(try await findings(other) == [])
    }

    @Test func `since leaves out what is older`() async throws {
        try await fill(store)
        let text = try await export(store.path, since: start + 20 * 7_200)
        #expect(text.split(separator: "\n").count { $0.contains("\"type\":\"check\"") } == 20)
        _ = try folder.write(text, to: "history.ndjson")
        let other = try other()
        #expect(try await other.importExport(file).checks == 20)
    }

    /// What follows the header, and what is said about it.
    private static let faults: [(String, String)] = [
        (
            #"{"type":"check","n":1,"query":1,"at":1,"outcome":"good","within":0}"#,
            "line 2: names query 1, which no line"
        ),
        (#"{"type":"app","n":1}"#, "line 2: is not a line of an export (“appId” is missing)"),
        (#"{"type":"new"}"#, "line 2: is not a line of an export"),
        (#"{"type":"end","lines":7}"#, "line 2: there should be 7 lines"),
        ("", "line 2: is not a line of an export"),
        (#"{"type":"end","lines":2}"# + "\n{}", "line 3: something follows the last line"),
        (timer + #"{"type":"check","n":1,"query":7,"at":1,"outcome":"good"}"#, "line 3: within is missing"),
        (
            timer + #"{"type":"check","n":1,"query":7,"at":1,"outcome":"failed","within":3,"reason":"status"}"#,
            "line 3: does not fit"
        ),
        (timer.trimmingCharacters(in: .newlines), "line 2: the file was cut off here"),
    ]

    private static let wholeFaults: [(String, String)] = [
        ("", "the file is empty"), ("hello\n", "line 1: is not an export of rankctl"),
        (#"{"type":"header","format":"other","version":1,"exportedAt":1}"#, "line 1: is not the header of an export"),
        (
            #"{"type":"header","format":"rankd-history","version":4,"exportedAt":1}"#,
            "line 1: has version 4 of the format, this rankctl reads 1 to 3"
        ),
        (#"{"type":"end","lines":1}"#, "line 1: there is no header"),
    ]

    @Test func `an export of version 1 is read`() async throws {
        try await fill(store)
        let text = try await export(store.path).replacing("\"version\":3}", with: "\"version\":1}", maxReplacements: 1)
        #expect(text.contains("\"version\":1}"))
        _ = try folder.write(text.withoutChecksum, to: "history.ndjson")
        let other = try other()
        let result = try await other.importExport(file)
        #expect(result.checks == 40 && !result.hasChecksum)
        #expect(try await findings(other) == [])
    }

    @Test func `what is wrong with a file is told with its line`() async throws {
        let header = #"{"type":"header","format":"rankd-history","version":1,"exportedAt":1}"#
        for (text, words) in Self.wholeFaults + Self.faults.map({ ("\(header)\n\($0.0)\n", $0.1) }) {
            _ = try folder.write(text, to: "history.ndjson")
            do {
                _ = try await store.importExport(file)
                Issue.record("imported \(text)")
            } catch let refusal as ImportRefusal {
                #expect(refusal.description.contains(words) && refusal.description.contains("; "), "\(refusal)")
            }
        }
    }

    private static let timer =
        #"{"type":"query","n":7,"text":"t","country":"us","platform":"iphone","source":"itunes","language":"","#
        + #""cadences":"every 60","cadenceSeconds":60,"ordinal":0,"baselineFrom":0}"# + "\n"

    @Test func `a missing file is said to be missing`() async throws {
        await #expect(throws: ImportMissing(path: file)) { try await store.importExport(file) }
    }

    @Test func `the positions of the CSV are the view's`() async throws {
        try await fill(store)
        let rows = Mutex<[String]>([])
        let reader = try HistoryReader(path: store.path)
        let count = try await reader.exportPositions(since: nil) { _, _ in
        } write: { row in
            rows.withLock {
                $0.append(
                    "\(row.at.secondsSinceEpoch) \(row.query) \(row.bundleID) \(row.appName ?? "") \(row.outcome.state) "
                        + "\(row.outcome.position?.number ?? 0) \(row.outcome.within ?? -1)")
            }
        }
        let view = try reader.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM position_history").map { row in
                "\(row["at"] as Int64) \(row["query"] as String) \(row["bundle_id"] as String) "
                    + "\(row["app_name"] as String? ?? "") \(row["state"] as String) \(row["position"] as Int? ?? 0) "
                    + "\(row["within"] as Int? ?? -1)"
            }
        }
        #expect(count == view.count && rows.withLock { $0.sorted() } == view.sorted() && count > 40)
    }
}
