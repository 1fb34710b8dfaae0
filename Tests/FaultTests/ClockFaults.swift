import AppStore
import Foundation
import ProgramStage
import RankKit
import Synchronization
import TestSupport
import Testing

extension FaultTests {
    /// Clocks that are set, stand still or sleep, and changes to summer time: the service lives through them in simulated
    /// time.
    @Suite(.timeLimit(.minutes(30))) struct ClockFaults {
        private let folder: TemporaryFolder
        private let diary = Diary()

        init() throws { folder = try TemporaryFolder() }

        private func life(from start: String) -> SimulatedLife {
            SimulatedLife(path: folder.file("history.sqlite"), from: time(start))
        }

        /// A store that always answers, and remembers when it was asked.
        private func store(of life: SimulatedLife) -> AppStore {
            AppStore(
                search: { query in
                    diary.note(query, life.now)
                    // Ten places: a shorter first list is not believed at once.
                    return .answered(list((1...10).map { "com.example.app\($0)" }))
                },
                lookup: { _ in .failed(Failure(.status)) })
        }

        private func watching(_ cadences: [String: Cadence]) -> Watchlist {
            var watchlist = watchlist(cadences.keys.sorted().map { (query($0), ["com.example.app2"]) })
            for index in watchlist.queries.indices {
                watchlist.queries[index].cadences = [cadences[watchlist.queries[index].query.text]!]
            }
            return watchlist
        }

        private static let everyHour = ["hourly": Cadence.every(seconds: 3_600)]
        private static let mixed = everyHour.merging(
            ["six-hourly": .every(seconds: 21_600), "daily": .every(seconds: 86_400)]) { $1 }

        private func isSound() throws {
            let history = try RecordedHistory(folder.file("history.sqlite"))
            let flaws = try history.flaws
            #expect(flaws == [])
            #expect(try history.number("SELECT count(*) FROM check_log WHERE outcome <> 'good'") == 0)
            #expect(try history.checkCount == diary.all.values.reduce(0) { $0 + $1.count })
        }

        private static let day: Int64 = 86_400

        private static let steps: [Int64] = [1, -1, 3_600, -3_600, day, -day, 3_653 * day, -3_653 * day]

        /// Set wrong at half past two, and right again two hours later.
        @Test(arguments: steps, [false, true])
        func `a clock that is set loses no slot`(_ seconds: Int64, _ restarts: Bool) async throws {
            let life = life(from: "2026-11-20T12:00:00Z")
            let (plan, store) = (watching(Self.mixed), store(of: life))
            life.after(.seconds(9_000), .step(seconds))
            if restarts { try await life.live(for: .seconds(9_100), watching: plan, asking: store) }
            try await life.live(for: .seconds(16_300) - life.elapsed, watching: plan, asking: store)
            life.after(.seconds(200), .step(-seconds))
            if restarts { try await life.live(for: .seconds(300), watching: plan, asking: store) }
            try await life.live(for: .seconds(43_200) - life.elapsed, watching: plan, asking: store)
            // Twelve hours have passed, and as many slots of the right time; at most two more of a wrong one, and one
            // that is asked at once when the clock jumps into it.
            let hourly = diary.all["hourly"] ?? []
            #expect((12...16).contains(hourly.count), "\(hourly)")
            let rightTime = Set(
                hourly.filter { (0..<43_200).contains($0 - time("2026-11-20T12:00:00Z")) }.map {
                    $0.secondsSinceEpoch / 3_600
                })
            // Set forward, the two hours have no check of their own; later slots all have.
            #expect(rightTime.count >= (abs(seconds) > 3_600 ? 9 : 11), "\(hourly)")
            try isSound()
        }

        /// Zones, and the days before their clocks change.
        private static let changes = [
            "Europe/Berlin": ["2026-10-24", "2027-03-27"], "America/New_York": ["2026-10-31", "2027-03-13"],
            "Australia/Lord_Howe": ["2026-10-03", "2027-04-03"], "Asia/Kolkata": ["2026-10-24"],
        ]

        @Test(arguments: changes) func `summer time begins and ends, and every slot is asked once`(
            _ zone: String, _ days: [String]
        ) async throws {
            let zone = try #require(TimeZone(identifier: zone))
            let plan = watching([
                "hourly": .every(seconds: 3_600),
                "at half past two": .at([try #require(TimeOfDay("02:30")), try #require(TimeOfDay("15:00"))], zone),
            ])
            for day in days {
                let start = day + "T00:00:00Z"
                let life = SimulatedLife(path: folder.file("history.sqlite"), from: time(start))
                let days: Int64 = 3
                try await life.live(for: .seconds(days * Self.day), watching: plan, asking: store(of: life))
                let asked = diary.all
                let begin = time(start)
                let hourly = (asked["hourly"] ?? []).filter { $0 >= begin && $0 < begin + days * Self.day }
                let local = (asked["at half past two"] ?? []).filter { $0 >= begin && $0 < begin + days * Self.day }
                #expect(Set(hourly.map { $0.secondsSinceEpoch / 3_600 }).count == Int(days) * 24)
                // One is asked when the service starts within its slot.
                #expect((2 * Int(days)...2 * Int(days) + 1).contains(local.count))
            }
            try isSound()
        }

        @Test func `a clock that stands still is no reason to spin`() async throws {
            let life = life(from: "2026-11-20T12:59:00Z")
            life.after(.seconds(3_600), .freeze)
            try await life.live(for: .seconds(2 * 3_600), watching: watching(Self.mixed), asking: store(of: life))
            // A turn a minute, two for each pass, and one a second at the worst.
            #expect(life.turns < 2 * 60 + 60, "\(life.turns)")
            #expect(diary.all["hourly"]?.count == 2)
            try isSound()
        }

        private static let naps: [Int64] = [90, 3_700, 7 * 3_600, 3 * day]

        @Test(arguments: naps) func `a suspended machine catches up once`(
            _ seconds: Int64
        ) async throws {
            let life = life(from: "2026-11-20T12:10:00Z")
            life.after(.seconds(600), .suspend(seconds))
            try await life.live(
                for: .seconds(1_200 + seconds), watching: watching(Self.everyHour), asking: store(of: life))
            let hourly = diary.all["hourly"] ?? []
            #expect((seconds > 3_000 ? 2...3 : 1...1).contains(hourly.count), "\(hourly)")
            try isSound()
        }

        @Test func `slots that passed while it was off are caught up once, and stay a gap`() async throws {
            let life = life(from: "2026-11-20T12:10:00Z")
            let (plan, store) = (watching(Self.everyHour), store(of: life))
            try await life.live(for: .seconds(60), watching: plan, asking: store)
            life.clock.advance(by: .seconds(3 * 3_600 + 60))
            try await life.live(for: .seconds(600), watching: plan, asking: store)
            #expect(diary.all["hourly"]?.count == 2)
            // A gap is what has no row.
            let history = try RecordedHistory(folder.file("history.sqlite"))
            #expect(try history.number("SELECT count(DISTINCT at / 3600) FROM position_history") == 2)
            #expect(try history.number("SELECT count(*) FROM position_history") == 2)
            try isSound()
        }
    }
}

/// When each query was asked.
private final class Diary: Sendable {
    private let asked = Mutex<[String: [Timestamp]]>([:])

    var all: [String: [Timestamp]] { asked.withLock { $0 } }

    func note(_ query: Query, _ moment: Timestamp) {
        asked.withLock { $0[query.text, default: []].append(moment) }
    }
}
