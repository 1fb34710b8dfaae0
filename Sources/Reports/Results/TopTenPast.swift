import Algorithms
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
    package static let depth = 10
    /// Days that are drawn, in seconds.
    private static let length = 30 * Timestamp.secondsPerDay
}

extension TopTenPast {
    /// - Parameter moment: the end of the drawing, and when its apps were called so; `now` if it is `nil` or later.
    package init(
        on query: Query, until moment: Timestamp? = nil, from reader: HistoryReader, now: Timestamp
    ) throws(HistoryError) {
        let until = min(moment ?? now, now)
        let reader = until < now ? reader.asOf(until) : reader
        let span = until - Self.length...until
        var lists: [NamedList] = []
        var damaged: [DamagedLists] = []
        var good: [StoredList] = []
        try reader.lists(on: query, in: span, damaged: { damaged.append($0) }) { list in
            if list.outcome == .good { good.append(list) }
            return true
        }
        for list in good { lists.append(try reader.named(list)) }
        // A line has a gap at a check that told nothing.
        var gaps = try reader.uncertainChecks(of: query, in: span)
        gaps += damaged.flatMap { [$0.from, $0.through] }
        let newest = lists.last.map { list in
            list.list.places.indices.prefix(Self.depth).compactMap { list.holder(at: $0) }
        }
        let holders = newest ?? []
        let numbers = holders.compactMap { if case .numbered(let number) = $0 { number } else { nil } }
        let others = try reader.otherNumbers(of: Set(numbers))
        let apps = try reader.apps(numbers, namedIn: query.country)
        let watched = try WatchedApps(reader)
        // Editions of one app are one line, at its best place.
        let drawn = holders.uniqued { holder in
            guard case .numbered(let number) = holder else { return holder }
            return .numbered(others[number, default: []].union([number]).min() ?? number)
        }
        self.init(
            generatedAt: now, query: query, span: span,
            lines: drawn.compactMap { holder in
                let app: ReportedApp?
                let points: [Chart.PositionLine.Point]
                switch holder {
                case .numbered(let number):
                    app = apps[number].map(watched.reported)
                    let own = others[number, default: []].union([number])
                    points = lists.map { Self.point(of: $0.place(of: own)) }
                case .named(let bundleID):
                    app = watched.reported(bundleID)
                    points = lists.map { Self.point(of: $0.place(of: [], or: bundleID)) }
                }
                guard let app else { return nil }
                let unknown = gaps.map { Chart.PositionLine.Point(at: $0, place: .gap) }
                return (app, (points + unknown).sorted { $0.at < $1.at })
            }, difficulty: try QueryDifficulty.of([query], at: until, from: reader)[query], damaged: damaged)
    }

    /// Below the first places an app is where the drawing ends; its own place can be read off all the same.
    private static func point(of place: StoredPlace) -> Chart.PositionLine.Point {
        let shown: Chart.PositionLine.Place =
            switch place.position {
            case let position? where position.number <= depth: .ranked(position)
            case nil where !place.isWhole: .gap
            case .some, nil: .absent(within: depth)
            }
        return Chart.PositionLine.Point(at: place.head.at, place: shown, within: place.within, position: place.position)
    }

    package var document: Document {
        var document = Document(title: "The first ten of “\(query.text)”", generatedAt: generatedAt)
        document.paragraph(hardness)
        guard !lines.isEmpty else {
            document.paragraph("No good list of the \(isOfNow ? "last 30 days" : "30 days before") is kept.")
            document.damaged(damaged, naming: false)
            return document
        }
        document.chart(
            Chart(
                title: "The first ten of “\(query.text)” over 30 days",
                summary: summary, heading: "", caption: caption,
                span: span,
                content: .positions(
                    lines.map { .init(name: $0.app.title, mark: $0.app.mark, points: $0.points) }),
                size: .high, rankedPlaces: Self.depth))
        document.damaged(damaged, naming: false)
        return document
    }

    private var isOfNow: Bool { span.upperBound == generatedAt }

    private var caption: String {
        "the places of the apps that are the first ten \(isOfNow ? "now" : "at the end"); better is higher, the last line is "
            + "outside the first ten"
    }

    /// `Habitly from #4 to #3; …`: each line from its first place to its last.
    private var summary: String {
        lines.map { line in
            let known = line.points.filter { if case .gap = $0.place { false } else { true } }
            func place(_ point: Chart.PositionLine.Point) -> String {
                point.position?.description ?? point.shownPlace
            }
            guard let first = known.first, let last = known.last else { return line.app.title }
            let (then, now) = (place(first), place(last))
            return line.app.markedTitle() + (then == now ? " at \(now)" : " from \(then) to \(now)")
        }.joined(separator: "; ")
    }

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

extension Chart.PositionLine.Point {
    /// `#4`, or `>180` where it was not in the list.
    fileprivate var shownPlace: String {
        switch place {
        case .ranked(let position): position.description
        case .absent(let count): ">\(within ?? count)"
        case .gap: "–"
        }
    }
}
