import History
import Judging
import RankKit

/// `rankctl report compare --app A --with B`: who is ahead in each list, by how much, since when, and how often.
struct HeadToHeadReport: ReportValue {
    var meeting: HeadToHead

    init(_ meeting: HeadToHead) { self.meeting = meeting }

    var generatedAt: Timestamp { meeting.generatedAt }
    var damaged: [DamagedLists] { meeting.damaged }

    static let shape = ReportShape<HeadToHeadReport>(
        "head-to-head", command: CompareRequest.about.command + " of two",
        [
            .value("since", "Where the days begin: --since, else \(HeadToHead.defaultDays) days before until.") {
                $0.meeting.since
            },
            .value("until", "Where they end: now, or --until.") { $0.meeting.until },
            .object("app", "The app.", ReportedApp.shape) { $0.meeting.app },
            .object("other", "The app that it is compared with.", ReportedApp.shape) { $0.meeting.other },
            .object("now", "In how many lists each was ahead by the newest check of both.", HeadToHead.Tally.shape) {
                $0.meeting.now
            },
            .object(
                "earlier", "The days of the first half of the time since the first check of both, over all lists.",
                HeadToHead.Tally.shape
            ) {
                $0.meeting.halves(of: $0.meeting.rows).earlier
            },
            .object("later", "Those of its second half.", HeadToHead.Tally.shape) {
                $0.meeting.halves(of: $0.meeting.rows).later
            },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: their "
                    + "days are left out. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "queries", "The app's queries, one without a day included.", onLines: true, HeadToHead.Row.shape
            ) { $0.meeting.rows },
        ],
        csv: .each(
            "queries", "one query", Query.columns,
            ["checkedAt", "within", "position", "otherPosition", "ahead", "places", "since", "always"],
            [
                .column("won", "days.won"), .column("lost", "days.lost"), .column("tied", "days.tied"),
            ]
        ).short(
            "query", "country", "platform", "position", "otherPosition", "ahead", "places", "since", "won", "lost",
            "tied"
        ))

    // MARK: For people

    var document: Document {
        var document = Document(
            title: "\(meeting.app.title) and \(meeting.other.title)", generatedAt: generatedAt)
        document.asOf(meeting.until)
        guard meeting.rows.contains(where: { !$0.days.isEmpty }) else {
            document.paragraph(
                "no check between \(CivilTime.minute(meeting.since)) and \(CivilTime.minuteInZone(meeting.until)) tells of "
                    + "both: choose an earlier --since")
            document.damaged(damaged)
            document.notes([provenance])
            return document
        }
        document.paragraph(meeting.nowWords)
        document.paragraph(meeting.daysWords)
        document.table(table)
        document.damaged(damaged)
        document.legend()
        document.notes(notes)
        return document
    }

    private var notes: [String] {
        var notes = ["◆ ahead now"]
        if let day = meeting.trendComesOn {
            notes.append("trend: can be told from \(CivilTime.date(.startOfDay(day))) on")
        }
        if meeting.rows.contains(where: \.isOutdated) {
            notes.append("○ the last good list that tells of both: the newest check does not")
        }
        if meeting.rows.contains(where: \.hasAlwaysLed) {
            notes.append("a day with “or before”: it was so on the first day that was looked at")
        }
        return notes + [provenance]
    }

    /// Columns of an app's name above its places.
    private static let longestTitle = 16

    private var table: Table {
        func title(_ app: ReportedApp) -> String {
            TerminalText.fitted(Cell(app.alias ?? app.title).text, to: Self.longestTitle)
        }
        var table = Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init(title(meeting.app), .right),
                .init(title(meeting.other), .right),
                .init("by", .right, priority: 4, meaning: "how many places lie between the two"),
                .init("since", priority: 3, meaning: "the day from which on the one that is ahead has been ahead"),
                .init("won", .right, meaning: "days on which \(title(meeting.app)) was ahead"),
                .init("lost", .right, meaning: "days on which \(title(meeting.other)) was ahead"),
                .init("tied", .right, priority: 1, meaning: "days on which neither was in the list"),
                .init("trend", priority: 2, meaning: "the share of the days won in the first half and in the second"),
            ], indent: 2)
        for block in meeting.rows.grouped(by: \.query.whereAsked) {
            guard let first = block.first else { continue }
            if !table.rows.isEmpty { table.rows.append(.blank) }
            table.rows.append(.heading(StyledText(first.query.whereAsked, .strong)))
            table.rows += block.map { .cells(cells(of: $0)) }
        }
        return table
    }

    private func cells(of row: HeadToHead.Row) -> [Cell] {
        guard let newest = row.newest else {
            return [.query(row.query), Cell("–", .faint), Cell("–", .faint)] + Array(repeating: .empty, count: 6)
        }
        func place(_ position: Position?, leads: Bool) -> Cell {
            let words = position.map { (leads ? "◆ " : "") + $0.description } ?? ">\(newest.within)"
            if row.isOutdated { return Cell("○ " + words, .caution) }
            return Cell(words, position == nil ? .faint : leads ? .strong : .plain)
        }
        let since = row.leadsSince.map { day in
            DayNames.short(day.at.reportDay, today: meeting.until.reportDay) + (row.hasAlwaysLed ? " or before" : "")
        }
        let halves = meeting.halves(of: [row])
        return [
            .query(row.query), place(newest.position, leads: newest.lead == .app),
            place(newest.other, leads: newest.lead == .other), Cell(newest.places.map { "\($0)" } ?? "", .plain),
            Cell(since ?? "", .faint), Cell("\(row.tally.won)"), Cell("\(row.tally.lost)"),
            Cell("\(row.tally.tied)", .faint),
            meeting.hasTrend ? .trend(halves.earlier, halves.later) : .empty,
        ]
    }
}

extension HeadToHead {
    /// `Daylight is ahead in 6 lists, Habitly in 7; in 1 neither is`: a list is of a query in a country on a device.
    fileprivate var nowWords: StyledText {
        var cells: [Cell] = [
            Self.name(app), Cell(" is ahead in \(Figures.counted(now.won, "list")), "),
            Self.name(other), Cell(" in \(Figures.grouped(now.lost))"),
        ]
        if now.tied > 0 { cells.append(Cell("; in \(Figures.grouped(now.tied)) neither is")) }
        return StyledText(cells)
    }

    /// `days in these 13 lists since 21 Oct: 178 won, 205 lost, 7 tied; 41% won in the first half, 52% in the second`.
    fileprivate var daysWords: String {
        let (earlier, later) = halves(of: rows)
        let lists = rows.count { $0.newest != nil }
        var words =
            "days in \(lists == 1 ? "this list" : "these \(Figures.grouped(lists)) lists") since "
            + "\(sinceWords): \(Figures.grouped(days.won)) won, \(Figures.grouped(days.lost)) lost"
        if days.tied > 0 { words += ", \(Figures.grouped(days.tied)) tied" }
        if hasTrend, let first = earlier.percent, let second = later.percent {
            words += "; \(first) won in the first half, \(second) in the second"
        }
        return words
    }

    /// `ahead of Habitly in 6 of 13 lists; 47% of the days won since 21 Oct`: what the app's comparison says of each
    /// competitor.
    var summary: StyledText {
        let count = now.won + now.lost + now.tied
        var cells = [Cell("ahead of "), Self.name(other)]
        cells.append(Cell(" in \(Figures.grouped(now.won)) of \(Figures.counted(count, "list"))"))
        if let share = days.percent { cells.append(Cell("; \(share) of the days won since \(sinceWords)")) }
        return StyledText(cells)
    }

    /// What is said of a competitor where there are several.
    static let summaryShape = ObjectShape<HeadToHead>(fields: [
        .value("bundleId", "The competitor.") { $0.other.bundleID },
        .object("now", "In how many lists each was ahead by the newest check of both.", Tally.shape) { $0.now },
        .object("days", "The days over all lists.", Tally.shape) { $0.days },
    ])

    /// Names may be of any length.
    private static func name(_ app: ReportedApp) -> Cell { .title(app, .strong).fitted(to: 40) }

    private var sinceWords: String { DayNames.short(firstDay, today: until.reportDay) }
}

extension HeadToHead.Tally {
    /// Of the days on which one was ahead, those that the first won: `41%`; `nil` if there are none.
    fileprivate var percent: String? { share.map { "\(Int(($0 * 100).rounded()))%" } }

    static let shape = ObjectShape<HeadToHead.Tally>(
        "tally", "How often each of two apps was ahead.",
        [
            .value("won", "Where the app was ahead.", .count) { $0.won },
            .value("lost", "Where the other was.", .count) { $0.lost },
            .value("tied", "Where neither was in the list.", .count) { $0.tied },
        ])
}

extension HeadToHead.Lead: FieldWord {}

extension HeadToHead.Row {
    fileprivate static let shape = ObjectShape<HeadToHead.Row>(
        fields: Query.fields { $0.query },
        [
            .value("checkedAt", "When the newest good check began that tells of both; null where none does.") {
                $0.newest?.at
            },
            .value("within", "How many places its list had.", .optional(.count)) { $0.newest?.within },
            .value("position", "The app's place in it; null for not in the list.") { $0.newest?.position },
            .value("otherPosition", "The other's.") { $0.newest?.other },
            .value("ahead", "Which of the two stands better in it; null where no check tells of both.") {
                $0.newest?.lead
            },
            .value(
                "places", "How many places lie between the two; null unless both are in the list.", .optional(.count)
            ) { $0.newest?.places },
            .value("since", "The first day from which on that one has been ahead; null where neither is.") {
                $0.leadsSince.map { DateValue($0.at.reportDay) }
            },
            .value("always", "Whether that is the first day that was looked at, so that it may have begun before.") {
                $0.hasAlwaysLed
            },
            .object(
                "days", "By the last good check of each day that tells of both.", HeadToHead.Tally.shape
            ) { $0.tally },
        ])
}

extension Cell {
    /// `41% → 52%`.
    fileprivate static func trend(_ earlier: HeadToHead.Tally, _ later: HeadToHead.Tally) -> Cell {
        guard earlier.percent != nil || later.percent != nil else { return .empty }
        return Cell("\(earlier.percent ?? "–") → \(later.percent ?? "–")")
    }
}
