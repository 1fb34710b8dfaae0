import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Judging
@testable import Reports

/// What stands beside a loss: the store, the list, or the app alone.
@Suite struct LossContextTests {
    private let folder: TemporaryFolder
    private let store: HistoryStore
    private let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func adopt(notes: [Note] = []) async throws {
        var list = watchlist([(timer, ["com.me"])], every: day)
        list.notes = notes
        try await store.adopt(list, now: noon - 90 * day)
    }

    /// Sixty apps in order, with mine in a place, and those that are named first pushed to the end.
    private func answer(me place: Int, fallen: Range<Int> = 0..<0, daysAgo: Int64) async throws {
        var names = (1..<60).map { "com.x\($0)" }
        let gone = names.enumerated().filter { fallen.contains($0.offset + 1) }.map(\.element)
        names = names.filter { !gone.contains($0) } + gone
        names.insert("com.me", at: place - 1)
        try await store.record(Check(query: timer, at: noon - daysAgo * day - 60, outcome: .answered(list(names))))
    }

    private func context(
        from: Int, to: Int?, since daysAgo: Int64 = 0, isSlow: Bool = false,
        weather: [StoreWeather] = [], toldAt moment: Timestamp = noon
    ) throws -> LossContext {
        var losses = try Losses(try HistoryReader(path: store.path), weather: weather)
        let loss = Losses.Loss(
            query: timer, app: try SoughtApp(bundle("com.me"), HistoryReader(path: store.path)),
            from: try #require(Position(from)), to: to.flatMap { Position($0) }, before: noon.day - daysAgo - 1,
            after: noon.day - daysAgo, through: noon.day, isSlow: isSlow, span: JudgedSpan(cadence: day))
        let (then, now) = try losses.lists(of: loss, through: noon)
        return losses.context(of: loss, then, now, at: moment)
    }

    private func store(_ state: Weather.State) -> StoreWeather {
        let z: Double = state == .stormy ? 5 : 0
        var today = StoreWeather.Day(facts: CountryDay(store: Store(in: timer.country), day: noon.day))
        today.weather = Weather.Day(day: noon.day, moves: 2, usual: 1, z: z)
        return StoreWeather(store: Store(in: timer.country), days: [today])
    }

    @Test func `an app that falls while the others stay fell likely by its own doing`() async throws {
        try await adopt()
        try await answer(me: 10, daysAgo: 1)
        try await answer(me: 40, daysAgo: 0)
        let context = try context(from: 10, to: 40, weather: [store(.calm)])
        #expect(context.others == .init(compared: 49, fell: 0))
        #expect(context.likely == .app)
        #expect(
            context.words(in: timer.country, today: noon.day)
                == "likely its own: the US store was calm that day; none of 49 others among the first 50 fell as far")
    }

    @Test func `where a third of the first places fell as far it was likely the whole list`() async throws {
        try await adopt()
        try await answer(me: 10, daysAgo: 1)
        try await answer(me: 40, fallen: 1..<26, daysAgo: 0)
        let context = try context(from: 10, to: 40)
        #expect(context.others?.fellToo == true)
        #expect(context.likely == .list)
    }

    @Test func `a loss on a stormy day was likely the store whoever else fell`() async throws {
        try await adopt()
        try await answer(me: 10, daysAgo: 1)
        try await answer(me: 40, daysAgo: 0)
        let context = try context(from: 10, to: 40, weather: [store(.stormy)])
        #expect(context.likely == .store)
        #expect(context.words(in: timer.country, today: noon.day).hasPrefix("likely the store: the US store shuffled"))
    }

    @Test func `a share between the two is unclear`() async throws {
        try await adopt()
        try await answer(me: 10, daysAgo: 1)
        try await answer(me: 40, fallen: 1..<10, daysAgo: 0)
        let context = try context(from: 10, to: 40)
        #expect(context.others.map { !$0.fellToo && !$0.wereSteady } == true)
        #expect(context.likely == .unclear)
    }

    @Test func `without the lists nothing is said of the others`() async throws {
        try await adopt()
        let context = try context(from: 10, to: 40)
        #expect(context.others == nil && context.likely == .unclear)
        #expect(context.words(in: timer.country, today: noon.day) == "unclear: too little is known")
    }

    @Test func `a slow loss names a change in all the days that it took, and none that was not known yet`() async throws
    {
        try await adopt(notes: [
            Note(
                on: CivilTime.date(.startOfDay(noon.day - 3)), bundleID: bundle("com.me"), version: "2.4", text: "")
        ])
        try await answer(me: 10, daysAgo: 12)
        try await answer(me: 40, daysAgo: 0)
        #expect(try context(from: 10, to: 40, since: 10, isSlow: true).release?.version == "2.4")
        #expect(try context(from: 10, to: 40, since: 10, isSlow: true, toldAt: noon - 5 * day).release == nil)
        #expect(try context(from: 10, to: 40, since: 10).release == nil)
    }

    @Test func `a note of the three days before stands beside the loss, and an older one does not`() async throws {
        let date = CivilTime.date(.startOfDay(noon.day - 3))
        let old = CivilTime.date(.startOfDay(noon.day - 9))
        try await adopt(notes: [
            Note(on: date, bundleID: bundle("com.me"), version: "2.4", text: ""),
            Note(on: old, bundleID: bundle("com.me"), version: "2.3", text: ""),
        ])
        try await answer(me: 10, daysAgo: 1)
        try await answer(me: 40, daysAgo: 0)
        #expect(try context(from: 10, to: 40).release == .init(version: "2.4", day: noon.day - 3))
    }

    @Test func `an app that left fell below the list's last place`() async throws {
        try await adopt()
        try await answer(me: 20, daysAgo: 1)
        try await record((1..<60).map { "com.x\($0)" })
        #expect(try context(from: 20, to: nil).others == .init(compared: 49, fell: 0))
    }

    @Test func `a loss from the list's last places is no measure for others`() async throws {
        try await adopt()
        try await answer(me: 59, daysAgo: 1)
        try await record((1..<60).map { "com.x\($0)" })
        let context = try context(from: 59, to: nil)
        #expect(context.others == nil && context.likely == .unclear)
    }

    private func record(_ names: [String]) async throws {
        try await store.record(Check(query: timer, at: noon - 60, outcome: .answered(list(names))))
    }
}
