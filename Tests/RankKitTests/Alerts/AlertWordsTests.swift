import RankKit
import Testing

@Suite struct AlertWordsTests {
    private static let settings = AlertSettings(to: ["team"])
    private static let apps = [
        WatchedApp(bundleID: bundle("com.example.habits"), alias: "habits"),
        WatchedApp(bundleID: bundle("com.example.todo")),
    ]

    @Test(arguments: [
        (
            AlertRule(when: [.moved], places: 3, tags: ["core"], atMost: 5),
            "when one of mine moved by 3 places or more, on tag core: to team, at most 5 a day"
        ),
        (AlertRule(when: [.moved], way: .down), "when one of mine moved down: to team"),
        (
            AlertRule(when: [.moved, .entered, .left], whose: .all),
            "when an app moved, came into the list or went out of the list: to team"
        ),
        (
            AlertRule(when: [.entered, .left], top: 10, whose: .competitors),
            "when a competitor came into the first 10 or went out of the first 10: to team"
        ),
        (AlertRule(when: [.entered], top: 1), "when one of mine came into first place: to team"),
        (AlertRule(when: [.drift]), "when one of mine slowly rose or slid: to team"),
        (
            AlertRule(when: [.drift], way: .up, places: 5),
            "when one of mine slowly rose by 5 places or more: to team"
        ),
        (AlertRule(when: [.drift], way: .down), "when one of mine slowly slid: to team"),
        (
            AlertRule(when: [.overtaken, .overtook]),
            "when a competitor overtook one of mine, or when one of mine overtook a competitor: to team"
        ),
        (
            AlertRule(when: [.overtaken], apps: ["COM.example.habits"], whose: .all),
            "when a competitor overtook one of mine (habits on either side): to team"
        ),
        (
            AlertRule(when: [.newcomer], whose: .all),
            "when an app that no line names came into the first 10 to stay: to team"
        ),
        (
            AlertRule(when: [.newcomer], top: 3, whose: .all),
            "when an app that no line names came into the first 3 to stay: to team"
        ),
        (
            AlertRule(when: [.release, .price, .name], apps: ["com.example.habits", "com.example.todo"], whose: .all),
            "when habits or com.example.todo got a new version, changed its price or changed its name: to team"
        ),
        (
            AlertRule(when: [.appUnknown, .service], whose: .all, severity: .high),
            "when an app was not found in the App Store, or when rankd was degraded, down or well again: to team, of high severity"
        ),
        (
            AlertRule(when: [.weather], whose: .all, severity: .low),
            "when the store of a country shuffled or had a bad day: to team, of low severity"
        ),
        (
            AlertRule(when: [.digest], whose: .all, times: [DigestTime(minute: 480), DigestTime(minute: 1_110)]),
            "when the digest is due at 08:00 and 18:30: to team"
        ),
        (
            AlertRule(when: [.digest], whose: .all, times: [DigestTime(minute: 0, weekdays: [5, 1])]),
            "when the digest is due at 00:00 on Monday and Friday: to team"
        ),
        (
            AlertRule(
                when: [.moved], queries: ["habit tracker", "to do"],
                countries: ["us", "gb", "de"].compactMap { Country(code: $0) }, platforms: [.iphone, .mac],
                tags: ["core"], to: ["hook", "mail"], quietHours: QuietHours(from: 1_320, to: 420), cooldown: 172_800,
                sensitivity: .keen),
            "when one of mine moved, for “habit tracker” or “to do”, in us, gb or de, on iPhone or Mac, on tag core: to hook and mail, about the same thing once in 2 days, not from 22:00 to 07:00, at sensitivity keen"
        ),
    ])
    func `a rule is one sentence`(rule: AlertRule, words: String) {
        #expect(rule.words(in: Self.settings, apps: Self.apps) == words)
    }

    @Test func `what a rule leaves out is said as the settings have it`() {
        let settings = AlertSettings(to: ["a", "b", "c"], quietHours: QuietHours(from: 0, to: 60))
        #expect(
            AlertRule(when: [.moved]).words(in: settings, apps: [])
                == "when one of mine moved: to a, b and c, not from 00:00 to 01:00")
        #expect(
            AlertRule(when: [.moved], severity: .high).words(in: settings, apps: [])
                == "when one of mine moved: to a, b and c, of high severity")
        #expect(AlertRule(when: [.moved]).words(in: AlertSettings(), apps: []) == "when one of mine moved: to nobody")
    }

    @Test(arguments: AlertKind.allCases)
    func `every kind of message has words`(_ kind: AlertKind) {
        let words = AlertRule(when: [kind]).words(in: Self.settings, apps: [])
        #expect(words.hasPrefix("when ") && words.hasSuffix(": to team") && words.count > 20, "\(words)")
    }

    @Test(arguments: AlertRule.defaults)
    func `the usual rules have words`(_ rule: AlertRule) {
        #expect(!rule.words(in: Self.settings, apps: []).contains("when :"))
    }

    @Test(
        arguments: [
            (
                .webhook(url: .plain("https://example.com/CANARY?CANARY"), secrets: [.secret(name: "CANARY")]),
                "a webhook at example.com, signed"
            ),
            (
                .webhook(url: .secret(name: "CANARY"), secrets: [.secret(name: "CANARY"), .secret(name: "CANARY2")]),
                "a webhook at a secret address, signed with 2 keys"
            ),
            (.webhook(url: .plain("http://127.0.0.1:80/"), secrets: []), "a webhook at 127.0.0.1, not signed"),
            (.slack(url: .secret(name: "CANARY")), "Slack"), (.discord(url: .secret(name: "CANARY")), "Discord"),
            (.telegram(token: .secret(name: "CANARY"), chat: .plain("CANARY")), "Telegram"),
            (
                .ntfy(server: "https://ntfy.sh", topic: .plain("CANARY"), token: .secret(name: "CANARY")),
                "ntfy at ntfy.sh"
            ),
            (.mail(to: ["a@example.com"], from: nil), "mail to a@example.com"),
            (.mail(to: ["a", "b", "c", "d", "e"], from: nil), "mail to a, b, c and 2 more"),
            (.command(["/usr/bin/x", "CANARY"], seconds: 30), "the command /usr/bin/x"),
        ] as [(AlertChannel.Transport, String)])
    func `a channel is said without what may be secret`(way: AlertChannel.Transport, words: String) {
        #expect(AlertChannel(name: "team", transport: way).words == words)
    }

    @Test(arguments: [
        (
            AlertMute(app: "com.example.habits", until: "2026-12-24"), "nothing about habits until 2026-12-24"
        ),
        (AlertMute(kind: .weather), "nothing about weather until the line is removed"),
        (
            AlertMute(
                app: "com.example.todo", query: "to do", country: Country(code: "us"), tag: "core", kind: .moved,
                until: "2027-01-01"),
            "nothing about moves of com.example.todo for “to do” in us on tag core until 2027-01-01"
        ),
        (AlertMute(country: Country(code: "gb")), "nothing in gb until the line is removed"),
    ])
    func `a mute is said in words`(mute: AlertMute, words: String) {
        #expect(mute.words(apps: Self.apps) == words)
    }

    @Test(arguments: [
        (AlertMute(app: "com.example.habits", until: "2026-12-24"), "habits until 2026-12-24"),
        (AlertMute(query: "habit tracker"), "query “habit tracker”"),
        (AlertMute(country: Country(code: "gb"), tag: "core"), "country gb on tag core"),
        (AlertMute(tag: "core"), "tag core"), (AlertMute(kind: .weather), "weather"),
        (
            AlertMute(
                app: "com.example.habits", query: "to do", country: Country(code: "us"), tag: "core", kind: .moved),
            "moves of habits for “to do” in us on tag core"
        ),
    ])
    func `what is muted is said in few words`(mute: AlertMute, words: String) {
        #expect(mute.subject(apps: Self.apps) == words)
    }
}
