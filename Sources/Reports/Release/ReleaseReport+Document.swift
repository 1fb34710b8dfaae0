import History
import Judging
import RankKit

extension ReleaseReport {
    /// Lines of what moved beside the release's queries.
    private static let mostAsides = 4
    /// Events that are told one by one.
    private static let mostEvents = 12

    var document: Document {
        let app = effect.app
        var document = Document(title: "\(app.title): \(effect.name)", generatedAt: generatedAt)
        document.paragraph(
            StyledText([.title(app, .strong), Cell(" · \(effect.name) · \(Self.date(effect.day)) · \(source)")]))
        if !effect.release.text.isEmpty { document.paragraph("“\(effect.release.text)”", .faint) }
        document.paragraph(StyledText(effect.sentence, ink))
        if let listingDoubt { document.paragraph(listingDoubt, .caution) }
        document.paragraph(firstVerdict)
        let asides = effect.asideLines
        if !asides.isEmpty {
            document.paragraph("Other queries that moved, though \(effect.name) does not name them:", .strong)
            let shown = options.all ? asides[...] : asides.prefix(Self.mostAsides)
            let left = asides.count - shown.count
            let more = Figures.counted(left, "more query", "more queries")
            let hint = "and \(more): show them with \(ReportAudience.flag("all"))"
            document.list(shown.map { StyledText($0) } + (left > 0 ? [StyledText(hint, .faint)] : []))
        }
        if !effect.comparisons.isEmpty { document.table(comparisons) }
        // Nothing is compared where the filters leave out what the release is about.
        if !effect.pairs.isEmpty, effect.finding != .filteredOut { document.table(pairs) }
        document.list(happenings)
        document.notes(compared.map { [$0] } ?? [])
        document.legend()
        document.notes(smallPrint)
        return document
    }

    private static func date(_ day: Int64) -> String { CivilTime.date(.startOfDay(day)) }

    private var source: String {
        switch effect.release.source {
        case .note: "as the watchlist notes"
        case .sighting: effect.release.releasedAt == nil ? "when it was first seen" : "as Apple dates it"
        }
    }

    /// Only my own app's is good or bad news.
    private var ink: Ink {
        // What two changes did together is nobody's good news.
        guard effect.app.mark == .mine, !effect.events.contains(where: \.isOwn), listingDoubt == nil else {
            return .strong
        }
        return switch effect.finding {
        case .verdict(.helped): .good
        case .verdict(.hurt): .bad
        default: .strong
        }
    }

    // MARK: The comparisons

    private var comparisons: Table {
        var table = Table(
            columns: [
                .init("these"), .init("queries", .right, priority: 2),
                .init("beside", minimum: 29, below: .titled),
                .init("before", .right, priority: 3), .init("after", .right),
                .init("expected", .right, meaning: Self.expectedMeaning),
                .init(
                    "95 %", .right, meaning: "the range of the expected place; 95 of 100 such ranges hold the true one"),
                .init(
                    "readings", .right, priority: 1,
                    meaning: "days with a good check, added up over all that is compared"
                ),
            ], indent: 2)
        table.rows = effect.comparisons.map { comparison in
            let range = comparison.expectedRange.map {
                "\(ReleaseEffect.place($0.lowerBound)) – \(ReleaseEffect.place($0.upperBound))"
            }
            return .cells([
                Cell(comparison.treated.title), Cell("\(comparison.figures.treated.texts)"),
                Cell(comparison.controls.map(\.title).joined(separator: ", ")),
                Cell(comparison.before.map(ReleaseEffect.place) ?? "–"),
                Cell(comparison.after.map(ReleaseEffect.place) ?? "–", .strong),
                Cell(comparison.expected.map(ReleaseEffect.place) ?? "–"), Cell(range ?? "–", .faint),
                Cell(Figures.grouped(comparison.readings), .faint),
            ])
        }
        return table
    }

    private static let expectedMeaning =
        "the place if these had moved like those beside them, on the scale log2(position + 5) with an absence as "
        + "\(Int(DifferenceInDifferences.floor)); rankd does not know how else the two differ"

    // MARK: The pairs

    private var pairs: Table {
        var table = Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("in"), .init("on", priority: 1),
                .init("app", minimum: 8, comfort: 14), .init("before", .right), .init("after", .right),
                .init("moved", .right), .init("days", .right, priority: 0),
            ], indent: 2)
        for role in ReleaseEffect.Role.allCases {
            let group = effect.pairs.filter { $0.role == role }
            guard !group.isEmpty else { continue }
            if !table.rows.isEmpty { table.rows.append(.blank) }
            let isHidden = role.isControl && !options.all
            let hint = isHidden ? ": show them with \(ReportAudience.flag("all"))" : ""
            table.rows.append(
                .heading(StyledText("\(role.title): \(Self.counted(group, role))\(hint)", .faint)))
            if !isHidden { table.rows += group.map(row) }
        }
        return table
    }

    private static func counted(_ pairs: [ReleaseEffect.Pair], _ role: ReleaseEffect.Role) -> String {
        let queries = ReleaseEffect.queries(pairs) + ReleaseEffect.countries(pairs)
        guard role == .rival else { return queries }
        return "\(Set(pairs.map(\.app.bundleID)).count) on \(queries)"
    }

    private func row(_ pair: ReleaseEffect.Pair) -> Table.Row {
        let (before, after) = (pair.before.middle, pair.after.middle)
        let change = before.flatMap { before in after.flatMap { Standings.Change(from: before, to: $0) } }
        return .cells([
            .query(pair.query, .strong), .storefront(of: pair.query), Cell(pair.query.platform.displayName),
            pair.role == .rival ? .app(pair.app) : .empty, Self.place(before), Self.place(after),
            .move(pair.counts ? change : nil, of: pair.app.mark),
            Cell("\(pair.before.count) + \(pair.after.count)", pair.counts ? .faint : .caution),
        ])
    }

    private static func place(_ reading: Reading?) -> Cell {
        guard let reading else { return Cell("–", .faint) }
        return Cell(reading.position?.description ?? ">\(reading.within)")
    }

    // MARK: What else

    /// What stores changed of the app, the newest first.
    private var listingLines: [TimelineReport.Line] {
        let changes = TimelineReport(
            Timeline(
                generatedAt: generatedAt, since: effect.release.at, until: generatedAt, app: effect.app,
                events: listingChanges))
        return Array(changes.lines.prefix(Self.mostEvents))
    }

    /// Whether it came on another day than the release, so that it may have done what the release seems to have done.
    private func isApart(_ line: TimelineReport.Line) -> Bool { abs(line.event.day - effect.day) > 1 }

    /// What else changed in the same days, where positions changed.
    private var listingDoubt: String? {
        guard case .verdict(let verdict) = effect.finding, [.helped, .hurt].contains(verdict) else { return nil }
        let apart = listingLines.filter(isApart).map {
            "\($0.text) (first seen on \(DayNames.short($0.event.day, today: generatedAt.reportDay)))"
        }
        return apart.isEmpty
            ? nil : "Keep in mind: its effect cannot be told from that of \(apart.inWords) in the same days."
    }

    private var happenings: [StyledText] {
        var lines = effect.events.prefix(Self.mostEvents).map { event in
            let what = [event.version.map { "version \($0)" }, event.text.isEmpty ? nil : "“\(event.text)”"]
                .compactMap(\.self).joined(separator: ": ")
            return StyledText([
                Cell("\(CivilTime.reportDate(event.at)) · ", .faint),
                Cell(event.app.map { $0.title + " · " } ?? "", event.isOwn ? .caution : .strong), Cell(what),
            ])
        }
        if effect.events.count > Self.mostEvents {
            lines.append(
                StyledText("and \(Figures.counted(effect.events.count - Self.mostEvents, "more event"))", .faint))
        }
        lines += listingLines.map { line in
            StyledText([
                Cell("\(Self.date(line.event.day)) · ", .faint),
                Cell("\(effect.app.title) · ", isApart(line) ? .caution : .strong),
                Cell(line.text + " in " + TimelineReport.places(line.countries)),
            ])
        }
        return lines + effect.remarks.map { StyledText($0.text, .caution) }
    }

    private var compared: String? {
        let window = effect.window
        guard let before = window.before, let after = window.after else { return nil }
        return "compared: \(Figures.counted(Int(window.days), "day")) before (\(Self.date(before.lowerBound)) to "
            + "\(Self.date(before.upperBound))) and after (\(Self.date(after.lowerBound)) to "
            + "\(Self.date(after.upperBound)))" + limit
    }

    private var smallPrint: [String] {
        var notes: [String] = []
        if effect.comparisons.contains(where: { $0.figures.treated.texts < $0.figures.treated.queries }) {
            notes.append(
                "95 %: a query in several countries counts once, because it often moves in all of them together")
        }
        if !effect.untracked.isEmpty {
            notes.append("named in the note but not tracked: \(effect.untracked.joined(separator: ", "))")
        }
        if !effect.unclear.isEmpty {
            let texts = Set(effect.unclear.map(\.text)).sorted().joined(separator: ", ")
            notes.append("left out, because they share words with the note's queries: \(texts)")
        }
        return notes + [provenance]
    }

    private var limit: String {
        switch effect.window.limit {
        case .today?: ", fewer than \(effect.window.wanted) because no more days have passed"
        case .history?: ", fewer than \(effect.window.wanted) because there are no older checks"
        case .release(let other)?:
            ", fewer than \(effect.window.wanted) because of "
                + (other.version.map { "version \($0)" } ?? "“\(other.text)”")
        case nil: ""
        }
    }
}

extension ReleaseEffect.Role {
    fileprivate var title: String {
        switch self {
        case .added: "to gain"
        case .removed: "given up"
        case .every: "all of its queries"
        case .untouched: "its other queries"
        case .rival: "other apps"
        }
    }
}
