import Algorithms
import ArgumentParser
import History
import RankKit

/// The one query that a report is about.
struct QueryOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The search text.", valueName: "text"), completion: .words(.query))
    var query: String

    @Option(help: ArgumentHelp("The country of the search.", valueName: "code"))
    var country: CountryList?

    @Option(help: "The platform: iphone, ipad or mac.")
    var platform: Platform?

    @Option(
        help: ArgumentHelp("Apple's language code, such as en_us; none: without one.", valueName: "code"),
        completion: .words(.language))
    var language: String?

    @Option(
        help: ArgumentHelp("Where positions come from: itunes, or the name of an imported table.", valueName: "name"),
        completion: .words(.source))
    var source: String?

    /// - Throws: `ReportRefusal`, which says why no one query is meant.
    func choose(in context: ReportContext, tags: [String] = []) throws -> Query {
        try QueryChoice(
            query: query, countries: country?.countries ?? [], platforms: platform.map { [$0] } ?? [], tags: tags,
            language: language, source: source
        ).one(context)
    }
}

/// The queries that a history is about; every option but the last two may be given several times.
struct QueriesOption: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The search text.", valueName: "text"), completion: .words(.query))
    var query: [String] = []

    @Option(help: ArgumentHelp("The country of the search, or several: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "The platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(
        help: ArgumentHelp("Only queries that an app is tracked on with this tag.", valueName: "tag"),
        completion: .words(.tag))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("Apple's language code, such as en_us; none: without one.", valueName: "code"),
        completion: .words(.language))
    var language: String?

    @Option(
        help: ArgumentHelp("Where positions come from: itunes, or the name of an imported table.", valueName: "name"),
        completion: .words(.source))
    var source: String?

    /// - Throws: `ReportRefusal`, which says why there is none.
    func choose(of app: BundleID, in context: ReportContext) throws -> [Query] {
        let reader = context.reader
        let choices = query.map {
            QueryChoice(
                query: $0, countries: country.countries, platforms: platform, tags: tag, language: language,
                source: source)
        }
        guard choices.isEmpty else { return Array(try choices.flatMap { try $0.all(context) }.uniqued()) }
        let any = QueryChoice(query: "", language: language, source: source)
        let filter = PairFilter(
            apps: [app.text], queries: query, countries: country.countries, platforms: platform, tags: tag)
        let tracked = try reader.trackedPairs(filter).map(\.query).filter(any.admits)
        guard tracked.isEmpty else { return tracked }
        if try reader.queries(tracking: app).isEmpty {
            throw ReportRefusal.notTracked(app)
        }
        let more = [source.map { "--source \($0)" }, language.map { "--language \($0)" }].compactMap(\.self)
        throw ReportRefusal.noPair(
            try NoSuchPair(filter, in: reader) ?? .together(filter, and: more.map(SafeText.escaped)))
    }
}
