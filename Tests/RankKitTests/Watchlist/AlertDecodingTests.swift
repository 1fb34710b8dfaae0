import RankKit
import Testing

@Suite(.enabled(if: WatchlistObject.takesAlerts)) struct AlertDecodingTests {
    @Test func `a watchlist without alerts sends nothing`() throws {
        #expect(try decoded("[{ query: 'q', bundleId: 'com.a' }]").watchlist.alerts == nil)
        #expect(try decoded(watchlist(with: "service: {}")).watchlist.alerts == nil)
    }

    @Test func `channels and where to send are enough, and mean the usual rules`() throws {
        let settings = try alerts(
            watchlist(
                alerts: """
                    { channels: { team: { slack: 'secret:slack-url' },
                                  hook: { webhook: 'https://example.com/rankd', secret: 'secret:hook-key' } },
                      to: ['team', 'hook'] }
                    """))
        #expect(settings.hasDefaultRules)
        #expect(settings.rules == AlertRule.defaults)
        #expect(settings.to == ["team", "hook"])
        #expect(settings.channels.map(\.name) == ["team", "hook"])
        #expect(settings.mutes == [])
        #expect(settings.sensitivity == nil)
        #expect(settings.quietHours == nil)
    }

    @Test func `everything that holds for all rules is read`() throws {
        let settings = try alerts(
            watchlist(alertsWith: "sensitivity: 'calm', quietHours: '22:00-07:00', rules: [{ when: 'moved' }]"))
        #expect(settings.sensitivity == .calm)
        #expect(settings.quietHours == QuietHours(from: 22 * 60, to: 7 * 60))
        #expect(!settings.hasDefaultRules)
        #expect(settings.rules == [AlertRule(when: [.moved])])
    }

    @Test func `one channel may be named without a list`() throws {
        let settings = try alerts(watchlist(alerts: "{ channels: { a: { slack: 'secret:s' } }, to: 'a' }"))
        #expect(settings.to == ["a"])
    }

    @Test func `no common channel is needed if every rule has its own`() throws {
        let settings = try alerts(
            watchlist(alerts: "{ channels: { a: { slack: 'secret:s' } }, rules: [{ when: 'moved', to: 'a' }] }"))
        #expect(settings.to == [])
        #expect(settings.rules.map(\.to) == [["a"]])
    }

    @Test func `what the lines watch may stand behind the alerts`() throws {
        let text = """
            { alerts: { channels: { a: { slack: 'secret:s' } }, to: ['a'], rules: [{ when: 'moved', app: 'com.a' }] },
              watch: [{ query: 'q', bundleId: 'com.a' }] }
            """
        #expect(try alerts(text).rules.map(\.apps) == [["com.a"]])
    }

    @Test(
        arguments: [
            (
                "{ webhook: 'https://example.com/rankd' }",
                .webhook(url: .plain("https://example.com/rankd"), secrets: [])
            ),
            (
                "{ webhook: 'secret:hook-url', secret: 'secret:hook-key' }",
                .webhook(url: .secret(name: "hook-url"), secrets: [.secret(name: "hook-key")])
            ),
            (
                "{ webhook: 'http://127.0.0.1:8080/', secret: ['secret:new', 'secret:old'] }",
                .webhook(
                    url: .plain("http://127.0.0.1:8080/"), secrets: [.secret(name: "new"), .secret(name: "old")])
            ),
            ("{ webhook: 'http://[::1]/x?y=%20' }", .webhook(url: .plain("http://[::1]/x?y=%20"), secrets: [])),
            ("{ slack: 'secret:slack-url' }", .slack(url: .secret(name: "slack-url"))),
            ("{ discord: 'secret:d.1_2' }", .discord(url: .secret(name: "d.1_2"))),
            (
                "{ telegram: 'secret:bot', chat: '-1001234567890' }",
                .telegram(token: .secret(name: "bot"), chat: .plain("-1001234567890"))
            ),
            (
                "{ telegram: 'secret:bot', chat: '@my_channel' }",
                .telegram(token: .secret(name: "bot"), chat: .plain("@my_channel"))
            ),
            (
                "{ telegram: 'secret:bot', chat: 'secret:chat' }",
                .telegram(token: .secret(name: "bot"), chat: .secret(name: "chat"))
            ),
            (
                "{ ntfy: 'https://ntfy.sh', topic: 'my-ranks' }",
                .ntfy(server: "https://ntfy.sh", topic: .plain("my-ranks"), token: nil)
            ),
            (
                "{ ntfy: 'https://Ntfy.example.com:8443/', topic: 'secret:topic', token: 'secret:token' }",
                .ntfy(
                    server: "https://ntfy.example.com:8443", topic: .secret(name: "topic"),
                    token: .secret(name: "token"))
            ),
            ("{ mail: 'root' }", .mail(to: ["root"], from: nil)),
            (
                "{ mail: ['a@example.com', 'b@example.com'], from: 'rankd@example.com' }",
                .mail(to: ["a@example.com", "b@example.com"], from: "rankd@example.com")
            ),
            ("{ command: ['/usr/local/bin/x'] }", .command(["/usr/local/bin/x"], seconds: 30)),
            (
                "{ command: ['/usr/local/bin/x', '--flag', 'a b'], timeout: '2m' }",
                .command(["/usr/local/bin/x", "--flag", "a b"], seconds: 120)
            ),
        ] as [(String, AlertChannel.Transport)])
    func `every way out is read`(text: String, expected: AlertChannel.Transport) throws {
        #expect(try way(text) == expected)
    }

    @Test func `hosts that may be private are read in one form`() throws {
        let channels = try alerts(
            watchlist(channel: "{ slack: 'secret:s', privateHosts: ['Hook.LAN', '10.0.0.7', 'fd00::7', 'hook.lan'] }")
        ).channels
        #expect(channels.map(\.privateHosts) == [["hook.lan", "10.0.0.7", "fd00::7"]])
    }

    @Test(arguments: [
        ("{ when: ['moved', 'drift', 'moved'] }", AlertRule(when: [.moved, .drift])),
        ("{ when: 'moved', way: 'down', places: 3 }", AlertRule(when: [.moved], way: .down, places: 3)),
        ("{ when: ['entered', 'left'], top: 10 }", AlertRule(when: [.entered, .left], top: 10)),
        (
            "{ when: 'moved', apps: ['habits', 'com.example.todo', 'habits'] }",
            AlertRule(when: [.moved], apps: ["com.example.habits", "com.example.todo"], whose: .all)
        ),
        ("{ when: 'moved', app: 'streaks' }", AlertRule(when: [.moved], apps: ["com.example.streaks"], whose: .all)),
        (
            "{ when: 'moved', app: 'streaks', whose: 'competitors' }",
            AlertRule(when: [.moved], apps: ["com.example.streaks"], whose: .competitors)
        ),
        (
            "{ when: 'moved', query: ' Habit  Tracker ', countries: ['gb', 'us'], platform: 'iphone', tag: 'core' }",
            AlertRule(
                when: [.moved], queries: ["Habit  Tracker"], countries: ["gb", "us"].compactMap { Country(code: $0) },
                platforms: [.iphone], tags: ["core"])
        ),
        (
            "{ when: 'overtaken', queries: ['daily routine', 'to do list'], tags: ['core', 'spanish lists'] }",
            AlertRule(
                when: [.overtaken], queries: ["daily routine", "to do list"], tags: ["core", "spanish lists"])
        ),
        ("{ when: ['release', 'price', 'name'] }", AlertRule(when: [.release, .price, .name], whose: .all)),
        ("{ when: 'release', whose: 'mine' }", AlertRule(when: [.release], whose: .mine)),
        (
            "{ when: ['weather', 'service', 'app-unknown'] }",
            AlertRule(when: [.weather, .service, .appUnknown], whose: .all)
        ),
        ("{ when: ['newcomer', 'moved'] }", AlertRule(when: [.newcomer, .moved])),
        (
            "{ name: ' big ', when: 'moved', to: ['team', 'team'], severity: 'low', quietHours: '00:00-06:30' }",
            AlertRule(
                name: "big", when: [.moved], to: ["team"], severity: .low, quietHours: QuietHours(from: 0, to: 390))
        ),
        (
            "{ when: 'moved', atMost: 5, cooldown: '2d', sensitivity: 'keen', severity: 'high' }",
            AlertRule(when: [.moved], severity: .high, atMost: 5, cooldown: 172_800, sensitivity: .keen)
        ),
        (
            "{ when: 'digest', at: '08:00' }",
            AlertRule(when: [.digest], whose: .all, times: [DigestTime(minute: 480)])
        ),
        (
            "{ when: 'digest', at: ['18:30', '08:00'], on: ['mon', 'sun'] }",
            AlertRule(
                when: [.digest], whose: .all,
                times: [DigestTime(minute: 480, weekdays: [1, 7]), DigestTime(minute: 1_110, weekdays: [1, 7])])
        ),
    ])
    func `every option of a rule is read`(text: String, expected: AlertRule) throws {
        #expect(try rule(text) == expected)
    }

    @Test(arguments: AlertKind.allCases)
    func `every kind of message may be asked for`(_ kind: AlertKind) throws {
        let at = kind == .digest ? ", at: '08:00'" : ""
        #expect(try rule("{ when: '\(kind.rawValue)'\(at) }").when == [kind])
    }

    @Test(arguments: [
        ("{ app: 'habits', until: '2026-12-24' }", AlertMute(app: "com.example.habits", until: "2026-12-24")),
        ("{ app: 'com.example.todo' }", AlertMute(app: "com.example.todo")),
        ("{ query: 'habit tracker' }", AlertMute(query: "habit tracker")),
        ("{ country: 'gb' }", AlertMute(country: Country(code: "gb"))),
        ("{ tag: 'core', when: 'moved' }", AlertMute(tag: "core", kind: .moved)),
        ("{ when: 'weather', until: '2027-02-28' }", AlertMute(kind: .weather, until: "2027-02-28")),
    ])
    func `every form of a mute is read`(text: String, expected: AlertMute) throws {
        #expect(try alerts(watchlist(mute: text)).mutes == [expected])
    }

    @Test(arguments: [
        (
            "{ channels: { a: { slack: 'secret:s' }, b: { slack: 'secret:t' } }, to: ['a'] }",
            "alerts.channels.b: nothing goes to this channel; name it in a “to”, or remove it"
        ),
        (
            "{ channels: { a: { slack: 'secret:s' }, b: { slack: 'secret:t' } }, to: 'b', rules: [{ when: 'moved', to: 'a' }] }",
            "alerts.channels.b: nothing goes to this channel; name it in a “to”, or remove it"
        ),
        (
            "{ channels: { a: { webhook: 'https://h.lan/', privateHosts: ['h.lan', 'k.lan'] } }, to: 'a' }",
            "alerts.channels.a.privateHosts: the channel does not connect to “k.lan”; name the host of its address, or remove it"
        ),
        (
            "{ channels: { a: { webhook: 'https://192.168.1.5/hook' } }, to: 'a' }",
            "alerts.channels.a.webhook: rankd does not connect to 192.168.1.5, because it is not on the public Internet; name it in privateHosts: \"privateHosts\": [\"192.168.1.5\"]"
        ),
        (
            "{ channels: { a: { webhook: 'https://[FD00::1]/' } }, to: 'a' }",
            "alerts.channels.a.webhook: rankd does not connect to fd00::1, because it is not on the public Internet; name it in privateHosts: \"privateHosts\": [\"fd00::1\"]"
        ),
        (
            "{ channels: { a: { ntfy: 'https://10.0.0.1', topic: 't' } }, to: 'a' }",
            "alerts.channels.a.ntfy: rankd does not connect to 10.0.0.1, because it is not on the public Internet; name it in privateHosts: \"privateHosts\": [\"10.0.0.1\"]"
        ),
        (
            "{ channels: { a: { webhook: 'https://169.254.1.1/', privateHosts: ['169.254.1.1'] } }, to: 'a' }",
            "alerts.channels.a.webhook: rankd does not connect to 169.254.1.1, because it is not on the public Internet; write another address: privateHosts does not help with this one"
        ),
        (
            "{ channels: { a: { slack: 'secret:s' } }, to: 'a', rules: [{ when: 'moved', country: 'fr' }] }",
            "alerts.rules[0].country: no line asks in “fr”; the countries here are gb, us"
        ),
        (
            "{ channels: { a: { slack: 'secret:s' } }, to: 'a', rules: [{ when: 'moved', platforms: ['mac'] }] }",
            "alerts.rules[0].platforms[0]: no line asks on “mac”; the platforms here are iphone"
        ),
    ])
    func `what is likely not meant is remarked upon`(text: String, warning: String) throws {
        #expect(try decoded(watchlist(alerts: text)).warnings.map(\.description) == [warning])
    }

    @Test(arguments: [
        "{ webhook: 'https://192.168.1.5/hook', privateHosts: ['192.168.1.5'] }",
        "{ webhook: 'https://[fd00::1]/', privateHosts: ['FD00::1'] }", "{ webhook: 'http://127.0.0.1:8000/' }",
        "{ webhook: 'http://[::1]/' }", "{ webhook: 'https://127.8.9.1/' }", "{ webhook: 'https://hook.lan/' }",
        "{ webhook: 'https://17.253.38.253/' }", "{ ntfy: 'http://localhost', topic: 't' }",
    ])
    func `an address that rankd connects to is not remarked upon`(channel: String) throws {
        #expect(try decoded(watchlist(alerts: "{ channels: { a: \(channel) }, to: 'a' }")).warnings.isEmpty)
    }

    @Test func `usual among the rules stands for the usual ones, and others come beside them`() throws {
        let settings = try alerts(watchlist(alertsWith: "rules: ['usual', { when: 'digest', at: '08:00' }]"))
        #expect(Array(settings.rules.dropLast()) == AlertRule.defaults)
        #expect(settings.rules.last?.when == [.digest])
    }

    @Test func `rules of the digest alone switch the usual ones off with a warning, and not beside usual`() throws {
        func warnings(_ rules: String) throws -> [String] {
            try decoded(watchlist(alertsWith: "rules: \(rules)")).warnings.map(\.description)
        }
        let digest = "{ when: 'digest', at: '08:00' }"
        #expect(
            try warnings("[\(digest)]").contains(
                "alerts.rules: with these rules only the digest is sent, because they replace the usual rules; "
                    + "write \"usual\" in front of them to keep the usual rules"))
        #expect(try warnings("['usual', \(digest)]").allSatisfy { !$0.contains("only the digest") })
        #expect(try warnings("[{ when: 'moved' }, \(digest)]").allSatisfy { !$0.contains("only the digest") })
    }

    @Test func `the text of a rule reads back as the same rule`() throws {
        let rules =
            AlertRule.defaults + [
                AlertRule(
                    name: "big “moves”", when: [.moved, .drift], way: .down, places: 5, apps: ["com.example.habits"],
                    queries: ["habit tracker"], countries: [Country(code: "us")].compactMap(\.self),
                    platforms: [.iphone],
                    whose: .all, quietHours: QuietHours(from: 1_320, to: 420), atMost: 5, cooldown: 172_800,
                    sensitivity: .calm),
                AlertRule(
                    when: [.digest], whose: .all, severity: .high,
                    times: [DigestTime(minute: 480, weekdays: [1, 5])]),
            ]
        for rule in rules {
            let again = try alerts(watchlist(alertsWith: "rules: [\(rule.text)]")).rules
            #expect(again == [rule], "\(rule.text)")
        }
    }
}
