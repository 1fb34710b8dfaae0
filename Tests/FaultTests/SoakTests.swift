import AppStoreSimulator
import Foundation
import ProgramStage
import RankKit
import Synchronization
import TestSupport
import Testing
import Tracking

extension FaultTests {
    /// Months of faults, in minutes. `RANKD_SOAK_DAYS` says how many days, `RANKD_SOAK_SEED` which.
    @Suite(.timeLimit(.minutes(60))) struct SoakTests {
        private static let environment = ProcessInfo.processInfo.environment
        private static let days = environment["RANKD_SOAK_DAYS"].flatMap { Int64($0) } ?? (FaultTests.isLong ? 365 : 4)
        private static let seed = environment["RANKD_SOAK_SEED"].flatMap { UInt64($0) } ?? 20_261_121

        private static let start = time("2026-01-01T00:00:00Z")

        /// What is watched: several cadences, among them one that follows a zone, and apps at every height of the list.
        private static func plan(_ store: SoakStore) -> Watchlist {
            let berlin = TimeZone(identifier: "Europe/Berlin")!
            let lines: [(Query, Cadence)] = [
                (query("habit tracker"), .every(seconds: 3_600)), (query("focus timer"), .every(seconds: 21_600)),
                (query("focus timer", "gb"), .every(seconds: 21_600)),
                (query("mood journal", "de"), .every(seconds: 43_200)),
                (query("budget", "us", .ipad), .every(seconds: 86_400)),
                (query("notes", "us", .mac), .every(seconds: 86_400)),
                (query("xkqzv"), .every(seconds: 86_400)),
                (query("running", "de"), .at([TimeOfDay("02:30")!, TimeOfDay("15:00")!], berlin)),
            ]
            var plan = watchlist(
                lines.map { query, _ in
                    let apps = store.ranking(query, at: start).map(\.bundleID.text)
                    let tracked = [0, 5, apps.count / 2, apps.count - 1].filter(apps.indices.contains).map { apps[$0] }
                    return (query, Array(Set(tracked)).sorted() + ["com.example.nowhere"])
                })
            for (index, line) in lines.enumerated() { plan.queries[index].cadences = [line.1] }
            plan.service.parallelism = 1
            return plan
        }

        @Test
        func `after months of bad luck every slot is filled once or explained, and every position is true`()
            async throws
        {
            let folder = try TemporaryFolder()
            let history = folder.file("history.sqlite")
            let life = SimulatedLife(path: history, from: Self.start)
            let store = SoakStore(seed: Self.seed) { life.now }
            let plan = Self.plan(store)
            store.track(plan)
            let witness = SoakWitness(life)
            var random = SplitMix(seed: Self.seed)
            let end = Duration.seconds(Self.days * 86_400)
            let began = ContinuousClock.now
            var starts = 0
            var warm: Holdings?
            while life.elapsed < end {
                // From an hour to a fortnight.
                let stretch = Duration.seconds(3_600 * exp(random.unit() * log(336)))
                let steps: [Int64] = [1, -1, 3_600, -3_600, 86_400, -86_400]
                if random.unit() < 0.5 {
                    let step = steps[Int(random.next() % 6)]
                    life.after(stretch * random.unit(), .step(step))
                    // Most clocks are put right some time.
                    if random.unit() < 0.7 { life.after(stretch * random.unit() + .seconds(7_200), .step(-step)) }
                }
                if random.unit() < 0.3 { life.after(stretch * random.unit(), .suspend(Int64(random.unit() * 30_000))) }
                try await life.live(
                    for: min(stretch, end - life.elapsed), watching: plan, asking: store.appStore,
                    witness: { witness.hear($0) })
                starts += 1
                if warm == nil, life.elapsed > end / 8 { warm = Holdings(of: history) }
                // Half of the time it is started again at once.
                let off = random.unit() < 0.5 ? 0 : Int64(exp(random.unit() * log(200_000)))
                let from = life.now
                life.clock.advance(by: .seconds(off))
                witness.explain(from, life.now, "off")
            }
            let took = ContinuousClock.now - began
            let holds = Holdings(of: history)

            let verdict = try SoakVerdict(history, plan, store, witness, from: Self.start)
            for flaw in verdict.flaws.prefix(20) { Issue.record(Comment(rawValue: flaw)) }
            #expect(verdict.flaws.isEmpty)
            #expect(verdict.good > verdict.slots / 2)
            print(
                "SOAK: \(Self.days) days, \(starts) starts, \(verdict), memory \(warm?.memory ?? 0) → "
                    + "\(holds?.memory ?? 0) bytes, \(took)")
            if let warm, let holds {
                #expect(holds.descriptors <= warm.descriptors)
                // Where other tests run beside it, what the process holds says little.
                if FaultTests.isLong { #expect(holds.memory < warm.memory + 48 << 20) }
            }
        }
    }

    /// What this process holds.
    struct Holdings {
        let descriptors: Int
        let memory: Int

        /// `nil` where there is no /proc.
        ///
        /// - Parameter history: the file whose descriptors count. Other tests, which come and go, have others of that name.
        init?(of history: String) {
            let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
            let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let memory = line.flatMap({ Int($0.filter(\.isNumber)) }) else { return nil }
            self.memory = memory * 1_024
            // The folder's name is its own; what stands before it may be another way to the same.
            let ending = "/" + history.split(separator: "/").suffix(2).joined(separator: "/")
            descriptors = (0..<1_024).count { descriptor in
                var path = [CChar](repeating: 0, count: 4_096)
                return readlink("/proc/self/fd/\(descriptor)", &path, path.count) > 0
                    && String(decoding: path.prefix(while: { $0 != 0 }).map(UInt8.init(bitPattern:)), as: UTF8.self)
                        .hasSuffix(ending)
            }
        }
    }
}

/// Listens to a life, and keeps the times for which there is a reason that nothing was asked.
final class SoakWitness: Sendable {
    struct Reason: Sendable {
        let from: Timestamp
        let to: Timestamp
        let why: String
    }

    private let life: SimulatedLife
    private let kept = Mutex<[Reason]>([])

    init(_ life: SimulatedLife) { self.life = life }

    var reasons: [Reason] { kept.withLock { $0 } }

    func explain(_ from: Timestamp, _ to: Timestamp, _ why: String) {
        guard from < to else { return }
        kept.withLock { $0.append(Reason(from: from, to: to, why: why)) }
    }

    func hear(_ witnessed: SimulatedLife.Witnessed) {
        let now = life.now
        switch witnessed {
        case .said(.paused(let until)): explain(now, min(until, now + 60), "paused")
        case .happening(.step(let seconds)): explain(now, now + seconds, "the clock was set")
        case .happening(.suspend(let seconds)): explain(now, now + seconds, "suspended")
        default: break
        }
    }
}
