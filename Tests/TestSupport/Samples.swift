package import RankKit

/// Short ways to write the values that tests are about. They trap on what is malformed: a test's own mistake.
package func query(
    _ text: String, _ country: String = "us", _ platform: Platform = .iphone, source: Source = .usual,
    language: String? = nil
) -> Query {
    Query(text: text, country: Country(code: country)!, platform: platform, source: source, language: language)
}

package func bundle(_ text: String) -> BundleID { BundleID(text)! }

package func time(_ iso8601: String) -> Timestamp { Timestamp(iso8601: iso8601)! }

/// A reading on a day; `nil` is an absence.
package func reading(_ position: Int?, on day: Int64, within: Int = 200) -> Reading {
    Reading(position: position.flatMap(Position.init), within: within, checkedAt: .startOfDay(day) + 3_600)
}

/// A list of apps by their bundle identifiers; `nil` and `-` are unreadable places, and a `?` stands before the name of
/// an entry without a number of Apple's. An app's id follows from its name, and its details are `details`.
package func list(_ bundles: [String?], details: @escaping @Sendable (String) -> AppDetails = { AppDetails(name: $0) })
    -> ResultList
{
    ResultList(
        places: bundles.map { name in
            name.flatMap { name in
                if name == "-" { return nil }
                if name.hasPrefix("?") { return SeenApp(id: nil, bundleID: bundle(String(name.dropFirst()))) }
                let content = details(name)
                return SeenApp(
                    id: AppID(number(of: name)), bundleID: bundle(name),
                    fingerprint: UInt64(bitPattern: Int64(content.hashValue)), details: { content })
            }
        })
}

private func number(of name: String) -> Int64 {
    Int64(name.lowercased().utf8.reduce(UInt64(1_469_598_103)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } >> 2)
}

/// A watchlist of queries with the apps tracked on each.
package func watchlist(
    _ queries: [(Query, [String])], every: Int64 = 6 * 3_600, competitors: Set<String> = []
) -> Watchlist {
    var apps: [WatchedApp] = []
    for name in queries.flatMap(\.1) where !apps.contains(where: { $0.bundleID == bundle(name) }) {
        apps.append(WatchedApp(bundleID: bundle(name), isMine: !competitors.contains(name)))
    }
    return Watchlist(
        apps: apps,
        queries: queries.map { query, names in
            WatchedQuery(
                query: query, cadences: [.every(seconds: every)],
                pairs: names.map { WatchedPair(bundleID: bundle($0)) })
        })
}
