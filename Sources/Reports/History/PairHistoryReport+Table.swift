import History
import Judging
import RankKit

extension PairHistoryReport {
    /// Lines of changes that can be taken in at a glance, of all queries together.
    private static let mostLines = 40
    /// Lines of changes of each query, however many there are.
    private static let fewestLines = 5
    /// Lines that can be told apart in one chart.
    private static let mostInChart = 4

    var document: Document { document(isNamed: true) }

    /// - Parameter isNamed: whether the first lines say which app it is of, and whose that is.
    func document(isNamed: Bool) -> Document {
        let app = history.app
        let only = history.queries.count == 1 ? history.queries.first : nil
        let subject = only.map { "“\($0.query.text)”" } ?? Figures.counted(history.queries.count, "query", "queries")
        var document = Document(title: "\(app.title) on \(subject)", generatedAt: generatedAt)
        if isNamed {
            document.paragraph(title)
            document.paragraph(firstVerdict)
        }
        let shown = history.queries.filter { !$0.checks.isEmpty }
        if only == nil, !shown.isEmpty { document.table(overview(of: shown)) }
        if shown.count > 1, shown.count <= Self.mostInChart {
            var chart = chart(of: shown, title: "\(app.title): positions")
            chart.heading = "positions"
            document.chart(chart)
        }
        var toldWeather: Set<String> = []
        let limit = max(Self.fewestLines, Self.mostLines / max(1, shown.count))
        for pair in history.queries {
            guard let first = pair.checks.first, let last = pair.checks.last else {
                let none = pair.damaged.isEmpty ? "no check in this time" : "no check of this time can be read"
                document.paragraph("\(pair.query.text) \(pair.query.whereAsked): \(none)")
                document.damaged(pair.damaged, naming: false)
                continue
            }
            document.paragraph(Self.summary(of: pair, first, last))
            document.damaged(pair.damaged, naming: false)
            if shown.count == 1 || shown.count > Self.mostInChart {
                var chart = chart(
                    of: [pair], title: "\(app.title): \(pair.query.text) \(pair.query.whereAsked)",
                    size: shown.count == 1 ? .full : .low)
                // The line above says what it shows, and the first of several what the marks are.
                chart.heading = ""
                chart.tellsEvents = pair.query == shown.first?.query
                if let told = chart.weather?.legend, !toldWeather.insert(told).inserted { chart.weather?.legend = "" }
                document.chart(chart)
            } else {
                document.paragraph(StyledText(Self.extremes(of: pair)))
            }
            document.table(table(of: pair.folded(limit: limit)))
        }
        guard !shown.isEmpty else { return document }
        let hasGaps = shown.contains { $0.checks.contains { $0.reading == nil } }
        let sources = shown.map(\.query.source.provenance)
        let provenance = sources.enumerated().filter { sources.firstIndex(of: $1) == $0 }.map(\.element)
        document.notes(
            (only == nil && shown.contains(where: \.isOutdated)
                ? ["○ the last good position: the newest check failed or is suspect"] : [])
                + (hasGaps ? ["· a gap: the check failed or is suspect, so the place is unknown"] : [])
                + provenance.map { "times in \(ReportZone.days.name); \($0)" })
        return document
    }

    private var title: StyledText {
        let app = history.app
        let role: String? =
            switch app.mark {
            case .mine: "mine"
            case .competitor: "competitor"
            case nil: nil
            }
        let rest = [app.title == app.bundleID.text ? nil : app.bundleID.text, role].compactMap(\.self)
        return StyledText([.title(app, .strong), Cell(rest.map { " · " + $0 }.joined(), .faint)])
    }

    private static func summary(
        of pair: PairHistory, _ first: PairHistory.Check, _ last: PairHistory.Check
    ) -> StyledText {
        let counts: [(Outcome.State, String)] = [
            (.ranked, "ranked"), (.absent, "absent"), (.failed, "failed"), (.suspect, "suspect"),
        ]
        let parts = counts.compactMap { state, word in
            let count = pair.checks.count { $0.outcome.state == state }
            return count > 0 ? "\(Figures.grouped(count)) \(word)" : nil
        }
        let from = CivilTime.reportDate(first.checkedAt)
        let through = CivilTime.reportDate(last.checkedAt)
        return StyledText([
            .query(pair.query, .strong),
            Cell(
                " \(pair.query.whereAsked) · \(Figures.counted(pair.checks.count, "check")) "
                    + (from == through ? "on \(from)" : "from \(from) to \(through)")
                    + ": " + parts.joined(separator: ", ")),
        ])
    }

    /// The best and the worst place, and when first.
    private static func extremes(of pair: PairHistory) -> String {
        guard let (best, worst) = pair.extremes, let top = best.position, let bottom = worst.position else {
            return pair.checks.contains { $0.outcome.state == .absent } ? "never in the list in this time" : ""
        }
        return
            "best \(top) on \(CivilTime.reportDate(best.checkedAt)) · worst \(bottom) on \(CivilTime.reportDate(worst.checkedAt))"
    }

    /// A line a query: where it began and where it stands.
    private func overview(of pairs: [PairHistory]) -> Table {
        var table = Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("where", minimum: 15), .init("place", .right),
                .init("change", .right), .init("best", .right, priority: 2), .init("worst", .right, priority: 2),
                .init("checks", .right, priority: 1),
            ], indent: 2)
        for pair in pairs {
            let readings = pair.checks.lazy.compactMap(\.reading)
            let last = pair.checks.last { $0.reading != nil }?.reading
            let change = readings.first.flatMap { first in last.flatMap { Standings.Change(from: first, to: $0) } }
            let extremes = pair.extremes
            table.rows.append(
                .cells([
                    .query(pair.query), Cell(pair.query.whereAsked, .faint),
                    Self.now(pair, last).about(.pair(history.app.bundleID, pair.query)),
                    .move(change, of: history.app.mark), Cell(extremes?.best.position?.description ?? ""),
                    Cell(extremes?.worst.position?.description ?? ""),
                    Cell(Figures.grouped(pair.checks.count), .faint),
                ]))
        }
        return table
    }

    /// The last good place, marked where a later check says nothing.
    private static func now(_ pair: PairHistory, _ last: Reading?) -> Cell {
        guard pair.isOutdated, let last else { return .place(last) }
        return Cell("○ " + (last.position?.description ?? ">\(last.within)"), .caution)
    }

    private func chart(of pairs: [PairHistory], title: String, size: Chart.Size = .full) -> Chart {
        let first = pairs.compactMap { $0.checks.first?.checkedAt }.min() ?? generatedAt
        let last = pairs.compactMap { $0.checks.last?.checkedAt }.max() ?? first
        return Chart(
            title: title, summary: pairs.count == 1 ? Self.extremes(of: pairs[0]) : "better is higher",
            span: first...max(first, last),
            content: .positions(
                pairs.map { pair in
                    Chart.PositionLine(
                        name: "\(pair.query.text) \(pair.query.whereAsked)", mark: history.app.mark,
                        points: pair.points)
                }), events: history.events,
            weather: weather(of: Set(pairs.map(\.query.store)), first...max(first, last)),
            size: size)
    }

    /// Of these stores, on the days from one moment to the other.
    private func weather(of stores: Set<Store>, _ span: ClosedRange<Timestamp>) -> Chart.Weather? {
        let remarks = history.weather.filter { stores.contains($0.store) }.remarks(
            on: span.lowerBound.reportDay...span.upperBound.reportDay, today: generatedAt.reportDay)
        let days = Set(remarks.flatMap(\.days))
        return days.isEmpty
            ? nil : Chart.Weather(days: days.sorted(), legend: remarks.map(\.text).joined(separator: "; "))
    }

    private func table(of folded: (stretches: [PairHistory.Stretch], by: PairHistory.Folding)) -> Table {
        let since =
            switch folded.by {
            case .changes: "since"
            case .days(1): "day"
            case .days: "from"
            }
        var table = Table(
            columns: [
                .init(since), .init("place", .right), .init("between", priority: 2), .init("change", .right),
                .init("checks", .right, priority: 1), .init("note", minimum: 40, priority: 3, below: .plain),
            ], indent: 2)
        var before: Reading?
        for stretch in folded.stretches {
            table.rows.append(.cells(cells(of: stretch, after: before, by: folded.by)))
            before = stretch.last ?? before
        }
        return table
    }

    private func cells(
        of stretch: PairHistory.Stretch, after before: Reading?, by folding: PairHistory.Folding
    ) -> [Cell] {
        let change = before.flatMap { before in stretch.last.flatMap { Standings.Change(from: before, to: $0) } }
        return [
            Cell(folding == .changes ? CivilTime.minute(stretch.from) : CivilTime.reportDate(stretch.from)),
            .place(stretch.last),
            Cell(Self.range(stretch)), .move(change, of: history.app.mark),
            Cell(stretch.isDamaged ? "" : Figures.grouped(stretch.checks), .faint),
            Cell(Self.note(stretch, by: folding), .caution),
        ]
    }

    private static func range(_ stretch: PairHistory.Stretch) -> String {
        guard let best = stretch.best, let worst = stretch.worst, best != worst else { return "" }
        return "\(best) to \(worst)"
    }

    private static func note(_ stretch: PairHistory.Stretch, by folding: PairHistory.Folding) -> String {
        if stretch.isDamaged { return "damaged lists through \(CivilTime.minute(stretch.through))" }
        let why = stretch.gap.map { ": " + $0.words(stretch.detail) } ?? ""
        if folding == .changes {
            if stretch.failed > 0 { return "failed" + why }
            return stretch.suspect > 0 ? "suspect" + why : ""
        }
        let parts = [(stretch.absent, "absent"), (stretch.failed, "failed"), (stretch.suspect, "suspect")]
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        // A day of nothing but absences says so by its place.
        return stretch.absent == stretch.checks ? "" : parts.joined(separator: ", ")
    }
}

extension Cell {
    fileprivate static func place(_ reading: Reading?) -> Cell {
        guard let reading else { return Cell(String(Sparkline.gap), .faint) }
        return reading.position.map { Cell($0.description, .strong) } ?? Cell(">\(reading.within)")
    }
}

extension PairHistory {
    /// The first check with the best place and the first with the worst.
    fileprivate var extremes: (best: Check, worst: Check)? {
        let ranked = checks.filter { $0.position != nil }
        guard let best = ranked.min(by: { ($0.position?.number ?? 0) < ($1.position?.number ?? 0) }),
            let worst = ranked.min(by: { ($0.position?.number ?? 0) > ($1.position?.number ?? 0) })
        else { return nil }
        return (best, worst)
    }
}

extension PairHistory {
    /// Where the line goes, broken where nothing is known.
    fileprivate var points: [Chart.PositionLine.Point] {
        let points = checks.map {
            Chart.PositionLine.Point(at: $0.checkedAt, place: $0.place, within: $0.reading?.within)
        }
        guard !damaged.isEmpty else { return points }
        let gaps = damaged.flatMap { [$0.from, $0.through] }.map { Chart.PositionLine.Point(at: $0, place: .gap) }
        return (points + gaps).sorted { $0.at < $1.at }
    }
}

extension PairHistory.Check {
    fileprivate var place: Chart.PositionLine.Place {
        guard let reading else { return .gap }
        return reading.position.map { .ranked($0) } ?? .absent(within: reading.within)
    }
}
