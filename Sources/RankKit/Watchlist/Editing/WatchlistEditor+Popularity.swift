import JSON5

extension WatchlistEditor {
    /// Writes the popularity of queries into the elements that name them, in whatever line those stand. One that is there
    /// is replaced; countries without a figure keep theirs.
    ///
    /// - Parameter figures: 0–100 by country, by search text as `Query.fold` has it.
    /// - Returns: how many search texts were given another popularity.
    /// - Throws: `inexact`, with nothing changed.
    @discardableResult
    package mutating func setPopularity(_ figures: [String: [Country: Double]]) throws(Refusal) -> Int {
        try setPopularity { figures[$0.folded]?[$0.country] }
    }

    /// The same by query. A line that stands for several queries in a country takes a figure that is the figure of all of
    /// them there; where they have different ones, or some have none, it stays as it is.
    @discardableResult
    mutating func setPopularity(_ figure: (Query) -> Double?) throws(Refusal) -> Int {
        let before = current
        let layout = JSON5Layout(bytes: bytes)
        var splices: [JSON5Layout.Splice] = []
        var changed: Set<String> = []
        var written: [Query: Double] = [:]
        for line in before.lines {
            for query in line.queries {
                let values = line.countries.map { country -> (Country, Double?) in
                    let meant = line.meaning(of: query, in: country)
                    guard let value = Self.common(meant.map(figure)) else {
                        return (country, query.popularity?.value(in: country))
                    }
                    for meant in meant { written[meant] = value }
                    return (country, value)
                }
                guard values.contains(where: { $1 != query.popularity?.value(in: $0) }) else { continue }
                changed.insert(Query.fold(query.text))
                splices += Self.splices(Self.written(values), for: query, in: line, layout, root: before.root)
            }
        }
        guard !splices.isEmpty else { return 0 }
        let edited = JSON5Layout.applying(splices, to: bytes)
        let after = try Self.checked(edited)
        var expected = before.watchlist
        for index in expected.queries.indices {
            if let value = written[expected.queries[index].query] { expected.queries[index].popularity = value }
        }
        guard after.watchlist == expected else { throw .inexact }
        accept(edited, after)
        return changed.count
    }

    /// The one figure that all have.
    private static func common(_ figures: [Double?]) -> Double? {
        guard let first = figures.first, figures.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private static func splices(
        _ value: String, for query: LineQuery, in line: WatchLine, _ layout: JSON5Layout, root: JSON5Node
    ) -> [JSON5Layout.Splice] {
        let isListed = if case .array = line.queriesNode.value { true } else { false }
        let member = "\(JSONString.quoted("popularity")): \(value)"
        // The object that says what holds for this query alone; a line of one query is that itself.
        let owner = isListed ? query.place : line.place
        guard let container = JSON5Layout.Container(owner), case .object = owner.value else {
            let text = String(decoding: layout.text(in: owner.range), as: UTF8.self)
            return [layout.replacing(owner.range, by: "{ \(JSONString.quoted("query")): \(text), \(member) }")]
        }
        if let known = owner.member("popularity") { return [layout.replacing(known.range, by: value)] }
        return layout.appending(member, to: container, unit: unit(root, layout), spreads: false)
    }

    /// One number if it holds everywhere, else one for each country that has one.
    private static func written(_ values: [(country: Country, value: Double?)]) -> String {
        let known = values.compactMap { country, value in value.map { (country, $0) } }
        if let first = known.first?.1, known.count == values.count, known.allSatisfy({ $0.1 == first }) {
            return WatchlistDecoder.plain(first)
        }
        return object(known.map { ($0.0.code, WatchlistDecoder.plain($0.1)) })
    }
}

extension WatchLine {
    /// The queries that one of the line's texts stands for in a country.
    fileprivate func meaning(of query: LineQuery, in country: Country) -> [Query] {
        platforms.map {
            Query(text: query.text, country: country, platform: $0, source: source, language: query.language)
        }
    }
}
