import Foundation
import JudgingStage
import RankKit
import TestSupport
import Testing

extension FaultTests {
    /// A year of alerts about 300 pairs. `RANKD_ALERT_DAYS` says how many days, `RANKD_ALERT_SEED` which;
    /// `RANKD_ALERT_COPY` names a file that the history is copied to, for whoever looks for a flaw.
    @Suite(.timeLimit(.minutes(60))) struct AlertYear {
        private static let environment = ProcessInfo.processInfo.environment
        private static let days = environment["RANKD_ALERT_DAYS"].flatMap { Int($0) } ?? 365
        private static let seed = environment["RANKD_ALERT_SEED"].flatMap { UInt64($0) } ?? 20_261_123
        private static let start = time("2026-01-01T00:00:00Z")
        /// Days before the first judgement: what a judgement of a pair looks back on.
        private static let before = 100

        /// Among how many places a stranger is a newcomer.
        static let newcomerTop = 10

        /// Mine and competitors; these in one message a day at most, but for the first places, and one of them muted for
        /// ever.
        private static let settings = AlertSettings(
            channels: [AlertChannel(name: "team", transport: .command(["/bin/true"], seconds: 1))], to: ["team"],
            rules: [
                AlertRule(name: "mine", when: [.moved, .entered, .left, .drift]),
                AlertRule(name: "top", when: [.entered, .left], top: 10),
                AlertRule(name: "rivals", when: [.moved, .entered, .left, .drift], whose: .competitors, atMost: 1),
                AlertRule(name: "rivals' top", when: [.entered, .left], top: 10, whose: .competitors),
                AlertRule(name: "order", when: [.overtaken, .overtook]),
                AlertRule(name: "weather", when: [.weather], whose: .all, severity: .low),
                AlertRule(name: "newcomers", when: [.newcomer], top: newcomerTop),
                AlertRule(name: "listings", when: [.release, .price, .name], whose: .all),
                AlertRule(name: "service", when: [.service]),
            ], mutes: [AlertMute(app: "com.rival.app7")])

        @Test(.longRun) func `over a year each event has one message, and Judging confirms it`() async throws {
            let folder = try TemporaryFolder()
            let planted = Self.before + 5...max(Self.before + 6, Self.before + Self.days - 15)
            let size = SimulatedStores.Size(days: Self.before + Self.days, planted: planted)
            let stores = SimulatedStores(size, seed: Self.seed)
            let news = AlertYearNews(
                (stores.queries, stores.mine + stores.rivals), planted: planted, seed: Self.seed)
            let life = try await AlertYearLife(
                stores, news, at: folder.file("history.sqlite"), from: Self.start, settings: Self.settings,
                seed: Self.seed)
            let clock = ContinuousClock()
            let began = clock.now
            try await life.prepare(days: 0..<Self.before)
            let prepared = clock.now
            for day in Self.before..<Self.before + Self.days { try await life.live(day) }
            let lived = clock.now
            try await life.close()
            if let copy = Self.environment["RANKD_ALERT_COPY"] {
                try FileManager.default.copyItem(atPath: life.path, toPath: copy)
            }
            print("ALERT YEAR: \(life.summary)")
            let days = Self.before..<Self.before + Self.days
            var verdict = try AlertYearVerdict(life, stores, from: Self.start, days: days)
            try verdict.judge(days: days)
            print("ALERT YEAR: \(verdict)")
            if verdict.weeks.flagged * 100 > verdict.weeks.still {
                for line in verdict.weeks.shown { Issue.record(Comment(rawValue: line)) }
            }
            for flaw in verdict.flaws.prefix(20) { Issue.record(Comment(rawValue: flaw)) }
            #expect(verdict.flaws.isEmpty)
            #expect(verdict.told.moves > 0 && verdict.told.byWrongClock * 20 <= verdict.told.moves)
            #expect(verdict.weeks.flagged * 100 <= verdict.weeks.still)
            // Drifts are judged over months: at most 2 in 100 of these, as the benchmark has it.
            #expect(verdict.weeks.drifts * 100 * 30 <= 2 * verdict.weeks.still * 7)
            #expect(verdict.shifts.found * 10 >= verdict.shifts.large * 8)
            print(
                "ALERT YEAR: prepared in \(prepared - began), lived in \(lived - prepared), judged in \(clock.now - lived)"
            )
        }
    }
}
