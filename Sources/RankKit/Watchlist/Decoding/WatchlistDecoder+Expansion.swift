import JSON5

extension WatchlistDecoder {
    /// What the lines come to so far.
    struct Expansion {
        /// Pairs in one watchlist, those wanted twice counted twice.
        static let mostPairs = 1_000_000

        /// Distinct cadences of one query: each costs time whenever the query's slot is computed.
        static let mostCadences = 64

        var queries: [WatchedQuery] = []
        var queryIndices: [Query: Int] = [:]
        /// By place of the query and place of the app: where in the query's pairs the app stands.
        var pairIndices: [PairKey: Int] = [:]
        /// Where in the document each line stands that says something new, by its meaning.
        var lineOffsets: [Int: Int] = [:]
        /// Where in the document a query was given its popularity.
        var popularityOffsets: [Int: Int] = [:]
        /// Queries whose second spelling was mentioned already, by the place that spells it.
        var respelt: Set<Int> = []
        /// Places that contradict the popularity of a query and were mentioned already.
        var contradicted: Set<Int> = []
        /// Places of `at` without a zone that were mentioned already.
        var zoneless: Set<Int> = []
        /// Where each app of the `apps` section is declared.
        var declarations: [Int: Int] = [:]
        var watchedApps: Set<Int> = []
        var pairCount = 0
        var isFull = false
    }

    struct PairKey: Hashable {
        let query: Int
        let app: Int
    }

    mutating func expand(_ line: WatchLine) {
        noteDoubles(of: line)
        let (sum, overflows) = expansion.pairCount.addingReportingOverflow(line.pairCount)
        guard !overflows, sum <= Expansion.mostPairs else {
            if !expansion.isFull {
                refuse(
                    line.place, "with this line the watchlist has more than \(Expansion.mostPairs) pairs",
                    "name fewer queries, countries, platforms or apps")
            }
            expansion.isFull = true
            return
        }
        expansion.pairCount = sum
        for element in line.apps { expansion.watchedApps.formUnion(element) }
        for lineQuery in line.queries {
            for country in line.countries {
                for platform in line.platforms {
                    let query = Query(
                        text: lineQuery.text, country: country, platform: platform, source: line.source,
                        language: lineQuery.language)
                    let index = note(query, lineQuery, line)
                    for element in line.apps {
                        for app in element { notePair(query: index, app: app, tags: lineQuery.tags) }
                    }
                }
            }
        }
    }

    private mutating func noteDoubles(of line: WatchLine) {
        let meaning = line.meaning
        guard let earlier = expansion.lineOffsets[meaning] else {
            expansion.lineOffsets[meaning] = line.place.range.lowerBound
            return
        }
        warn(line.place, "repeats \(path(to: earlier))", "remove one of the two lines")
    }

    /// The place of a query among those of the plan, with what this line adds to it.
    private mutating func note(_ query: Query, _ lineQuery: LineQuery, _ line: WatchLine) -> Int {
        guard let index = expansion.queryIndices[query] else {
            let index = expansion.queries.count
            let query = Query(
                text: query.text.unshared, country: query.country, platform: query.platform, source: query.source,
                language: query.language?.unshared)
            expansion.queryIndices[query] = index
            expansion.queries.append(
                WatchedQuery(
                    query: query, cadences: [lineQuery.cadence],
                    popularity: lineQuery.popularity?.value(in: query.country), pairs: [],
                    declaredAt: path(to: line.place.range.lowerBound)))
            if expansion.queries[index].popularity != nil {
                expansion.popularityOffsets[index] = lineQuery.place.range.lowerBound
            }
            return index
        }
        noteCadence(lineQuery, of: index)
        notePopularity(lineQuery, of: index)
        let decisive = expansion.queries[index].query.text
        if decisive != lineQuery.text, expansion.respelt.insert(lineQuery.place.range.lowerBound).inserted {
            warn(
                lineQuery.place,
                "“\(TextRule.shown(lineQuery.text))” is the same query as “\(TextRule.shown(decisive))”",
                "rankd sends the spelling of \(expansion.queries[index].declaredAt); spell them alike")
        }
        return index
    }

    private mutating func noteCadence(_ lineQuery: LineQuery, of index: Int) {
        guard !expansion.queries[index].cadences.contains(lineQuery.cadence) else { return }
        guard expansion.queries[index].cadences.count < Expansion.mostCadences else {
            refuse(
                lineQuery.place, "the query has more than \(Expansion.mostCadences) cadences",
                "give it one cadence, or a few")
            return
        }
        expansion.queries[index].cadences.append(lineQuery.cadence)
    }

    private mutating func notePopularity(_ lineQuery: LineQuery, of index: Int) {
        let country = expansion.queries[index].query.country
        guard let popularity = lineQuery.popularity?.value(in: country) else { return }
        guard let known = expansion.queries[index].popularity else {
            expansion.queries[index].popularity = popularity
            expansion.popularityOffsets[index] = lineQuery.place.range.lowerBound
            return
        }
        guard known != popularity, expansion.contradicted.insert(lineQuery.place.range.lowerBound).inserted else {
            return
        }
        let query = expansion.queries[index].query
        let other = expansion.popularityOffsets[index].map(path(to:)) ?? expansion.queries[index].declaredAt
        refuse(
            lineQuery.place,
            "popularity \(Self.plain(popularity)) for “\(query.text)” in \(query.country), but \(other) gives "
                + "\(Self.plain(known))",
            "give a query one popularity")
    }

    private mutating func notePair(query: Int, app: Int, tags: [String]) {
        let key = PairKey(query: query, app: app)
        guard let index = expansion.pairIndices[key] else {
            expansion.pairIndices[key] = expansion.queries[query].pairs.count
            expansion.queries[query].pairs.append(WatchedPair(bundleID: apps[app].bundleID, tags: tags.sorted()))
            return
        }
        let known = expansion.queries[query].pairs[index].tags
        if tags.allSatisfy(known.contains) { return }
        expansion.queries[query].pairs[index].tags = Set(known).union(tags).sorted()
    }
}

extension String {
    /// The same text in memory of its own. One that was read shares its memory with the document that it stood in; what
    /// outlives a long document would keep each of its pages in memory.
    var unshared: String { String(decoding: Array(utf8), as: UTF8.self) }
}
