import RankKit
import TestSupport
import Testing

@Suite struct LookupScheduleTests {
    private let start = time("2026-11-01T00:00:00Z")
    private let us = Country(code: "us")!
    private let de = Country(code: "de")!

    private func apps(_ count: Int, _ country: Country, _ presence: AppPresence = AppPresence()) -> [StorefrontApp:
        AppPresence]
    {
        Dictionary(
            uniqueKeysWithValues: (0..<count).map {
                (StorefrontApp(bundle("com.app\(1_000 + $0)"), in: country), presence)
            })
    }

    private func batches(_ apps: [StorefrontApp: AppPresence]) -> [LookupSchedule.Batch] {
        LookupSchedule.batches(apps, now: start)
    }

    @Test func `many apps of two countries are requests of at most fifty of one country`() {
        let all = apps(120, us).merging(apps(70, de)) { first, _ in first }
        let batches = batches(all)
        #expect(batches.map(\.bundleIDs.count) == [50, 20, 50, 50, 20])
        #expect(batches.map(\.country) == [de, de, us, us, us])
        #expect(Set(batches.flatMap(\.apps)) == Set(all.keys))
    }

    @Test func `names of any length stay within an address`() {
        let long = (0..<40).map { bundle("com." + String(repeating: "x", count: 240) + "\($0)") }
        let batches = LookupSchedule.batches(of: long, in: us)
        #expect(batches.flatMap(\.bundleIDs) == long)
        for batch in batches {
            #expect(batch.bundleIDs.reduce(0) { $0 + $1.text.utf8.count + 1 } <= LookupSchedule.batchBytes)
        }
    }

    @Test func `apps whose numbers are known are asked for by these, fifty numbers at most a request`() {
        let names = (0..<60).map { bundle("com.app\(1_000 + $0)") }
        var all = apps(60, us)
        for (index, name) in names.enumerated() where index < 40 {
            let numbers = [AppID(Int64(index)), AppID(1_000 + Int64(index))]
            all[StorefrontApp(name, in: us)]?.numbers = numbers
        }
        let batches = batches(all)
        #expect(batches.map(\.ids.count) == [0, 50, 30])
        #expect(batches.map(\.bundleIDs.count) == [20, 25, 15])
        #expect(Set(batches.flatMap(\.apps)) == Set(all.keys))
    }

    @Test func `an answer by number is held against the number, whatever the app is called in it`() {
        let (old, other) = (bundle("com.old"), bundle("com.other"))
        let batch = LookupSchedule.Batch(
            country: us, bundleIDs: [old, other], numbers: [old: [AppID(7), AppID(777)], other: [AppID(8)]])
        func outcomes(_ places: [SeenApp?]) -> [AppPresence.Outcome?] {
            let outcomes = batch.outcomes(in: ResultList(places: places))
            return [old, other].map { outcomes[StorefrontApp($0, in: us)] }
        }
        let renamed = SeenApp(id: AppID(777), bundleID: bundle("com.new"))
        #expect(outcomes([renamed]) == [.found, nil])
        #expect(outcomes([SeenApp(id: AppID(9), bundleID: old)]) == [nil, nil])
        #expect(outcomes([nil]) == [.failed, .failed])
        #expect(outcomes([SeenApp(id: nil, bundleID: old)]) == [.found, .failed])
        let names = batch.names(in: ResultList(places: [renamed, SeenApp(id: AppID(9), bundleID: other)]))
        #expect(names == [AppID(777): bundle("com.new")])
    }

    @Test func `apps whose numbers an answer lacks are asked for by name before that is an empty answer`() {
        let (old, other) = (bundle("com.old"), bundle("com.other"))
        let batch = LookupSchedule.Batch(
            country: us, bundleIDs: [old, other], numbers: [old: [AppID(7)], other: [AppID(8)]])
        func next(_ places: [SeenApp?]) -> LookupSchedule.Batch? {
            batch.toAskByName(after: ResultList(places: places))
        }
        let byName = LookupSchedule.Batch(country: us, bundleIDs: [other])
        #expect(next([SeenApp(id: AppID(7), bundleID: old)]) == byName)
        #expect(next([SeenApp(id: AppID(7), bundleID: old), SeenApp(id: AppID(8), bundleID: other)]) == nil)
        #expect(next([nil]) == nil)
        #expect(byName.outcomes(in: ResultList(places: [])) == [StorefrontApp(other, in: us): .empty])
        #expect(byName.toAskByName(after: ResultList(places: [])) == nil)
    }

    @Test func `what failed together is asked in smaller company each time`() {
        func sizes(_ failures: Int) -> Set<Int> {
            let failed = AppPresence(failedAt: start - 7 * 86_400, failuresInARow: failures)
            return Set(batches(apps(48, us, failed)).map(\.bundleIDs.count))
        }
        #expect(sizes(0) == [48])
        #expect(sizes(1) == [12])
        #expect(sizes(2) == [3])
        #expect(sizes(3) == [1])
        #expect(sizes(99) == [1])
    }

    @Test func `only what is due is asked, and the next wake is the earliest of the rest`() {
        let waiting = AppPresence(emptySince: start - 60, emptyAt: start - 60, emptyAnswers: 1)
        let known = apps(3, us, waiting).merging(apps(2, de)) { first, _ in first }
        #expect(LookupSchedule.due(known, now: start).map(\.country) == [de, de])
        #expect(LookupSchedule.nextWake(known, now: start) == start)
        #expect(LookupSchedule.nextWake(apps(3, us, waiting), now: start) == start - 60 + 86_400)
        #expect(LookupSchedule.nextWake(apps(3, us, AppPresence(foundAt: start)), now: start) == start + 7 * 86_400)
        #expect(LookupSchedule.nextWake([:], now: start) == nil)
    }
}
