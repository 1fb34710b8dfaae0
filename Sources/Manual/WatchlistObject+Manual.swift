import RankKit

extension WatchlistObject {
    var title: String {
        switch self {
        case .root: "The file"
        case .app: "An app in apps"
        case .defaults: "defaults"
        case .line: "A line in watch"
        case .query: "A query in a line"
        case .note: "A note in notes"
        case .service: "service"
        case .backup: "backup in service"
        case .retention: "retention in service"
        case .alerts: "alerts"
        case .channel: "A channel in alerts"
        case .rule: "A rule in alerts"
        case .mute: "A mute in alerts"
        }
    }

    var introduction: String {
        switch self {
        case .root: "An object that needs only `watch`, or just the list that `watch` would hold."
        case .app:
            "The keys of `apps` are short names (aliases) for apps: 1 to \(WatchlistLimits.longestAlias) bytes without spaces "
                + "or commas. An app that nobody lists as a competitor is yours. Summaries count only your apps."
        case .defaults:
            "Settings of every line that does not say otherwise. Without them: the United States, the iPhone, once a day."
        case .line: "Names queries and apps, with one key for each, and their settings."
        case .query: "An element of a list of queries: a text, or an object with settings of its own."
        case .note: "What you did and when. Reports show it beside the history. `on` and `text` are required."
        case .service: "How fast rankd asks, and what it keeps."
        case .backup: "Without this object the service makes no backups by itself. Every key may be left out."
        case .retention: "Positions and answered checks always stay. Every key may be left out."
        case .alerts, .channel, .rule, .mute: introductionOfAlerts
        }
    }

    /// Every key that `defaults` does not explain, with its meaning; keys that say the same stand together.
    ///
    /// - Throws: where a key of the format is not described, or one is that the format lacks.
    func describedKeys() throws(UndocumentedKeys) -> [(keys: [String], meaning: [String])] {
        let described = meanings
        let disagreement = Set(keys).symmetricDifference(described.flatMap(\.keys) + keysOfDefaults)
        guard disagreement.isEmpty else { throw UndocumentedKeys(object: self, keys: disagreement) }
        return described
    }

    /// Those that mean the same here as in `defaults`, where they are described.
    var keysOfDefaults: [String] {
        switch self {
        case .line, .query: keys.filter(Self.defaults.keys.contains)
        default: []
        }
    }

    private var meanings: [(keys: [String], meaning: [String])] {
        switch self {
        case .root:
            [
                (["apps"], ["Short names for apps, and who competes with whom."]),
                (["defaults"], ["Settings of every line that does not say otherwise."]),
                (["watch"], ["The lines: a list."]),
                (["notes"], ["What you did and when: a list."]),
                (
                    ["sensitivity"],
                    [
                        "How easily a change counts as a move in reports: "
                            + Sensitivity.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ")
                            + ". Default: `\"\(Sensitivity.normal.rawValue)\"`."
                    ]
                ),
                (["service"], ["How the service behaves."]),
            ] + (Self.takesAlerts ? [(["alerts"], ["What rankd sends messages about, and where they go."])] : [])
        case .app:
            [
                (["bundleId"], ["The app's bundle identifier, such as `\"com.example.habits\"`. Required."]),
                (["competitors"], ["A list of short names, or of bundle identifiers of apps without one."]),
            ]
        case .defaults: Self.settings
        case .query: [(["query", "keyword"], [Self.searchText]), Self.popularity]
        case .line:
            [
                (["query", "keyword"], [Self.searchText]),
                (["queries", "keywords"], ["A list of search texts, or of objects."]),
                (["app", "apps"], ["A short name of `apps`, or a list of them: each app with its competitors."]),
                (["bundleId", "bundleIds"], ["A bundle identifier, or a list of them: just those apps."]),
                Self.popularity,
            ]
        case .note:
            [
                (["on"], ["The day, `\"YYYY-MM-DD\"`. Required."]),
                (["text"], ["What you did. Required."]),
                (
                    ["app", "bundleId"],
                    ["The app that the note is about, by short name or bundle identifier. May be left out."]
                ),
                (["version"], ["The version of the app that the note is about."]),
                (["added"], ["A list of the queries that you want to win."]),
                (["removed"], ["A list of the queries that you gave up."]),
            ]
        case .service: Self.serviceMeanings
        case .backup: Self.backupMeanings
        case .retention: Self.retentionMeanings
        case .alerts: Self.alertsMeanings
        case .channel: Self.channelMeanings
        case .rule: Self.ruleMeanings
        case .mute: Self.muteMeanings
        }
    }
}
