import RankKit
import Testing

@Suite(.enabled(if: WatchlistObject.takesAlerts)) struct AlertMistakeTests {
    typealias Sample = WatchlistMistakeTests.Sample

    private static let slack = "channels: { team: { slack: 'secret:slack-url' } }"

    static let whole: [Sample] = [
        Sample(
            watchlist(alerts: "[]"),
            "alerts: must be an object, not a list; write { \"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }, \"to\": [\"team\"] }"
        ),
        Sample(
            watchlist(alerts: "{ to: ['team'] }"),
            "alerts: no channels: messages have nowhere to go; add \"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }"
        ),
        Sample(
            watchlist(alerts: "{ channels: {}, to: ['team'] }"),
            "alerts.channels: no channel: messages have nowhere to go; write \"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }"
        ),
        Sample(
            watchlist(alerts: "{ channels: ['team'], to: ['team'] }"),
            "alerts.channels: must be an object, not a list; write \"channels\": { \"team\": { \"slack\": \"secret:slack-url\" } }"
        ),
        Sample(
            watchlist(alerts: "{ \(slack) }"), "alerts: no “to”: nothing says where messages go; add \"to\": [\"team\"]"
        ),
        Sample(
            watchlist(alerts: "{ \(slack), to: [] }"),
            "alerts.to: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(alerts: "{ \(slack), to: ['taem'] }"),
            "alerts.to[0]: no channel is called “taem”; did you mean “team”?"),
        Sample(
            watchlist(alerts: "{ \(slack), to: 'nobody' }"),
            "alerts.to: no channel is called “nobody”; the channels are team"),
        Sample(
            watchlist(alerts: "{ \(slack), to: 7 }"),
            "alerts.to: must be text, not a number; write it in quotes, such as \"team\""),
        Sample(watchlist(alertsWith: "rule: []"), "alerts.rule: unknown key; did you mean “rules”?"),
        Sample(
            watchlist(alertsWith: "rules: []"),
            "alerts.rules: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(alertsWith: "rules: {}"),
            "alerts.rules: must be a list, not an object; write it in brackets, such as [{ \"when\": [\"moved\"] }]"),
        Sample(
            watchlist(alertsWith: "mutes: {}"),
            "alerts.mutes: must be a list, not an object; write it in brackets, such as [{ \"app\": \"habits\", \"until\": \"2026-12-24\" }]"
        ),
        Sample(
            watchlist(alertsWith: "sensitivity: 'clam'"),
            "alerts.sensitivity: unknown sensitivity “clam”; did you mean “calm”?"),
        Sample(
            watchlist(alertsWith: "quietHours: '22-07'"),
            "alerts.quietHours: “22-07” is not a span of hours; write HH:MM-HH:MM, such as \"22:00-07:00\""),
        Sample(
            watchlist(alertsWith: "quietHours: '22:00-24:00'"),
            "alerts.quietHours: “22:00-24:00” is not a span of hours; write HH:MM-HH:MM, such as \"22:00-07:00\""),
        Sample(
            watchlist(alertsWith: "quietHours: '22:00-22:00'"),
            "alerts.quietHours: the hours begin and end at the same time; write another end, or remove the key to have no quiet hours"
        ),
        Sample(
            watchlist(alertsWith: "quietHours: ['22:00-07:00']"),
            "alerts.quietHours: must be text, not a list; write it in quotes, such as \"22:00-07:00\""),
    ]

    private static let addresses = "write one such as https://example.com/rankd"
    private static let name =
        "write 1 to 64 letters, digits, dots, hyphens or underscores, such as \"secret:slack-url\"; the value is kept elsewhere, as docs/alerts.md says"

    static let channels: [Sample] = [
        Sample(
            watchlist(channel: "'slack'"),
            "alerts.channels.team: must be an object, not text; write { \"slack\": \"secret:slack-url\" }"),
        Sample(
            watchlist(channel: "{}"),
            "alerts.channels.team: the channel has no kind; add one of webhook, slack, discord, telegram, ntfy, mail, command"
        ),
        Sample(
            watchlist(channel: "{ slakc: 'secret:s' , mail: 'root' }"),
            "alerts.channels.team.slakc: unknown key; did you mean “slack”?"),
        Sample(
            watchlist(channel: "{ slack: 'secret:s', mail: 'root', from: 'root' }"),
            "alerts.channels.team.mail: “mail” beside “slack”; keep one of them, and make the other a channel of its own"
        ),
        Sample(
            watchlist(channel: "{ slack: 'secret:s', chat: '1' }"),
            "alerts.channels.team.chat: “chat” means nothing for slack; remove it: it belongs to telegram"),
        Sample(
            watchlist(channel: "{ mail: 'root', privateHosts: ['a.lan'] }"),
            "alerts.channels.team.privateHosts: “privateHosts” means nothing for mail; remove it: it belongs to webhook, slack, discord, telegram, ntfy"
        ),
        Sample(
            watchlist(alerts: "{ channels: { 'my team': { slack: 'secret:s' } }, to: ['my team'] }"),
            "alerts.channels[\"my team\"]: this is not a valid name for a channel; write 1 to 40 letters, digits, dots, hyphens or underscores, not beginning with “-”"
        ),
        Sample(
            watchlist(alerts: "{ channels: { a: { slack: 'secret:s' }, a: { mail: 'root' } }, to: ['a'] }"),
            "alerts.channels.a: the key is given twice; keep one of them"),
        Sample(
            watchlist(alerts: "{ channels: { a: { slack: 'secret:s' }, A: { mail: 'root' } }, to: ['a', 'A'] }"),
            "alerts.channels.A: differs from the channel “a” only in upper and lower case; choose another name"),
        Sample(
            watchlist(channel: "{ webhook: 'http://example.com/' }"),
            "alerts.channels.team.webhook: http sends the message unencrypted; write https://; http is only for 127.0.0.1, ::1 and localhost"
        ),
        Sample(
            watchlist(channel: "{ webhook: 'example.com' }"),
            "alerts.channels.team.webhook: the address does not begin with https://; \(addresses)"),
        Sample(
            watchlist(channel: "{ webhook: 'https://me:key@example.com/' }"),
            "alerts.channels.team.webhook: the address has a user name or a password in it; leave out what stands before “@”"
        ),
        Sample(
            watchlist(channel: "{ webhook: 'https://example.com/#x' }"),
            "alerts.channels.team.webhook: the address has “#”, and what follows it is never sent to a server; leave out “#” and what follows"
        ),
        Sample(
            watchlist(channel: "{ webhook: 'https:///x' }"),
            "alerts.channels.team.webhook: the address has no valid host; \(addresses)"),
        Sample(
            watchlist(channel: "{ webhook: 'https://hooks.slack.com/services/T0/B0/x' }"),
            "alerts.channels.team.webhook: an address of slack is a secret; write \"slack\": \"secret:slack-url\", and keep the value under that name: docs/alerts.md says where"
        ),
        Sample(
            watchlist(channel: "{ webhook: 'secret:' }"),
            "alerts.channels.team.webhook: what follows “secret:” is not a name; \(name.replacing("slack", with: "hook"))"
        ),
        Sample(
            watchlist(channel: "{ webhook: 'https://example.com/', secret: [] }"),
            "alerts.channels.team.secret: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(channel: "{ webhook: 'https://example.com/', secret: ['secret:a', 'secret:a'] }"),
            "alerts.channels.team.secret[1]: the secret is named twice; keep it once"),
        Sample(
            watchlist(channel: "{ webhook: 'https://example.com/', secret: 'whsec_c2VjcmV0' }"),
            "alerts.channels.team.secret: this is a secret, and secrets do not belong in the watchlist; write \"secret:hook-key\", and keep the value under that name: docs/alerts.md says where"
        ),
        Sample(
            watchlist(
                channel:
                    "{ webhook: 'https://example.com/', secret: ['secret:a', 'secret:b', 'secret:c', 'secret:d', 'secret:e'] }"
            ), "alerts.channels.team.secret[4]: more than 4 secrets; keep 4 of them at most"),
        Sample(
            watchlist(channel: "{ slack: 'https://hooks.slack.com/services/T0/B0/x' }"),
            "alerts.channels.team.slack: this is a secret, and secrets do not belong in the watchlist; write \"secret:slack-url\", and keep the value under that name: docs/alerts.md says where"
        ),
        Sample(
            watchlist(channel: "{ slack: 'secret:../slack' }"),
            "alerts.channels.team.slack: what follows “secret:” is not a name; \(name)"),
        Sample(
            watchlist(channel: "{ slack: 'secret:.hidden' }"),
            "alerts.channels.team.slack: what follows “secret:” is not a name; \(name)"),
        Sample(
            watchlist(channel: "{ discord: true }"),
            "alerts.channels.team.discord: must be text, not true or false; write it in quotes, such as \"secret:discord-url\""
        ),
        Sample(
            watchlist(channel: "{ telegram: '123:abc', chat: '1' }"),
            "alerts.channels.team.telegram: this is a secret, and secrets do not belong in the watchlist; write \"secret:telegram-token\", and keep the value under that name: docs/alerts.md says where"
        ),
        Sample(
            watchlist(channel: "{ telegram: 'secret:t' }"),
            "alerts.channels.team: no “chat”; add \"chat\": \"12345\", the number of the chat that the bot writes to"),
        Sample(
            watchlist(channel: "{ telegram: 'secret:t', chat: 12345 }"),
            "alerts.channels.team.chat: must be text, not a number; write it in quotes, such as \"12345\""),
        Sample(
            watchlist(channel: "{ telegram: 'secret:t', chat: 'me' }"),
            "alerts.channels.team.chat: this is not a chat; write its number in quotes, such as \"-1001234567890\", or \"@channel\""
        ),
        Sample(
            watchlist(channel: "{ ntfy: 'https://ntfy.sh' }"),
            "alerts.channels.team: no “topic”; add \"topic\": \"secret:ntfy-topic\": whoever knows a topic can read it"),
        Sample(
            watchlist(channel: "{ ntfy: 'https://ntfy.sh/ranks', topic: 'ranks' }"),
            "alerts.channels.team.ntfy: the address has a path; write only the server, such as https://ntfy.sh, and a topic"
        ),
        Sample(
            watchlist(channel: "{ ntfy: 'https://ntfy.sh', topic: 'my ranks' }"),
            "alerts.channels.team.topic: this is not a topic; write 1 to 64 letters, digits, hyphens or underscores"),
        Sample(
            watchlist(channel: "{ ntfy: 'https://ntfy.sh', topic: 'ranks', token: 'tk_x' }"),
            "alerts.channels.team.token: this is a secret, and secrets do not belong in the watchlist; write \"secret:ntfy-token\", and keep the value under that name: docs/alerts.md says where"
        ),
        Sample(
            watchlist(channel: "{ mail: [] }"),
            "alerts.channels.team.mail: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(channel: "{ mail: ['Me <me@example.com>'] }"),
            "alerts.channels.team.mail[0]: “Me <me@example.com>” is not an address of mail; write one without a name and without quotes, such as team@example.com"
        ),
        Sample(
            watchlist(channel: "{ mail: 'root', from: '-x@example.com' }"),
            "alerts.channels.team.from: “-x@example.com” is not an address of mail; write one without a name and without quotes, such as team@example.com"
        ),
        Sample(
            watchlist(channel: "{ command: '/usr/local/bin/send' }"),
            "alerts.channels.team.command: must be a list, not text; write it in brackets, such as [\"/usr/local/bin/send\", \"--flag\"]"
        ),
        Sample(
            watchlist(channel: "{ command: ['send'] }"),
            "alerts.channels.team.command[0]: “send” is not the absolute path of a program; write one such as \"/usr/local/bin/send\": no shell looks it up"
        ),
        Sample(
            watchlist(channel: "{ command: ['/bin/x', 'secret:key'] }"),
            "alerts.channels.team.command[1]: every user of the machine can read the arguments of a command; let the program read its secret by itself"
        ),
        Sample(
            watchlist(channel: "{ command: ['/bin/x', 'a\\u0000b'] }"),
            "alerts.channels.team.command[1]: an argument cannot hold the character U+0000; leave it out"),
        Sample(
            watchlist(channel: "{ command: ['/bin/x', '\(String(repeating: "a", count: 4_096))'] }"),
            "alerts.channels.team.command: the command is longer than 4096 bytes; put it into a script"),
        Sample(
            watchlist(channel: "{ command: ['/bin/x'], timeout: '30' }"),
            "alerts.channels.team.timeout: “30” is not a length of time; write a whole number and s, m, h, d or w, such as 30s"
        ),
        Sample(
            watchlist(channel: "{ command: ['/bin/x'], timeout: '6m' }"),
            "alerts.channels.team.timeout: “6m” is not in the range; write a length from 1s to 5m"),
        Sample(
            watchlist(channel: "{ slack: 'secret:s', privateHosts: ['http://hook.lan/'] }"),
            "alerts.channels.team.privateHosts[0]: this is not a host; write only its name or its address, such as hook.lan or 10.0.0.7"
        ),
    ]

    @Test(arguments: whole + channels)
    func `a mistake is told by place, problem and remedy`(sample: Sample) {
        #expect(mistakes(sample.text) == [sample.message])
    }

    @Test(arguments: [
        "{ slack: 'https://hooks.slack.com/services/CANARY' }", "{ slack: 'secret:CANARY/CANARY' }",
        "{ webhook: 'https://hooks.slack.com/CANARY' }", "{ webhook: 'http://example.com/CANARY' }",
        "{ webhook: 'https://CANARY@example.com/' }", "{ webhook: 'https://CANARY..com/' }",
        "{ webhook: 'https://example.com/', secret: 'whsec_CANARY' }", "{ telegram: 'CANARY', chat: 'CANARY' }",
        "{ ntfy: 'https://ntfy.sh/CANARY', topic: 'CANARY CANARY', token: 'CANARY' }",
        "{ slack: 'secret:s', privateHosts: ['https://CANARY/'] }", "{ command: ['/bin/x', 'secret:CANARY'] }",
    ])
    func `no mistake repeats what may be a secret`(channel: String) {
        let told = mistakes(watchlist(channel: channel)).joined(separator: "\n")
        #expect(!told.isEmpty)
        #expect(!told.contains("CANARY"), "\(told)")
    }

    @Test func `more channels, rules or mutes than anybody needs are refused`() {
        let channels = (0...50).map { "c\($0): { slack: 'secret:s' }" }.joined(separator: ", ")
        #expect(
            mistakes(watchlist(alerts: "{ channels: { \(channels) }, to: ['c0'] }"))
                == ["alerts.channels.c50: more than 50 channels; keep 50 of them at most"])
        let rules = Array(repeating: "{ when: 'moved' }", count: 201).joined(separator: ", ")
        #expect(
            mistakes(watchlist(alertsWith: "rules: [\(rules)]"))
                == ["alerts.rules[200]: more than 200 rules; keep 200 of them at most"])
        let mutes = Array(repeating: "{ when: 'moved' }", count: 1_001).joined(separator: ", ")
        #expect(
            mistakes(watchlist(alertsWith: "mutes: [\(mutes)]"))
                == ["alerts.mutes[1000]: more than 1000 mutes; keep 1000 of them at most"])
    }

    @Test func `one wrong thing does not hide the others`() {
        let text = """
            {
              channels: { team: { slack: 'https://x' }, hook: { webhook: 'ftp://x', privateHosts: [''] } },
              to: ['taem'],
              rules: [
                { when: ['mooved', 'digest'], way: 'left', app: 'habts', to: ['hok'] },
                { places: 0, top: 'ten', tags: ['cor'], severity: 'huge' },
              ],
              mutes: [{ query: 'habit traker', until: 'soon' }],
              quietHours: 'night',
            }
            """
        #expect(
            mistakes(watchlist(alerts: text)).map { String($0.prefix { $0 != ":" }) } == [
                "alerts.channels.team.slack", "alerts.channels.hook.webhook", "alerts.channels.hook.privateHosts[0]",
                "alerts.to[0]", "alerts.rules[0].when[0]", "alerts.rules[0].way",
                "alerts.rules[0].app", "alerts.rules[0].to[0]", "alerts.rules[1]", "alerts.rules[1].places",
                "alerts.rules[1].top", "alerts.rules[1].tags[0]", "alerts.rules[1].severity",
                "alerts.mutes[0].query", "alerts.mutes[0].until", "alerts.quietHours",
            ])
    }

    @Test func `a name that only a mistaken line has is not wrong as well`() {
        let text = """
            {
              apps: { habits: { bundleId: 'a b' } },
              watch: [{ app: 'habits', query: 'habit tracker', country: 'xx', tags: ['core'] },
                      { bundleId: 'com.a', query: 'q', every: 'often' }, { query: 'other', tag: 'mine' }],
              alerts: { channels: { a: { mail: 'root' } }, to: ['a'], rules: [
                { when: 'moved', app: 'habits', queries: ['Habit tracker', 'other'], tags: ['core', 'mine'] },
                { when: 'moved', app: 'nobody', query: 'nothing' } ] },
            }
            """
        #expect(
            mistakes(text).map { String($0.prefix { $0 != ":" }) } == [
                "apps.habits.bundleId", "watch[0].country", "watch[1].every", "watch[2]",
                "alerts.rules[1].app", "alerts.rules[1].query",
            ])
    }
}
