package import History
import Judging
package import RankKit

/// How many ratings an app has had, day by day and country by country: what a page of the app shows beside its reports.
package struct RatingPast: Sendable {
    var generatedAt: Timestamp
    var title: String
    var days: ClosedRange<Int64>
    /// By country.
    var lines: [(country: Country, readings: [RatingDay])]

    /// Days that are drawn.
    private static let length: Int64 = 90
    /// Countries that can be told apart; those with the most ratings.
    private static let mostCountries = 6
}

extension RatingPast {
    package init(of app: BundleID, called title: String, from reader: HistoryReader, now: Timestamp)
        throws(HistoryError)
    {
        let days = now.reportDay - Self.length...now.reportDay
        let byCountry = Dictionary(grouping: try reader.ratingDays(of: app, days), by: \.country)
        let lines = byCountry.map { (country: $0.key, readings: Self.settled($0.value)) }
        let largest = lines.sorted {
            let (a, b) = ($0.readings.last?.ratings ?? 0, $1.readings.last?.ratings ?? 0)
            return a == b ? $0.country.code < $1.country.code : a > b
        }
        self.init(generatedAt: now, title: title, days: days, lines: Array(largest.prefix(Self.mostCountries)))
    }

    /// Each number of Apple's counts its own.
    private static func settled(_ readings: [RatingDay]) -> [RatingDay] {
        Dictionary(grouping: readings, by: \.app).values.flatMap { settledRatings($0.sorted { $0.day < $1.day }) }
            .sorted { $0.at < $1.at }
    }

    /// `nil` if no storefront ever told of a rating.
    package var document: Document? {
        guard !lines.isEmpty else { return nil }
        var document = Document(title: "Ratings of \(title)", generatedAt: generatedAt)
        document.list(
            lines.compactMap { line in
                line.readings.last.map { last in
                    let average = last.average.map { " · ★ \(Figures.decimal($0, places: 1))" } ?? ""
                    return StyledText([
                        Cell("\(line.country.code): ", .faint), Cell(Figures.grouped(last.ratings), .strong),
                        Cell("\(average) · \(CivilTime.reportDate(last.at))"),
                    ])
                }
            })
        let span = Timestamp.startOfReportDay(days.lowerBound)...generatedAt
        // One reading is a number and no line.
        guard lines.contains(where: { $0.readings.count { span.contains($0.at) } > 1 }) else { return document }
        document.chart(
            Chart(
                title: "Ratings of \(title)", summary: "how many ratings each country's store counts", heading: "",
                span: span,
                content: .values(
                    lines.map { line in
                        .init(
                            name: line.country.code, mark: nil,
                            points: line.readings.map { .init(at: $0.at, value: Double($0.ratings)) })
                    }, range: nil), size: .low))
        return document
    }
}
