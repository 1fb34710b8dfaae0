import RankKit

extension WatchlistObject {
    var title: String {
        switch self {
        case .root: "The whole"
        case .app: "An app of apps"
        case .defaults: "defaults"
        case .line: "A line of watch"
        case .query: "A query of a line"
        case .note: "A note of notes"
        case .service: "service"
        case .backup: "backup of service"
        case .retention: "retention of service"
        }
    }

    var introduction: String {
        switch self {
        case .root: "An object, of which only `watch` is needed; or a bare list of what `watch` holds."
        case .app:
            "`apps` gives apps short names, its keys: 1 to \(WatchlistLimits.longestAlias) bytes without spaces and commas. "
                + "An app that nobody lists as a competitor is yours; summaries count yours alone."
        case .defaults:
            "What holds for every line that does not say otherwise. Without them it is the United States, the iPhone, and "
                + "once a day."
        case .line: "Names queries and apps, by one key each, and what holds for them."
        case .query: "In a list of queries, a text or an object with settings of its own."
        case .note: "What was done and when, to be shown beside the history. `on` and `text` are needed."
        case .service: "How hard rankd asks, and what it keeps."
        case .backup: "Without this object the service makes no copies by itself. All of it may be left out."
        case .retention: "Positions and answered checks always stay. All of it may be left out."
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
                (["defaults"], ["What holds for every line that does not say otherwise."]),
                (["watch"], ["The lines: a list."]),
                (["notes"], ["What you did and when: a list."]),
                (["service"], ["How the service behaves."]),
            ]
        case .app:
            [
                (["bundleId"], ["The app's bundle identifier, such as `\"com.example.habits\"`. Needed."]),
                (["competitors"], ["A list of short names, or of bundle identifiers of apps that need none."]),
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
                (["on"], ["The day, `\"YYYY-MM-DD\"`. Needed."]),
                (["text"], ["What was done. Needed."]),
                (["app", "bundleId"], ["The app that it is about, by short name or bundle identifier; or neither."]),
                (["version"], ["The app's version that it came with."]),
                (["added"], ["A list of search texts that the change was meant to win."]),
                (["removed"], ["A list of search texts that it gave up."]),
            ]
        case .service: Self.serviceMeanings
        case .backup: Self.backupMeanings
        case .retention:
            [
                (
                    ["lists"],
                    [
                        "How long the ordered lists of results are kept, \(Self.kept), or `\"forever\"`, which it is without "
                            + "this key. Apps that are added later have a past only as far as lists go back."
                    ]
                ),
                (
                    ["failures"],
                    [
                        "How long failed checks are kept one by one before they become daily counts, \(Self.kept), or "
                            + "`\"forever\"`. Without this key: "
                            + "`\"\(LengthOfTime.text(Retention().failures ?? 0))\"`."
                    ]
                ),
            ]
        }
    }
}
