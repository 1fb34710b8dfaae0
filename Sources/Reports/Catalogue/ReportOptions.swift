import Algorithms
package import ArgumentParser
import Foundation
package import History
package import RankKit

/// Which pairs a report is about; every option may be given several times.
package struct FilterOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Only this app.", valueName: "alias or bundle id"), completion: .words(.app))
    var app: [String] = []

    @Option(help: ArgumentHelp("Only this search text.", valueName: "text"), completion: .words(.query))
    var query: [String] = []

    @Option(help: ArgumentHelp("Only this country, or these: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "Only this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(help: ArgumentHelp("Only pairs with this tag.", valueName: "tag"), completion: .words(.tag))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only this language of Apple's, such as en_us; none: queries without one.", valueName: "code"),
        completion: .words(.language))
    var language: [String] = []

    package init() {}

    package var filter: PairFilter {
        PairFilter(
            apps: app, queries: query, countries: country.countries, platforms: platform, tags: tag, languages: language
        )
    }

    /// What was given.
    var asked: [RequestParameter] {
        .named("app", app) + .named("query", query) + country.asked + platform.asked + .named("tag", tag)
            + .named("language", language)
    }
}

extension [RequestParameter] {
    /// An option with each of these values.
    fileprivate static func named(_ name: String, _ values: [String]) -> [RequestParameter] {
        values.map { RequestParameter(name, $0) }
    }
}

extension [CountryList] {
    fileprivate var asked: [RequestParameter] {
        let codes = countries.map(\.code)
        return codes.isEmpty ? [] : [RequestParameter("country", codes.joined(separator: ","))]
    }
}

extension [Platform] {
    fileprivate var asked: [RequestParameter] { map { RequestParameter("platform", $0.rawValue) } }
}

/// What a report on pairs takes: which of them, and which time.
struct ScopeOptions: ParsableArguments, Sendable {
    @OptionGroup var filter: FilterOptions

    @Option(
        help: ArgumentHelp(
            "The time to start from or compare with: 2026-11-01, yesterday, release, or 7d (counted back from --until).",
            valueName: "time"),
        completion: .words(.time))
    var since: String?

    @OptionGroup var end: EndOption

    /// What was given.
    var asked: [RequestParameter] {
        filter.asked + (since.map { [RequestParameter("since", $0)] } ?? []) + end.asked
    }

    /// What the options mean here.
    ///
    /// - Throws: `ReportRefusal` for a time that is none, and for names that are not there or leave no pair.
    func scope(in context: ReportContext) throws -> ReportScope {
        let times = TimeReading(context, apps: filter.app)
        let until = try end.text.map { _ in try times.moment(end) }
        let since = try times.beginning(since, before: until ?? context.now)
        // A report on nothing would look like an answer; that there is nothing yet is one.
        let wanted = try context.reader.resolving(filter.filter)
        if let nothing = try NoSuchPair(wanted, in: context.reader), nothing != .nothingTracked {
            throw ReportRefusal.noPair(nothing)
        }
        return ReportScope(filter: wanted, since: since, until: until)
    }
}

/// How keenly a report tells moves from wobble.
struct JudgementOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "How easily a change counts as a move: calm, normal or keen (default: the watchlist's).", valueName: "word"
        ))
    var sensitivity: Sensitivity?

    /// What was given.
    var asked: [RequestParameter] { sensitivity.map { [RequestParameter("sensitivity", $0.rawValue)] } ?? [] }
}

extension Sensitivity: ExpressibleByArgument {}

/// The moment that a report is of: the same in every report, and under both names.
struct EndOption: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp("Show the report as of this time (default: now).", valueName: "time"),
        completion: .words(.time))
    var until: String?

    @Option(help: ArgumentHelp("The same as --until.", valueName: "time"), completion: .words(.time))
    var at: String?

    func validate() throws {
        if at != nil, until != nil { throw ValidationError("--at and --until mean the same: give only one") }
    }

    var text: String? { until ?? at }
    /// The one that was given, as people write it.
    var name: String { at == nil ? "--until" : "--at" }
    /// What was given.
    var asked: [RequestParameter] { text.map { [RequestParameter(at == nil ? "until" : "at", $0)] } ?? [] }
}

/// Which pairs, and which time.
struct ReportScope {
    let filter: PairFilter
    /// The beginning of what `--since` names.
    let since: Timestamp?
    /// The end of what `--until` names, and not after now.
    let until: Timestamp?
}

/// One app, and which of its queries a report is about.
struct OneAppOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The app.", valueName: "alias or bundle id"), completion: .words(.everyApp))
    var app: String

    @Option(help: ArgumentHelp("Only this search text.", valueName: "text"), completion: .words(.query))
    var query: [String] = []

    @Option(help: ArgumentHelp("Only this country, or these: fr,es.", valueName: "code"))
    var country: [CountryList] = []

    @Option(help: "Only this platform: iphone, ipad or mac.")
    var platform: [Platform] = []

    @Option(
        help: ArgumentHelp("Only queries that the app has with this tag.", valueName: "tag"), completion: .words(.tag))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only this language of Apple's, such as en_us; none: queries without one.", valueName: "code"),
        completion: .words(.language))
    var language: [String] = []

    /// What was given, the app aside.
    var asked: [RequestParameter] {
        .named("query", query) + country.asked + platform.asked + .named("tag", tag) + .named("language", language)
    }

    /// Those on which the app is tracked or, where it is not tracked, those that ever found it.
    ///
    /// - Throws: `ReportRefusal` if there are none.
    func queries(of bundleID: BundleID, _ reader: HistoryReader) throws -> [Query] {
        let filter = PairFilter(
            queries: query, countries: country.countries, platforms: platform, tags: tag, languages: language)
        var named = filter
        named.apps = [app.lowercased()]
        let tracked = try reader.trackedPairs(PairFilter(apps: [bundleID.text])).filter { $0.bundleID == bundleID }
        let fitting: [Query]
        if tracked.isEmpty {
            fitting = try reader.queries(showing: bundleID).filter {
                filter.admits(query: $0, bundleID: bundleID, alias: nil, tags: [])
            }
        } else {
            fitting = tracked.filter(filter.admits).map(\.query)
        }
        guard fitting.isEmpty else { return fitting }
        throw ReportRefusal.noPair(try NoSuchPair(tracked.isEmpty ? filter : named, in: reader) ?? .together(named))
    }
}

extension Platform: ExpressibleByArgument {}

extension Country: ExpressibleByArgument {
    package init?(argument: String) { self.init(written: argument) }
    package static var defaultCompletionKind: CompletionKind { .words(.country) }
}

/// One country or several, as `fr,es`.
package struct CountryList: ExpressibleByArgument, Sendable {
    package let countries: [Country]

    package init?(argument: String) {
        let parts = Self.parts(of: argument)
        countries = parts.compactMap { Country(written: $0) }
        guard countries.count == parts.count else { return nil }
    }

    /// A name can have a comma: `Korea, Republic of`.
    private static func parts(of text: String) -> [String] {
        if Country(written: text) != nil { return [text] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingPrefix(" ")) }
    }

    /// What is wrong with `text`, for people and without a full stop; `nil` if it is a list of countries.
    package static func mistake(in text: String) -> String? {
        parts(of: text).first { Country(written: $0) == nil }.map(Country.mistake)
    }

    package static var defaultCompletionKind: CompletionKind { Country.defaultCompletionKind }
}

extension [CountryList] {
    /// All of them, each once.
    package var countries: [Country] { Array<Country>(flatMap(\.countries).uniqued()) }
}

extension ReportFormat: ExpressibleByArgument {}

extension CSVSelection: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension BundleID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
