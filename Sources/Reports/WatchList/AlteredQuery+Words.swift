package import RankKit

extension AlteredQuery {
    /// For people, a line for each thing that is different: what the edit did to apps that it did not name.
    ///
    /// - Parameter names: what the apps are called.
    package func lines(naming names: String) -> [String] {
        let query = "“\(SafeText.escaped(after.query.text))” \(after.query.whereAsked)"
        var lines: [String] = []
        if changesTimes {
            lines.append(
                "\(query) is tracked for \(names) as well, and its cadence changes: "
                    + "\(WatchlistReport.words(before.cadences)) → \(WatchlistReport.words(after.cadences))")
        }
        if before.query.text != after.query.text {
            lines.append("\(query) was sent as “\(SafeText.escaped(before.query.text))” before")
        }
        if let popularity = after.popularity, popularity != before.popularity {
            lines.append("\(query) has the popularity \(Figures.short(popularity)) for \(names) too")
        } else if let popularity = before.popularity, after.popularity == nil {
            lines.append(
                "\(query) no longer has a popularity for \(names): only the removed line said \(Figures.short(popularity)), "
                    + "and the lines that stay are of other queries too")
        }
        for (app, before, after) in retagged {
            let tags = [before, after].map { $0.isEmpty ? "none" : $0.map(SafeText.escaped).joined(separator: ", ") }
            lines.append("\(query) has other tags for \(SafeText.escaped(app.text)): \(tags[0]) → \(tags[1])")
        }
        return lines
    }
}
