internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// The one query that a report is about.
struct QueryOption: ParsableArguments {
    @Option(help: ArgumentHelp("The search text.", valueName: "text"))
    var query: String

    @Option(help: ArgumentHelp("The country it is asked in.", valueName: "code"))
    var country: Country?

    @Option(help: "The platform: iphone, ipad or mac.")
    var platform: Platform?

    @Option(help: ArgumentHelp("Apple's language code, such as en_us.", valueName: "code"))
    var language: String?

    @Option(help: ArgumentHelp("Whose positions: itunes, or the name of an imported table.", valueName: "name"))
    var source: String?

    /// - Throws: `ExitStatus.usage`, after saying why no one query is meant.
    func choose(_ reader: HistoryReader) throws -> Query {
        let asked = try reader.askedQueries()
        let wanted = Query.fold(query)
        let name = "“\(SafeText.escaped(query))”"
        let same = asked.filter { $0.query.folded == wanted }
        guard !same.isEmpty else {
            let near = Spelling.nearest(to: wanted, in: Set(asked.map(\.query.folded)))
            throw refusal(
                "\(name) was never asked"
                    + (near.map { "; did you mean “\(SafeText.escaped($0))”?" }
                        ?? "; “rankctl watch list” shows the queries"))
        }
        let fitting = same.filter { candidate in
            country.map { $0 == candidate.query.country } ?? true
                && platform.map { $0 == candidate.query.platform } ?? true
                && language.map { $0 == candidate.query.language } ?? true
                && isWanted(candidate.query.source)
        }
        if fitting.isEmpty { throw refusal("\(name) was never asked there, only " + list(same)) }
        let own = fitting.filter { !$0.query.source.isImported }
        guard !own.isEmpty else { return try only(of: fitting, name) }
        let others = Set(fitting.map(\.query.source)).filter(\.isImported).map(\.rawValue).sorted()
        if !others.isEmpty {
            Terminal.say(
                "\(name) was also imported: see --source " + others.map(SafeText.escaped).joined(separator: ", "))
        }
        return try only(of: own, name)
    }

    private func isWanted(_ candidate: Source) -> Bool {
        guard let source = source?.lowercased() else { return true }
        return candidate.rawValue == source || candidate == .imported(source)
    }

    private func only(of fitting: [AskedQuery], _ name: String) throws -> Query {
        // One that is no longer asked does not stand in the way of the one that is.
        let active = fitting.filter(\.isActive)
        if let only = active.count == 1 ? active.first : fitting.count == 1 ? fitting.first : nil { return only.query }
        throw refusal("\(name) is asked in several ways; choose one with --country and --platform: " + list(fitting))
    }

    private func list(_ queries: [AskedQuery]) -> String {
        queries.map { asked in
            "in \(asked.query.country) on \(asked.query.platform.displayName)"
                + (asked.query.language.map { " with --language \(SafeText.escaped($0))" } ?? "")
                + (asked.query.source.isImported
                    ? " with --source \(SafeText.escaped(asked.query.source.rawValue))"
                    : asked.isActive ? "" : " (no longer)")
        }.joined(separator: ", ")
    }
}

/// Says why, on stderr.
func refusal(_ text: String) -> ExitStatus {
    Terminal.say(text)
    return .usage
}

/// Reads times as people name them, by the watchlist's time zone, else the machine's.
struct TimeReading {
    let now: Timestamp
    let zone: TimeZone

    init(_ reader: HistoryReader, _ surroundings: Surroundings) throws {
        now = surroundings.now
        zone = try reader.timeZone().flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// - Throws: a usage error where `text` names no time.
    func time(_ text: String, for option: String) throws -> NamedTime {
        guard let time = NamedTime(text, now: now, zone: zone) else {
            throw ValidationError(
                "\(option) is “\(SafeText.escaped(text))”: write a time such as 2026-11-01, “2026-11-01 08:30”, 7d, 12h "
                    + "or yesterday")
        }
        return time
    }

    /// From the beginning of `since` to the end of `until`.
    func span(since: String?, until: String?) throws -> ClosedRange<Timestamp> {
        let from = try since.map { try time($0, for: "--since").first }
        let to = try until.map { try time($0, for: "--until").last }
        let always = ClosedRange<Timestamp>.always
        let (first, last) = (from ?? always.lowerBound, to ?? always.upperBound)
        guard first <= last else { throw ValidationError("--since is after --until: swap them") }
        return first...last
    }
}

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
