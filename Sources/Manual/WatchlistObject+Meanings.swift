import RankKit

/// A length of time as a watchlist has it.
enum LengthOfTime {
    /// - Parameter seconds: more than 0.
    static func text(_ seconds: Int64) -> String {
        // Four weeks are “4w”, but a day of 24 hours is “1d” and ninety days stay days.
        for (unit, length) in [("w", Int64(604_800)), ("d", 86_400), ("h", 3_600), ("m", 60)]
        where seconds.isMultiple(of: length) {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }

    /// “`"1s"` to `"4w"`”.
    static func text(_ range: ClosedRange<Int64>) -> String {
        "`\"\(text(range.lowerBound))\"` to `\"\(text(range.upperBound))\"`"
    }
}

extension WatchlistObject {
    static let searchText =
        "The search text, as people type it: at most \(WatchlistLimits.longestTerm) bytes on one line. rankd sends it as you "
        + "wrote it. Texts that differ only in case or white space are the same query."

    static let kept = LengthOfTime.text(Retention.permittedSeconds)

    /// What defaults, lines and queries can say about queries.
    static let settings: [(keys: [String], meaning: [String])] = [
        (
            ["country", "countries"],
            [
                "The country to ask in, by its two-letter code such as `\"us\"` or its English name, or a list of them. Default: "
                    + "`\"us\"`."
            ]
        ),
        (
            ["platform", "platforms"],
            [
                "The device whose App Store is searched: "
                    + Platform.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ")
                    + "; or a list of them. Default: `\"\(Platform.iphone.rawValue)\"`."
            ]
        ),
        (
            ["source"],
            [
                "Where positions come from: "
                    + Source.askable.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ")
                    + ", Apple's iTunes Search API."
            ]
        ),
        (
            ["every"],
            [
                "How often to ask, \(LengthOfTime.text(Cadence.permittedSeconds)). If neither it nor `at` is "
                    + "given: `\"1d\"`. Cannot stand beside `at`."
            ]
        ),
        (
            ["at"],
            [
                "A time of day to ask at, `\"HH:MM\"`, or a list of them, in `timeZone` or else in UTC. Cannot stand beside "
                    + "`every`."
            ]
        ),
        (
            ["timeZone"],
            [
                "An IANA name such as `\"Europe/Berlin\"`. The one in `defaults` also decides what “yesterday” means in reports."
            ]
        ),
        (
            ["language"],
            [
                "Apple's code of a language that the storefront offers, such as `\"es_mx\"`. Without it the storefront chooses."
            ]
        ),
        (
            ["tag", "tags"],
            [
                "A word to select pairs by, or a list of them: at most \(WatchlistLimits.longestTag) bytes each, without "
                    + "commas. Tags of the defaults, the line and the query add up."
            ]
        ),
    ]

    static let popularity: (keys: [String], meaning: [String]) = (
        ["popularity"],
        [
            "Your estimate, from \(plain(WatchlistLimits.popularity.lowerBound)) to "
                + "\(plain(WatchlistLimits.popularity.upperBound)), of how often people search for it: a number, or one for each "
                + "country, such as { \"us\": 46, \"gb\": 31 }. Reports of visibility and of opportunities use it as a weight. "
                + "rankctl watch popularity writes it from a table."
        ]
    )

    static let serviceMeanings: [(keys: [String], meaning: [String])] = [
        (
            ["requestsPerMinute"],
            [
                "Searches a minute, \(WatchlistLimits.requestsPerMinute.lowerBound) to "
                    + "\(WatchlistLimits.requestsPerMinute.upperBound). Default: "
                    + "\(ServiceSettings.defaultRequestsPerMinute). Apple allows about "
                    + "\(BudgetRemedies.fastestPace) and blocks an address that asks more often."
            ]
        ),
        (
            ["parallelism"],
            [
                "Searches under way at once, \(ServiceSettings.permittedParallelism.lowerBound) to "
                    + "\(ServiceSettings.permittedParallelism.upperBound). Default: \(ServiceSettings.defaultParallelism)."
            ]
        ),
        (["backup"], ["Backups that the service makes by itself."]),
        (["retention"], ["How long to keep result lists and failed checks."]),
    ]

    static let backupMeanings: [(keys: [String], meaning: [String])] = [
        (
            ["every"],
            [
                "The time between two backups, \(LengthOfTime.text(BackupSettings.permittedSeconds)). Default: "
                    + "`\"\(LengthOfTime.text(BackupSettings().every))\"`."
            ]
        ),
        (
            ["keep"],
            [
                "How many backups to keep, \(BackupSettings.permittedCopies.lowerBound) to "
                    + "\(BackupSettings.permittedCopies.upperBound). Default: \(BackupSettings().keep). rankd deletes "
                    + "only files that it named itself."
            ]
        ),
        (
            ["directory"],
            [
                "The folder, by its absolute path. Default: `backups` beside the history. The service's unit must allow "
                    + "any other folder: `systemctl edit rankd`, `ReadWritePaths=`."
            ]
        ),
    ]

    static let retentionMeanings: [(keys: [String], meaning: [String])] = [
        (
            ["lists"],
            [
                "How long to keep result lists, \(Self.kept), or `\"forever\"` (the default). An app that you add later "
                    + "has history only as far back as the lists go."
            ]
        ),
        (
            ["failures"],
            [
                "How long to keep failed checks one by one before they become daily counts, \(Self.kept), or "
                    + "`\"forever\"`. Default: "
                    + "`\"\(LengthOfTime.text(Retention().failures ?? 0))\"`."
            ]
        ),
    ]

    private static func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}
