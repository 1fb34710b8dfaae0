import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What `rankctl alerts` shows.
@Suite struct AlertReportTests {
    private let hook = AlertChannel(
        name: "hook", way: .webhook(url: .plain("https://example.com/a-secret-path"), secrets: [.secret(name: "key")]))

    private func delivery(
        _ state: OutboxDelivery.State, after seconds: Int64 = 0, answer: String? = nil
    ) -> OutboxDelivery {
        OutboxDelivery(
            message: "m\(seconds)", channel: "hook", state: state, decidedAt: noon + seconds, dueAt: noon + hour,
            tries: 1, triedAt: noon + seconds, answer: answer,
            deliveredAt: state == .delivered ? noon + seconds : nil, content: "")
    }

    private func list(_ known: OutboxChannel?, _ deliveries: [OutboxDelivery] = []) -> AlertListReport {
        AlertListReport(
            generatedAt: noon, settings: AlertSettings(channels: [hook], to: ["hook"]), apps: [],
            channels: [.init(hook, known: known, deliveries: deliveries)])
    }

    private func text(_ report: some ReportValue) -> String {
        report.render(as: .table, style: TerminalStyle(colour: false, width: 200))
    }

    @Test func `a channel is on, off, not usable, or unknown to rankd yet`() {
        var channel = OutboxChannel(name: "hook", kind: "webhook", settings: "")
        #expect(text(list(channel)).contains("  on "))
        channel.trouble = "the secret is empty"
        #expect(text(list(channel)).contains("not usable: the secret is empty"))
        channel.offAt = noon
        channel.trouble = "status 410"
        #expect(text(list(channel)).contains("off: status 410"))
        #expect(text(list(nil)).contains("rankd has not taken it up"))
    }

    @Test func `what waits and what was not sent is counted, whatever became of the rest`() {
        let all = OutboxDelivery.State.allCases.enumerated().map { delivery($1, after: Int64($0)) }
        #expect(list(nil, all).render(as: .json).contains(#""waiting":1,"notSent":3"#))
    }

    @Test(arguments: ReportFormat.allCases)
    func `no format shows more of an address than its host`(_ format: ReportFormat) {
        let shown = list(nil).render(as: format)
        #expect(shown.contains("example.com") && !shown.contains("a-secret-path"))
    }

    @Test func `the JSON is what its schema says`() throws {
        let none = AlertListReport(generatedAt: noon, settings: nil, apps: [], channels: [])
        let off = OutboxChannel(name: "hook", kind: "webhook", settings: "", offAt: noon, trouble: "status 410")
        for report in [none, list(nil), list(off, [delivery(.delivered)])] {
            try expectConforms(report.render(as: .json), to: "alerts")
        }
        let rows = OutboxDelivery.State.allCases.map {
            AlertLogReport.Row(delivery: delivery($0, answer: "status 503"), title: "\u{1B}[2J")
        }
        for rows in [rows, []] {
            try expectConforms(AlertLogReport(generatedAt: noon, rows: rows).render(as: .json), to: "alert-log")
        }
        let message = AlertPreviewReport.Message(
            at: noon, channels: ["hook", "team"], severity: .high, title: "moved", lines: ["one", "two"], omitted: 3)
        let preview = AlertPreviewReport(
            generatedAt: noon, since: noon.day - 30, messages: [message], counts: [.normal: 1], notes: ["a note"])
        try expectConforms(preview.render(as: .json), to: "alert-preview")
    }

    @Test func `what the store says shows as what it is`() {
        let row = AlertLogReport.Row(delivery: delivery(.delivered), title: "\u{1B}[2J")
        #expect(!text(AlertLogReport(generatedAt: noon, rows: [row])).contains("\u{1B}"))
    }
}
