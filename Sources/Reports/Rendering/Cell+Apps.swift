import History
import Judging
import RankKit

extension Cell {
    /// What was gained or lost; only what my apps do is good or bad news.
    static func move(_ change: Standings.Change?, of mark: AppMark?) -> Cell {
        func ink(_ news: Ink) -> Ink { mark == .mine ? news : .plain }
        return switch change {
        case .places(let places) where places > 0: Cell("▲\(places)", ink(.good))
        case .places(let places) where places < 0: Cell("▼\(places.magnitude)", ink(.bad))
        case .places: Cell("=", .faint)
        case .entered: Cell("▲ new", ink(.good))
        case .left: Cell("▼ out", ink(.bad))
        case nil: .empty
        }
    }

    /// What an app is called: by its alias where its name has no room.
    static func app(_ app: ReportedApp, _ ink: Ink = .plain) -> Cell {
        Cell(app.title, ink, brief: app.alias).about(app)
    }

    /// An app by its whole name, wherever it stands.
    static func title(_ app: ReportedApp, _ ink: Ink = .plain) -> Cell {
        Cell(app.title, ink).about(app)
    }

    /// An app that came without a number of Apple's only has no page, unless it was tracked.
    private func about(_ app: ReportedApp) -> Cell { app.isNameOnly ? self : about(.app(app.bundleID)) }

    /// The text of a query.
    static func query(_ query: Query, _ ink: Ink = .plain) -> Cell { Cell(query.text, ink).about(.query(query)) }

    /// The country that a query is asked in, with its language where it has one: two queries that differ in language alone
    /// must not look the same.
    static func storefront(of query: Query) -> Cell { Cell(query.storefront) }

    /// Whose an app is.
    static func of(_ mark: AppMark?) -> Cell {
        switch mark {
        case .mine: Cell("●", .good)
        case .competitor: Cell("○", .caution)
        case nil: .empty
        }
    }
}

/// What the marks of `Cell.of` mean, for the small print: of those that occur.
func markNotes(_ marks: some Sequence<AppMark?>) -> [String] {
    let used = Set(marks.compactMap(\.self))
    let meanings = [
        used.contains(.mine) ? "● mine" : nil, used.contains(.competitor) ? "○ competitor" : nil,
    ].compactMap(\.self)
    return meanings.isEmpty ? [] : [meanings.joined(separator: " · ")]
}

extension ReportedApp {
    /// `Habitly (competitor)`: in a sentence, where no mark stands before the name.
    ///
    /// - Parameter longest: the columns that the name may take.
    func markedTitle(longest: Int = .max) -> String {
        let title = TerminalText.fitted(Cell(title).text, to: longest)
        return switch mark {
        case .mine: title + " (mine)"
        case .competitor: title + " (competitor)"
        case nil: title
        }
    }
}

extension Query {
    /// `in us on iPhone`, `in us on iPhone · es_mx`.
    var whereAsked: String { "in \(country) on \(platform.displayName)\(languageBehind)" }

    /// `us`, `us · es_mx`.
    package var storefront: String { country.code + languageBehind }

    /// `us · iPhone`, `us · iPhone · es_mx`.
    package var place: String { "\(country) · \(platform.displayName)\(languageBehind)" }

    /// `us, iPhone`, `us, iPhone, es_mx`: for brackets.
    package var side: String {
        [country.code, platform.displayName, language].compactMap(\.self).joined(separator: ", ")
    }

    private var languageBehind: String { language.map { " · \($0)" } ?? "" }
}

extension CivilTime {
    /// `2026-11-20`, in the report's zone.
    static func reportDate(_ moment: Timestamp) -> String { date(ReportZone.days.local(moment)) }

    /// `2026-11-20 10:00 UTC`: a time that says by itself in which zone it is.
    static func minuteInZone(_ moment: Timestamp) -> String { ReportZone.days.minute(moment) }

    /// `2026-11-20 10:00`, in the report's zone.
    static func minute(_ moment: Timestamp) -> String {
        let text = iso8601(ReportZone.days.local(moment))
        return text.utf8.count == 20 ? String(text.prefix(16)).replacing("T", with: " ") : text
    }
}

extension Gap {
    /// Why, with what was seen, such as a status.
    func words(_ detail: String?) -> String {
        guard let detail, !detail.isEmpty else { return explanation }
        return "\(explanation) (\(detail))"
    }

    /// What a field of it holds.
    static let detailMeaning =
        "What was seen of a check that failed, such as its status; may hold the store's own words. null where nothing was "
        + "noted."
}

extension DamagedLists {
    /// - Parameter naming: whether to name the query, if the report is about more than one.
    func words(naming: Bool) -> String {
        let name = naming ? "“\(query.text)” \(query.whereAsked): " : ""
        return name
            + (from == through
                ? "the list of \(CivilTime.minute(from)) is damaged and left out: \(Self.verify)"
                : "lists from \(CivilTime.minute(from)) to \(CivilTime.minute(through)) are damaged and left out: "
                    + Self.verify)
    }

    fileprivate static var verify: String { ReportAudience.command("rankctl verify") }
}

extension [DamagedLists] {
    /// Those that are told one by one.
    private static var most: Int { 5 }

    /// A line each, for people.
    ///
    /// - Parameter naming: whether to name the queries.
    package func words(naming: Bool = true) -> [String] {
        prefix(Self.most).map { $0.words(naming: naming) }
            + (count > Self.most
                ? ["and \(count - Self.most) more such stretches of lists: \(DamagedLists.verify)"] : [])
    }
}

extension Document {
    mutating func damaged(_ lists: [DamagedLists], naming: Bool = true) {
        list(lists.words(naming: naming).map { StyledText($0, .caution) })
    }
}
