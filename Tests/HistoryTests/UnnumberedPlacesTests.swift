import Foundation
import GRDB
import RankKit
import TestSupport
import Testing

@testable import History

/// Entries with a bundle identifier and no number of Apple's.
@Suite struct UnnumberedPlacesTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let start = time("2026-11-01T00:00:00Z")
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func places(_ names: String...) -> ResultList { list(names) }

    private func adopt(_ apps: String..., in other: HistoryStore? = nil) async throws {
        try await (other ?? store).adopt(watchlist([(timer, apps)]), now: start)
    }

    private func record(_ list: ResultList, after hours: Int64, in other: HistoryStore? = nil) async throws {
        try await (other ?? store).record(
            Check(query: timer, at: start + hours * 3_600, outcome: .answered(list)))
    }

    private func reader(_ other: HistoryStore? = nil) throws -> HistoryReader {
        try HistoryReader(path: (other ?? store).path)
    }

    /// Who holds the places of the list, as `places` takes it; `!com.x` where several apps had the bundle identifier.
    private func told(after hours: Int64, by reader: HistoryReader) throws -> [String]? {
        guard let list = try reader.list(on: timer, at: start + hours * 3_600) else { return nil }
        let named = try reader.named(list)
        let apps = try reader.apps(named.list.places.compactMap(\.self), namedIn: nil)
        return named.list.places.indices.map { index in
            if let number = named.list.places[index] { return apps[number]?.bundleID.text ?? "stranger" }
            guard let name = named.name(at: index), let position = Position(index + 1) else { return "-" }
            return (named.unclear.contains(position) ? "!" : "?") + name.text
        }
    }

    private func told(after hours: Int64, in other: HistoryStore? = nil) throws -> [String]? {
        try told(after: hours, by: reader(other))
    }

    private func rows(_ other: HistoryStore? = nil) async throws -> [String] {
        try await (other ?? store).read {
            try Row.fetchAll($0, sql: "SELECT * FROM unnumbered_place ORDER BY check_id, position").map(\.text)
        }
    }

    // MARK: Recording

    @Test func `an entry without a number keeps the name of an app that nobody tracks, also after a restart`()
        async throws
    {
        try await adopt("com.a")
        try await record(places("com.a", "?com.Stranger", "-", "?com.other"), after: 0)
        try await store.record(
            Check(query: timer, at: start + 3_600, outcome: .suspect(places("?com.s", "com.a"), .collapsed)))
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try told(after: 0, in: again) == ["com.a", "?com.Stranger", "-", "?com.other"])
        #expect(try told(after: 1, in: again) == ["?com.s", "com.a"])
        #expect(try await again.findings() == [])
        try await again.close()
    }

    @Test func `an answer that was sent by another process or held keeps the names`() async throws {
        try await adopt("com.a")
        for day in 0...2 as ClosedRange<Int64> { try await record(list((0..<99).map { "com.x\($0)" }), after: day) }
        let pass = PassID(of: .itunes, number: 1)
        let entries: [Entry] = [
            .answer(
                SearchAnswer(
                    to: timer, at: start + 21_600, clock: start + 21_601, asking: .first(pass),
                    reply: .list(places("?com.stranger", "com.x1")))),
            .pass(.ended(pass, at: start + 21_700, nil)),
        ]
        for entry in entries { _ = try await store.apply(try Entry(encoded: entry.encoded())) }
        #expect(try told(after: 6) == ["?com.stranger", "com.x1"])
        #expect(try await rows() == ["4 1 'com.stranger'"])
    }

    @Test func `names stay beside lists in pages`() async throws {
        try await adopt("com.a")
        for day in 0..<3 as Range<Int64> { try await record(places("?com.d\(day)", "com.a"), after: day * 24) }
        try await store.compact(before: start + 2 * 86_400)
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT sum(lists) FROM result_page") } == 2)
        #expect(try told(after: 24) == ["?com.d1", "com.a"])
        #expect(try await store.findings() == [])
    }

    @Test func `a pair that is put back stands where the newest check told it, whatever its list can tell`()
        async throws
    {
        try await adopt("com.a", "com.b", "com.told")
        try await record(places("?com.told", "com.a", "?com.stranger"), after: 0)
        try await adopt("com.a")
        try await adopt("com.a", "com.b", "com.told")
        let standings = try reader().standings()
        #expect(standings.map(\.lastGood?.position) == [Position(2), nil, Position(1)])
        #expect(standings.map(\.outcome.state) == [.ranked, .failed, .ranked])
        #expect(try await store.findings() == [])
    }

    @Test func `a pair that is put back has its best place from a list that cannot tell it again`() async throws {
        try await adopt("com.a", "com.told")
        try await record(places("?com.told", "com.a"), after: 0)
        try await record(places("com.a", "com.x", "?com.told"), after: 6)
        try await record(places("com.a"), after: 12)
        let before = try reader().standings()
        try await adopt("com.a")
        try await adopt("com.a", "com.told")
        try await store.fillIn()
        let after = try reader().standings()
        #expect(after.map(\.best?.position) == [Position(1), Position(1)])
        #expect(after.map(\.best) == before.map(\.best) && after.map(\.worst) == before.map(\.worst))
        #expect(try await store.findings() == [])
    }

    // MARK: Whose the name is

    @Test func `an app that got its number later is the one of before`() async throws {
        try await adopt("com.a")
        try await record(places("?com.later", "com.a"), after: 0)
        try await record(places("com.a", "com.later"), after: 6)
        #expect(try told(after: 0) == ["com.later", "com.a"])
        // At that time nobody knew.
        #expect(try told(after: 0, by: reader().asOf(start + 60)) == ["?com.later", "com.a"])
    }

    @Test func `where two apps had the name in turn it is neither's`() async throws {
        try await adopt("com.a")
        try await record(places("?com.shared", "com.a"), after: 0)
        func numbered(_ id: Int64, _ name: String) -> ResultList {
            ResultList(
                places: [SeenApp(id: AppID(id), bundleID: bundle(name))] + list(["com.a"]).places)
        }
        for hours in [6, 100] as [Int64] { try await record(numbered(1, "com.shared"), after: hours) }
        for hours in [200, 300] as [Int64] { try await record(numbered(1, "com.moved"), after: hours) }
        for hours in [400, 500] as [Int64] { try await record(numbered(2, "com.shared"), after: hours) }
        #expect(try told(after: 0) == ["!com.shared", "com.a"])
        let named = try reader().named(try #require(try reader().list(on: timer, at: start)))
        let moved = try reader().numbers(of: bundle("com.moved"))
        #expect(!named.isWhole && named.place(of: moved).isUnknown)
        #expect(named.place(of: [], or: bundle("com.shared")).isUnknown)
        // Then the first of the two alone had it, and before nobody with a number.
        #expect(try told(after: 0, by: reader().asOf(start + 350 * 3_600)) == ["com.moved", "com.a"])
        #expect(try told(after: 0, by: reader().asOf(start + 60)) == ["?com.shared", "com.a"])
        #expect(try told(after: 0, by: reader().asOf(start + 600 * 3_600)) == ["!com.shared", "com.a"])
    }

    @Test func `a name that two apps had is neither's to whoever may see one of them`() async throws {
        let clock = query("clock")
        var plan = watchlist([(timer, ["com.a"]), (clock, ["com.a"])])
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[1].pairs[0].tags = ["two"]
        try await store.adopt(plan, now: start)
        try await record(places("?com.shared", "com.a"), after: 0)
        for (hours, number, name, query) in [
            (6, 1, "com.shared", timer), (100, 1, "com.shared", timer), (200, 1, "com.moved", timer),
            (300, 1, "com.moved", timer), (400, 2, "com.shared", clock), (500, 2, "com.shared", clock),
        ] as [(Int64, Int64, String, Query)] {
            let list = ResultList(
                places: [SeenApp(id: AppID(number), bundleID: bundle(name))] + list(["com.a"]).places)
            try await store.record(Check(query: query, at: start + hours * 3_600, outcome: .answered(list)))
        }
        for tags in [["one"], ["one", "two"]] as [Set<String>] {
            let narrowed = try reader().narrowed(to: tags)
            #expect(try told(after: 0, by: narrowed) == ["!com.shared", "com.a"], "\(tags)")
        }
        // It is the second one's now, whoever asks; who may not see that one sees none.
        let narrowed = try reader().narrowed(to: ["one"])
        #expect(try narrowed.numbers(of: bundle("com.shared")).isEmpty)
        #expect(try narrowed.appCard(bundle("com.shared"), preferring: nil) == nil)
        #expect(try reader().appCard(bundle("com.shared"), preferring: nil)?.id == AppID(2))
        #expect(try narrowed.appCard(bundle("com.moved"), preferring: nil)?.id == AppID(1))
    }

    @Test func `an edition that a reader may not see stands for no app that it may`() async throws {
        let clock = query("clock")
        var plan = watchlist([(timer, ["com.a"]), (clock, ["com.a"])])
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[1].pairs[0].tags = ["two"]
        try await store.adopt(plan, now: start)
        for hours in [0, 100] as [Int64] {
            for (number, query) in [(1, clock), (2, timer)] as [(Int64, Query)] {
                let edition = SeenApp(id: AppID(number), bundleID: bundle("com.both"))
                try await store.record(
                    Check(
                        query: query, at: start + hours * 3_600,
                        outcome: .answered(ResultList(places: list(["com.a"]).places + [edition]))))
            }
        }
        let all = try reader().numbers(of: bundle("com.both"))
        let narrowed = try reader().narrowed(to: ["one"])
        let own = try narrowed.numbers(of: bundle("com.both"))
        #expect(all.count == 2 && own.count == 1 && all.isSuperset(of: own))
        #expect(try reader().otherNumbers(of: own).count == 1 && narrowed.otherNumbers(of: own).isEmpty)
    }

    @Test func `two editions that share a name are one app, and it is theirs`() async throws {
        try await adopt("com.a")
        try await record(places("?com.both", "com.a"), after: 0)
        let editions = [1, 2].map { SeenApp(id: AppID($0), bundleID: bundle("com.both")) }
        for hours in [6, 100] as [Int64] { try await record(ResultList(places: editions), after: hours) }
        #expect(try told(after: 0) == ["com.both", "com.a"])
    }

    @Test func `an entry whose name nobody knows may be any app's, and nobody is absent beside it`() async throws {
        try await adopt("com.a", "com.b")
        try await record(places("?com.stranger", "com.a"), after: 0)
        let named = try reader().named(try #require(try reader().list(on: timer, at: start)))
        #expect(named.place(of: [], or: bundle("com.b")).isUnknown)
        #expect(named.place(of: [], or: bundle("COM.Stranger")).position == Position(1))
        // So it was recorded.
        #expect(try reader().readings(of: bundle("com.b"), on: timer).isEmpty)
        #expect(try reader().standings().map(\.outcome.state) == [.ranked, .failed])
        #expect(try await store.findings() == [])
    }

    // MARK: An app under a new name

    private func app(_ name: String) -> SeenApp { SeenApp(id: AppID(55), bundleID: bundle(name)) }

    /// `com.x`, `com.y` and then an entry.
    private func third(_ entry: SeenApp) -> ResultList {
        ResultList(places: list(["com.x", "com.y"]).places + [entry])
    }

    private func positions(_ name: String = "com.old", in other: HistoryStore? = nil) throws -> [String] {
        try reader(other).readings(of: bundle(name), on: timer).map { reading in
            let hours = (reading.checkedAt.secondsSinceEpoch - start.secondsSinceEpoch) / 3_600
            return "\(hours): \(reading.position.map { "#\($0.number)" } ?? "absent")"
        }
    }

    /// App 55 stands at #3 as `com.old`, then as `com.new` without its number.
    private func renameUnnumbered(also apps: String...) async throws {
        try await store.adopt(watchlist([(timer, ["com.old"] + apps)]), now: start)
        for hours in [0, 24] as [Int64] { try await record(third(app("com.old")), after: hours) }
        try await record(third(SeenApp(id: nil, bundleID: bundle("com.new"))), after: 48)
    }

    private func comeAsNew() async throws {
        for hours in [72, 96, 120] as [Int64] { try await record(third(app("com.new")), after: hours) }
    }

    @Test
    func `an app that comes under a new name without its number is not absent, and has its place once it is known`()
        async throws
    {
        try await renameUnnumbered(also: "com.x")
        #expect(try positions() == ["0: #3", "24: #3"])
        #expect(try reader().standings().map(\.outcome.state) == [.failed, .ranked])
        #expect(try await store.findings() == [])
        try await comeAsNew()
        #expect(try positions() == [0, 24, 48, 72, 96, 120].map { "\($0): #3" })
        let past = try reader().history(of: bundle("com.new"), on: timer).checks
        #expect(past.map(\.outcome) == Array(repeating: .placed(Position(3), of: 3), count: 6))
        #expect(try await store.findings() == [])
    }

    @Test func `an absence is filled in once the entry turns out to be another app's`() async throws {
        try await renameUnnumbered()
        try await record(
            ResultList(places: third(app("com.old")).places + [SeenApp(id: AppID(99), bundleID: bundle("com.new"))]),
            after: 72)
        #expect(try positions() == ["0: #3", "24: #3", "48: absent", "72: #3"])
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [true, false]) func `an absence is filled in once another app of before comes under the name`(
        _ isEarlier: Bool
    ) async throws {
        try await adopt("com.a", "com.b")
        try await record(third(app("com.old")), after: 0)
        try await record(third(SeenApp(id: nil, bundleID: bundle("com.new"))), after: 48)
        #expect(try positions("com.b") == ["0: absent"])
        try await record(third(app("com.new")), after: isEarlier ? 47 : 49)
        let hours = isEarlier ? [0, 47, 48] : [0, 48, 49]
        #expect(try positions("com.b") == hours.map { "\($0): absent" })
        #expect(try await store.findings() == [])
    }

    @Test func `an entry is the app's that comes under its name later in the same list`() async throws {
        try await adopt("com.b")
        try await record(third(app("com.old")), after: 0)
        let entries = [SeenApp(id: nil, bundleID: bundle("com.new"))] + third(app("com.new")).places
        try await record(ResultList(places: entries), after: 24)
        #expect(try positions("com.b") == ["0: absent", "24: absent"])
        #expect(try told(after: 24) == ["com.old", "com.x", "com.y", "com.old"])
        #expect(try await rows() == [])
        #expect(try await store.findings() == [])
    }

    @Test func `a pair whose past is half filled in has what a name tells of the half that is there`() async throws {
        try await adopt("com.a")
        try await record(list(["com.z", "com.a"]), after: 0)
        try await record(places("?com.k", "com.a"), after: 24)
        for hours in [48, 72] as [Int64] { try await record(list(["com.a"]), after: hours) }
        try await store.adopt(watchlist([(timer, ["com.a", "com.z"])]), now: start + 80 * 3_600)
        let work = try #require(try await store.backFillWork(on: timer))
        _ = try await BackFillBatch(work, from: reader(), longest: 2).write(to: store, turn: {})
        try await record(list(["com.k"]), after: 96)
        try await store.fillIn()
        #expect(try positions("com.z") == ["0: #1", "24: absent", "48: absent", "72: absent", "96: absent"])
        #expect(try await store.findings() == [])
    }

    @Test func `what was read before a name was forgotten is read again`() async throws {
        try await renameUnnumbered(also: "com.x")
        try await record(third(app("com.new")), after: 49)
        try await adopt("com.x")
        try await store.write { try $0.execute(sql: "DELETE FROM position WHERE pair = 1; DELETE FROM standing") }
        try await adopt("com.x", "com.old")
        let work = try #require(try await store.backFillWork(on: timer))
        let batch = try BackFillBatch(work, from: reader())
        for hours in [50, 74, 98, 122] as [Int64] { try await record(third(app("com.old")), after: hours) }
        _ = try await batch.write(to: store, turn: {})
        try await store.fillIn()
        #expect(try positions() == [0, 24, 49, 50, 74, 98, 122].map { "\($0): #3" })
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [true, false])
    func `a place that its name told is the app's no more where another had the name then`(
        _ isImportedFirst: Bool
    ) async throws {
        try await renameUnnumbered()
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await other.adopt(watchlist([(timer, ["com.x"])]), now: start - 90_000)
        for (hours, name) in [(-24, "com.new"), (36, "com.new"), (60, "com.other"), (119, "com.other")] {
            try await record(
                ResultList(places: [SeenApp(id: AppID(88), bundleID: bundle(name))]), after: Int64(hours), in: other)
        }
        let file = try await other.export(to: folder)
        if isImportedFirst { _ = try await store.importExport(file) }
        try await comeAsNew()
        if !isImportedFirst { _ = try await store.importExport(file) }
        #expect(try positions().filter { $0.hasPrefix("48:") } == [])
        #expect(try await store.findings() == [])
    }

    @Test func `a name that another app gave up before is held against lists that are kept already`() async throws {
        try await store.adopt(watchlist([(timer, ["com.old"])]), now: start)
        for hours in [0, 50] as [Int64] { try await record(third(app("com.old")), after: hours) }
        for hours in [60, 120] as [Int64] { try await record(third(app("com.new")), after: hours) }
        // From a clock that was behind: another app had taken the name up.
        try await record(ResultList(places: [SeenApp(id: AppID(88), bundleID: bundle("com.old"))]), after: 100)
        #expect(try await store.findings() == [])
    }

    @Test func `a name that did not stay tells nothing any more`() async throws {
        try await renameUnnumbered()
        try await record(third(app("com.new")), after: 49)
        #expect(try positions() == ["0: #3", "24: #3", "48: #3", "49: #3"])
        for hours in [50, 74, 98, 122] as [Int64] { try await record(third(app("com.old")), after: hours) }
        #expect(try positions() == [0, 24, 49, 50, 74, 98, 122].map { "\($0): #3" })
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [false, true])
    func `an absence that version 15 recorded beside such an entry is found and taken back`(
        _ isPaged: Bool
    ) async throws {
        try await renameUnnumbered()
        if isPaged { try await store.compact(before: start + 10 * 86_400) }
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO position (pair, at, check_id, position, within) SELECT 1, at, id, NULL, 3 FROM check_log
                    WHERE id = 3
                    """)
            try Derivation.derive(standingsOf: [1], query: 1, in: database)
            try DayRollUp.refresh(day: (start + 48 * 3_600).day, pairs: [1], in: database)
        }
        let found = try await store.findings()
        #expect(found.count == 1 && found[0].contains("absent, but an entry of the list may be its app"), "\(found)")
        try await store.write {
            try $0.execute(sql: FormerSchema.version16)
            try $0.execute(sql: "DROP INDEX unnumbered_place_name; PRAGMA user_version = 15")
        }
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try positions(in: again) == ["0: #3", "24: #3"])
        #expect(try await again.findings() == [])
        try await again.close()
    }

    @Test func `an export that has such an absence is imported without it`() async throws {
        try await renameUnnumbered()
        let text = try await exported().withoutChecksum
        let entry = #""unnumbered":[{"bundleId":"com.new","position":3}]"#
        #expect(text.contains(entry))
        let copy = try await copy(text.replacing(entry, with: #""positions":[{"pair":1}],"# + entry))
        #expect(try positions(in: copy) == ["0: #3", "24: #3"])
        #expect(try await copy.findings() == [])
    }

    @Test func `what another history knows of the name places the app here`() async throws {
        try await renameUnnumbered()
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        try await adopt("com.old", in: other)
        try await record(third(app("com.old")), after: 1, in: other)
        for hours in [73, 97, 121] as [Int64] { try await record(third(app("com.new")), after: hours, in: other) }
        _ = try await store.importExport(try await other.export(to: folder))
        #expect(try positions() == [0, 1, 24, 48, 73, 97, 121].map { "\($0): #3" })
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [false, true]) func `an app that is tracked later, or never, has the place that its name tells`(
        _ isPaged: Bool
    ) async throws {
        try await renameUnnumbered()
        try await comeAsNew()
        try await adopt("com.x")
        if isPaged { try await store.compact(before: start + 10 * 86_400) }
        try await store.write { try $0.execute(sql: "DELETE FROM position WHERE pair = 1; DELETE FROM standing") }
        let past = try reader().history(of: bundle("com.new"), on: timer).checks
        #expect(past.map(\.outcome) == Array(repeating: .placed(Position(3), of: 3), count: 6))
        try await adopt("com.x", "com.new")
        try await store.fillIn()
        #expect(try positions("com.new") == [0, 24, 48, 72, 96, 120].map { "\($0): #3" })
        #expect(try await store.findings() == [])
    }

    @Test func `an app that nobody tracks has the places that entries without a number tell`() async throws {
        try await adopt("com.a")
        try await record(places("?com.stranger", "com.a"), after: 0)
        try await record(places("com.a", "?com.other"), after: 6)
        try await record(places("com.a", "-"), after: 12)
        try await record(places("com.later", "com.a"), after: 18)
        func told(_ name: String) throws -> [String] {
            try reader().history(of: bundle(name), on: timer).checks.map {
                $0.outcome.state == .failed ? "-" : $0.outcome.position?.description ?? ">"
            }
        }
        #expect(try told("com.stranger") == ["#1", "-", "-", ">"])
        try await record(places("?com.later", "com.a"), after: 24)
        #expect(try told("com.later") == ["-", "-", "-", "#1", "#1"])
        // Once it is known whose the others are, they are not this one.
        try await record(list(["com.stranger", "com.other"]), after: 30)
        #expect(try told("com.later") == [">", ">", "-", "#1", "#1", ">"])
    }

    @Test func `whether an app came without a number is looked up by its name`() async throws {
        try await adopt("com.a")
        try await record(places("?com.Stranger", "com.a"), after: 0)
        #expect(try reader().cameUnnumbered(bundle("COM.stranger")) && !reader().cameUnnumbered(bundle("com.x")))
        for reader in [try reader(), try reader().narrowed(to: ["one"])] {
            let plan = try reader.read { database in
                try Row.fetchAll(
                    database, sql: "EXPLAIN QUERY PLAN " + HistoryReader.unnumbered, arguments: ["com.x", Int64.max]
                ).map { $0["detail"] as String }
            }
            #expect(plan.contains { $0.contains("USING") && $0.contains("unnumbered_place_name") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT") }, "\(plan)")
        }
    }

    // MARK: Who is new

    /// Those among the first ten at the end that were not there at the beginning; an asterisk for those from afar.
    private func entered(after hours: Int64) throws -> [String] {
        let found = try reader().topEntries(of: [timer], first: 10, since: start, at: start + hours * 3_600).found
        return found[timer]?.entries.map { $0.app.bundleID.text + ($0.isFromAfar ? "*" : "") } ?? []
    }

    @Test func `an app that stood there by its name alone before is not new, and one beside it is`() async throws {
        try await adopt("com.a")
        try await record(places("com.a", "?com.later"), after: 0)
        try await record(places("com.later", "com.a", "com.new"), after: 7 * 24)
        #expect(try entered(after: 7 * 24) == ["com.new*"])
    }

    @Test(arguments: ["-", "?com.stranger"]) func `nobody is new beside a place that may be anybody's`(
        _ entry: String
    ) async throws {
        try await adopt("com.a")
        try await record(places("com.a", entry), after: 0)
        try await record(places("com.a", "com.new"), after: 7 * 24)
        #expect(try entered(after: 7 * 24) == [])
    }

    @Test func `who may see a query sees the names in its lists, and no others`() async throws {
        let clock = query("clock")
        var plan = watchlist([(timer, ["com.a"]), (clock, ["com.a"])])
        plan.queries[0].pairs[0].tags = ["one"]
        plan.queries[1].pairs[0].tags = ["two"]
        try await store.adopt(plan, now: start)
        for query in [timer, clock] {
            try await store.record(
                Check(query: query, at: start, outcome: .answered(places("com.a", "?com.\(query.text)"))))
        }
        let narrowed = try reader().narrowed(to: ["one"])
        #expect(try told(after: 0, by: narrowed) == ["com.a", "?com.timer"])
        let seen = try narrowed.read { try String.fetchAll($0, sql: "SELECT bundle_id FROM unnumbered_place") }
        #expect(seen == ["com.timer"])
    }

    // MARK: Deleting

    @Test func `names go with the lists that go, from pages and by themselves, and others stay`() async throws {
        try await adopt("com.a")
        for day in 0..<10 as Range<Int64> { try await record(places("?com.d\(day)", "com.a"), after: day * 24) }
        _ = try await store.compact(query: 1, before: start + 4 * 86_400, limit: 100)
        while try await !store.dropLists(of: 1, before: start + 6 * 86_400, limit: 2).isDone {}
        #expect(try await rows() == (7...10).map { "\($0) 1 'com.d\($0 - 1)'" })
        #expect(try await store.findings() == [])
    }

    @Test func `names go with the lists that a page is made anew without`() async throws {
        try await adopt("com.a")
        for day in 0..<60 as Range<Int64> { try await record(places("?com.d\(day)", "com.a"), after: day * 24) }
        _ = try await store.compact(query: 1, before: start + 59 * 86_400, limit: 100)
        #expect(try await store.trimLists(of: 1, before: start + 40 * 86_400) == 40)
        #expect(try await rows() == (41...60).map { "\($0) 1 'com.d\($0 - 1)'" })
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [true, false]) func `names go with checks that are pruned`(_ isPaged: Bool) async throws {
        try await adopt("com.a")
        for day in 0..<4 as Range<Int64> { try await record(places("?com.d\(day)", "com.a"), after: day * 24) }
        if isPaged { try await store.compact(before: start + 4 * 86_400) }
        try await store.prune(
            try await store.plan(PruneRequest(queries: ["timer"], before: start + 2 * 86_400)))
        #expect(try await rows() == ["3 1 'com.d2'", "4 1 'com.d3'"])
        #expect(try await store.findings() == [])
        try await store.prune(try await store.plan(PruneRequest(queries: ["timer"])))
        #expect(try await rows() == [])
    }

    // MARK: Exports

    private func exported(_ other: HistoryStore? = nil) async throws -> String {
        try String(contentsOfFile: try await (other ?? store).export(to: folder), encoding: .utf8)
    }

    private func copy(_ text: String, _ name: String = "copy") async throws -> HistoryStore {
        let copy = try HistoryStore(path: folder.file("\(name).sqlite"))
        _ = try await copy.importExport(try folder.write(text, to: "\(name).ndjson"))
        return copy
    }

    @Test func `an export takes the names along, and brings nothing twice`() async throws {
        try await adopt("com.a")
        try await record(places("com.a", "?com.stranger", "-"), after: 0)
        try await record(places("com.a", "com.b"), after: 6)
        let text = try await exported()
        #expect(text.contains(#""unnumbered":[{"bundleId":"com.stranger","position":2}]"#), "\(text)")
        // A check all of whose entries have numbers looks as it always did.
        #expect(text.matches(of: /unnumbered/).count == 1)
        let copy = try await copy(text)
        #expect(try told(after: 0, in: copy) == ["com.a", "?com.stranger", "-"])
        #expect(try await exported(copy) == text)
        _ = try await copy.importExport(try folder.write(text, to: "again.ndjson"))
        #expect(try await rows(copy) == ["1 2 'com.stranger'"])
        #expect(try await copy.findings() == [])
    }

    @Test func `an export without names is read, and a later one of the same checks adds them`() async throws {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told", "?com.stranger"), after: 0)
        let text = try await exported()
        let without = text.withoutChecksum.replacing(/"unnumbered":\[[^\]]*\],/, with: "")
        #expect(!without.contains("unnumbered"))
        let copy = try await copy(without)
        #expect(try told(after: 0, in: copy) == ["com.a", "?com.told", "-"])
        _ = try await copy.importExport(try folder.write(text, to: "later.ndjson"))
        #expect(try told(after: 0, in: copy) == ["com.a", "?com.told", "?com.stranger"])
        #expect(try await copy.findings() == [])
    }

    @Test(arguments: ["?com.other", "?com.told"])
    func `two machines whose entries are named otherwise keep both lists`(_ other: String) async throws {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told"), after: 0)
        let twin = try HistoryStore(path: folder.file("twin.sqlite"))
        try await adopt("com.a", "com.told", in: twin)
        try await record(list(["com.b", "com.a"]), after: 3, in: twin)
        try await record(places("com.a", other), after: 0, in: twin)
        _ = try await store.importExport(try await twin.export(to: folder))
        let names = try await store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT bundle_id FROM unnumbered_place JOIN check_log ON check_log.id = check_id WHERE at = ?
                    """, arguments: [start.secondsSinceEpoch])
        }
        #expect(Set(names) == ["com.told", String(other.dropFirst())] && names.count == Set(names).count)
        #expect(try await store.findings() == [])
        // What comes of it can go on.
        #expect(try await copy(try await exported()).findings() == [])
    }

    /// An entry without a number told com.old its place; the app then came with a number, and as com.new, which is
    /// tracked beside it and takes over the place.
    private func renameTold() async throws {
        try await adopt("com.old", "com.a")
        try await record(places("?com.old", "com.a"), after: 0)
        func numbered(_ name: String) -> ResultList {
            ResultList(places: list(["com.a"]).places + [SeenApp(id: AppID(777), bundleID: bundle(name))])
        }
        for hours in [6, 12] as [Int64] { try await record(numbered("com.old"), after: hours) }
        for hours in [24, 100] as [Int64] { try await record(numbered("com.new"), after: hours) }
        // Lists of other queries were dropped: then what a pair was told is taken over, whether its list is there or
        // not.
        let now = (start + 150 * 3_600).secondsSinceEpoch
        try await store.write { try HistoryStore.noteDropped(before: now, in: $0) }
        try await adopt("com.old", "com.new", "com.a")
        try await store.fillIn()
    }

    @Test func `a pair that took over a place from the app's other name is sound, and so is its export`() async throws {
        try await renameTold()
        let places = try reader().readings(of: bundle("com.new"), on: timer).map { $0.position?.number }
        #expect(places == [1, 2, 2, 2, 2])
        #expect(try await store.findings() == [])
        let copy = try await copy(try await exported())
        #expect(try await copy.findings() == [])
        #expect(try await rows(copy) == ["1 1 'com.old'"])
    }

    @Test func `an entry that two files call by two names of one app is one entry`() async throws {
        try await renameTold()
        let text = try await exported()
        // As a history would tell it that has the newer name alone.
        let renamed = text.withoutChecksum.replacing(
            #""unnumbered":[{"bundleId":"com.old""#, with: #""unnumbered":[{"bundleId":"com.new""#)
        #expect(renamed != text.withoutChecksum)
        let result = try await store.importExport(try folder.write(renamed, to: "renamed.ndjson"))
        #expect(result.checks == 0)
        #expect(try await rows() == ["1 1 'com.old'"])
        #expect(try await store.findings() == [])
    }

    @Test(arguments: [
        #"[{"bundleId":"com.told","position":1}]"#, #"[{"bundleId":"com.told","position":4}]"#,
        #"[{"bundleId":"com told","position":2}]"#, #"[{"bundleId":"com.other","position":2}]"#,
        #"[{"bundleId":"com.told","position":0}]"#, #"[{"bundleId":"com.told","place":2}]"#,
        #"[{"bundleId":"com.told","position":2},{"bundleId":"com.told","position":2}]"#,
        #"[{"bundleId":"com.told","position":9223372036854775807}]"#,
    ]) func `a name that does not fit the list beside it is refused`(_ names: String) async throws {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told", "-"), after: 0)
        let text = try await exported().withoutChecksum.replacing(
            /"unnumbered":\[[^\]]*\]/, with: "\"unnumbered\":\(names)")
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        await #expect(throws: ImportRefusal.self) {
            try await other.importExport(try folder.write(text, to: "changed.ndjson"))
        }
        #expect(try await other.isBlank())
    }

    @Test func `a name beside no list, or an empty one, is refused`() async throws {
        try await adopt("com.a")
        try await record(ResultList(places: []), after: 0)
        let text = try await exported().withoutChecksum
        let name = #""unnumbered":[{"bundleId":"com.x","position":1}]"#
        let other = try HistoryStore(path: folder.file("other.sqlite"))
        for changed in [#""list":[],\#(name)"#, name] {
            let file = try folder.write(text.replacing(#""list":[]"#, with: changed), to: "changed.ndjson")
            await #expect(throws: ImportRefusal.self, "\(changed)") { try await other.importExport(file) }
        }
        #expect(try await other.isBlank())
    }

    @Test func `what a damaged row says of a list is found, and keeps no export from being imported`() async throws {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told", "-"), after: 0)
        let damages = [
            ("UPDATE unnumbered_place SET position = 1", "but the list has no such entry"),
            ("UPDATE unnumbered_place SET position = 4", "but the list has no such entry"),
            ("UPDATE unnumbered_place SET bundle_id = 'com told'", "by what is no bundle identifier"),
        ]
        for (index, (sql, what)) in damages.enumerated() {
            let file = try folder.write(try await exported(), to: "sound.ndjson")
            let damaged = try HistoryStore(path: folder.file("damaged\(index).sqlite"))
            _ = try await damaged.importExport(file)
            try await damaged.write { try $0.execute(sql: sql) }
            let found = try await damaged.findings()
            #expect(found.count == 1 && found[0].contains(what), "\(sql): \(found)")
            _ = try told(after: 0, in: damaged)
            _ = try await copy(try await exported(damaged), "copy\(index)")
        }
    }

    @Test func `a name that is another app's than the one that was told its place is found`() async throws {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told"), after: 0)
        try await store.write { try $0.execute(sql: "UPDATE unnumbered_place SET bundle_id = 'com.other'") }
        let found = try await store.findings()
        #expect(found.count == 1 && found[0].contains("but the entry there was named otherwise"), "\(found)")
    }

    // MARK: Version 14

    @Test func `a history of version 14 opens, tells what its pairs were told, and keeps names from then on`()
        async throws
    {
        try await adopt("com.a", "com.told")
        try await record(places("com.a", "?com.told", "?com.stranger"), after: 0)
        try await store.write {
            try $0.execute(sql: FormerSchema.version16)
            try $0.execute(sql: "DROP TABLE unnumbered_place; PRAGMA user_version = 14")
        }
        try await store.close()
        let again = try HistoryStore(path: store.path)
        #expect(try await again.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
        #expect(try told(after: 0, in: again) == ["com.a", "?com.told", "-"])
        try await record(places("?com.stranger", "com.a"), after: 6, in: again)
        #expect(try told(after: 6, in: again) == ["?com.stranger", "com.a"])
        #expect(try await again.findings() == [])
        #expect(try await copy(try await exported(again)).findings() == [])
        try await again.close()
    }
}
