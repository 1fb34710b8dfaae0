import Foundation
import History
import Judging
import RankKit

extension TimelineReport {
    var document: Document {
        var document = Document(title: "Timeline of \(timeline.app.title)", generatedAt: generatedAt)
        document.paragraph(title)
        document.paragraph(firstVerdict)
        guard !timeline.events.isEmpty else {
            document.paragraph(
                timeline.hasChecks
                    ? "the checks show no event in this time" : "there was no check in this time, so nothing is known")
            document.notes(seen)
            return document
        }
        // With competitors it has to be said whose it is.
        let whose = timeline.competitors.isEmpty ? "" : "\(timeline.app.title) "
        if let ownChanges { document.paragraph(StyledText([Cell("\(whose)changed: ", .strong), Cell(ownChanges)])) }
        if !counts.isEmpty { document.paragraph(whose.isEmpty ? counts : "\(timeline.app.title): \(counts)") }
        document.table(table)
        let kinds = Set(timeline.events.map(\.kind))
        document.notes(
            (timeline.competitors.isEmpty ? [] : markNotes(([timeline.app] + timeline.competitors).map(\.mark)))
                + (kinds.isDisjoint(with: [.moved, .entered, .left, .back]) ? [] : movesNotes)
                + (kinds.contains(.back)
                    ? ["back: the app is nearer to where it was before a move than to where that led"] : [])
                + (isByWeek ? ["ratings: week by week; JSON and CSV have them day by day"] : []) + seen
                + ["days in \(ReportZone.days.name); JSON and CSV have the times; \(onPlatform)\(provenance)"])
        return document
    }

    private var title: StyledText {
        let rivals =
            timeline.competitors.isEmpty ? "" : " and \(Figures.counted(timeline.competitors.count, "competitor"))"
        return StyledText([
            .title(timeline.app, .strong),
            Cell("\(rivals) · \(date(timeline.since)) to \(date(timeline.until))", .faint),
        ])
    }

    private var movesNotes: [String] {
        let isOfLaterDay = timeline.events.contains { $0.placesOn != nil }
        return [
            "moves: from one usual place to the next, if it was no spike; each stands on the first day of its new place, a drift on "
                + "the day on which it first showed"
        ] + (isOfLaterDay ? ["by: the newest day that confirmed the move, and that its places are of"] : [])
            + (hasShuffles ? ["\(Chart.Weather.mark): the store shuffled on the day of the move"] : [])
    }

    private var hasShuffles: Bool {
        timeline.events.contains { event in
            guard case .moved(_, let move) = event.what, case .real(let lasting) = move.judgement else { return false }
            return lasting.weather == .stormy
        }
    }

    /// Where no line says which platform it is about.
    private var onPlatform: String {
        let platforms = Set(timeline.events.compactMap(\.query?.platform))
        guard platforms.count == 1, let platform = platforms.first else { return "" }
        return "places on \(platform.displayName); "
    }

    private var seen: [String] {
        guard let first = timeline.firstSeen, first >= timeline.since else { return [] }
        return ["first seen on \(date(first)): nothing is known from before"]
    }

    /// What the checks were of those days that are told for them.
    private var badChecks: String {
        let days = timeline.events.compactMap { if case .checks(let day) = $0.what { day } else { nil } }
        let words = [
            days.contains { $0.failed > 0 } ? "failed" : nil, days.contains { $0.suspect > 0 } ? "suspect" : nil,
        ].compactMap(\.self)
        return words.joined(separator: " or ") + " checks"
    }

    /// How many of each kind, of what happened to the app itself and to the store; what it changed itself stands above.
    private var counts: String {
        let names: [(Timeline.Event.Kind, String, String)] = [
            (.note, "note", "notes"), (.moved, "move", "moves"), (.entered, "entry", "entries"),
            (.left, "exit", "exits"), (.back, "return", "returns"),
            (.shuffled, "day of a shuffled store", "days of a shuffled store"),
            (.badDay, "bad day of Apple's", "bad days of Apple's"),
            (.failures, "day on which most checks failed", "days on which most checks failed"),
            (.checks, "day with \(badChecks)", "days with \(badChecks)"),
        ]
        let told = names.compactMap { kind, one, many in
            let count = timeline.events.count { event in
                event.kind == kind && (event.app == nil || event.app == timeline.app && !event.what.isOwn)
            }
            return count > 0 ? Figures.counted(count, one, many) : nil
        }
        let gained = timeline.events.reduce(Int64(0)) { sum, event in
            if case .ratings(let gain) = event.what, event.app == timeline.app { sum + gain.gained } else { sum }
        }
        let all = told + (gained != 0 ? ["\(Timeline.signed(gained)) ratings"] : [])
        return all.joined(separator: ", ")
    }

    // MARK: The table

    private var table: Table {
        let hasSeveralApps = !timeline.competitors.isEmpty
        var table = Table(
            columns: [
                .init("when"), .init(""), .init("app", minimum: 8, comfort: 14), .init("what"),
                .init("in", priority: 1), .init("details", minimum: 30, below: .overflow),
            ], indent: 2)
        table.rows = lines.map { line in
            let app = line.event.app
            return .cells([
                Cell(when(line.event), .faint), hasSeveralApps ? .of(app?.mark) : .empty,
                hasSeveralApps ? app.map { Cell.app($0) } ?? .empty : .empty,
                Cell(line.event.kind.words, ink(line.event)),
                Cell(Self.places(line.countries), .faint), Cell(line.text),
            ])
        }
        return table
    }

    static func places(_ countries: [Country]) -> String {
        guard countries.count > 3 else { return countries.map(\.code).joined(separator: ", ") }
        return countries.prefix(2).map(\.code).joined(separator: ", ") + " +\(countries.count - 2)"
    }

    // MARK: Times and inks

    private func when(_ event: Timeline.Event) -> String {
        DayNames.short(event.day, today: generatedAt.reportDay)
    }

    private func date(_ moment: Timestamp) -> String { CivilTime.reportDate(moment) }

    /// Only what my apps do is good or bad news.
    private func ink(_ event: Timeline.Event) -> Ink {
        switch event.what {
        case .moved(_, let move): return event.app?.mark == .mine ? (move.way.isUp ? .good : .bad) : .plain
        case .back(_, let move, _): return event.app?.mark == .mine ? (move.way.isUp ? .bad : .good) : .plain
        case .store, .checks: return .caution
        case .release, .note, .renamed, .bundleID, .price, .icon, .screenshots: return .strong
        case .ratings: return .plain
        }
    }
}

extension Timeline.Event.Kind {
    fileprivate var words: String { self == .badDay ? "bad day" : rawValue }
}
