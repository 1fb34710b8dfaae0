import History
import RankKit

/// Which of the queries that were ever asked a report is about.
struct QueryChoice {
    var query: String
    /// Any where there are none.
    var countries: [Country] = []
    var platforms: [Platform] = []
    /// Of which one of the query's pairs has to have at least one.
    var tags: [String] = []
    /// Apple's code, or `Query.noLanguage` for the query without one.
    var language: String?
    /// `itunes`, or the name of an imported table; Apple's where there is a choice and none is named.
    var source: String?

    /// The one whose lists are wanted.
    ///
    /// - Throws: `ReportRefusal`, which says why no one query is meant, or that it has no lists.
    func one(_ context: ReportContext) throws -> Query {
        let fitting = try fitting(context).preferred
        if let table = fitting.first?.query.source, fitting.allSatisfy(\.query.source.isImported) {
            throw ReportRefusal.noListsOfTable(query: query, source: table.rawValue)
        }
        // One that is no longer asked does not stand in the way of the one that is.
        let active = fitting.filter(\.isActive)
        if let only = active.count == 1 ? active.first : fitting.count == 1 ? fitting.first : nil {
            return only.query
        }
        throw ReportRefusal.severalQueries(
            query, options: Self.options(telling: fitting.map(\.query)), known: list(fitting))
    }

    /// All that are asked now, else all that were.
    ///
    /// - Throws: `ReportRefusal`, which says why there is none.
    func all(_ context: ReportContext) throws -> [Query] {
        let (fitting, others) = try fitting(context)
        if !others.isEmpty {
            context.remark(
                "\(name) was also imported: see --source " + others.map(SafeText.escaped).joined(separator: ", "))
        }
        let active = fitting.filter(\.isActive)
        return (active.isEmpty ? fitting : active).map(\.query)
    }

    /// Whether language and source are those wanted.
    func admits(_ candidate: Query) -> Bool { isSpoken(candidate) && isWanted(candidate.source) }

    private func isSpoken(_ candidate: Query) -> Bool { candidate.isAsked(in: language.map { [$0] } ?? []) }

    private var name: String { "“\(SafeText.escaped(query))”" }

    /// Apple's of those that fit, else the imported ones; and the tables that have it, too.
    private func fitting(_ context: ReportContext) throws -> (preferred: [AskedQuery], others: [String]) {
        let reader = context.reader
        var asked = try reader.askedQueries()
        if !tags.isEmpty {
            let tagged = Set(try reader.trackedPairs(PairFilter(tags: tags)).map(\.query))
            asked.removeAll { !tagged.contains($0.query) }
            guard !asked.isEmpty else { throw ReportRefusal.noPair(.tag(tags, known: try reader.tags())) }
        }
        let wanted = Query.fold(query)
        let same = asked.filter { $0.query.folded == wanted }
        guard !same.isEmpty else {
            throw ReportRefusal.noPair(
                .query(query, near: Spelling.nearest(to: wanted, in: Set(asked.map(\.query.folded)).sorted())))
        }
        let ofAnySource = same.filter { candidate in
            (countries.isEmpty || countries.contains(candidate.query.country))
                && (platforms.isEmpty || platforms.contains(candidate.query.platform)) && isSpoken(candidate.query)
        }
        let fitting = ofAnySource.filter { isWanted($0.query.source) }
        if fitting.isEmpty {
            guard let source, !ofAnySource.isEmpty, source.lowercased() != Source.itunes.rawValue else {
                throw ReportRefusal.notAskedThere(query, known: list(same))
            }
            throw ReportRefusal.notInTable(query, source: source, known: list(same))
        }
        let own = fitting.filter { !$0.query.source.isImported }
        guard !own.isEmpty else { return (fitting, []) }
        return (own, Set(fitting.map(\.query.source)).filter(\.isImported).map(\.rawValue).sorted())
    }

    private func isWanted(_ candidate: Source) -> Bool {
        guard let source = source?.lowercased() else { return true }
        return candidate.rawValue == source || candidate == .imported(source)
    }

    /// The options by which queries of one text can be told apart, of which no one may be enough.
    private static func options(telling queries: [Query]) -> [String] {
        func differ(_ word: (Query) -> String) -> Bool { Set(queries.map(word)).count > 1 }
        let isByPlace = differ(\.country.code) || differ(\.platform.rawValue)
        return (isByPlace ? ["--country", "--platform"] : []) + (differ(\.languageWord) ? ["--language"] : [])
            + (differ(\.source.rawValue) ? ["--source"] : [])
    }

    private func list(_ queries: [AskedQuery]) -> String {
        let languages = queries.map(\.query).languages
        return queries.map { asked in
            "in \(asked.query.country) on \(asked.query.platform.displayName)"
                + (languages.differ(at: asked.query)
                    ? " with --language \(SafeText.escaped(asked.query.languageWord))" : "")
                + (asked.query.source.isImported
                    ? " with --source \(SafeText.escaped(asked.query.source.rawValue))"
                    : asked.isActive ? "" : " (no longer)")
        }.joined(separator: ", ")
    }
}

/// In which languages queries are asked that are the same in everything else.
struct QueryLanguages {
    private var languages: [Query: Set<String>] = [:]

    init(_ queries: some Sequence<Query>) {
        for query in queries { languages[Self.plain(query), default: []].insert(query.languageWord) }
    }

    /// Whether `query` has to be told by its language: it has one, or another of these has.
    func differ(at query: Query) -> Bool {
        query.language != nil || (languages[Self.plain(query)]?.count ?? 0) > 1
    }

    private static func plain(_ query: Query) -> Query {
        Query(text: query.text, country: query.country, platform: query.platform, source: query.source)
    }
}

extension Sequence<Query> {
    var languages: QueryLanguages { QueryLanguages(self) }
}
