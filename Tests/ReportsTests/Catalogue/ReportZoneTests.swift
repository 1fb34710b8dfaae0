import ArgumentParser
import Foundation
import History
import RankKit
import Synchronization
import TestSupport
import Testing

@testable import Reports

/// The watchlist's zone decides what a day is, and the same question names the same place on the same day everywhere.
@Suite struct ReportZoneTests {
    static let zones = [
        "America/Sao_Paulo", "Asia/Tokyo", "Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kathmandu", "UTC",
    ]
    private static let start = time("2026-10-20T01:30:00Z")
    private static let checks: Range<Int64> = 0..<190

    /// A check every three hours, each with another place; the clean-up has closed the older days.
    private struct History {
        let folder: TemporaryFolder
        let store: HistoryStore
        let days: ZoneDays
        let now: Timestamp

        init(_ zone: String) async throws {
            folder = try TemporaryFolder()
            store = try HistoryStore(path: folder.file("history.sqlite"))
            days = ZoneDays(try #require(TimeZone(identifier: zone)))
            var plan = watchlist([(query("timer"), ["com.me"])], every: 3 * 3_600)
            plan.timeZone = zone
            plan.notes = [
                Note(on: "2026-11-05", bundleID: bundle("com.me"), version: nil, text: "new words"),
                Note(on: "2026-11-06", bundleID: nil, version: nil, text: "an advert"),
            ]
            try await store.adopt(plan, now: start)
            for number in checks {
                let place = Int(number * 37 % 60)
                let others = (0..<70).map { "com.other\($0)" }
                let list = list(Array(others[..<place]) + ["com.me"] + Array(others[place...]))
                try await store.record(
                    Check(query: query("timer"), at: Self.at(number), outcome: .answered(list)))
            }
            now = Self.at(checks.upperBound - 1) + 60
            while let day = try await store.nextDayToRollUp(today: now.day - 2) {
                _ = try await store.rollUp(day: day, after: 0, limit: 10)
            }
        }

        private static func at(_ number: Int64) -> Timestamp { start + number * 3 * 3_600 }

        /// The last place of each whole day, by its date.
        var places: [(date: String, place: Int)] {
            var last: [Int64: Int] = [:]
            for number in checks { last[days.day(of: Self.at(number))] = Int(number * 37 % 60) + 1 }
            return last.sorted { $0.key < $1.key }.map { (CivilTime.date(.startOfDay($0.key)), $0.value) }
        }

        func context(_ remark: @escaping @Sendable (String) -> Void = { _ in }) throws -> ReportContext {
            try ReportContext(HistoryReader(path: store.path), now: now, zone: .gmt, remark: remark)
        }

        func answer<Request: ReportRequest>(
            _ request: Request.Type, _ arguments: [String], as format: ReportFormat = .json
        ) throws -> String {
            let context = try context()
            return try context.zoned { () throws(any Error) in
                try request.parse(arguments).answer(in: context).render(
                    as: format, style: TerminalStyle(colour: false, width: 120))
            }
        }
    }

    @Test func `the zone of a watchlist that the history has not adopted counts before the history's`() async throws {
        let history = try await History("Asia/Tokyo")
        let reader = try HistoryReader(path: history.store.path)
        let context = try ReportContext(reader, now: history.now, zone: .gmt, namedZone: "America/Los_Angeles")
        #expect(context.zone.identifier == "America/Los_Angeles")
        #expect(try ReportContext(reader, now: history.now, zone: .gmt).zone.identifier == "Asia/Tokyo")
    }

    @Test(arguments: zones) func `every report names the same place on the same day`(zone: String) async throws {
        let history = try await History(zone)
        let days = history.places
        let span = ["--since", days[1].date, "--until", days[days.count - 2].date]
        let grid = try history.answer(GridRequest.self, ["--app", "com.me"] + span)
        let past = try history.answer(HistoryRequest.self, ["--app", "com.me"] + span, as: .csv)
        #expect(
            !grid.contains("\"day\":\"\(days[0].date)\"") && !grid.contains("\"day\":\"\(days[days.count - 1].date)\""))
        for (date, place) in days[1..<days.count - 1] {
            #expect(
                grid.contains("{\"day\":\"\(date)\",\"state\":\"ranked\",\"position\":\(place),"), "\(zone) \(date)")
            let standings = try history.answer(StandingsRequest.self, ["--at", date])
            #expect(standings.contains("\"position\":\(place),"), "\(zone) \(date)")
            let lines = past.split(separator: "\r\n").filter { line in
                let moment = line.split(separator: ",").lazy.compactMap { Timestamp(iso8601: String($0)) }.first
                return moment.map { CivilTime.date(.startOfDay(history.days.day(of: $0))) == date } ?? false
            }
            #expect(lines.last?.contains(",ranked,\(place),") == true, "\(zone) \(date): \(lines)")
        }
    }

    @Test(arguments: zones) func `a history's lines and notes stand on their days`(zone: String) async throws {
        let history = try await History(zone)
        let text = try history.answer(
            HistoryRequest.self, ["--app", "com.me", "--since", "2026-11-04", "--until", "2026-11-07"], as: .table)
        for (date, place) in history.places where ("2026-11-04"..."2026-11-07").contains(date) {
            let line = text.split(separator: "\n").last { $0.contains(date + " ") && $0.contains(":") }
            #expect(line?.contains("#\(place)") == true, "\(zone) \(date): \(text)")
        }
        #expect(text.contains("2026-11-05 new words") && text.contains("2026-11-06 an advert"), "\(text)")
        #expect(text.contains("times in \(zone)"), "\(text)")
        let timeline = try history.answer(TimelineRequest.self, ["--app", "com.me"], as: .table)
        #expect(timeline.contains("  5 Nov ") && timeline.contains("days in \(zone)"), "\(timeline)")
        let release = try history.answer(ReleaseRequest.self, ["com.me"])
        #expect(release.contains("\"on\":\"2026-11-05\""), "\(release)")
    }

    @Test(arguments: zones) func `reports by days begin and end with the days that are named`(zone: String) async throws
    {
        let history = try await History(zone)
        let span = ["--since", "2026-11-03", "--until", "2026-11-07"]
        for json in [
            try history.answer(DistributionRequest.self, span), try history.answer(VisibilityRequest.self, span),
            try history.answer(GridRequest.self, ["--app", "com.me"] + span),
        ] {
            #expect(json.contains("\"2026-11-03\"") && json.contains("\"2026-11-07\""), "\(json)")
            #expect(!json.contains("\"2026-11-02\"") && !json.contains("\"2026-11-08\""), "\(json)")
        }
    }

    @Test(arguments: zones) func `what the clean-up has closed reads like what it has not`(zone: String) async throws {
        let history = try await History(zone)
        let reader = try HistoryReader(path: history.store.path).counting(history.days)
        let days = history.days.day(of: Self.start)...history.days.day(of: history.now)
        func readings(until: Timestamp?) throws -> [DailyReadings.Element] {
            try reader.pairDays(days: days, until: until)[0].days.elements
        }
        for number in Self.checks.suffix(40) {
            let until = Self.start + number * 3 * 3_600 + 60
            var last: [Int64: Timestamp] = [:]
            for earlier in 0...number {
                let at = Self.start + earlier * 3 * 3_600
                last[history.days.day(of: at)] = at
            }
            let found = try readings(until: until)
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.day, $0.reading.checkedAt) }) == last)
        }
    }

    @Test func `a moment before the history is said to be one`() async throws {
        let history = try await History("Asia/Tokyo")
        let remarks = Mutex<[String]>([])
        let context = try history.context { remark in remarks.withLock { $0.append(remark) } }
        try context.zoned { () throws(any Error) in
            _ = try StandingsRequest.parse(["--at", "2026-10-01"]).answer(in: context)
        }
        #expect(
            remarks.withLock(\.self) == [
                "--at is before the history, which begins at 2026-10-20 10:30 Asia/Tokyo: nothing is known of that time"
            ])
    }
}
