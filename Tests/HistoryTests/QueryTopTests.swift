import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// The first places that are kept by themselves, beside the lists that they are of.
@Suite struct QueryTopTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() async throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
        try await store.adopt(watchlist([(timer, ["com.a"])]), now: start)
    }

    private func record(
        _ names: [String?], after hours: Int64, suspect: Bool = false, in store: HistoryStore? = nil
    ) async throws {
        try await (store ?? self.store).record(
            Check(
                query: timer, at: start + hours * 3_600,
                outcome: suspect ? .suspect(list(names), .collapsed) : .answered(list(names))))
    }

    /// What is kept: the hour of the list, its apps, and from which hour on changes are known; `nil` where nothing is.
    private func kept(in store: HistoryStore? = nil) async throws -> String? {
        let start = start.secondsSinceEpoch
        return try await (store ?? self.store).read { database in
            guard let top = try QueryTopRow.row(of: 1, in: database).flatMap({ try QueryTopRow.places($0) }) else {
                return nil
            }
            let names = try top.apps.map { app in
                try String.fetchOne(database, sql: "SELECT bundle_id FROM app WHERE id = ?", arguments: [app]) ?? "-"
            }
            return "\((top.key.at - start) / 3_600): \(names.joined(separator: " ")) since "
                + "\((top.since - start) / 3_600)"
        }
    }

    private func top(at hours: Int64, first count: Int = 10, in store: HistoryStore? = nil) throws -> [String?]? {
        try HistoryReader(path: (store ?? self.store).path)
            .topLists(of: [timer], first: count, at: start + hours * 3_600)[timer]?.apps.map { $0?.bundleID.text }
    }

    /// Those in the first ten places at an hour that were not at an earlier one; a star for whom was among the first
    /// twenty.
    private func entered(since: Int64, at hours: Int64) throws -> [String] {
        try HistoryReader(path: store.path)
            .topEntries(of: [timer], first: 10, since: start + since * 3_600, at: start + hours * 3_600).found[timer]?
            .entries.map { "\($0.position) \($0.app.bundleID)\($0.isFromAfar ? "" : "*")" } ?? []
    }

    private func expectSound(_ store: HistoryStore? = nil) async throws {
        #expect(try await (store ?? self.store).findings() == [])
    }

    /// So that whoever reads a page throws.
    private func damagePages() async throws {
        try await store.write { try $0.execute(sql: "UPDATE result_page SET bytes = x'00'") }
    }

    @Test func `a good check writes them, a suspect or failed one leaves them`() async throws {
        try await record(["com.a", nil, "com.b"], after: 1)
        try await record(["com.b", "com.c"], after: 2)
        try await record(["com.x"], after: 3, suspect: true)
        try await store.record(Check(query: timer, at: start + 4 * 3_600, outcome: .failed(Failure(.timedOut))))
        #expect(try await kept() == "2: com.b com.c since 1")
        #expect(try top(at: 9) == ["com.b", "com.c"])
        try await expectSound()
    }

    @Test func `the present is told without reading a page, and a moment before from its page`() async throws {
        try await record(["com.a"], after: 1)
        try await record(["com.b", "com.a"], after: 2)
        try await store.compact(before: start + 86_400)
        #expect(try top(at: 1) == ["com.a"])
        try await damagePages()
        #expect(try top(at: 2) == ["com.b", "com.a"])
        #expect(try top(at: 9, first: 1) == ["com.b"])
        #expect(try top(at: 1) == nil)
        // More places than are kept.
        #expect(try top(at: 2, first: TopList.depth + 1) == nil)
    }

    @Test func `who came in the last days is told without reading a page`() async throws {
        try await record(["com.a"], after: 1)
        try await record(["com.b", "com.a"], after: 2)
        try await record(["com.a", "com.c"], after: 3)
        try await store.compact(before: start + 86_400)
        for isDamaged in [false, true] {
            if isDamaged { try await damagePages() }
            #expect(try entered(since: 1, at: 3) == ["#2 com.c"])
            #expect(try entered(since: 2, at: 9) == ["#2 com.c"])
            #expect(try entered(since: 3, at: 9) == [])
        }
        #expect(try entered(since: 1, at: 2) == [])
        let reader = try HistoryReader(path: store.path)
        let moments = (start + 3_600, start + 2 * 3_600)
        #expect(try reader.topEntries(of: [timer], first: 10, since: moments.0, at: moments.1).unread == [timer])
    }

    @Test func `whoever comes from a place below the tenth has come, though not from afar`() async throws {
        let names = (1...25).map { "com.n\($0)" }
        try await record(names, after: 1)
        try await record(["com.n11", "com.n21", "com.n20"] + names, after: 2)
        try await record(names, after: 3)
        try await store.compact(before: start + 86_400)
        #expect(try entered(since: 1, at: 2) == ["#1 com.n11*", "#2 com.n21", "#3 com.n20*"])
        #expect(try entered(since: 2, at: 3) == ["#8 com.n8", "#9 com.n9", "#10 com.n10"].map { $0 + "*" })
        // Of a list that cannot be read it is known who was among the first twenty, and not in which order.
        try await record(["com.n15", "com.n24"] + names, after: 31)
        try await damagePages()
        let reader = try HistoryReader(path: store.path)
        let top = try reader.topEntries(of: [timer], first: 10, since: start + 3 * 3_600, at: start + 31 * 3_600)
        #expect(top.found[timer]?.entries.map { "\($0.app.bundleID) \($0.isFromAfar)" } == ["com.n24 true"])
        #expect(top.unread == [timer])
    }

    @Test func `two lists are needed to tell who came, of whatever age`() async throws {
        try await record(["com.a"], after: 1)
        try await record(["com.b"], after: 500)
        #expect(try entered(since: 0, at: 600) == [])
        #expect(try entered(since: 1, at: 600) == ["#1 com.b"])
        #expect(try entered(since: 0, at: 400) == [])
        let found = try HistoryReader(path: store.path)
            .topEntries(of: [timer], first: 10, since: start + 3_700, at: start + 501 * 3_600).found[timer]
        #expect(found?.before == start + 3_600 && found?.at == start + 500 * 3_600)
        #expect(
            try HistoryReader(path: store.path).topEntries(of: [], first: 10, since: start, at: start).found.isEmpty)
    }

    @Test func `an app that Apple has numbered anew has not come`() async throws {
        try await record(["com.a", "com.b"], after: 1)
        try await record(["com.a", "com.b", "com.c"], after: 2)
        // As if the entries of both lists had been of one app with two numbers.
        try await store.write {
            try $0.execute(sql: "UPDATE app SET bundle_id = 'com.B', bundle_key = 'com.b' WHERE bundle_id = 'com.c'")
        }
        #expect(try entered(since: 1, at: 2) == [])
    }

    @Test func `an app that stands twice has come once`() async throws {
        try await record(["com.a"], after: 1)
        try await record(["com.a", "com.b", nil, "com.b"], after: 2)
        #expect(try entered(since: 1, at: 2) == ["#2 com.b"])
    }

    @Test func `a check that comes late changes what is known of its time, not who is there now`() async throws {
        try await record(["com.a", "com.b"], after: 1)
        try await record(["com.a", "com.c"], after: 5)
        try await record(["com.b"], after: 3)
        #expect(try await kept() == "5: com.a com.c since 5")
        #expect(try top(at: 9) == ["com.a", "com.c"])
        #expect(try top(at: 4) == ["com.b"])
        #expect(try entered(since: 4, at: 9) == ["#1 com.a", "#2 com.c"])
        try await expectSound()
        try await record(["com.a"], after: 6)
        #expect(try await kept() == "6: com.a since 5")
        try await expectSound()
    }

    @Test func `a late check is not taken for the newest where nothing is kept`() async throws {
        try await record(["com.a"], after: 5)
        try await store.write { try QueryTopRow.forget(of: 1, in: $0) }
        try await record(["com.b"], after: 3)
        #expect(try await kept() == nil)
        #expect(try top(at: 9) == ["com.a"])
        try await record(["com.a"], after: 6)
        #expect(try await kept() == "6: com.a since 6")
        try await expectSound()
    }

    @Test func `of two checks of one second the one recorded last counts`() async throws {
        try await record(["com.a", "com.b"], after: 1)
        try await record(["com.a"], after: 2)
        try await record(["com.b", "com.a"], after: 2)
        #expect(try await kept() == "2: com.b com.a since 1")
        #expect(try top(at: 2) == ["com.b", "com.a"])
        #expect(try entered(since: 1, at: 2) == [])
        try await expectSound()
    }

    @Test func `they go with the list that they are of`() async throws {
        for day in 0..<3 as Range<Int64> { try await record(["com.a"], after: day * 24) }
        try await store.compact(before: start + 99 * 86_400)
        while try await !store.dropLists(of: 1, before: start + 2 * 86_400, limit: 1).isDone {}
        #expect(try await kept() == "48: com.a since 0")
        try await expectSound()
        while try await !store.dropLists(of: 1, before: start + 3 * 86_400, limit: 1).isDone {}
        #expect(try await kept() == nil)
        #expect(try top(at: 99) == nil)
        try await expectSound()
        try await record(["com.a"], after: 100)
        #expect(try await kept() == "100: com.a since 100")
        try await expectSound()
    }

    @Test func `they stay where a page is made anew without its oldest lists`() async throws {
        for day in 0..<60 as Range<Int64> { try await record(["com.a"], after: day * 24) }
        try await store.compact(before: start + 99 * 86_400)
        #expect(try await store.trimLists(of: 1, before: start + 40 * 86_400) == 40)
        #expect(try await kept() == "\(59 * 24): com.a since \(51 * 24)")
        try await expectSound()
    }

    @Test func `deleting older checks leaves them, deleting all takes them`() async throws {
        for hour in 0..<10 as Range<Int64> { try await record(["com.\(hour / 5)", "com.a"], after: hour) }
        try await store.compact(before: start + 86_400)
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"], before: start + 7 * 3_600)))
        #expect(try await kept() == "9: com.1 com.a since 7")
        try await expectSound()
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"], before: start + 99 * 3_600)))
        #expect(try await kept() == nil)
        #expect(try top(at: 99) == nil)
        try await expectSound()
    }

    @Test func `a deletion that was cut off leaves none that are of a deleted list`() async throws {
        for hour in 0..<4 as Range<Int64> { try await record(["com.a"], after: hour) }
        let moment = (start + 99 * 3_600).secondsSinceEpoch
        try await store.write { _ = try KeptCheck.forget(of: 1, before: moment, limit: 1, in: $0) }
        #expect(try await kept() == nil)
    }

    @Test func `an imported history has those of its newest good list`() async throws {
        try await record(["com.a", "com.b"], after: 1)
        try await record(["com.b", "com.c"], after: 2)
        try await record(["com.x"], after: 3, suspect: true)
        let file = try await store.export(to: folder)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        _ = try await other.importExport(file)
        #expect(try await kept(in: other) == "2: com.b com.c since 1")
        try await expectSound(other)
    }

    @Test func `older and newer checks that are imported beside others are taken up`() async throws {
        try await record(["com.a", "com.b"], after: 1)
        try await record(["com.b"], after: 3)
        try await record(["com.c", "com.b"], after: 9)
        let file = try await store.export(to: folder)
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(timer, ["com.a"])]), now: start)
        try await record(["com.a"], after: 0, in: other)
        try await record(["com.a", "com.b"], after: 2, in: other)
        _ = try await other.importExport(file)
        #expect(try await kept(in: other) == "9: com.c com.b since 0")
        #expect(try top(at: 9, in: other) == ["com.c", "com.b"])
        try await expectSound(other)
    }

    @Test func `what is being imported is read from the lists until it is derived`() async throws {
        try await record(["com.a"], after: 1)
        try await store.write { try Derivation.note([1], in: $0) }
        #expect(try await kept() == nil)
        #expect(try top(at: 9) == ["com.a"])
    }

    @Test func `where a page cannot be read nothing is told of the time before`() async throws {
        try await record(["com.a"], after: 1)
        try await store.compact(before: start + 86_400)
        try await record(["com.a"], after: 30)
        try await damagePages()
        try await store.write { try Derivation.derive(query: 1, in: $0) }
        #expect(try await kept() == "30: com.a since 30")
        try await record(["com.b"], after: 31)
        try await store.write {
            try $0.execute(
                sql: "UPDATE result_list SET places = x'00' WHERE check_id = (SELECT max(id) FROM check_log)")
            try Derivation.derive(query: 1, in: $0)
        }
        #expect(try await kept() == nil)
    }

    @Test func `those that cannot be decoded are read from the lists, and written anew`() async throws {
        try await record(["com.a"], after: 1)
        try await store.write { try $0.execute(sql: "UPDATE query_top SET apps = x'80'") }
        #expect(try top(at: 9) == ["com.a"])
        try await record(["com.b"], after: 2)
        #expect(try await kept() == "2: com.b since 2")
    }

    /// Checks in any order of time, some suspect, some of one second.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `whatever was recorded, they say what the lists say`(seed: UInt64) async throws {
        var dice = Dice(seed)
        var order = (0..<26).map { "com.\($0)" }
        for step in 0..<60 as Range<Int64> {
            order.swapAt(.random(in: 0..<26, using: &dice), .random(in: 0..<26, using: &dice))
            let isIrregular = step < 50
            let hour = isIrregular && dice.next() % 12 == 0 ? Int64.random(in: 0...step, using: &dice) : step
            try await record(
                Array(order.prefix(.random(in: 18...26, using: &dice))), after: hour * 5, suspect: dice.next() % 8 == 0)
            if isIrregular, dice.next() % 25 == 0 { try await store.write { try QueryTopRow.forget(of: 1, in: $0) } }
        }
        try await store.compact(before: start + 200 * 3_600)
        try await expectSound()
        var good: [StoredList] = []
        try HistoryReader(path: store.path).lists(on: timer) { list in
            if list.outcome == .good { good.append(list) }
            return true
        }
        let top = try #require(
            try await store.read { try QueryTopRow.row(of: 1, in: $0).flatMap { try QueryTopRow.places($0) } })
        #expect(top.key == good.last?.head.key)
        #expect(top.apps == good.last?.places.prefix(FirstPlaces.count).map { $0?.number })
        #expect(top.since < top.key.at)
        for moment in stride(from: top.since, through: top.key.at + 3_600, by: 1_800) {
            let then = good.last { $0.at.secondsSinceEpoch <= moment }
            #expect(
                top.held(at: moment) == then.map { Set($0.places.prefix(FirstPlaces.count).compactMap { $0?.number }) })
        }
    }
}
