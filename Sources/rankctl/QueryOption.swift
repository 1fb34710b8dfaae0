internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// The one query that a report is about.
struct QueryOption: ParsableArguments {
    @Option(help: ArgumentHelp("The search text.", valueName: "text"), completion: .query)
    var query: String

    @Option(help: ArgumentHelp("The country it is asked in.", valueName: "code"))
    var country: Country?

    @Option(help: "The platform: iphone, ipad or mac.")
    var platform: Platform?

    @Option(help: ArgumentHelp("Apple's language code, such as en_us.", valueName: "code"), completion: .language)
    var language: String?

    @Option(
        help: ArgumentHelp("Whose positions: itunes, or the name of an imported table.", valueName: "name"),
        completion: .source)
    var source: String?

    /// - Throws: `ExitStatus.usage`, after saying why no one query is meant.
    func choose(_ reader: HistoryReader, tags: [String] = []) throws -> Query {
        try QueryChoice(
            query: query, countries: country.map { [$0] } ?? [], platforms: platform.map { [$0] } ?? [], tags: tags,
            language: language, source: source
        ).one(reader)
    }
}

/// Says why, on stderr.
func refusal(_ text: String) -> ExitStatus {
    Terminal.say(text)
    return .usage
}

/// The same for what every report says alike.
func refusal(_ nothing: NoSuchPair) -> ExitStatus { refusal(nothing.description) }

/// The app that an option names: an alias or bundle id of the watchlist's, or the bundle id of any app ever seen.
///
/// - Throws: `ExitStatus.usage`, after saying which apps come near.
func knownApp(_ name: String, _ reader: HistoryReader) throws -> BundleID {
    let watched = try reader.watchedApps()
    let wanted = name.lowercased()
    if let app = watched.first(where: { $0.alias?.lowercased() == wanted }) { return app.bundleID }
    if let bundleID = BundleID(name) {
        if let app = watched.first(where: { $0.bundleID == bundleID }) { return app.bundleID }
        if try !reader.numbers(of: bundleID).isEmpty || reader.wasTracked(bundleID) { return bundleID }
    }
    let found = try reader.directory(matching: name, limit: 3)
    var near = found.entries.map { entry in
        entry.bundleID.text + (entry.name.map { " (\(SafeText.escaped($0)))" } ?? "")
    }
    if near.isEmpty {
        let names = watched.flatMap { [$0.alias, $0.bundleID.text] }.compactMap(\.self)
        let slip =
            try Spelling.nearest(to: name, in: names)
            ?? Spelling.nearest(to: name, in: try reader.bundleIDsEverSeen())
        near = slip.map { [SafeText.escaped($0)] } ?? []
    }
    let rest = found.count > near.count ? " …" : ""
    throw refusal(
        "“\(SafeText.escaped(name))” was never seen in any answer; "
            + (near.isEmpty
                ? "look for an app with “rankctl apps TEXT”"
                : "did you mean " + near.joined(separator: ", ") + rest + "?"))
}
