import RankKit
import Testing

@Suite(.enabled(if: WatchlistObject.takesAlerts)) struct AlertRuleMistakeTests {
    typealias Sample = WatchlistMistakeTests.Sample

    private static let kinds = AlertKind.allCases.map(\.rawValue).joined(separator: ", ")

    static let rules: [Sample] = [
        Sample(
            watchlist(rule: "'moved'"),
            "alerts.rules[0]: “moved” is not a rule; write \"usual\" for the usual rules, or { \"when\": [\"moved\"] }"),
        Sample(
            watchlist(rule: "'usual', 'usual'"),
            "alerts.rules[1]: the usual rules are named twice; keep one of them"),
        Sample(watchlist(rule: "{}"), "alerts.rules[0]: no “when”; add \"when\" with one or more of \(kinds)"),
        Sample(
            watchlist(rule: "{ when: [] }"),
            "alerts.rules[0].when: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(rule: "{ when: 'move' }"),
            "alerts.rules[0].when: unknown kind of message “move”; did you mean “moved”?"),
        Sample(
            watchlist(rule: "{ when: ['moved', 'earthquake'] }"),
            "alerts.rules[0].when[1]: unknown kind of message “earthquake”; write one of \(kinds)"),
        Sample(
            watchlist(rule: "{ when: 'moved', wat: 'up' }"), "alerts.rules[0].wat: unknown key; did you mean “way”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', way: 'upp' }"),
            "alerts.rules[0].way: unknown way “upp”; did you mean “up”?"
        ),
        Sample(
            watchlist(rule: "{ when: 'moved', places: 0 }"),
            "alerts.rules[0].places: 0 is not in the range; write a whole number from 1 to 200"),
        Sample(
            watchlist(rule: "{ when: 'entered', top: 201 }"),
            "alerts.rules[0].top: 201 is not in the range; write a whole number from 1 to 200"),
        Sample(
            watchlist(rule: "{ when: 'moved', atMost: 1.5 }"),
            "alerts.rules[0].atMost: 1.5 is not in the range; write a whole number from 1 to 1000"),
        Sample(
            watchlist(rule: "{ when: 'moved', cooldown: 'day' }"),
            "alerts.rules[0].cooldown: “day” is not a length of time; write a whole number and s, m, h, d or w, such as 2d"
        ),
        Sample(
            watchlist(rule: "{ when: 'moved', cooldown: '30s' }"),
            "alerts.rules[0].cooldown: “30s” is not in the range; write a length from 1m to 52w"),
        Sample(
            watchlist(rule: "{ when: 'moved', severity: 'hihg' }"),
            "alerts.rules[0].severity: unknown severity “hihg”; did you mean “high”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', sensitivity: 'loud' }"),
            "alerts.rules[0].sensitivity: unknown sensitivity “loud”; write one of calm, normal, keen"),
        Sample(
            watchlist(rule: "{ when: 'moved', severity: 'high', quietHours: '22:00-07:00' }"),
            "alerts.rules[0].quietHours: messages of high severity are sent in quiet hours too; leave out “quietHours”, or choose another severity"
        ),
        Sample(
            watchlist(rule: "{ when: 'moved', to: ['taem'] }"),
            "alerts.rules[0].to[0]: no channel is called “taem”; did you mean “team”?"),
        Sample(
            watchlist(
                alerts:
                    "{ channels: { team: { mail: 'root' } }, rules: [{ when: 'moved', to: 'team' }, { when: 'left' }] }"
            ),
            "alerts.rules[1]: no “to”, and alerts has none either; add \"to\": [\"team\"] here or to alerts"),
        Sample(
            watchlist(rule: "{ when: 'moved', name: ' ' }"),
            "alerts.rules[0].name: “ ” is not a valid name; write a few words of at most 100 bytes on one line"),
        Sample(
            watchlist(alertsWith: "rules: [{ name: 'a', when: 'moved' }, { name: 'A', when: 'left' }]"),
            "alerts.rules[1].name: another rule is called “A”; choose another name"),
    ]

    static let names: [Sample] = [
        Sample(
            watchlist(rule: "{ when: 'moved', app: 'habts' }"),
            "alerts.rules[0].app: the watchlist has no app “habts”; did you mean “habits”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', apps: ['com.example.tod'] }"),
            "alerts.rules[0].apps[0]: the watchlist has no app “com.example.tod”; did you mean “com.example.todo”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', app: 'something else' }"),
            "alerts.rules[0].app: the watchlist has no app “something else”; write an alias of apps, or the bundleId of an app that a line watches"
        ),
        Sample(
            watchlist(rule: "{ when: 'moved', app: ['habits'] }"),
            "alerts.rules[0].app: must be text, not a list; “apps” takes a list"),
        Sample(
            watchlist(rule: "{ when: 'moved', app: 'habits', apps: ['streaks'] }"),
            "alerts.rules[0].apps: “apps” beside “app”; keep one of them: “apps” takes a list"),
        Sample(
            watchlist(rule: "{ when: 'moved', apps: [] }"),
            "alerts.rules[0].apps: the list is empty; name at least one, or leave the key out"),
        Sample(
            watchlist(rule: "{ when: 'moved', query: 'habit traker' }"),
            "alerts.rules[0].query: no line asks for “habit traker”; did you mean “habit tracker”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', queries: ['weather forecast'] }"),
            "alerts.rules[0].queries[0]: no line asks for “weather forecast”; write a query that a line of watch has"),
        Sample(
            watchlist(rule: "{ when: 'moved', tag: 'cor' }"),
            "alerts.rules[0].tag: no line has the tag “cor”; did you mean “core”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', tags: ['brand'] }"),
            "alerts.rules[0].tags[0]: no line has the tag “brand”; the tags are core, spanish lists"),
        Sample(
            watchlist(rule: "{ when: 'moved', country: 'usa' }"),
            "alerts.rules[0].country: “usa” is no country with an App Store; did you mean “us”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', platform: 'ihpone' }"),
            "alerts.rules[0].platform: unknown platform “ihpone”; did you mean “iphone”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', whose: 'min' }"),
            "alerts.rules[0].whose: unknown word for apps “min”; did you mean “mine”?"),
        Sample(
            watchlist(rule: "{ when: 'moved', apps: ['habits', 'streaks'], whose: 'mine' }"),
            "alerts.rules[0].apps[1]: the app is a competitor, and the rule is about mine; take it out, or leave out \"whose\""
        ),
        Sample(
            watchlist(rule: "{ when: 'moved', app: 'habits', whose: 'competitors' }"),
            "alerts.rules[0].app: the app is yours, and the rule is about competitors; take it out, or leave out \"whose\""
        ),
    ]

    static let digests: [Sample] = [
        Sample(
            watchlist(rule: "{ when: 'digest' }"),
            "alerts.rules[0]: no “at”: nothing says when the digest is sent; add \"at\": \"08:00\""),
        Sample(
            watchlist(rule: "{ when: 'digest', at: '8 o’clock' }"),
            "alerts.rules[0].at: “8 o’clock” is not a time of day; write HH:MM from 00:00 to 23:59"),
        Sample(
            watchlist(rule: "{ when: 'digest', at: '08:00', on: ['monday'] }"),
            "alerts.rules[0].on[0]: unknown day of the week “monday”; write one of mon, tue, wed, thu, fri, sat, sun"),
        Sample(
            watchlist(rule: "{ when: 'moved', at: '08:00' }"),
            "alerts.rules[0].at: “at” means nothing for “moved”; leave it out: it is for digest"),
    ]

    static let mutes: [Sample] = [
        Sample(
            watchlist(mute: "'habits'"),
            "alerts.mutes[0]: must be an object, not text; write { \"app\": \"habits\", \"until\": \"2026-12-24\" }"),
        Sample(
            watchlist(mute: "{ until: '2026-12-24' }"),
            "alerts.mutes[0]: nothing is muted; add one or more of app, query, country, tag and when; without a rule nothing is sent at all"
        ),
        Sample(
            watchlist(mute: "{ apps: 'habits', when: 'moved' }"),
            "alerts.mutes[0].apps: unknown key; did you mean “app”?"),
        Sample(
            watchlist(mute: "{ app: 'habits', until: '2026-02-30' }"),
            "alerts.mutes[0].until: “2026-02-30” is not a day; write a real date as YYYY-MM-DD, such as 2026-11-20"),
        Sample(
            watchlist(mute: "{ app: 'nobody here' }"),
            "alerts.mutes[0].app: the watchlist has no app “nobody here”; write an alias of apps, or the bundleId of an app that a line watches"
        ),
        Sample(
            watchlist(mute: "{ query: 'x y z' }"),
            "alerts.mutes[0].query: no line asks for “x y z”; write a query that a line of watch has"),
        Sample(
            watchlist(mute: "{ tag: 'croe' }"),
            "alerts.mutes[0].tag: no line has the tag “croe”; did you mean “core”?"),
        Sample(
            watchlist(mute: "{ when: ['moved'] }"),
            "alerts.mutes[0].when: must be text, not a list; write it in quotes, such as \"weather\""),
        Sample(
            watchlist(mute: "{ when: 'weather', app: 'habits' }"),
            "alerts.mutes[0].app: “app” means nothing for “weather”; leave it out: it is for moved, entered, left, overtaken, overtook, drift, release, price, name, app-unknown"
        ),
    ]

    @Test(arguments: rules + names + digests + mutes)
    func `a mistake is told by place, problem and remedy`(sample: Sample) {
        #expect(mistakes(sample.text) == [sample.message])
    }

    private static let written: [AlertOption: String] = [
        .way: "way: 'up'", .places: "places: 3", .top: "top: 10", .apps: "apps: ['habits']",
        .queries: "queries: ['habit tracker']", .countries: "countries: ['us']", .platforms: "platforms: ['iphone']",
        .tags: "tags: ['core']", .whose: "whose: 'all'", .sensitivity: "sensitivity: 'keen'", .atMost: "atMost: 5",
        .cooldown: "cooldown: '2d'", .at: "at: '08:00'", .on: "on: 'mon'",
    ]

    @Test(arguments: AlertOption.allCases, AlertKind.allCases)
    func `an option is for the kinds that have it, and for no others`(_ option: AlertOption, _ kind: AlertKind) throws {
        let at = kind == .digest && option != .at ? ", at: '08:00'" : ""
        let written = try #require(Self.written[option])
        let told = mistakes(watchlist(rule: "{ when: '\(kind.rawValue)', \(written)\(at) }"))
        if option.kinds.contains(kind) {
            #expect(told == [])
        } else {
            #expect(told.count == 1)
            #expect(told[0].contains("\(option.rawValue)” means nothing for “\(kind.rawValue)”"), "\(told)")
        }
    }

    @Test func `an option that one of several kinds has is fine`() throws {
        #expect(try rule("{ when: ['release', 'entered'], top: 3 }").top == 3)
    }
}
