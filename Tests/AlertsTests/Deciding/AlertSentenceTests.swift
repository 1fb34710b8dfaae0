import Foundation
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Alerts

/// What messages say of each kind of event, in the title and in the line.
@Suite struct AlertSentenceTests {
    private let timer = query("timer")

    private func place(_ number: Int) -> Position { Position(number) ?? Position(1)! }

    private func event(
        _ kind: AlertKind, _ facts: AlertEvent.Facts, _ subject: AlertEvent.Subject? = nil, top: Int? = nil,
        countries: [String] = [], app: String = "Habits", other: String? = "Rival"
    ) -> AlertEvent {
        var scope = AlertScope()
        scope.countries = Set(countries.compactMap { Country(code: $0) })
        return AlertEvent(
            kind: kind, subject: subject ?? .pair(timer, bundle("com.me")), onset: noon.day - 2, top: top, at: noon,
            facts: facts, scope: scope, names: .init(app: app, other: other))
    }

    /// The title and the line.
    private func said(_ event: AlertEvent) -> [String] {
        let message = AlertWords.message(of: [event], to: ["team"], severity: .normal, at: noon)
        return [message.title] + message.lines.map(\.text)
    }

    @Test func `moves and drifts`() {
        let up = AlertEvent.Facts.move(from: place(34), to: place(9), places: 25)
        let down = AlertEvent.Facts.move(from: place(14), to: place(21), places: 7)
        #expect(
            said(event(.moved, up)) == [
                "Habits: #34 → #9 ▲25 for “timer” (us, iPhone)", "#34 → #9 ▲25 since 2026-11-18",
            ])
        #expect(
            said(event(.drift, down)) == [
                "Habits: slow slide #14 → #21 ▼7 for “timer” (us, iPhone)", "slow slide #14 → #21 ▼7 over a month",
            ])
        #expect(said(event(.drift, up))[1] == "slow rise #34 → #9 ▲25 over a month")
    }

    @Test func `entries and exits`() {
        let into = AlertEvent.Facts.entry(from: nil, at: place(16))
        #expect(
            said(event(.entered, into)) == [
                "Habits: entered the list, at #16 for “timer” (us, iPhone)", "entered the list on 2026-11-18, at #16",
            ])
        let first = AlertEvent.Facts.entry(from: place(3), at: place(1))
        #expect(said(event(.entered, first, top: 1))[1] == "entered first place on 2026-11-18, #3 → #1")
        let out = AlertEvent.Facts.exit(from: place(49), to: nil)
        #expect(
            said(event(.left, out)) == [
                "Habits: left the list, was at #49 for “timer” (us, iPhone)",
                "left the list on 2026-11-18, was at #49",
            ])
        let below = AlertEvent.Facts.exit(from: place(8), to: place(14))
        #expect(said(event(.left, below, top: 10))[1] == "left the first 10 on 2026-11-18, #8 → #14")
        let newcomer = event(.newcomer, .entry(from: nil, at: place(2)), top: 3)
        #expect(said(newcomer)[1] == "new in the first 3 at #2 since 2026-11-18")
    }

    @Test func `rivals, and what turned back`() {
        let rivals = AlertEvent.Subject.rivals(timer, bundle("com.me"), bundle("com.rival"))
        let order = AlertEvent.Facts.order(mine: place(20), other: place(17))
        #expect(
            said(event(.overtaken, order, rivals)) == [
                "Habits: overtaken by Rival (#17), now #20 for “timer” (us, iPhone)",
                "overtaken by Rival (#17) on 2026-11-18, now #20",
            ])
        let alone = AlertEvent.Facts.order(mine: place(17), other: nil)
        #expect(said(event(.overtook, alone, rivals))[1] == "overtook Rival (out of the list) on 2026-11-18, now #17")
        #expect(said(event(.overtaken, .back(to: place(8)), rivals))[1] == "ahead of Rival again, now #8")
        #expect(said(event(.overtook, .back(to: nil), rivals))[1] == "behind Rival again, now out of the list")
        #expect(said(event(.moved, .back(to: place(8))))[1] == "back at #8")
        #expect(said(event(.entered, .back(to: nil)))[1] == "out of the list again")
    }

    @Test func `versions, prices, names and apps that are not there`() {
        let app = AlertEvent.Subject.app(bundle("com.me"), nil)
        #expect(said(event(.release, .change(from: nil, to: "2.1"), app))[0] == "Habits: new version 2.1")
        #expect(
            said(event(.price, .change(from: "free", to: "$1.99"), app, countries: ["us", "gb"]))[1]
                == "price free → $1.99 in gb, us on 2026-11-18")
        let many = event(.name, .change(from: "A", to: "B"), app, countries: ["us", "gb", "de", "fr", "it", "es"])
        #expect(said(many)[1] == "renamed from “A” to “B” in 6 countries on 2026-11-18")
        let moved = event(.name, .bundleID(from: "com.old", to: "com.me"), app, countries: ["us", "gb"])
        #expect(
            said(moved) == [
                "Habits: bundle ID com.old → com.me", "bundle ID com.old → com.me on 2026-11-18",
            ])
        let named = event(.name, .change(from: "Com.old", to: "com.me"), app, countries: ["us", "gb"])
        #expect(said(named)[1] == "renamed from “Com.old” to “com.me” in gb, us on 2026-11-18")
        let unknown = event(.appUnknown, .text("…"), .app(bundle("com.me"), Country(code: "us")))
        #expect(
            said(unknown) == [
                "Habits: not in the store, check its bundle ID (us)", "not in the store, check its bundle ID",
            ])
        let gone = event(.appUnknown, .text(AlertWords.leftTheStore), .app(bundle("com.me"), Country(code: "us")))
        #expect(said(gone) == ["Habits: no longer in the store (us)", "no longer in the store"])
    }

    @Test func `stores and the service`() throws {
        let store = AlertEvent.Subject.country(try #require(Country(code: "us")))
        #expect(
            said(event(.weather, .text("shuffled"), store)) == [
                "The US store shuffled on 2026-11-18", "the US store shuffled on 2026-11-18",
            ])
        let bad = event(.weather, .text("had a bad day: most lists were empty or far too short"), store)
        #expect(said(bad)[1] == "the US store had a bad day on 2026-11-18: most lists were empty or far too short")
        let service = event(.service, .text("rankd is well again"), .service("rankd"))
        #expect(said(service) == ["rankd is well again", "rankd is well again"])
    }

    @Test func `a digest is all of its lines`() {
        #expect(said(event(.digest, .text("one\ntwo"), .digest)) == ["Digest of 2026-11-18", "one", "two"])
    }

    @Test func `a long name leaves room in a title for what happened`() {
        let long = event(
            .moved, .move(from: place(34), to: place(9), places: 25), app: String(repeating: "w", count: 300))
        #expect(said(long)[0].hasSuffix("www…: #34 → #9 ▲25 for “timer” (us, iPhone)"))
        #expect(said(long)[0].count < 110)
    }

    @Test func `two queries that differ in language alone are told apart in every message and every way out`() throws {
        let up = AlertEvent.Facts.move(from: place(34), to: place(9), places: 25)
        let events = ["es_mx", nil].map { language in
            event(.moved, up, .pair(query("timer", language: language), bundle("com.me")))
        }
        #expect(Set(events.map(\.line)).count == 2)
        #expect(
            events.map { said($0)[0] } == [
                "Habits: #34 → #9 ▲25 for “timer” (us, iPhone, es_mx)", "Habits: #34 → #9 ▲25 for “timer” (us, iPhone)",
            ])
        let message = AlertWords.message(of: events, to: ["team"], severity: .normal, at: noon)
        #expect(message.lines.map(\.language) == ["es_mx", nil])
        let plain = CleanMessage(message).lines.map(\.plain)
        #expect(
            plain.map { $0.contains("(us, iPhone, es_mx)") } == [true, false] && plain[1].contains("(us, iPhone)"))
        let hook = try parsed(WebhookPayload.body(message, sentAt: noon))["events"]?.elements
        #expect(hook?.map { $0["language"] } == [.string("es_mx"), .null])
        let mail = AlertMail.message(
            message, to: [try #require(MailAddress("a@example.com"))], from: nil, host: "box", sentAt: noon)
        let parts = mail.source.matches(of: /base64\n\n([A-Za-z0-9+\/=\n]+)/).compactMap {
            Data(base64Encoded: String($0.1), options: .ignoreUnknownCharacters)
        }
        #expect(parts.count == 2)
        #expect(parts.allSatisfy { String(decoding: $0, as: UTF8.self).contains("(us, iPhone, es_mx)") })
        let bodies = [
            SlackPayload.body(message), DiscordPayload.body(message), NtfyPayload.body(message, topic: Secret("t")),
            TelegramPayload.body(message, chat: Secret("1")),
        ]
        for body in bodies {
            let text = String(decoding: body, as: UTF8.self)
                .replacing("＿", with: "_").replacing("\\u2060", with: "").replacing("\u{2060}", with: "").replacing(
                    "\\", with: "")
            #expect(text.contains("iPhone, es_mx") && text.contains("iPhone)"), "\(text)")
        }
        let stored = try #require(AlertMessage(stored: message.stored))
        #expect(stored.lines.map(\.language) == ["es_mx", nil])
    }
}
