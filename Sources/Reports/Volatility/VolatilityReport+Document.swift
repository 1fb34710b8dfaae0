import History
import Judging
import RankKit

extension VolatilityReport {
    var document: Document {
        var document = Document(title: "How the stores were", generatedAt: generatedAt)
        guard !volatility.stores.isEmpty else {
            document.paragraph(volatility.pairs > 0 ? Self.empty + firstJudged : NoSuchPair.report)
            return document
        }
        document.list(summary)
        for store in volatility.stores {
            document.heading(store.country.code.uppercased() + ": " + Self.counts(store))
            if let chart = chart(store) { document.chart(chart) }
            document.table(table(store))
        }
        document.legend()
        let (zone, wanted) = (volatility.zone, ReportZone.days)
        let days = zone.isUTC ? "days are UTC days" : "days are those of \(zone.name)"
        let next = zone.name == wanted.name ? "" : ", and those of \(wanted.name) from the next clean-up on"
        document.notes(["\(days)\(next); rankd adds a day with the first clean-up after its end"])
        return document
    }

    private static let empty = """
        There is no day to show yet. rankd adds each day with the first clean-up after its end. If you gave --since, \
        choose an earlier day.
        """

    private static let movedMeaning =
        "how many places the apps on all lists moved since the day before: (lower quartile + 2 × median + upper "
        + "quartile) ÷ 4; this needs the day before and at least \(StoreWeather.leastQueries) queries"
    private static let zMeaning =
        "the day compared with the \(Weather.window) days before it (median and median absolute deviation, at least "
        + "\(Weather.minimumDays) days): unsettled ○ from \(Figures.decimal(Weather.State.unsettledFrom, places: 1)), "
        + "stormy ● from \(Figures.decimal(Weather.State.stormyFrom, places: 1))"

    private var today: Int64 { generatedAt.reportDay }

    private var summary: [StyledText] {
        let remarks = remarks
        if !remarks.isEmpty { return remarks.map { StyledText($0.text.prefix(1).uppercased() + $0.text.dropFirst()) } }
        let isJudged = volatility.stores.contains { $0.days.contains { $0.weather != nil } }
        let since = DayNames.short(volatility.days.lowerBound, today: today)
        return [
            StyledText(
                isJudged
                    ? "Nothing out of the ordinary since \(since)."
                    : "No day can be judged yet. It takes \(Weather.minimumDays) earlier days on which at least "
                        + "\(StoreWeather.leastQueries) queries could be compared." + firstJudged)
        ]
    }

    /// When a day can be judged, if enough queries are asked from now on; nothing if all of the days before it are there.
    private var firstJudged: String {
        guard let first = begins else { return "" }
        // The first day has none before it to be compared with, and a day is added after its end.
        let day = first + Int64(Weather.minimumDays) + 2
        return day > today ? " The first verdict about a day comes about \(DayNames.short(day, today: today))." : ""
    }

    /// `58 days judged, 2 stormy and 3 unsettled`.
    private static func counts(_ store: StoreWeather) -> String {
        let states = store.days.compactMap(\.weather?.state)
        guard !states.isEmpty else { return "no day can be judged yet" }
        let (stormy, unsettled) = (states.count { $0 == .stormy }, states.count { $0 == .unsettled })
        let named = [(stormy, "stormy"), (unsettled, "unsettled")].filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return Figures.counted(states.count, "day") + " judged, " + (named.isEmpty ? "all calm" : named.inWords)
    }

    private func chart(_ store: StoreWeather) -> Chart? {
        guard let first = store.days.first?.day, let last = store.days.last?.day, first < last,
            store.days.count(where: { $0.figure != nil }) > 1
        else { return nil }
        let byDay = Dictionary(store.days.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        func line(_ name: String, _ value: (StoreWeather.Day) -> Double?) -> Chart.ValueLine {
            .init(
                name: name,
                points: (first...last).map { .init(at: .startOfReportDay($0), value: byDay[$0].flatMap(value)) })
        }
        var lines = [line("moved") { $0.figure }]
        if store.days.contains(where: { $0.weather != nil }) { lines.append(line("usual") { $0.weather?.usual }) }
        let events = store.days.compactMap { day -> Chart.Event? in
            let label = day.weather?.state == .stormy ? "stormy" : day.trouble?.words
            return label.map { .init(at: .startOfReportDay(day.day), kind: .weather, label: $0) }
        }
        let newest = store.days.last { $0.figure != nil }
        let code = store.country.code.uppercased()
        return Chart(
            title: "\(code): places moved, day by day",
            summary: "Places moved, day by day"
                + (newest.flatMap { day in
                    day.figure.map { figure in
                        ": \(Figures.decimal(figure, places: 2)) on \(DayNames.short(day.day, today: today))"
                            + (day.weather.map { ", \(Figures.decimal($0.usual, places: 2)) is usual" } ?? "")
                    }
                } ?? "") + ".",
            heading: "", span: .startOfReportDay(first) ... .startOfReportDay(last),
            content: .values(lines, range: nil),
            events: events)
    }

    /// Days that are told one by one, the newest first.
    private static let told = 14

    private func table(_ store: StoreWeather) -> Table {
        var table = Table(
            columns: [
                .init("day"), .init(""), .init("weather"), .init("moved", .right, meaning: Self.movedMeaning),
                .init("usual", .right, meaning: "the median of the days before"),
                .init("z", .right, meaning: Self.zMeaning), .init("apps", .right, priority: 3),
                .init("entered", .right, priority: 2),
                .init("left", .right, priority: 2), .init("suspect", .right, priority: 1),
                .init("failed", .right, priority: 4), .init("note", minimum: 12, priority: 5, below: .plain),
            ], indent: 2)
        for day in store.days.suffix(Self.told).reversed() {
            let (facts, moves) = (day.facts, day.facts.moves)
            func number(_ number: Double?, _ places: Int) -> Cell {
                number.map { Cell(Figures.decimal($0, places: places)) } ?? Cell("–", .faint)
            }
            func count(_ count: Int, _ ink: Ink = .plain) -> Cell {
                count > 0 ? Cell(Figures.grouped(count), ink) : .empty
            }
            table.rows.append(
                .cells([
                    Cell(DayNames.short(day.day, today: today)), Self.mark(day.weather?.state),
                    day.weather.map { Cell($0.state.rawValue, $0.state.ink) } ?? Cell("–", .faint),
                    number(day.figure, 2), number(day.weather?.usual, 2), number(day.weather?.z, 1), count(moves.apps),
                    count(moves.entered), count(moves.left), count(facts.suspect, .caution),
                    count(facts.failed, .caution), Cell(day.trouble?.words ?? "", .caution),
                ]))
        }
        return table
    }

    private static func mark(_ state: Weather.State?) -> Cell {
        switch state {
        case .stormy: Cell("●", .caution)
        case .unsettled: Cell("○", .caution)
        case .calm, nil: .empty
        }
    }
}

extension Weather.State {
    /// The store's moves are nobody's good or bad news.
    fileprivate var ink: Ink {
        switch self {
        case .calm: .faint
        case .unsettled: .plain
        case .stormy: .caution
        }
    }
}

extension StoreWeather.Trouble {
    fileprivate var words: String {
        switch self {
        case .badDay: "a bad day of Apple's"
        case .failures: "most checks failed"
        }
    }
}
