import Foundation
import History
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What `rankctl alerts` shows.
@Suite struct AlertReportTests {
    private let hook = AlertChannel(
        name: "hook",
        transport: .webhook(url: .plain("https://example.com/a-secret-path"), secrets: [.secret(name: "key")]))

    private let known = OutboxChannel(name: "hook", kind: "webhook", settings: "")

    private func delivery(
        _ state: OutboxDelivery.State, after seconds: Int64 = 0, answer: String? = nil
    ) -> OutboxDelivery {
        OutboxDelivery(
            message: "m\(seconds)", channel: "hook", state: state, decidedAt: noon + seconds, dueAt: noon + hour,
            tries: 1, triedAt: noon + seconds, answer: answer,
            deliveredAt: state == .delivered ? noon + seconds : nil, content: "")
    }

    private func list(
        _ known: OutboxChannel?, fingerprint: String = "", _ deliveries: [OutboxDelivery] = []
    ) -> AlertListReport {
        AlertListReport(
            generatedAt: noon, settings: AlertSettings(channels: [hook], to: ["hook"]), apps: [],
            channels: [.init(hook, known: known, fingerprint: fingerprint, deliveries: deliveries)],
            reload: "reload rankd: sudo systemctl reload rankd")
    }

    private func text(_ report: some ReportValue, width: Int = 200) -> String {
        report.render(as: .table, style: TerminalStyle(colour: false, width: width))
    }

    @Test func `what would have been sent has the hour of the watchlist's zone`() throws {
        let report = AlertPreviewReport(
            generatedAt: noon, since: noon.day - 7,
            messages: [
                .init(at: noon - day, channels: ["hook"], severity: .normal, title: "Mine fell", lines: [], omitted: 0)
            ], counts: [:])
        let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        let told = ReportZone.$days.withValue(ZoneDays(zone)) { text(report) }
        #expect(told.contains("17:45 to hook"), "\(told)")
    }

    @Test func `a channel is on, off, not usable, or unknown to rankd yet`() {
        var channel = OutboxChannel(name: "hook", kind: "webhook", settings: "")
        #expect(text(list(channel)).contains("  on "))
        channel.trouble = "the secret is empty"
        #expect(text(list(channel)).contains("\nhook is not usable: the secret is empty. Fix that, then reload rankd"))
        channel.offAt = noon
        channel.trouble = "status 410"
        #expect(text(list(channel)).contains("\nhook is off: status 410. rankctl alerts retry switches it on again\n"))
        #expect(
            text(list(nil)).contains(
                "\nhook is new, and rankd does not know it yet: reload rankd: sudo systemctl reload rankd\n"))
    }

    @Test func `a channel of which the watchlist says something else by now is to be reloaded, however it is`() {
        var channel = known
        channel.settings = "before"
        for trouble in [nil, "the secret is empty"] {
            channel.trouble = trouble
            let shown = text(list(channel, fingerprint: "after"))
            #expect(
                shown.contains(
                    "\nhook was changed after rankd read the watchlist: reload rankd: sudo systemctl reload rankd\n"))
            #expect(shown.contains("  changed "), "\(shown)")
            #expect(list(channel, fingerprint: "after").render(as: .json).contains(#""changed":true"#))
        }
        #expect(list(channel, fingerprint: "before").render(as: .json).contains(#""changed":false"#))
        #expect(list(nil, fingerprint: "after").render(as: .json).contains(#""changed":false"#))
    }

    @Test(arguments: [40, 60, 80])
    func `however narrow the terminal, what is wrong with a channel is whole`(width: Int) {
        let reason = "the secret “topic” does not exist: rankd looked for /etc/rankd/secrets/topic, $RANKD_SECRET_TOPIC"
        let channel = OutboxChannel(name: "hook", kind: "webhook", settings: "", trouble: reason)
        let shown = text(list(channel), width: width).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains(reason))
    }

    @Test(arguments: [60, 80])
    func `what did not arrive is named by its whole id, and what arrived is not`(width: Int) {
        let id = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF"
        let rows = OutboxDelivery.State.allCases.map { state in
            var row = AlertLogReport.Row(
                delivery: delivery(state, answer: "status 503"), title: "moved", channel: known)
            row.delivery.message = "\(id)-\(state.rawValue)"
            return row
        }
        let shown = text(AlertLogReport(generatedAt: noon, rows: rows), width: width)
        for state in OutboxDelivery.State.allCases {
            let isNamed = OutboxDelivery.State.retried.contains(state)
            #expect(shown.contains("\n\(id)-\(state.rawValue) ") == isNamed)
        }
        #expect(shown.contains("rankctl alerts retry ID"))
        let arrived = text(AlertLogReport(generatedAt: noon, rows: [rows[1]]))
        #expect(!arrived.contains("retry"))
    }

    @Test func `what waits for a channel that takes nothing has no next try, and says why`() {
        var channel = known
        func log(_ channel: OutboxChannel?) -> AlertLogReport {
            let waiting = delivery(.due, answer: "status 410")
            return AlertLogReport(generatedAt: noon, rows: [.init(delivery: waiting, title: "moved", channel: channel)])
        }
        #expect(text(log(channel)).contains("\nm0 to hook, due: status 410, next try 2026-11-20 13:00\n"))
        #expect(log(channel).render(as: .json).contains(#""dueAt":"2026-11-20T13:00:00Z""#))

        let none = text(log(nil))
        #expect(none.contains("\nm0 to hook, held: status 410; rankd has no such channel\n"))
        channel.trouble = "the secret is empty"
        let unusable = text(log(channel))
        #expect(unusable.contains("; the channel is not usable: the secret is empty\n"), "\(unusable)")
        channel.offAt = noon
        channel.trouble = "status 410"
        let off = text(log(channel))
        #expect(off.contains("; the channel is off: status 410\n") && off.contains("  held "), "\(off)")
        let json = log(channel).render(as: .json)
        #expect(json.contains(#""dueAt":null"#), "\(json)")
        #expect(json.contains(#""held":"the channel is off: status 410""#), "\(json)")
    }

    @Test func `what is not due waits for no channel`() {
        for state in OutboxDelivery.State.allCases where state != .due {
            let row = AlertLogReport.Row(delivery: delivery(state), title: "moved", channel: nil)
            #expect(row.held == nil, "\(state)")
        }
    }

    @Test func `tries are told as none since retry until the next is made`() {
        var again = delivery(.due, answer: "status 503")
        again.tries = 0
        let shown = text(
            AlertLogReport(generatedAt: noon, rows: [.init(delivery: again, title: "moved", channel: known)]))
        #expect(shown.contains("\nm0 to hook, due: status 503, not tried since retry, next try "), "\(shown)")
        again.triedAt = nil
        let new = text(
            AlertLogReport(generatedAt: noon, rows: [.init(delivery: again, title: "moved", channel: known)]))
        #expect(!new.contains("since retry"))
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
        let none = AlertListReport(generatedAt: noon, settings: nil, apps: [], channels: [], reload: "")
        let off = OutboxChannel(name: "hook", kind: "webhook", settings: "", offAt: noon, trouble: "status 410")
        for report in [none, list(nil), list(off, [delivery(.delivered)])] {
            try expectConforms(report.render(as: .json), to: "alerts")
        }
        let rows = OutboxDelivery.State.allCases.map {
            AlertLogReport.Row(delivery: delivery($0, answer: "status 503"), title: "\u{1B}[2J", channel: off)
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
        let row = AlertLogReport.Row(delivery: delivery(.delivered), title: "\u{1B}[2J", channel: known)
        #expect(!text(AlertLogReport(generatedAt: noon, rows: [row])).contains("\u{1B}"))
    }

    @Test func `a channel whose secret is missing is not usable before rankd has read the watchlist`() {
        let lacking = AlertListReport(
            generatedAt: noon, settings: AlertSettings(channels: [hook], to: ["hook"]), apps: [],
            channels: [
                .init(hook, known: nil, fingerprint: "", deliveries: [], lacking: "the secret “key” is nowhere")
            ],
            reload: "reload it")
        #expect(text(lacking).contains("hook is not usable: the secret “key” is nowhere. Fix that, then reload it"))
    }

    @Test func `the usual rules can be pasted from the JSON`() {
        let json = list(nil).render(as: .json)
        #expect(json.contains(#""text":"{ \"when\": [\"newcomer\"], \"top\": 3, \"severity\": \"low\" }""#), "\(json)")
    }
}
