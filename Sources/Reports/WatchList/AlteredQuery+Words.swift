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
        }
        return lines
    }
}
