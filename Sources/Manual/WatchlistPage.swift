package import RankKit

extension ManualPage {
    /// rankd-watchlist(5).
    ///
    /// - Throws: `UndocumentedKeys` if the format has keys that nobody has described, or has lost some that are.
    package static func watchlist() throws(UndocumentedKeys) -> ManualPage {
        var blocks: [Block] = []
        for object in WatchlistObject.accepted {
            blocks.append(.heading(object.title))
            blocks.append(.paragraph(object.introduction))
            for (keys, meaning) in try object.describedKeys() {
                blocks.append(.definition(term: keys.joined(separator: ", "), meaning: meaning))
            }
            if !object.keysOfDefaults.isEmpty {
                let keys = object.keysOfDefaults.map { "`\($0)`" }.joined(separator: ", ")
                blocks.append(.paragraph("Also, as in `defaults`: \(keys)."))
            }
        }
        return ManualPage(
            name: "rankd-watchlist", section: 5,
            purpose: "what rankd searches the App Store for, and for which apps",
            sections: [
                Section("DESCRIPTION", description),
                Section("OBJECTS AND KEYS", blocks),
                Section("LENGTHS OF TIME", lengths),
                Section(
                    "EXAMPLES",
                    [
                        .paragraph("The smallest watchlist is a list of pairs:"), .code(smallestExample),
                        .paragraph("Two apps, one of them a competitor, in three countries:"), .code(example),
                    ]),
                SharedSections.files,
                Section("SEE ALSO", [.pages([("rankd", 8), ("rankctl", 1)])]),
            ])
    }

    private static let description: [Block] = [
        .paragraph(
            "The watchlist holds all that you decide; the history holds all that rankd saw. The format is JSON5: JSON "
                + "with comments, trailing commas and, if you like, keys without quotes. The file is at most "
                + "\(WatchlistFile.largestSize >> 20) MiB long."),
        .paragraph(
            "Each line of `watch` is multiplied out: queries × countries × platforms × apps. If several lines want a "
                + "pair, it is tracked once, with all their cadences and tags. One search serves every app on a query; "
                + "each further query, country or platform costs requests."),
        .paragraph(
            "If a key has a singular and a plural, use one of them; the plural takes a list. rankd refuses a key that is "
                + "not listed here and a value of the wrong type: it guesses nothing. "
                + "`rankctl watch check` names every mistake with its place and its remedy, and `rankctl plan` says what a "
                + "watchlist would change."),
    ]

    private static let lengths: [Block] = [
        .paragraph(
            "A whole number and a unit: `s`, `m`, `h`, `d` or `w` for seconds, minutes, hours, days or weeks. So "
                + "`\"90m\"` is an hour and a half.")
    ]

    /// Two lines that any other tool's user has at hand.
    package static let smallestExample = """
        [
          { "query": "habit tracker", "bundleId": "com.example.habits" },
        ]
        """

    package static let example = """
        {
          "apps": {
            "habits": {
              "bundleId": "com.example.habits",
              "competitors": ["streaks"],
            },
            "streaks": { "bundleId": "com.example.streaks" },
          },
          "defaults": {
            "countries": ["us", "gb", "de"],
            "every": "6h",
            "timeZone": "Europe/Berlin",
          },
          "watch": [
            {
              "app": "habits",
              "queries": [
                "habit tracker",
                { "query": "streaks", "popularity": 46 },
              ],
            },
          ],
          "notes": [
            { "on": "2026-11-20", "app": "habits", "text": "new subtitle" },
          ],
          "service": { "backup": { "every": "24h", "keep": 7 } },
        }
        """
}

/// What the manual does not know of a watchlist's format, or knows too much of.
package struct UndocumentedKeys: Error, Equatable, CustomStringConvertible {
    package let object: WatchlistObject
    package let keys: Set<String>

    package var description: String {
        "the manual and the format disagree on \(keys.sorted().joined(separator: ", ")) of \(object): describe what the "
            + "decoder takes in Sources/Manual/WatchlistObject+Manual.swift"
    }
}
