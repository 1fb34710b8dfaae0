import Foundation
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts
@testable import History

@Suite struct AlertPreviewTests {
    private let history: AlertHistory

    init() async throws {
        history = try AlertHistory()
        try await history.adopt()
    }

    private func preview(_ rules: [AlertRule], until: Timestamp = noon) throws -> AlertPreview {
        try AlertPreview(
            settings(rules), since: noon.day - 30, until: until, now: noon, zone: .gmt,
            from: history.reader.snapshot())
    }

    private static let newcomers = [AlertRule(when: [.newcomer], top: 10)]

    @Test func `newcomers are told in the morning after the list that confirms them`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 3)
        let told = try preview(Self.newcomers)
        #expect(told.messages.map(\.message.at) == [.startOfDay(noon.day - 2) + 7 * 3_600])
        #expect(told.counts == [.calm: 1, .normal: 1, .keen: 1])
    }

    @Test func `newcomers whose morning is still to come are not told yet`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 1)
        let morning = Timestamp.startOfDay(noon.day) + 7 * 3_600
        #expect(try preview(Self.newcomers, until: morning - 1).messages.isEmpty)
        #expect(try preview(Self.newcomers, until: morning).messages.count == 1)
    }

    @Test func `what is confirmed on the day of that morning is a message of its own`() async throws {
        try await history.fill(
            Array(repeating: 40, count: 10), rival: Array(repeating: 3, count: 10),
            stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5, 5], last: 3,
            details: { AppDetails(name: $1, version: $0 == 9 && $1 == "com.rival" ? "2.0" : "1.0") })
        let told = try preview(Self.newcomers + [AlertRule(when: [.release], whose: .all)])
        let today = noon - 3 * day
        #expect(told.messages.map(\.message.at) == [.startOfDay(today.day) + 7 * 3_600, today - 60])
    }

    @Test func `newcomers of a whole past are found, and where older lists were dropped it is said`() async throws {
        try await history.fill(Array(repeating: 40, count: 9), stranger: [0, 0, 0, 0, 0, 0, 5, 6, 5], last: 20)
        #expect(try preview(Self.newcomers).messages.count == 1)
        #expect(try notes().isEmpty)
        try await history.store.write {
            try HistoryStore.noteDropped(before: (noon - 5 * day).secondsSinceEpoch, in: $0)
        }
        #expect(try notes() == ["newcomers are not known of before 2026-11-15: older lists were dropped"])
    }

    private func notes() throws -> [String] {
        try preview(Self.newcomers).report(
            of: settings(Self.newcomers), zone: .gmt, generatedAt: noon, isOfUsualRules: false
        ).notes
    }
}
