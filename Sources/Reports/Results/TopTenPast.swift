package import History
import Judging
package import RankKit

/// The first ten apps of a query over the last weeks: what a page of the query shows beside its list.
package struct TopTenPast: Sendable {
    var generatedAt: Timestamp
    var query: Query
    var span: ClosedRange<Timestamp>
    /// Those of the newest list, best first, with every check's place.
    var lines: [(app: ReportedApp, points: [Chart.PositionLine.Point])]
    /// How hard the query is; `nil` if no good list is kept.
    var difficulty: QueryDifficulty?
    var damaged: [DamagedLists]

    /// Places that a line is drawn for.
    private static let depth = 10
    /// Days that are drawn, in seconds.
    private static let length = 30 * Timestamp.secondsPerDay
}

extension TopTenPast {
    /// - Parameter moment: the end of the drawing; `now` if it is `nil` or later.
    package init(
        on query: Query, until moment: Timestamp? = nil, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let until = min(moment ?? now, now)
        let span = until - Self.length...until
        var lists: [(at: Timestamp, isGood: Bool, first: [DenseID?], within: Int)] = []
        var damaged: [DamagedLists] = []
        var newest: [DenseID?] = []
        try reader.lists(on: query, in: span, damaged: { damaged.append($0) }) { list in
            let isGood = list.head.outcome == .good
            if isGood { newest = Array(list.places.prefix(Self.depth)) }
            lists.append((list.at, isGood, Array(list.places.prefix(Self.depth)), list.places.count))
            return true
        }
        let others = try reader.otherNumbers(of: Set(newest.compactMap(\.self)))
        let apps = try reader.apps(newest.compactMap(\.self), namedIn: query.country)
        let watched = try WatchedApps(reader)
        let drawn = newest.compactMap { number in number.flatMap { apps[$0] } }
        self.init(
            generatedAt: now, query: query, span: span,
            lines: drawn.map { app in
                let numbers = others[app.number, default: []].union([app.number])
                let points = lists.map { list in
                    let place = list.first.firstIndex { $0.map(numbers.contains) ?? false }.flatMap { Position($0 + 1) }
                    return Chart.PositionLine.Point(
                        at: list.at,
                        place: !list.isGood ? .gap : place.map { .ranked($0) } ?? .absent(within: Self.depth),
                        within: list.within)
                }
                return (watched.reported(app), points)
            }, difficulty: try QueryDifficulty.of([query], at: until, from: reader)[query], damaged: damaged)
    }

    package var document: Document {
        var document = Document(title: "The first ten of “\(query.text)”", generatedAt: generatedAt)
        document.paragraph(hardness)
        guard !lines.isEmpty else {
            document.paragraph("No good list of the last 30 days is kept.")
            document.damaged(damaged, naming: false)
            return document
        }
        document.chart(
            Chart(
                title: "The first ten of “\(query.text)” over 30 days",
                summary: Self.caption, heading: "", caption: Self.caption,
                span: span,
                content: .positions(
                    lines.map { .init(name: $0.app.title, mark: $0.app.mark, points: $0.points) })))
        document.damaged(damaged, naming: false)
        return document
    }

    private static let caption =
        "the places of the apps that are the first ten now; better is higher, the last line is outside the first ten"

    private var hardness: StyledText? {
        guard let difficulty else { return nil }
        let ratings = difficulty.medianRatings.map { "a median of \(Figures.short($0)) ratings" }
        let names = difficulty.withWords.map {
            "\($0) of \(difficulty.named) with all words of the query in their names"
        }
        let parts = [ratings, names].compactMap(\.self)
        return parts.isEmpty ? nil : StyledText("its first ten apps: " + parts.joined(separator: "; "))
    }
}
