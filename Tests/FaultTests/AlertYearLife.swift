import Alerts
import Foundation
import History
import JudgingStage
import Logging
import RankKit
import Reports
import Synchronization
import TestSupport
import Tracking

/// A rankd that lives through a simulated year: it asks, cleans up, judges and sends once a day, is killed at its commits,
/// started again, switched off and given wrong clocks. The history, the dispatcher and the sender are the real ones.
final class AlertYearLife {
    /// A judgement that was written, with the newest check that it knew.
    struct Decision: Sendable {
        var at: Timestamp
        var check: Int64
        /// Whether something kept the service from its work.
        var isTroubled: Bool
    }

    let path: String
    let settings: AlertSettings
    let doom: Doom
    let receiver = AlertYearReceiver()
    private(set) var decisions: [Decision] = []
    /// The number and the moment of each check, in the order of recording.
    private(set) var recorded: [(id: Int64, at: Timestamp)] = []
    private(set) var starts = 0
    private(set) var daysOff = 0
    private(set) var clockSteps = 0
    private(set) var badDays = 0
    private(set) var checks = 0
    private(set) var failures = 0

    private var stores: SimulatedStores
    private(set) var news: AlertYearNews
    private let start: Timestamp
    private var random: SplitMix
    private var history: HistoryStore
    private var dispatcher: AlertDispatcher<ManualClock>?
    /// What the wall clock shows; it is off by `wrong` seconds.
    private let wall = WallClock()
    private var wrong: Int64 = 0
    private let log = Logger(label: "life") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameter start: the midnight before the first day.
    init(
        _ stores: SimulatedStores, _ news: AlertYearNews, at path: String, from start: Timestamp,
        settings: AlertSettings, seed: UInt64
    ) async throws {
        self.stores = stores
        self.news = news
        self.path = path
        self.start = start
        self.settings = settings
        random = SplitMix(seed: seed)
        doom = Doom(seed: seed)
        doom.revive()
        history = try HistoryStore.open(path, under: doom)
        try await history.adopt(watchlist, now: start)
    }

    /// Days of which nobody is told, and on which nothing goes wrong.
    func prepare(days: Range<Int>) async throws {
        for day in days {
            for part in Part.allCases {
                set(day, hour: part.hour, minute: part.minute)
                try await ask(part, answers(on: day), isBad: false)
            }
            try await backUp(on: day)
        }
        try await cleanUp()
        try await open()
    }

    func close() async throws {
        // Nobody kills a process that is being closed.
        doom.revive()
        dispatcher = nil
        try await history.close()
    }

    // MARK: A day

    func live(_ day: Int) async throws {
        let answers = answers(on: day)
        if random.unit() < 0.03 { off = 1 + Int(random.unit() * random.unit() * 6) }
        stepClock()
        if off > 0 {
            off -= 1
            daysOff += 1
            return
        }
        let isBad = random.unit() < 0.012
        if isBad { badDays += 1 }
        set(day, hour: Part.first.hour, minute: Part.first.minute)
        try await surviving { try await self.ask(.first, answers, isBad: isBad) }
        try await surviving { try await self.backUp(on: day) }
        set(day, hour: 7)
        try await surviving { try await self.cleanUp() }
        set(day, hour: 8)
        try await surviving { try await self.judge() }
        receiver.isDown = random.unit() < 0.08
        for hour in [8, 9, 18] as [Int64] {
            if hour == 9 {
                set(day, hour: Part.second.hour, minute: Part.second.minute)
                try await surviving { try await self.ask(.second, answers, isBad: isBad) }
                // What the service suffers from is told once it has lasted, and no rule tells more than a day's limit.
                set(day, hour: 8, minute: 30)
                try await surviving { try await self.judge() }
            }
            set(day, hour: hour, minute: 2)
            if hour == 18, random.unit() < 0.8 { receiver.isDown = false }
            try await surviving { try await self.send() }
        }
    }

    private var off = 0

    /// Does it again after each end, by another process, until it has been done.
    private func surviving(_ body: () async throws -> Void) async throws {
        while true {
            do {
                try await body()
            } catch {
                guard doom.isDead else { throw error }
            }
            guard doom.isDead else { return }
            try await restart()
        }
    }

    private func restart() async throws {
        repeat {
            // What was not committed is gone with the process.
            doom.revive()
            dispatcher = nil
            try await history.close()
            history = try HistoryStore.open(path, under: doom)
            do { try await open() } catch { guard doom.isDead else { throw error } }
        } while doom.isDead
    }

    private func open() async throws {
        starts += 1
        doom.arm()
        doom.begin(.adoption)
        try await history.adopt(watchlist, now: now)
        let clock = wall
        let dispatcher = AlertDispatcher(
            history: history, clock: ManualClock(), zone: .gmt, log: log, now: { clock.now })
        let surroundings = AlertSender.Surroundings(
            secrets: AlertSecrets(environment: [:], watchlist: nil), mail: nil, host: "box",
            now: { clock.now })
        try await dispatcher.adopt(settings, in: surroundings)
        try doom.throwIfDead()
        self.dispatcher = dispatcher
    }

    // MARK: Clocks

    private var now: Timestamp { wall.now }

    private func set(_ day: Int, hour: Int64, minute: Int64 = 0) {
        let moment = start + Int64(day) * Timestamp.secondsPerDay + hour * 3_600 + minute * 60 + wrong
        wall.set(moment)
    }

    /// A wrong clock is mostly put right the next day.
    private func stepClock() {
        if wrong != 0 {
            if random.unit() < 0.7 { wrong = 0 }
        } else if random.unit() < 0.04 {
            let steps: [Int64] = [-3_600, -86_400, -86_400, 3_600, 86_400]
            wrong = steps[Int(random.unit() * 5) % 5]
            clockSteps += 1
        }
    }

    // MARK: What a process does

    /// Of the day's queries, each with a pass of its own.
    private enum Part: CaseIterable {
        case first, second

        var hour: Int64 { self == .first ? 6 : 8 }
        var minute: Int64 { self == .first ? 0 : 10 }
    }

    /// Asks what has no check of its slot yet.
    private func ask(_ part: Part, _ answers: [ResultList], isBad: Bool) async throws {
        let began = now
        let today = Timestamp.startOfDay(began.day)
        let asked = try HistoryReader(path: path).checks(in: today...today + (Timestamp.secondsPerDay - 1))
        let done = Set(asked.filter { $0.good + $0.failed + $0.suspect > 0 }.map(\.query))
        let due = stores.queries.indices.filter {
            ($0 % 2 == 0) == (part == .first) && !done.contains(stores.queries[$0])
        }
        guard !due.isEmpty else { return }
        doom.begin(.check)
        var result = PassResult(startedAt: began, finishedAt: began + Int64(4 * due.count), due: due.count)
        result.isBadDay = isBad
        for index in due {
            let check = Check(
                query: stores.queries[index], at: began + Int64(4 * index),
                outcome: outcome(answers[index], isBad: isBad))
            switch check.outcome {
            case .answered: result.succeeded += 1
            case .suspect: result.suspect += 1
            case .failed: result.failed += 1
            }
            let recorded = try await history.record(check)
            self.recorded.append((recorded.id, recorded.at))
            try doom.throwIfDead()
            checks += 1
        }
        failures += result.failed + result.suspect
        result.requests = due.count
        doom.begin(.passEnd)
        try await history.record(result)
    }

    private func outcome(_ list: ResultList, isBad: Bool) -> Check.Outcome {
        if random.unit() < 0.015 { return .failed(Failure(.timedOut)) }
        if isBad, random.unit() < 0.8 {
            return .suspect(ResultList(places: Array(list.places.prefix(list.count / 5))), .badDay)
        }
        if random.unit() < 0.005 {
            return .suspect(ResultList(places: Array(list.places.prefix(list.count / 4))), .collapsed)
        }
        return .answered(list)
    }

    /// Notes what came of a backup; none is made.
    private func backUp(on day: Int) async throws {
        doom.begin(.upkeep)
        if news.failing.contains(where: { $0.contains(day) }) {
            try await history.noteBackupFailure("no space left", at: now)
        } else {
            try await history.noteBackup(at: now)
        }
    }

    private func answers(on day: Int) -> [ResultList] {
        news.dressed(stores.answers(on: day), of: stores.queries, on: day)
    }

    private var watchlist: Watchlist {
        var plan = stores.watchlist
        plan.service.backup = BackupSettings()
        return plan
    }

    private func cleanUp() async throws {
        doom.begin(.upkeep)
        let housekeeping = Housekeeping(history: history) { [doom] in try doom.throwIfDead() }
        guard try await housekeeping.isDue(at: now) else { return }
        _ = try await housekeeping.run(now: now)
    }

    private func judge() async throws {
        let before = try HistoryReader(path: path).alertMark()
        doom.begin(.decision)
        do { try await dispatcher?.judge() } catch {
            noteDecision(after: before)
            throw error
        }
        noteDecision(after: before)
    }

    private func noteDecision(after before: AlertMark?) {
        guard let reader = try? HistoryReader(path: path), let mark = try? reader.alertMark(), mark != before,
            let isTroubled = try? ServiceTrouble(from: reader, now: now) != nil
        else { return }
        decisions.append(Decision(at: now, check: mark.check, isTroubled: isTroubled))
    }

    /// Sends all that is due by now.
    private func send() async throws {
        let (clock, doom, receiver) = (wall, doom, receiver)
        doom.begin(.beginOfTry)
        let idle = IdleClock(doom)
        let loop = DeliveryLoop(
            history: history, clock: idle, now: { clock.now }, receipt: ReceiptFile(beside: path),
            chance: { 0 }, log: log)
        await loop.replace(with: settings.channels) { message, _ in
            // The end may come when the try has begun.
            if doom.isDead { throw CancellationError() }
            doom.begin(.noteOfTry)
            return try receiver.take(message, doom)
        }
        let sending = Task { await loop.run() }
        await idle.rested()
        sending.cancel()
        await sending.value
    }
}

/// A clock that shows what it was set to.
final class WallClock: Sendable {
    private let moment = Mutex(Timestamp(secondsSinceEpoch: 0))

    var now: Timestamp { moment.withLock { $0 } }

    func set(_ now: Timestamp) { moment.withLock { $0 = now } }
}

extension AlertYearLife {
    var summary: String {
        let kills = Doom.Write.allCases.map { write in
            let ends = doom.kills[write] ?? [:]
            return "\(write) \(ends[.before] ?? 0)+\(ends[.after] ?? 0) of \(doom.commits[write] ?? 0)"
        }
        return """
            \(starts) starts, \(daysOff) days off, \(clockSteps) clock steps, \(badDays) bad days, \(checks) checks \
            (\(failures) failed or suspect), \(decisions.count) decisions; kills before and after commits: \
            \(kills.joined(separator: ", ")); in sending \(receiver.killsInSending); \
            \(receiver.messages.count) messages arrived \(receiver.arrivals.values.reduce(0) { $0 + $1.count }) times, \
            \(receiver.refusals) turned away
            """
    }
}
