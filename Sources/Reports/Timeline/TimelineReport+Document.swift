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
        if !counts.isEmpty { document.paragraph(counts) }
        document.table(table)
        let kinds = Set(timeline.events.map(\.kind))
        document.notes(
            (timeline.competitors.isEmpty ? [] : markNotes(([timeline.app] + timeline.competitors).map(\.mark)))
                + (kinds.isDisjoint(with: [.moved, .entered, .left, .back]) ? [] : movesNotes)
                + (kinds.contains(.back) ? ["back: the app is where it was before a move"] : [])
                + (isByWeek ? ["ratings: week by week; JSON and CSV have the days"] : []) + seen
                + ["times in \(ReportZone.days.name); \(provenance)"])
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
            "moves: those that lasted longer than a spike, on the first day of the new place, judged by what was known then"
        ] + (isOfLaterDay ? ["by: the newest day that confirmed the move; its places are of that day"] : [])
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

    /// How many of each kind, of what happened to the app itself and to the store.
    private var counts: String {
        let names: [(Timeline.Event.Kind, String, String)] = [
            (.version, "version", "versions"), (.note, "note", "notes"), (.name, "new name", "new names"),
            (.price, "new price", "new prices"), (.icon, "new icon", "new icons"),
            (.screenshots, "change of screenshots", "changes of screenshots"), (.moved, "move", "moves"),
            (.entered, "entry", "entries"), (.left, "exit", "exits"), (.back, "return", "returns"),
            (.shuffled, "day of a shuffled store", "days of a shuffled store"),
            (.badDay, "bad day of Apple's", "bad days of Apple's"),
            (.failures, "day on which most checks failed", "days on which most checks failed"),
            (.checks, "day with \(badChecks)", "days with \(badChecks)"),
        ]
        let told = names.compactMap { kind, one, many in
            let count = timeline.events.count { $0.kind == kind && ($0.app == nil || $0.app == timeline.app) }
            return count > 0 ? Figures.counted(count, one, many) : nil
        }
        let gained = timeline.events.reduce(Int64(0)) { sum, event in
            if case .ratings(let gain) = event.what, event.app == timeline.app { sum + gain.gained } else { sum }
        }
        let all = told + (gained != 0 ? ["\(Timeline.signed(gained)) ratings"] : [])
        let whose = timeline.competitors.isEmpty || all.isEmpty ? "" : "\(timeline.app.title): "
        return whose + all.joined(separator: ", ")
    }

    // MARK: The table

    private var table: Table {
        let hasSeveralApps = !timeline.competitors.isEmpty
        var table = Table(
            columns: [
                .init("when"), .init(""), .init("app", minimum: 8, comfort: 14), .init("what"),
                .init("in", priority: 1), .init("details", minimum: 36, below: .plain),
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

    /// What is told in one line.
    private struct Line {
        var event: Timeline.Event
        var countries: [Country]
        var text: String
    }

    /// Longer than this, ratings are told week by week.
    private static let mostDays: Int64 = 14

    private var isByWeek: Bool {
        timeline.until.reportDay - timeline.since.reportDay > Self.mostDays
            && timeline.events.contains { $0.kind == .ratings }
    }

    /// One a happening; the ratings of an app in all countries together.
    private var lines: [Line] {
        var lines: [Line] = []
        var ratings: [RatingKey: Int] = [:]
        var gains: [RatingKey: [(country: Country, gain: Timeline.RatingGain)]] = [:]
        for event in timeline.events {
            guard case .ratings(let gain) = event.what, let country = event.countries.first else {
                lines.append(Line(event: event, countries: event.countries, text: event.text))
                continue
            }
            // Weeks begin on Monday; 1970-01-01 was a Thursday.
            let key = RatingKey(
                bundleID: event.app?.bundleID, span: isByWeek ? (event.at.day + 3) / 7 : event.at.day,
                days: isByWeek ? 0 : gain.days)
            gains[key, default: []].append((country, gain))
            guard ratings[key] == nil else { continue }
            ratings[key] = lines.count
            lines.append(Line(event: event, countries: [], text: ""))
        }
        for (key, index) in ratings {
            let gains = gains[key] ?? []
            lines[index].countries = Set(gains.map { $0.country }).sorted()
            lines[index].text = Self.text(of: gains, days: key.days)
        }
        return lines
    }

    private struct RatingKey: Hashable {
        let bundleID: BundleID?
        let span: Int64
        /// 0 for a week.
        let days: Int64
    }

    /// `+12: us +7, gb +5`.
    private static func text(of gains: [(country: Country, gain: Timeline.RatingGain)], days: Int64) -> String {
        let byCountry = Dictionary(grouping: gains) { $0.country }.mapValues { $0.reduce(0) { $0 + $1.gain.gained } }
        let total = byCountry.values.reduce(0, +)
        let time = days == 0 ? " in this week" : days > 1 ? " in \(days) days" : ""
        // Of one country the newest reading comes first.
        if byCountry.count == 1, let newest = gains.first?.gain {
            return "\(Timeline.signed(total))\(time), now \(Figures.grouped(newest.ratings))"
                + (newest.average.map { ", \(Figures.decimal($0, places: 2)) on average" } ?? "")
        }
        let most = byCountry.sorted { ($1.value.magnitude, $0.key) < ($0.value.magnitude, $1.key) }
        return "\(Timeline.signed(total))\(time): "
            + most.prefix(mostPlaces).map { "\($0.key) \(Timeline.signed($0.value))" }.joined(separator: ", ")
            + (most.count > mostPlaces ? " …" : "")
    }

    /// Countries that are named one by one.
    private static let mostPlaces = 6

    private static func places(_ countries: [Country]) -> String {
        guard countries.count > 3 else { return countries.map(\.code).joined(separator: ", ") }
        return countries.prefix(2).map(\.code).joined(separator: ", ") + " +\(countries.count - 2)"
    }

    // MARK: Times and inks

    private func when(_ event: Timeline.Event) -> String {
        switch event.precision {
        case .moment: CivilTime.minute(event.at)
        case .noted: CivilTime.reportDate(event.at)
        case .day: CivilTime.date(event.at)
        }
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
