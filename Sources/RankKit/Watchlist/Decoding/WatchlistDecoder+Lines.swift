import Foundation
import JSON5

/// One line of `watch`, read but not yet expanded: its queries × countries × platforms × apps.
struct WatchLine {
    let place: JSON5Node
    /// The value of the key that names the queries; a list has its elements in `queries`, in order.
    let queriesNode: JSON5Node
    let queries: [LineQuery]
    /// The value of the key that names the apps.
    let appsNode: JSON5Node
    /// For each element of the key that names apps, the places in the decoder's `apps` that it stands for.
    let apps: [[Int]]
    let countries: [Country]
    /// `nil` if the countries come from the defaults.
    let countriesNode: JSON5Node?
    let platforms: [Platform]
    let platformsNode: JSON5Node?
    let source: Source

    /// How many pairs the line comes to, those wanted twice counted twice.
    var pairCount: Int {
        // Each factor is at most the number of values in a document, so that no product of two overflows.
        let perQuery = countries.count * platforms.count
        let perApp = queries.count.multipliedReportingOverflow(by: perQuery)
        let total = perApp.partialValue.multipliedReportingOverflow(by: apps.reduce(0) { $0 + $1.count })
        return perApp.overflow || total.overflow ? .max : total.partialValue
    }
}

extension WatchLine {
    /// The same for lines that say the same, however they are written.
    var meaning: Int {
        var hasher = Hasher()
        for query in queries {
            hasher.combine(query.text)
            hasher.combine(query.cadence)
            hasher.combine(query.tags)
            hasher.combine(query.language)
            hasher.combine(query.popularity)
        }
        hasher.combine(apps)
        hasher.combine(countries)
        hasher.combine(platforms)
        hasher.combine(source)
        return hasher.finalize()
    }
}

/// One query of a line with what holds for it.
struct LineQuery {
    let text: String
    let place: JSON5Node
    let cadence: Cadence
    let tags: [String]
    let language: String?
    let popularity: Popularity?
}

extension WatchlistDecoder {
    mutating func line(_ place: JSON5Node, defaults: LineSettings) -> WatchLine? {
        let remedy = "write { \"query\": \"habit tracker\", \"bundleId\": \"com.example.app\" }"
        guard let fields = fields(place, of: .line, remedy: remedy) else { return nil }
        let settings = settings(fields, over: defaults)
        let queries = queries(in: fields, settings)
        let apps = apps(in: fields)
        guard let queries, let apps else { return nil }
        return WatchLine(
            place: place, queriesNode: queries.node, queries: queries.queries, appsNode: apps.node, apps: apps.apps,
            countries: settings.countries, countriesNode: fields["countries"] ?? fields["country"],
            platforms: settings.platforms, platformsNode: fields["platforms"] ?? fields["platform"],
            source: settings.source)
    }

    private mutating func queries(
        in fields: Fields, _ settings: LineSettings
    ) -> (node: JSON5Node, queries: [LineQuery])? {
        guard fields.members.contains(where: { WatchlistObject.queryKeys.contains($0.key) }) else {
            refuse(fields.place, "no query", "add \"query\": \"habit tracker\", or \"queries\" with a list")
            return nil
        }
        guard let (key, place) = onlyOne(of: WatchlistObject.queryKeys, in: fields) else { return nil }
        let isList = key == "queries" || key == "keywords"
        guard let places = isList ? nonEmpty(place, example: "\"habit tracker\"") : [place] else { return nil }
        return (place, places.compactMap { lineQuery($0, settings, mayBeObject: isList) })
    }

    private mutating func lineQuery(_ place: JSON5Node, _ settings: LineSettings, mayBeObject: Bool) -> LineQuery? {
        var settings = settings
        var textPlace = place
        if mayBeObject, case .object = place.value {
            guard let fields = fields(place, of: .query, remedy: "") else { return nil }
            guard fields["query"] != nil || fields["keyword"] != nil else {
                refuse(place, "no query", "add \"query\": \"habit tracker\"")
                return nil
            }
            settings = self.settings(fields, over: settings)
            guard let (_, value) = onlyOne(of: ["query", "keyword"], in: fields) else { return nil }
            textPlace = value
        }
        let cadence = cadence(settings)
        guard let text = term(textPlace) else { return nil }
        return LineQuery(
            text: text, place: place, cadence: cadence, tags: settings.tags, language: settings.language,
            popularity: settings.popularity)
    }

    /// A search text as it is sent: as written, without white space around it, in NFC.
    mutating func term(_ place: JSON5Node) -> String? {
        guard let text = textOrNumber(place, example: "habit tracker") else { return nil }
        let trimmed = Self.trimmed(text).precomposedStringWithCanonicalMapping
        let problem: (String, String)? =
            if trimmed.isEmpty {
                ("the query is empty", "write what people search for")
            } else if TextRule.hasControl(text) {
                ("the query has a control character or a line break", "write it on one line, without tabs")
            } else if text.utf8.count > WatchlistLimits.longestTerm {
                (
                    "the query is longer than \(WatchlistLimits.longestTerm) bytes",
                    "write the few words that people search for"
                )
            } else {
                nil
            }
        guard let problem else { return trimmed }
        refuse(place, problem.0, problem.1)
        return nil
    }

    /// Most begin and end with a letter or a digit of ASCII: Foundation takes longer than the rest of the line.
    static func trimmed(_ text: String, of blanks: CharacterSet = .whitespacesAndNewlines) -> String {
        let ink: ClosedRange<UInt8> = 0x21...0x7E
        if let first = text.utf8.first, let last = text.utf8.last, ink.contains(first), ink.contains(last) {
            return text
        }
        return text.trimmingCharacters(in: blanks)
    }

    private mutating func apps(in fields: Fields) -> (node: JSON5Node, apps: [[Int]])? {
        guard fields.members.contains(where: { WatchlistObject.appKeys.contains($0.key) }) else {
            refuse(fields.place, "no app", "add \"bundleId\": \"com.example.app\", or \"app\" with an alias")
            return nil
        }
        guard let (key, place) = onlyOne(of: WatchlistObject.appKeys, in: fields) else { return nil }
        let isList = key == "apps" || key == "bundleIds"
        guard let places = isList ? nonEmpty(place, example: "\"com.example.app\"") : [place] else { return nil }
        if key.hasPrefix("bundleId") {
            return (place, places.compactMap { bundleID($0).map { [index(of: $0)] } })
        }
        return (place, places.compactMap { app(alias: $0).map { withCompetitors($0) } })
    }

    private mutating func withCompetitors(_ index: Int) -> [Int] {
        var indices = [index]
        for competitor in apps[index].competitors { indices.append(self.index(of: competitor)) }
        return indices
    }
}
