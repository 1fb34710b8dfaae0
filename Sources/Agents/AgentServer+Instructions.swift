import Algorithms
import History
import RankKit
import Reports

extension AgentServer {
    /// What an agent has to know before its first call: how to read the answers, and what there is to ask about. Its
    /// length has a bound, whatever the watchlist holds.
    var instructions: String {
        """
        rankd records where apps stand in the App Store's search results. Each tool is a report on that record. No tool asks \
        Apple or changes anything. Positions come from Apple's iTunes Search API, and phones can differ.

        \(facts)

        \(Self.reading)

        Every tool takes form: text (usual) to read, rows for one line of CSV for each row in the short columns (columns: \
        all, or names with commas, for others), json for every field (the resource rankd://shapes/TOOL has the shape). An \
        answer has at most \(limit) bytes. One that is longer says with which offset the next call goes on, and which \
        arguments make it shorter. Arguments that several tools share: \(ReportTool.sharedMeanings)

        \(ForeignText.warning)
        """
    }

    /// Apps of the user's own, and competitors, that are named.
    private static let (mostOwn, mostRivals) = (15, 10)
    private static let mostCountries = 40
    /// In characters: people choose short aliases.
    private static let longestName = 60

    /// Of now, because nobody is asked twice: the time, the zone, the apps, the countries and the span of the history.
    private var facts: String {
        do {
            return try withContext { context, _ in
                let reader = context.reader
                let apps = try reader.watchedApps()
                let countries = Array(try reader.trackedPairs().map(\.query.country.code).uniqued()).sorted()
                let zone = ReportZone.days
                var facts = ["Now it is \(zone.minute(context.now)); days and times are of that zone."]
                if let first = try reader.oldestCheck(), let last = try reader.newestCheck(asOf: context.now) {
                    facts.append("The history goes from \(zone.minute(first)) to \(zone.minute(last)).")
                } else {
                    facts.append("The history has no check yet.")
                }
                facts.append(
                    "The user's apps, by alias and bundle id: "
                        + Self.list(apps.filter(\.isMine).map(Self.name), most: Self.mostOwn) + ".")
                let rivals = apps.filter { !$0.isMine }.map(Self.name)
                if !rivals.isEmpty { facts.append("Competitors: \(Self.list(rivals, most: Self.mostRivals)).") }
                facts.append("Countries: \(Self.list(countries, most: Self.mostCountries)).")
                return facts.joined(separator: " ")
            }
        } catch {
            return "The history cannot be read now: " + (Self.words(for: error) ?? "why is not known")
        }
    }

    private static func name(_ app: WatchedApp) -> String {
        let bundleID = ForeignText.bounded(app.bundleID.text, to: longestName)
        return app.alias.map { "\(ForeignText.bounded($0, to: longestName)) (\(bundleID))" } ?? bundleID
    }

    private static func list(_ names: [String], most: Int) -> String {
        guard !names.isEmpty else { return "none" }
        let more = names.count - most
        return names.prefix(most).joined(separator: ", ")
            + (more > 0 ? " and \(more) more, which the tool watchlist lists" : "")
    }
}
