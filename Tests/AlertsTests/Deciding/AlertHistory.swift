import Foundation
import History
import JudgingStage
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Alerts

/// A history of its own, filled with places day by day, and what alerts make of it.
struct AlertHistory {
    let folder: TemporaryFolder
    let store: HistoryStore
    let timer = query("timer")

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(path: folder.file("history.sqlite"))
    }

    /// The same history as it was when `copy` was made.
    init(restoring copy: String, of former: AlertHistory) async throws {
        folder = former.folder
        try await former.store.close()
        let files = FileManager.default
        for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: former.store.path + suffix) {
            try files.removeItem(atPath: former.store.path + suffix)
        }
        try files.copyItem(atPath: copy, toPath: former.store.path)
        store = try HistoryStore(path: former.store.path)
    }

    var reader: HistoryReader { get throws { try HistoryReader(path: store.path) } }

    /// The watchlist: `com.me`, and `com.rival` that it names.
    func adopt(
        _ queries: [Query] = [query("timer")], apps: [String] = ["com.me", "com.rival"], daysAgo: Int64 = 90
    ) async throws {
        var plan = watchlist(queries.map { ($0, apps) }, every: day, competitors: ["com.rival"])
        plan.apps[0].alias = "me"
        if apps.contains("com.rival") { plan.apps[0].competitors = [bundle("com.rival")] }
        plan.timeZone = "UTC"
        try await store.adopt(plan, now: noon - daysAgo * day)
    }

    /// A check a day, the last one `last` days ago: `com.me` at these places, `com.rival` at those, `com.new` likewise; 0
    /// for none.
    func fill(
        _ mine: [Int], rival: [Int] = [], stranger: [Int] = [], on asked: Query = query("timer"), last: Int64 = 0,
        length: (Int) -> Int = { _ in 100 },
        details: @escaping @Sendable (Int, String) -> AppDetails = { AppDetails(name: $1) }
    ) async throws {
        for (index, place) in mine.enumerated() {
            var names = (1...100).map { "com.x\($0)" }
            for (name, places) in [("com.new", stranger), ("com.rival", rival), ("com.me", [])] {
                let wanted = name == "com.me" ? place : places.indices.contains(index) ? places[index] : 0
                if wanted > 0 { names[wanted - 1] = name }
            }
            let moment = noon - (Int64(mine.count - 1 - index) + last) * day - 60
            let shown = list(Array(names.prefix(length(index)))) { details(index, $0) }
            try await store.record(Check(query: asked, at: moment, outcome: .answered(shown)))
        }
    }

    /// What the clean-up derives of the days before one, today unless given.
    func deriveCountryDays(before today: Int64 = noon.day) async throws {
        try await deriveCountryDays(at: .startOfDay(today))
    }

    /// What the clean-up derives at a moment.
    func deriveCountryDays(at now: Timestamp) async throws {
        let reader = try reader
        func derive(_ days: ClosedRange<Int64>) async throws {
            var draft = try CountryDayDraft(days, from: reader)
            while try draft.countNext(from: reader) {}
            try await store.enter(draft)
        }
        while let days = try await store.nextCountryDays(now: now, limit: 31) { try await derive(days) }
        while let days = try await store.nextOutdatedCountryDays(limit: 93) { try await derive(days) }
    }

    func events(
        _ rules: [AlertRule], until: Timestamp = noon, days: ClosedRange<Int64>? = nil,
        after look: EarlierLook? = nil, told: [ToldEvent] = []
    ) throws -> [AlertEvent] {
        try AlertEvents.read(
            settings(rules), days: days ?? AlertEvents.days(until: until),
            after: look, until: until, now: noon,
            zone: .gmt, told: told, from: reader)
    }
}

extension AlertHistory {
    var receipt: ReceiptFile { ReceiptFile(beside: store.path) }

    /// Looks once, and writes what came of it.
    ///
    /// - Returns: `nil` if there was nothing to look at.
    @discardableResult
    func look(
        _ settings: AlertSettings, at now: Timestamp, trouble: TroubleWatch.Finding? = nil, zone: TimeZone = .gmt
    ) async throws -> OutboxDecision? {
        let judgement = try AlertJudgement(
            settings, trouble: trouble, receipt: receipt, zone: zone, now: now, from: reader.snapshot())
        guard let judgement else { return nil }
        #expect(try await store.decide(judgement.decision, from: judgement.known))
        return judgement.decision
    }

    func states() throws -> [OutboxDelivery.State] { try reader.deliveries(limit: 50).map(\.state) }

    /// Delivers what is due to `team`, and keeps what a sender keeps of it.
    func send(at now: Timestamp) async throws {
        while let attempt = try await store.beginTry(on: "team", at: now, oldest: now - 2 * day, lease: 60) {
            try receipt.note(attempt.decidedAt, by: now)
            try await store.end(attempt, .delivered, answer: "delivered", at: now)
        }
    }

    /// What an import reads.
    func export() async throws -> ExportFile {
        let text = Mutex<[UInt8]>([])
        _ = try await reader.export(since: nil, now: noon) { _, _ in
        } write: { bytes in
            text.withLock { $0 += bytes }
        }
        return try ExportFile(folder.write(String(decoding: text.withLock { $0 }, as: UTF8.self), to: "export.ndjson"))
    }
}

/// Settings with two channels, of which messages go to the first.
func settings(
    _ rules: [AlertRule]?, mutes: [AlertMute] = [], quietHours: QuietHours? = nil
) -> AlertSettings {
    AlertSettings(
        channels: ["team", "hook"].map { AlertChannel(name: $0, transport: .slack(url: .secret(name: $0))) },
        to: ["team"],
        rules: rules, mutes: mutes, quietHours: quietHours)
}

/// 40 days around 40.
let jitter = (0..<40).map { [40, 41, 40, 39, 40, 42, 38, 40][$0 % 8] }
