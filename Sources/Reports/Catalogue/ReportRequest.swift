package import ArgumentParser

/// What a report is asked for with: a value that every interface parses alike, from one declaration of its options.
///
/// An interface that has names and values parses them as `Request.parse(["--app=habits"])`.
package protocol ReportRequest: ParsableArguments, Sendable {
    static var about: ReportAbout { get }
    /// What it can be answered with; nearly always one.
    static var answers: [any ReportValue.Type] { get }
    /// Requests that show what it is for. The manual prints them, the benchmark measures them and the tests hold all
    /// their forms.
    static func examples(_ names: ExampleNames) -> [ReportExample]

    /// What was given of it that a command which its answer names has to repeat: which pairs, which time, how keenly.
    var asked: [RequestParameter] { get }

    /// - Throws: `ReportRefusal` for what cannot be asked, `HistoryError` where the history cannot be read.
    func answer(in context: ReportContext) throws -> any ReportValue
}

extension ReportRequest {
    package static func examples(_ names: ExampleNames) -> [ReportExample] { [ReportExample(about.name)] }

    /// Its answers name no other report.
    package var asked: [RequestParameter] { [] }
}

/// What a report is called, and what is said about it.
package struct ReportAbout: Sendable {
    /// One word: `movers`.
    package let name: String
    /// One line.
    package let abstract: String
    package let discussion: String
    /// How the command ends, which nobody but the command line needs to know.
    package let ending: String
    /// How the command is written, if the parser would make too long a line of it.
    package let usage: String?
    /// Whether it is a command of its own rather than one of `rankctl report`.
    package let isTopLevel: Bool
    /// What an interface that has names for all values calls the arguments that the command line has by their places.
    let arguments: [String]
    /// Those of them without which there is no answer, though the command line has another way to give them.
    let required: Set<String>
    /// Options that it shares with others and always refuses: no form and no description offers them.
    let refused: Set<String>
    /// The largest number that an option takes, by its name; the others take any.
    let most: [String: Int]

    package init(
        _ name: String, _ abstract: String, discussion: String = "", ending: String = "", usage: String? = nil,
        isTopLevel: Bool = false, arguments: [String] = [], required: Set<String> = [],
        refused: Set<String> = [], most: [String: Int] = [:]
    ) {
        self.name = name
        self.arguments = arguments
        self.required = required
        self.refused = refused
        self.most = most
        self.abstract = abstract
        self.discussion = discussion
        self.ending = ending
        self.usage = usage
        self.isTopLevel = isTopLevel
    }

    /// What people type to get it: `rankctl report movers`.
    package var command: String { "rankctl " + (isTopLevel ? "" : "report ") + name }
}

/// What the examples are about.
package struct ExampleNames: Sendable {
    /// An alias or bundle identifier.
    var app: String
    /// The same of one of its competitors; `nil` for no example of one.
    var competitor: String?
    /// Search texts that the app is tracked on: one, or three for what shows several.
    var queries: [String]
    /// Two-letter codes of countries that they are asked in.
    var countries: [String]
    /// A version that is known of the app.
    var version: String

    package init(app: String, competitor: String? = nil, queries: [String], countries: [String], version: String) {
        self.app = app
        self.competitor = competitor
        self.queries = queries
        self.countries = countries
        self.version = version
    }

    /// What stands in the documentation.
    package static let documented = ExampleNames(
        app: "habits", competitor: "com.rival", queries: ["habit tracker", "daily routine", "mood journal"],
        countries: ["us", "de"],
        version: "2.4")

    /// `--query TEXT` of the first `count` queries.
    func queryOptions(_ count: Int) -> [String] { queries.prefix(count).flatMap { ["--query", $0] } }
    func countryOptions(_ count: Int) -> [String] { countries.prefix(count).flatMap { ["--country", $0] } }
}

/// A request as people write it.
package struct ReportExample: Sendable {
    /// What the tests call it: the report's name, and what is different about it.
    package let name: String
    /// What stands after the command.
    package let arguments: [String]

    init(_ name: String, _ arguments: [String] = []) {
        self.name = name
        self.arguments = arguments
    }
}
