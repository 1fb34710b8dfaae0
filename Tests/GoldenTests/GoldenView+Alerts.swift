import Alerts
import Foundation
import History
import RankKit
import Reports

extension GoldenView {
    /// What would have been sent is of the demo; channels and messages are written here.
    static let ofAlerts = [
        GoldenView("alerts") { _, now in
            AlertListReport(
                generatedAt: now, settings: AlertSamples.settings, apps: AlertSamples.apps,
                channels: AlertSamples.channels(now), reload: "reload rankd: sudo systemctl reload rankd")
        },
        GoldenView("alerts-none") { _, now in
            AlertListReport(generatedAt: now, settings: nil, apps: [], channels: [], reload: "")
        },
        GoldenView("alert-log") { _, now in AlertLogReport(generatedAt: now, rows: AlertSamples.rows(now)) },
        GoldenView("alert-preview") { reader, now in
            let settings = AlertSettings(
                to: ["team"], rules: AlertRule.defaults + [AlertRule(when: [.digest], times: [DigestTime(minute: 480)])]
            )
            let snapshot = try reader.snapshot()
            var preview = try AlertPreview(
                settings, since: now.day - 30, until: now, now: now, zone: .gmt, from: snapshot)
            let unexplained = try preview.explain(zone: .gmt, from: snapshot)
            return preview.report(
                of: settings, apps: [], zone: .gmt, generatedAt: now, unexplained: unexplained, isOfUsualRules: false)
        },
    ]
}

/// Alerts of a watchlist, and what became of their messages.
private enum AlertSamples {
    static let ways: [AlertChannel] = [
        AlertChannel(name: "team", transport: .slack(url: .secret(name: "slack-url"))),
        AlertChannel(
            name: "hook",
            transport: .webhook(
                url: .plain("https://example.com/rankd?key=never"), secrets: [.secret(name: "hook-key")])),
        AlertChannel(
            name: "phone", transport: .ntfy(server: "https://ntfy.sh", topic: .secret(name: "topic"), token: nil)),
        AlertChannel(name: "me", transport: .mail(to: ["me@example.com"], from: nil)),
    ]

    static var apps: [WatchedApp] {
        BundleID("com.northwind.daylight").map { [WatchedApp(bundleID: $0, alias: "daylight", isMine: true)] } ?? []
    }

    static let settings = AlertSettings(
        channels: ways, to: ["team", "hook"],
        rules: [
            AlertRule(name: "drops", when: [.moved, .left], severity: .high),
            AlertRule(when: [.service, .weather], to: ["me"]),
        ],
        mutes: [AlertMute(query: "streaks", until: "2026-12-24"), AlertMute(kind: .weather)])

    static func channels(_ now: Timestamp) -> [AlertListReport.Channel] {
        zip(ways, known(now)).map { way, known in
            AlertListReport.Channel(
                way, known: known, fingerprint: known?.settings ?? "",
                deliveries: deliveries(now).map(\.0).filter { $0.channel == way.name })
        }
    }

    private static func known(_ now: Timestamp) -> [OutboxChannel?] {
        [
            OutboxChannel(name: "team", kind: "slack", settings: ""),
            OutboxChannel(
                name: "hook", kind: "webhook", settings: "", offAt: now - 3_600,
                trouble: "status 410: the address no longer takes messages"),
            OutboxChannel(
                name: "phone", kind: "ntfy", settings: "",
                trouble:
                    "the secret “topic” does not exist: rankd looked for /etc/rankd/secrets/topic, $RANKD_SECRET_TOPIC"),
            nil,
        ]
    }

    static func rows(_ now: Timestamp) -> [AlertLogReport.Row] {
        let known = known(now).compactMap(\.self)
        return deliveries(now).map { delivery, title in
            AlertLogReport.Row(
                delivery: delivery, title: title, channel: known.first { $0.name == delivery.channel })
        }
    }

    /// One in each state, the newest first, with what its message says.
    private static func deliveries(_ now: Timestamp) -> [(OutboxDelivery, String)] {
        func delivery(
            _ hours: Int64, _ id: String, _ channel: String, _ state: OutboxDelivery.State, tries: Int = 0,
            _ answer: String? = nil
        ) -> OutboxDelivery {
            let decided = now - hours * 3_600
            return OutboxDelivery(
                message: "r1-\(id)", channel: channel, state: state, decidedAt: decided, dueAt: now + 1_800,
                tries: tries, triedAt: tries > 0 ? decided + 60 : nil, answer: answer,
                deliveredAt: state == .delivered ? decided + 60 : nil, content: "")
        }
        let moved = "Daylight for “habit tracker”: #34 → #9 ▲25 since 2026-11-18, and 2 more"
        let late = "rankd is degraded: 12 queries are up to 2h late"
        return [
            (delivery(1, "9f8e7d6c5b4a", "hook", .due, tries: 2, "status 503"), moved),
            (delivery(1, "9f8e7d6c5b4a", "team", .delivered, tries: 1, "delivered"), moved),
            (delivery(1, "9f8e7d6c5b4a", "phone", .due), moved),
            (delivery(20, "1a2b3c4d5e6f", "hook", .refused, tries: 1, "status 404"), late),
            (delivery(20, "1a2b3c4d5e6f", "me", .delivered, tries: 1, "delivered"), late),
            (delivery(60, "0c0c0c0c0c0c", "phone", .givenUp, tries: 8, "no connection"), "habits: back at #8"),
            (delivery(90, "0d0d0d0d0d0d", "phone", .expired, tries: 3, "no connection"), "a day of storms in de"),
            (delivery(91, "0e0e0e0e0e0e", "team", .withdrawn), "Daylight for “streaks”: #5 → #9 ▼4"),
            (delivery(92, "0f0f0f0f0f0f", "team", .listed), "Daylight for “streaks”: #4 → #5 ▼1"),
            (delivery(93, "0a0a0a0a0a0a", "old", .dropped), "Daylight for “streaks”: #3 → #4 ▼1"),
        ]
    }
}
