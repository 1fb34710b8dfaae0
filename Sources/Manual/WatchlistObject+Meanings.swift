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
        "The search text, as people type it: at most \(WatchlistLimits.longestTerm) bytes on one line. It is sent as it is "
        + "written; texts that differ in case or white space alone are the same query."

    static let kept = LengthOfTime.text(Retention.permittedSeconds)

    /// What defaults, lines and queries can say about queries.
    static let settings: [(keys: [String], meaning: [String])] = [
        (
            ["country", "countries"],
            ["The country asked in, by its two-letter code such as `\"us\"`, or a list of them. Without it: `\"us\"`."]
        ),
        (
            ["platform", "platforms"],
            [
                "The device whose App Store is searched: "
                    + Platform.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ")
                    + "; or a list of them. Without it: `\"\(Platform.iphone.rawValue)\"`."
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
                "How often to ask, \(LengthOfTime.text(Cadence.permittedSeconds)). Without it and `at`: `\"1d\"`. Excludes "
                    + "`at`."
            ]
        ),
        (
            ["at"],
            ["Times of day to ask at, `\"HH:MM\"` or a list of them, by `timeZone`, else by UTC. Excludes `every`."]
        ),
        (
            ["timeZone"],
            [
                "An IANA name such as `\"Europe/Berlin\"`. That of `defaults` is the one of “yesterday” in reports as well."
            ]
        ),
        (
            ["language"],
            [
                "Apple's code of a language that the storefront has, such as `\"es_mx\"`. Without it the storefront chooses."
            ]
        ),
        (
            ["tag", "tags"],
            [
                "A word to select pairs by, or a list of them: at most \(WatchlistLimits.longestTag) bytes each, without "
                    + "commas. Those of the defaults, the line and the query add up."
            ]
        ),
    ]

    static let popularity: (keys: [String], meaning: [String]) = (
        ["popularity"],
        [
            "How often people search for it, from \(plain(WatchlistLimits.popularity.lowerBound)) to "
                + "\(plain(WatchlistLimits.popularity.upperBound)), by whatever source you trust; it weighs the visibility."
        ]
    )

    static let serviceMeanings: [(keys: [String], meaning: [String])] = [
        (
            ["requestsPerMinute"],
            [
                "Searches a minute, \(WatchlistLimits.requestsPerMinute.lowerBound) to "
                    + "\(WatchlistLimits.requestsPerMinute.upperBound). Without it: "
                    + "\(ServiceSettings.defaultRequestsPerMinute). Apple allows about "
                    + "\(BudgetRemedies.fastestPace) and blocks whoever asks for more."
            ]
        ),
        (
            ["parallelism"],
            [
                "Searches under way at once, \(ServiceSettings.permittedParallelism.lowerBound) to "
                    + "\(ServiceSettings.permittedParallelism.upperBound). Without it: \(ServiceSettings.defaultParallelism)."
            ]
        ),
        (["backup"], ["When the service copies its history by itself."]),
        (["retention"], ["How long to keep what you may never need."]),
    ]

    static let backupMeanings: [(keys: [String], meaning: [String])] = [
        (
            ["every"],
            [
                "How long from one copy to the next, \(LengthOfTime.text(BackupSettings.permittedSeconds)). Without it: "
                    + "`\"\(LengthOfTime.text(BackupSettings().every))\"`."
            ]
        ),
        (
            ["keep"],
            [
                "How many copies stay, \(BackupSettings.permittedCopies.lowerBound) to "
                    + "\(BackupSettings.permittedCopies.upperBound). Without it: \(BackupSettings().keep). Only files "
                    + "that rankd named itself are ever deleted."
            ]
        ),
        (
            ["directory"],
            [
                "The folder, by its absolute path. Without it: `backups` beside the history. The service's unit has to "
                    + "allow another one: `systemctl edit rankd`, `ReadWritePaths=`."
            ]
        ),
    ]

    private static func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
}
