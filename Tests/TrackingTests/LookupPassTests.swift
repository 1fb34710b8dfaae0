import AppStore
import History
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

@Suite(.timeLimit(.minutes(30))) struct LookupPassTests {
    private let folder: TemporaryFolder
    private let history: HistoryStore
    private let store = FakeStore()
    private let clock = InstantClock()
    private let start = time("2026-11-01T00:00:00Z")
    private let day: Int64 = 86_400

    init() throws {
        folder = try TemporaryFolder()
        history = try HistoryStore(path: folder.file("history.sqlite"))
    }

    private func pass(
        at moment: Timestamp? = nil, health: EndpointHealth = EndpointHealth(), of other: HistoryStore? = nil
    ) -> TrackingPass<InstantClock> {
        let now: @Sendable () -> Timestamp = { [start] in moment ?? start }
        return TrackingPass(
            lane: store.store.searches(perMinute: 15, clock: clock, now: now),
            lookups: store.store.lookups(perMinute: 15, health: health, clock: clock, now: now),
            history: other ?? history, parallelism: 4)
    }

    private func adopt(_ pairs: [(Query, [String])]) async throws -> [ScheduledQuery] {
        let plan = watchlist(pairs)
        try await history.adopt(plan, now: start)
        return plan.scheduledQueries
    }

    /// Looks up everything that is due at `moment`.
    @discardableResult
    private func lookUp(at moment: Timestamp) async throws -> [TrackingEvent.Lookup] {
        try await pass(at: moment).lookUp(LookupSchedule.batches(try await history.unseenApps(), now: moment))
    }

    private func app(_ name: String, _ country: String = "us") -> StorefrontApp {
        StorefrontApp(bundle(name), in: Country(code: country)!)
    }

    // MARK: A history that takes nothing for now

    @Test func `an answer that cannot be recorded holds up further look-ups, and is asked for again`() async throws {
        let impatient = try HistoryStore(path: folder.file("impatient.sqlite"), busySeconds: 0.02)
        try await impatient.adopt(watchlist([(query("timer"), ["com.a"])]), now: start)
        store.announceLookups { .answered(list($0.bundleIDs.map(\.text))) }
        let pass = pass(of: impatient)
        let batches = LookupSchedule.batches(try await impatient.unseenApps(), now: start)
        let writer = try OtherWriter(impatient.path)
        try await writer.lock()
        #expect(try await pass.lookUp(batches) == [.unrecorded(.busy(path: impatient.path))])
        #expect(await pass.recorder.backlog?.reason == .busy(path: impatient.path))
        #expect(try await pass.lookUp(batches).isEmpty)
        #expect(store.lookedUp.count == 1)

        try await writer.letGo()
        _ = try await pass.recorder.land(isLastChance: true)
        #expect(try await impatient.lastLookup() == start)
        #expect(try await pass.lookUp(batches).isEmpty)
        #expect(store.lookedUp.count == 2)
        #expect(try await impatient.unseenApps().isEmpty)
    }

    // MARK: How many at a time

    @Test func `120 new apps in two countries are requests of at most fifty, each in its country`() async throws {
        let names = (0..<120).map { "com.app\($0)" }
        _ = try await adopt([(query("timer"), names), (query("timer", "de"), names)])
        store.announceLookups { .answered(list($0.bundleIDs.map(\.text))) }
        try await lookUp(at: start)
        #expect(store.lookedUp.map(\.bundleIDs.count) == [50, 50, 20, 50, 50, 20])
        #expect(store.lookedUp.map(\.country.code) == ["de", "de", "de", "us", "us", "us"])
        for country in ["de", "us"] {
            let asked = store.lookedUp.filter { $0.country.code == country }.flatMap(\.bundleIDs)
            #expect(Set(asked) == Set(names.map(bundle)))
        }
        #expect(try await history.unseenApps().isEmpty)
        // At a pace of its own: six requests, four seconds apart.
        #expect(clock.now.offset == .seconds(20))
    }

    @Test func `one new app is looked up while its first search is in flight`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .answered(whole([])))
        store.sells("com.a")
        store.hold()
        let pass = pass()
        let running = Task { try await pass.run(due) }
        await store.requests(1)
        while try await !history.unseenApps().isEmpty { await Task.yield() }
        #expect(try HistoryReader(path: history.path).standings()[0].outcome == .pending)
        store.release()
        #expect(try await running.value.succeeded == 1)
        #expect(store.lookedUp.map(\.apps) == [[app("com.a")]])
        #expect(try await history.unseenApps().isEmpty)
    }

    @Test func `several apps or several queries leave the searches to themselves`() async throws {
        let several = try await adopt([(query("timer"), ["com.a", "com.b"])])
        store.announce(query("timer"), .answered(whole([])))
        _ = try await pass().run(several)
        let due = try await adopt([(query("timer"), ["com.a"]), (query("clock"), ["com.b"])])
        store.announce(query("clock"), .answered(whole([])))
        _ = try await pass().run(due)
        #expect(store.lookedUp.isEmpty)
    }

    @Test func `a query whose app was looked up before is searched for alone`() async throws {
        let due = try await adopt([(query("timer"), ["com.a"])])
        store.announce(query("timer"), .answered(whole([])))
        store.sells()
        _ = try await pass().run(due)
        _ = try await pass().run(due)
        #expect(store.lookedUp.count == 1)
    }

    // MARK: What the answers mean

    @Test func `two empty answers a day apart are told once, and again when the app turns up`() async throws {
        _ = try await adopt([(query("timer"), ["com.a", "com.b"])])
        store.sells("com.b")
        #expect(try await lookUp(at: start) == [])
        #expect(try await lookUp(at: start + 23 * 3_600) == [])
        #expect(store.lookedUp.count == 1)
        #expect(try await lookUp(at: start + day) == [.unknown(app("com.a"))])
        #expect(try await lookUp(at: start + 7 * day) == [])
        #expect(store.lookedUp.count == 2)
        #expect(try await lookUp(at: start + 8 * day) == [])
        #expect(store.lookedUp.map(\.bundleIDs.count) == [2, 1, 1])
        store.sells("com.a")
        #expect(try await lookUp(at: start + 15 * day) == [.foundAgain(app("com.a"))])
        #expect(try await lookUp(at: start + 99 * day) == [])
        #expect(store.lookedUp.count == 4)
    }

    /// A history in which lists showed an app once, and not for the days up to the fifth.
    ///
    /// - Returns: Apple's number of it.
    @discardableResult
    private func trackLeaver(_ name: String = "com.a") async throws -> AppID {
        let due = try await adopt([(query("timer"), [name, "com.b"])])
        store.announce(query("timer"), .answered(whole([name, "com.b"])))
        _ = try await pass().run(due)
        for number in 1...5 as ClosedRange<Int64> {
            try await history.record(
                Check(query: query("timer"), at: start + number * day, outcome: .answered(whole(["com.b"]))))
        }
        return try #require(list([name]).places[0]?.id)
    }

    @Test func `an app that lists had shown has left the store`() async throws {
        try await trackLeaver()
        store.sells("com.b")
        var told: [TrackingEvent.Lookup] = []
        for number in 5...8 as ClosedRange<Int64> { told += try await lookUp(at: start + number * day) }
        #expect(told == [.unknown(app("com.a"), wasListed: true)])
        let lines = LogLines()
        for event in told { lines.log.log(event) }
        #expect(
            lines.all == [
                "the App Store of us no longer sells com.a: it is in none of its lists any more, and two look-ups did not "
                    + "find it"
            ])
    }

    @Test func `an app that changed its bundle ID while it was in no list is found by its number`() async throws {
        let id = try await trackLeaver("com.old")
        store.announceLookups { batch in
            .answered(
                ResultList(places: batch.ids == [id] ? [SeenApp(id: id, bundleID: bundle("com.new"))] : []))
        }
        var told: [TrackingEvent.Lookup] = []
        for number in 5...14 as ClosedRange<Int64> { told += try await lookUp(at: start + number * day) }
        #expect(told == [])
        #expect(store.lookedUp.map(\.ids) == [[id], [id]])
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.unknownApps().isEmpty)
        // It is called so from now on, and the watchlist's name stands for it still.
        let names = try reader.listingPasts(of: bundle("com.old")).first?.values[.bundleID]?.map(\.text)
        #expect(names == ["com.old", "com.new"])
        #expect(try reader.numbers(of: bundle("com.new")) == reader.numbers(of: bundle("com.old")))
    }

    @Test func `an app that the store sells under another number now has not left it`() async throws {
        let id = try await trackLeaver()
        store.announceLookups { batch in
            .answered(
                ResultList(places: batch.ids.isEmpty ? [SeenApp(id: AppID(987_654), bundleID: bundle("com.a"))] : []))
        }
        var told: [TrackingEvent.Lookup] = []
        for number in 5...14 as ClosedRange<Int64> { told += try await lookUp(at: start + number * day) }
        #expect(told == [])
        #expect(store.lookedUp.map(\.ids) == [[id], [], [id], []])
        #expect(store.lookedUp.suffix(1).map(\.bundleIDs) == [[bundle("com.a")]])
        #expect(try HistoryReader(path: history.path).unknownApps().isEmpty)
    }

    @Test func `that numbers were not found counts for nothing where the bundle ID could not be asked`() async throws {
        try await trackLeaver()
        store.announceLookups { $0.ids.isEmpty ? .failed(Failure(.rejected)) : .answered(whole([])) }
        #expect(try await lookUp(at: start + 5 * day) == [.failed(Failure(.rejected), apps: 1)])
        var presence = try #require(try await history.unseenApps()[app("com.a")])
        #expect((presence.emptyAnswers, presence.failuresInARow) == (0, 1))
        store.announceLookups { $0.ids.isEmpty ? .throttled(status: 403) : .answered(whole([])) }
        #expect(try await lookUp(at: start + 6 * day) == [.throttled(status: 403)])
        presence = try #require(try await history.unseenApps()[app("com.a")])
        #expect((presence.emptyAnswers, presence.failuresInARow) == (0, 1))
    }

    @Test func `an entry that cannot be read may be any app that is missing`() async throws {
        _ = try await adopt([(query("timer"), ["com.a", "com.b"])])
        store.announceLookups { _ in .answered(whole(["com.b", nil])) }
        try await lookUp(at: start)
        let unseen = try await history.unseenApps()
        #expect(unseen == [app("com.a"): AppPresence(failedAt: start, failuresInARow: 1)])
    }

    // MARK: What goes wrong

    @Test func `what may pass is tried three times, and what does not is left for a while`() async throws {
        _ = try await adopt([(query("timer"), ["com.a"])])
        store.announceLookups { _ in .failed(Failure(.timedOut)) }
        #expect(try await lookUp(at: start) == [.failed(Failure(.timedOut), apps: 1)])
        #expect(store.lookedUp.count == 3)
        try await lookUp(at: start + 899)
        #expect(store.lookedUp.count == 3)
        store.announceLookups { _ in .failed(Failure(.rejected)) }
        try await lookUp(at: start + 900)
        #expect(store.lookedUp.count == 4)
        #expect(try await history.unseenApps().values.allSatisfy { $0.emptyAnswers == 0 && $0.failuresInARow == 2 })
    }

    @Test func `the throttle of look-ups ends them, costs no app anything, and leaves searches alone`() async throws {
        let names = (0..<120).map { "com.app\($0)" }
        let due = try await adopt([(query("timer"), names)])
        store.announceLookups { _ in .throttled(status: 403) }
        #expect(try await lookUp(at: start) == [.throttled(status: 403)])
        #expect(store.lookedUp.count == 1)
        #expect(try await history.unseenApps().values.allSatisfy(\.isNew))
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.health(of: .lookup(at: "fake")).pause == .throttled)
        #expect(try reader.health(of: .search(at: "fake")).pause == nil)
        #expect(try await history.lastLookup() == start)
        store.announce(query("timer"), .answered(whole([])))
        #expect(try await pass().run(due).succeeded == 1)
        // A restart remembers the pause.
        let health = try await history.health(of: .lookup(at: "fake"))
        let lookups = try #require(pass(health: health).lookups)
        #expect(await lookups.earliest(start, now: start) == start + 61)
    }

    @Test func `the throttle of searches leaves look-ups alone`() async throws {
        let due = try await adopt([(query("timer"), ["com.a", "com.b"])])
        store.announce(query("timer"), .throttled(status: 403))
        store.sells("com.a", "com.b")
        _ = try await pass().run(due)
        try await lookUp(at: start)
        let reader = try HistoryReader(path: history.path)
        #expect(try reader.health(of: .search(at: "fake")).pause == .throttled)
        #expect(try reader.health(of: .lookup(at: "fake")).pause == nil)
        #expect(try await history.unseenApps().isEmpty)
    }

    @Test func `look-ups change no position`() async throws {
        let due = try await adopt([(query("timer"), ["com.a", "com.b"])])
        store.announce(query("timer"), .answered(whole(["x", "com.b"])))
        _ = try await pass().run(due)
        func standings() throws -> [String] {
            try HistoryReader(path: history.path).standings(days: [1], trendSince: 0).map {
                "\($0.bundleID) \($0.outcome.state) \(String(describing: $0.lastGood)) \(String(describing: $0.best)) \($0.daily)"
            }
        }
        let before = try standings()
        store.sells()
        for days in 0..<3 as Range<Int64> { try await lookUp(at: start + days * day) }
        #expect(try HistoryReader(path: history.path).unknownApps().count == 1)
        #expect(try standings() == before)
    }
}
