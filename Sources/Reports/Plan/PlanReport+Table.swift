import History
import RankKit

extension PlanReport {
    /// Lines that a list may have before it is folded.
    private static let longestList = 20
    /// The same where what it comes to is the answer.
    private static let longestListOfCountries = 5

    /// Laid out by itself: labels beside their values.
    package func text(_ style: TerminalStyle) -> String {
        ReportZone.$days.withValue(change.days) { zonedText(style) }
    }

    private func zonedText(_ style: TerminalStyle) -> String {
        var blocks = [
            folded(searches, "queries", style), folded(pairs, "pairs", style),
            folded(cadences, "queries asked at other times", style),
        ].filter { !$0.isEmpty }
        if let headline { blocks.insert(headline.wrapped(style), at: 0) }
        blocks.append(summary.flatMap { StatusReport.lines($0, $1, style) })
        return blocks.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    package var document: Document { ReportZone.$days.withValue(change.days) { zonedDocument } }

    private var zonedDocument: Document {
        var document = Document(title: "What the watchlist would change", generatedAt: generatedAt)
        document.paragraph(headline)
        for items in [searches, pairs, cadences] { document.list(items.map { StyledText($0.cells) }) }
        document.list(summary.map { label, cells in StyledText([Cell("\(label): ", .faint)] + cells) })
        return document
    }

    private var headline: StyledText? {
        if !change.countries.isEmpty { return countriesHeadline }
        if change.adoptedAt == nil {
            return StyledText("rankd has not used a watchlist yet, so everything is new", .strong)
        }
        return change.isEmpty ? StyledText("no change: rankd already asks exactly this", .strong) : nil
    }

    /// What asking in more countries would come to.
    private var countriesHeadline: StyledText {
        let codes = change.countries.map(\.code)
        let count = Figures.counted(codes.count, "country", "countries")
        let named = codes.count <= 12 ? codes.joined(separator: ", ") : count
        guard !change.added.isEmpty || !change.pairsAdded.isEmpty else {
            return StyledText("no change: all of this is asked in \(named) already", .strong)
        }
        let more = change.after.requestsPerDay - (change.before?.requestsPerDay ?? 0)
        return StyledText(
            "asking in \(named) as well would cost \(Self.number(more)) requests a day more; nothing is changed",
            .strong)
    }

    /// One line of a list, and what it is sorted by.
    private typealias Item = (query: Query, cells: [Cell])

    private func folded(_ items: [Item], _ what: String, _ style: TerminalStyle) -> [String] {
        let most = change.countries.isEmpty ? Self.longestList : Self.longestListOfCountries
        let shown = showsAll || items.count <= most ? items[...] : items.prefix(most)
        var lines = shown.flatMap { StyledText($0.cells).wrapped(style, indent: 4) }
        let left = items.count - shown.count
        if left > 0 {
            lines += StyledText("… \(Figures.grouped(left)) more \(what): show them with --all", .faint)
                .wrapped(style, indent: 4)
        }
        return lines
    }

    // MARK: The difference

    /// Added and retired ones together, so that what replaces what stands side by side.
    private var searches: [Item] {
        let added = change.added.map { search in
            Item(
                search.query,
                [
                    Cell("+ \(Self.name(search.query))", .good),
                    Cell(
                        " · \(WatchlistReport.words(search.cadences)) · "
                            + "\(Figures.counted(search.apps, "app")): \(Self.words(search))"),
                ])
        }
        let retired = change.retired.map { search in
            let last = search.lastCheckedAt.map { ", last checked \(CivilTime.reportDate($0))" } ?? ", never checked"
            return Item(
                search.query,
                [Cell("- \(Self.name(search.query))", .bad), Cell(": retired, its history stays\(last)")])
        }
        return (retired + added).enumerated().sorted { left, right in
            left.element.query == right.element.query
                ? left.offset < right.offset : left.element.query.precedes(right.element.query)
        }.map(\.element)
    }

    /// Those of searches that stay: the others go with theirs.
    private var pairs: [Item] {
        let added = change.pairsAdded.filter { !$0.pair.goesWithSearch }.map { added in
            Item(
                added.pair.query,
                [
                    Cell("+ \(Self.name(added.pair.query)) · \(added.pair.bundleID.text)", .good),
                    Cell(": \(Self.past(of: added))"),
                ])
        }
        let retired = change.pairsRetired.filter { !$0.goesWithSearch }.map { pair in
            Item(
                pair.query,
                [
                    Cell("- \(Self.name(pair.query)) · \(pair.bundleID.text)", .bad),
                    Cell(": retired, its history stays"),
                ])
        }
        let renamed = change.pairsRenamed.map { renamed in
            Item(
                renamed.pair.query,
                [
                    Cell("~ \(Self.name(renamed.pair.query)) · \(renamed.pair.bundleID.text)", .caution),
                    Cell(": \(Self.words(renamed))"),
                ])
        }
        return (retired + renamed + added).enumerated().sorted { left, right in
            left.element.query == right.element.query
                ? left.offset < right.offset : left.element.query.precedes(right.element.query)
        }.map(\.element)
    }

    private static func words(_ renamed: PlanChange.RenamedPair) -> String {
        let since = CivilTime.reportDate(renamed.app.since)
        if renamed.app.present == renamed.pair.bundleID {
            return "\(renamed.from) goes on under its name since \(since)"
        }
        return "\(renamed.from) goes on, the same app"
    }

    private static func past(of pair: PlanChange.AddedPair) -> String {
        if pair.comesBack { return "its history continues" }
        return pair.pastSince.map { "its history is filled in from stored lists, since \(CivilTime.reportDate($0))" }
            ?? "starts anew"
    }

    private var cadences: [Item] {
        change.recadenced.map { change in
            Item(
                change.query,
                [
                    Cell("~ \(Self.name(change.query))", .caution),
                    Cell(": \(WatchlistReport.words(change.before)) → \(WatchlistReport.words(change.after))"),
                ])
        }
    }

    private static func name(_ query: Query) -> String {
        "\(query.text) · \(query.place)"
    }

    private static func words(_ search: PlanChange.AddedSearch) -> String {
        switch search.history {
        case .continues(let last?): "its history continues, last checked \(CivilTime.reportDate(last))"
        case .continues(nil): "comes back, never checked"
        case .startsAnew: "new"
        case .startsAnewBecause(let property, let old):
            "starts anew because `\(property.rawValue)` changed (was \(value(of: property, old)))"
        }
    }

    private static func value(of property: PlanChange.Property, _ query: Query) -> String {
        switch property {
        case .language: query.language ?? "none"
        case .platform: query.platform.rawValue
        case .source: query.source.rawValue
        case .country: query.country.code
        case .text: "“\(query.text)”"
        }
    }

    // MARK: What it comes to

    private var summary: [(String, [Cell])] {
        let (before, after) = (change.before, change.after)
        let counts = { (added: Int, retired: Int, kept: Int) in
            [
                Cell(
                    "\(Figures.grouped(kept)) kept, \(Figures.grouped(added)) added, \(Figures.grouped(retired)) retired"
                )
            ]
        }
        var fields: [(String, [Cell])] = [
            ("queries", counts(change.added.count, change.retired.count, change.keptCount)),
            ("pairs", counts(change.pairsAdded.count, change.pairsRetired.count, change.pairsKept)),
            ("histories", histories),
        ]
        if !change.recadenced.isEmpty {
            fields.append(
                (
                    "cadence",
                    [Cell("\(Figures.counted(change.recadenced.count, "query", "queries")) asked at other times")]
                ))
        }
        let judging = before?.sensitivity ?? after.sensitivity
        if judging != after.sensitivity || after.sensitivity != .normal {
            fields.append(("reports", [Cell("sensitivity \(Self.step(judging.rawValue, after.sensitivity.rawValue))")]))
        }
        let budget = "of the \(Self.number(after.budgetPerDay)) a day that the pace allows"
        fields.append(
            (
                "requests",
                [
                    Cell(
                        Self.step(
                            before.map { Self.number($0.requestsPerDay) }, Self.number(after.requestsPerDay), budget))
                ]
            ))
        if let before, !change.countries.isEmpty {
            let share = Self.step(AddedCost.share(of: before), AddedCost.share(of: after), "of what the pace allows")
            fields.append(("budget", [Cell(share)]))
        }
        let was = before?.requestsPerMinute ?? after.requestsPerMinute
        let pace =
            "at \(was == after.requestsPerMinute ? "" : "\(was) → ")"
            + "\(Figures.counted(after.requestsPerMinute, "request")) a minute"
        fields.append(
            (
                "full pass",
                [
                    Cell(
                        Self.step(
                            before.map { WatchlistSummary.duration($0.passMinutes * 60) },
                            WatchlistSummary.duration(after.passMinutes * 60), pace))
                ]
            ))
        fields.append(("fits", verdict))
        if !ReportZone.days.isUTC, tellsDates { fields.append(("dates", [Cell("days of \(ReportZone.days.name)")])) }
        if let remedies = change.remedies { fields += advice(remedies) }
        return fields
    }

    /// Whether a line names a day.
    private var tellsDates: Bool {
        change.retired.contains { $0.lastCheckedAt != nil }
            || !change.pairsRenamed.isEmpty
            || change.pairsAdded.contains { !$0.pair.goesWithSearch && !$0.comesBack && $0.pastSince != nil }
            || change.added.contains { if case .continues(_?) = $0.history { true } else { false } }
    }

    private var histories: [Cell] {
        // Where nothing was ever recorded, a count would look like a loss.
        let isNone = change.adoptedAt == nil && change.continuing + change.comingBack == 0
        var cells = [
            Cell(isNone ? "no history yet" : Self.count(change.continuing, "continues", "continue"))
        ]
        if change.comingBack > 0 {
            let words = Self.count(change.comingBack, "comes back and continues", "come back and continue")
            cells += [Cell(" · "), Cell(words, .good)]
        }
        var unexplained = change.startingAnew
        for (property, count) in change.startingAnewBecause {
            unexplained -= count
            cells.append(Cell(" · "))
            cells.append(
                Cell("\(Self.count(count, "starts", "start")) anew because `\(property.rawValue)` changed", .caution))
        }
        if unexplained > 0 { cells.append(Cell(" · \(Figures.grouped(unexplained)) new")) }
        return cells
    }

    private var verdict: [Cell] {
        let after = change.after
        if !after.fitsBudget {
            let times = Figures.decimal(after.requestsPerDay / max(1, after.budgetPerDay), places: 1)
            return [Cell("no: \(times) times what the pace allows; slots would be missed", .bad)]
        }
        if !after.fitsCadence {
            let shortest = Cadence.written(seconds: after.shortestCadence)
            return [
                Cell("yes, but a full pass takes longer than \(shortest), so some checks would come late", .caution)
            ]
        }
        return [Cell("yes", .good)]
    }

    private func advice(_ remedies: BudgetRemedies) -> [(String, [Cell])] {
        var ways: [String] = []
        if let every = remedies.every {
            ways.append("`every` of \(Cadence.written(seconds: every)) or longer for all queries")
        }
        if let pace = remedies.requestsPerMinute { ways.append("`requestsPerMinute` of \(pace)") }
        if ways.isEmpty { ways.append("fewer queries: no setting makes it fit") }
        let lines = remedies.busiest.map { line in
            let path = line.path.isEmpty ? "the watchlist" : line.path
            return
                "\(path) (\(Figures.counted(line.queries, "query", "queries")), \(Self.number(line.requestsPerDay)) a day)"
        }
        return [
            ("would fit", [Cell(ways.joined(separator: ", or "))]),
            ("asks most", [Cell(lines.joined(separator: ", "))]),
        ]
    }

    private static func count(_ number: Int, _ one: String, _ more: String) -> String {
        "\(Figures.grouped(number)) \(number == 1 ? one : more)"
    }

    private static func step(_ before: String?, _ after: String, _ rest: String? = nil) -> String {
        let from = before.flatMap { $0 == after ? nil : "\($0) → " } ?? ""
        return "\(from)\(after)\(rest.map { " \($0)" } ?? "")"
    }

    /// Whole from ten up, with one decimal below where it has any.
    private static func number(_ value: Double) -> String {
        value < 10 && value != value.rounded()
            ? Figures.decimal(value, places: 1) : Int64(exactly: value.rounded()).map(Figures.grouped) ?? "–"
    }
}
