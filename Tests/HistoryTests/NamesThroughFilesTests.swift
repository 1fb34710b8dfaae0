import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// The names of apps, and the first lists of queries, through imports, damage and writers that are broken off.
@Suite struct NamesThroughFilesTests {
    private let stage: NamesStage
    private var store: HistoryStore { stage.store }
    private let timer = query("timer")

    init() throws { stage = try NamesStage() }

    @Test func `a merge makes no change of what a machine saw first`() async throws {
        let other = try stage.other()
        for machine in [store, other] { try await stage.adopt(["com.old"], in: machine) }
        for hour in [0, 24, 96] as [Int64] { try await stage.check([(777, "com.old")], after: hour) }
        try await stage.check([(777, "com.new")], after: 120, in: other)
        _ = try await store.importExport(try await other.export(to: stage.folder))
        _ = try await other.importExport(try await store.export(to: stage.folder))
        #expect(try await stage.names(of: 777).present == bundle("com.old"))
        #expect(try await stage.names(of: 777).new.map(\.bundleID) == [bundle("com.new")])
        #expect(try await other.names() == store.names())
        for machine in [store, other] {
            #expect(try stage.changes(in: machine) == [])
            #expect(try await machine.findings() == [])
        }
    }

    @Test(arguments: [
        ("later ones first", #"[{"bundleId":"com.a","from":9},{"bundleId":"com.b","from":8}]"#),
        ("two at once", #"[{"bundleId":"com.a","from":9},{"bundleId":"com.b","from":9}]"#),
        ("one twice in a row", #"[{"bundleId":"com.b","from":8},{"bundleId":"com.b","from":9}]"#),
        (
            "one that stayed before it began",
            #"[{"bundleId":"com.a","from":8},{"bundleId":"com.b","from":9,"stayed":7}]"#
        ),
        ("another bundleId", #"[{"bundleId":"com.b","from":8},{"bundleId":"com.a","from":9}]"#),
        ("none", "[]"),
    ])
    func `names of an import that contradict order or bundleId are refused`(_ what: String, names: String) async throws
    {
        let text = """
            {"type":"header","format":"rankd-history","version":3,"exportedAt":1}
            {"type":"app","n":1,"appId":7,"bundleId":"com.b","firstSeenAt":8,"lastSeenDay":1,"names":\(names)}

            """
        let refusal = await #expect(throws: ImportRefusal.self) {
            try await store.importExport(try stage.folder.write(text, to: "wrong.ndjson"))
        }
        let words = "line 2: has names that are not in order of time, or do not end with its bundleId"
        #expect(refusal?.description.contains(words) == true, "\(what)")
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM app") } == 0)
    }

    @Test(arguments: [1, 2]) func `an export of an earlier version is read, and takes no name away`(
        version: Int
    ) async throws {
        let other = try stage.other()
        for machine in [store, other] { try await stage.adopt(["com.old"], in: machine) }
        for (hour, name) in [(0, "com.old"), (6, "com.new"), (54, "com.new")] as [(Int64, String)] {
            try await stage.check([(777, name)], after: hour)
        }
        try await stage.check([(1, "com.a"), (777, "com.old")], after: 1, in: other)
        let text = try String(contentsOfFile: try await other.export(to: stage.folder), encoding: .utf8)
        let old = text.withoutChecksum.replacing(
            "\"version\":3", with: "\"version\":\(version)", maxReplacements: 1)
        #expect(old.contains("\"version\":\(version)"))
        let before = try await store.names()
        _ = try await store.importExport(try stage.folder.write(old, to: "old.ndjson"))
        #expect(try await store.names() == before)
        #expect(try stage.places("com.old") == [1, 2, 1, 1])
        #expect(try await store.findings() == [])
    }

    // MARK: First lists

    private func record(_ checks: [(hours: Int64, places: Int)], in store: HistoryStore) async throws {
        for (hours, count) in checks {
            try await store.record(
                Check(
                    query: timer, at: stage.start + hours * 3_600,
                    outcome: .answered(list((0..<count).map { "com.x\($0)" }))))
        }
    }

    private func isCut(_ store: HistoryStore) async throws -> Bool? {
        try await store.read { try Bool.fetchOne($0, sql: "SELECT is_cut FROM query") }
    }

    /// A history that was cut off before short lists.
    private func cut() async throws {
        try await stage.adopt(["com.x2"])
        try await record(
            [(0, 150), (24, 150), (48, 150), (96, 3), (120, 3), (144, 3), (168, 150), (192, 150)], in: store)
        try await store.prune(
            try await store.plan(PruneRequest(queries: ["timer"], before: stage.start + 96 * 3_600)))
        try await record([(216, 150), (240, 150)], in: store)
    }

    @Test(
        arguments: [
            ("whole", [(0, 150), (24, 150), (48, 150)], false),
            ("begun later", [(250, 150), (260, 150), (270, 150)], true),
        ] as [(String, [(Int64, Int)], Bool)])
    func `a query that was cut off is not judged by the first that are left, where it is merged into another history`(
        _ what: String, checks: [(Int64, Int)], staysCut: Bool
    ) async throws {
        try await cut()
        let other = try stage.other()
        try await stage.adopt(["com.x2"], in: other)
        try await record(checks.map { (hours: $0.0, places: $0.1) }, in: other)
        let own = try await other.export(to: stage.folder)
        let text = try String(contentsOfFile: own, encoding: .utf8)
        _ = try await other.importExport(try await store.export(to: stage.folder))
        _ = try await store.importExport(try stage.folder.write(text, to: "own.ndjson"))
        for machine in [store, other] {
            #expect(try await isCut(machine) == staysCut, "\(what)")
            #expect(try stage.places("com.x2", in: machine) == Array(repeating: 3, count: 10))
            let suspects = try await machine.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM check_log WHERE outcome = 'suspect'")
            }
            #expect(suspects == 0)
            #expect(try await machine.findings() == [])
        }
    }

    // MARK: Verifying

    struct Damage: CustomTestStringConvertible {
        let sql: String
        let words: String
        var testDescription: String { words }
    }

    static let damages = [
        Damage(sql: "ordinal = 9 WHERE bundle_id = 'com.newest'", words: "are not numbered one by one"),
        Damage(sql: "bundle_id = '' WHERE bundle_id = 'com.newest'", words: "cannot be"),
        Damage(sql: "from_at = 0 WHERE bundle_id = 'com.new'", words: "are not in order of time"),
        Damage(sql: "stayed_at = from_at - 1 WHERE bundle_id = 'com.new'", words: "are not in order of time"),
        Damage(
            sql: "bundle_key = NULL WHERE bundle_id = 'com.new'",
            words: "does not stand for this app, although it stayed"),
        Damage(sql: "until_at = 1 WHERE bundle_id = 'com.new'", words: "stayed, and is marked as if it had not"),
        Damage(
            sql: "bundle_id = 'com.new', bundle_key = 'com.new' WHERE bundle_id = 'com.newest'",
            words: "is marked as new, although the app has it"),
        Damage(sql: "bundle_key = NULL WHERE bundle_id = 'com.newest'", words: "although no other app has it"),
        Damage(
            sql: "bundle_key = 'com.taken' WHERE bundle_id = 'com.taken'",
            words: "stands for this app, although it is another app's name"),
        Damage(
            sql: "bundle_id = 'com.else', bundle_key = 'com.else' WHERE bundle_id = 'com.new'",
            words: "the present name of this app is not the last of its names"),
    ]

    @Test(arguments: damages) func `verify finds each kind of damage of a name`(_ damage: Damage) async throws {
        try await stage.adopt(["com.old"])
        for (hour, name, five) in [
            (0, "com.old", "com.five"), (6, "com.new", "com.five"), (54, "com.new", "com.five"),
            (60, "com.newest", "com.taken"),
        ] as [(Int64, String, String)] {
            try await stage.check([(777, name), (555, five), (1, "com.taken")], after: hour)
        }
        #expect(try await store.findings() == [])
        let changes = try await store.write { database in
            try database.execute(sql: "UPDATE bundle_name SET \(damage.sql)")
            return database.changesCount
        }
        #expect(changes == 1)
        let findings = try await store.findings()
        #expect(findings.contains { $0.contains(damage.words) }, "\(findings)")
    }

    // MARK: Putting right

    /// Two queries of which a name tells otherwise once the last check has shown that another one stayed; nothing is
    /// put right yet, as where the process was killed behind the check.
    private func breakOff() async throws {
        try await store.adopt(watchlist([(timer, ["com.x"]), (query("clock"), ["com.x"])]), now: stage.start)
        let before: [(Int64, String)] = [(888, "com.x"), (1, "com.a"), (777, "com.x")]
        let after: [(Int64, String)] = [(888, "com.x"), (1, "com.a"), (777, "com.new")]
        for words in ["timer", "clock"] {
            try await stage.check([(1, "com.a"), (777, "com.x")], on: words, after: 0)
        }
        for words in ["timer", "clock"] { try await stage.check(before, on: words, after: 24) }
        for words in ["timer", "clock"] { try await stage.check(after, on: words, after: 60) }
        let check = stage.answer(after, after: 108 * 3_600)
        try await store.write { database in
            let query = try #require(try QueryRow.id(of: check.query, in: database))
            _ = try HistoryStore.keep(check, of: query, clock: nil, restartsBaseline: false, in: database)
        }
        #expect(try stage.places("com.x", on: "clock") == [2, 1, 1])
    }

    private func noted(_ store: HistoryStore) async throws -> [Set<Int64>] {
        try await store.read { try [Derivation.pending(in: $0), Setting.misplaced.queries(in: $0)] }
    }

    @Test func `verify says nothing of places that are noted to be held against the lists anew`() async throws {
        try await breakOff()
        #expect(try await noted(store) == [[1, 2], [1, 2]])
        #expect(try await store.findings() == [])
        try await store.write { database in
            try Setting.misplaced.set(queries: [], in: database)
            try Setting.underived.set(nil as String?, in: database)
        }
        #expect(try await !store.findings().isEmpty)
    }

    @Test(arguments: [true, false])
    func `what other queries tell is put right query by query, by the next writer if it is broken off`(
        isReopened: Bool
    ) async throws {
        try await breakOff()
        try await store.write { try Derivation.finish(1, in: $0) }
        #expect(try await noted(store) == [[2], [2]])
        #expect(try stage.places("com.x") == [2, 3, 1, 1])
        #expect(try stage.places("com.x", on: "clock") == [2, 1, 1])
        #expect(try await store.findings() == [])
        if isReopened {
            try await store.close()
            let next = try HistoryStore(path: store.path)
            #expect(try await noted(next) == [[], []])
            try await next.close()
        } else {
            try await stage.check([(1, "com.a")], after: 120)
            #expect(try await noted(store) == [[], []])
        }
        #expect(try stage.places("com.x", on: "clock") == [2, 3, 1])
        #expect(try await store.findings() == [])
    }
}
