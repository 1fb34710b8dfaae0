package import Judging
package import RankKit

/// `rankctl search`: what the store answers now.
package struct SearchReport: ReportValue {
    var query: Query
    /// When the request began.
    package var generatedAt: Timestamp
    var results: ResultList
    /// The apps of the watchlist; others have no mark.
    var marks: AppMarks

    package init(query: Query, generatedAt: Timestamp, results: ResultList, marks: AppMarks = [:]) {
        self.query = query
        self.generatedAt = generatedAt
        self.results = results
        self.marks = marks
    }

    /// One place of the list; `app` is `nil` if the entry could not be read, or if its number is all that is known.
    struct Entry: Sendable {
        var position: Int
        var app: SeenApp?
        /// Apple's number, as far as it is known.
        var id: AppID?
        var details: AppDetails?
        var mark: AppMark?
    }

    func entries() -> [Entry] {
        results.places.enumerated().map { index, app in
            Entry(
                position: index + 1, app: app, id: app?.id ?? results.unnamed[index],
                details: app?.details() ?? results.told[index], mark: app.flatMap { marks[$0] })
        }
    }

    package static let shape = ReportShape<SearchReport>(
        "search", command: "rankctl search",
        Query.fields { $0.query },
        [
            .list("results", "The places of the list, the first one first.", onLines: true, Entry.shape) {
                $0.entries()
            },
            .list(
                "advertisements",
                "The apps that are shown because somebody pays for it: no places. Only with source web.",
                ShownBeside.Advertisement.shape
            ) { $0.results.beside.advertisements },
            .value(
                "otherItems", "What else is shown and is no app, such as stories and bundles. Only with source web.",
                .count
            ) {
                $0.results.beside.others
            },
            .value("unknownKinds", "Kinds of these that rankd does not know.") { $0.results.beside.unknownKinds },
        ],
        csv: .each(
            "results", "one place",
            [
                "position", "readable", "bundleId", "appId", "appName", "developer", "rating", "ratingCount", "mark",
            ]))
}

extension SearchReport.Entry {
    fileprivate static let shape = ObjectShape<SearchReport.Entry>(fields: [
        .value("position", "1 is the first place.", .integer(minimum: 1)) { $0.position },
        .value("readable", "Whether the entry could be read.") { $0.app != nil },
        .value("bundleId", "The bundle identifier.") { $0.app?.bundleID },
        .value("appId", "Apple's number.") { $0.id },
        .value("appName", "As the storefront calls it.") { $0.details?.name },
        .value("subtitle", "The line below the name; null if the source does not tell it.") { $0.details?.subtitle },
        .value("developer", "Who makes it.") { $0.details?.developer },
        .value("rating", "The average of its ratings.", .optional(.number(minimum: 0))) { $0.details?.rating },
        .value("ratingCount", "How many ratings it has.", .optional(.count)) { $0.details?.ratingCount },
        .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.mark },
    ])
}

extension ShownBeside.Advertisement {
    fileprivate static let shape = ObjectShape<ShownBeside.Advertisement>(fields: [
        .value("appName", "As the storefront calls it.") { $0.name },
        .value("bundleId", "The bundle identifier.") { $0.bundleID },
        .value("appId", "Apple's number.") { $0.id },
        .value("placesAbove", "How many places of the list are shown above it.", .count) { $0.placesAbove },
    ])
}

extension SearchReport {
    /// What is shown beside the places, in sentences.
    var notesOnBeside: [String] {
        func ads(_ ads: [ShownBeside.Advertisement], _ place: String) -> [String] {
            guard !ads.isEmpty else { return [] }
            let names = ads.map { ad in
                SafeText.escaped(ad.name ?? ad.bundleID?.text ?? ad.id.map { "id\($0)" } ?? "an app without a name")
            }
            return ["\(Figures.counted(ads.count, "ad")) \(place): \(names.joined(separator: ", "))"]
        }
        let beside = results.beside
        let kinds = beside.unknownKinds.map(SafeText.escaped).joined(separator: ", ")
        return ads(beside.advertisements.filter { $0.placesAbove == 0 }, "above the first place")
            + ads(beside.advertisements.filter { $0.placesAbove > 0 }, "further down")
            + (kinds.isEmpty ? [] : ["rankd does not know these items of the page, and gives them no place: \(kinds)"])
    }

    /// Where the positions come from.
    var sourceNote: String {
        query.source == .web
            ? query.source.provenance + "; they differ from the search API's, and phones can differ"
            : query.source.provenance
    }

    package var document: Document {
        var document = Document(title: "“\(query.text)” \(query.whereAsked)", generatedAt: generatedAt)
        guard results.count > 0 else {
            document.paragraph("The App Store finds nothing.")
            document.notes(notesOnBeside)
            return document
        }
        document.table(
            Table(
                columns: [
                    .init(""), .init("place", .right), .init("app"), .init("developer"), .init("rating", .right),
                    .init("ratings", .right),
                ],
                rows: entries().map { entry in
                    .cells([
                        Self.mark(entry.mark), Cell("#\(entry.position)"),
                        Cell(
                            entry.details?.name ?? entry.app?.bundleID.text ?? Self.nameless(entry),
                            entry.mark == nil ? .plain : .strong),
                        Cell(entry.details?.developer ?? ""), entry.details.map(Self.average) ?? .empty,
                        Cell(entry.details?.ratingCount.map { Figures.grouped($0) } ?? ""),
                    ])
                }))
        document.notes(notesOnBeside + markNotes(entries().map(\.mark)) + [sourceNote])
        return document
    }

    /// Laid out by itself: names and identifiers on two lines where one is too short.
    package func text(_ style: TerminalStyle) -> String {
        let place = "in \(query.country) on \(query.platform.displayName)"
        guard results.count > 0 else {
            let said = ["The App Store finds nothing for “\(query.text)” \(place)."] + notesOnBeside
            return said.flatMap { StyledText($0).wrapped(style) }.map { $0 + "\n" }.joined()
        }
        let entries = entries()
        let language = query.language.map { " · \($0)" } ?? ""
        let header = StyledText([
            Cell(query.text, .strong), Cell(" \(place)\(language) · \(Figures.counted(results.count, "result"))"),
        ])
        var lines = header.wrapped(style) + [""] + self.lines(of: entries, style) + [""]
        lines += notesOnBeside.flatMap { StyledText($0).wrapped(style) }
        let used = Set(entries.compactMap(\.mark))
        if !used.isEmpty {
            let legend = [used.contains(.mine) ? "● mine" : nil, used.contains(.competitor) ? "○ competitor" : nil]
            lines.append(StyledText(legend.compactMap(\.self).joined(separator: "  "), .faint).line(style))
        }
        lines += StyledText(sourceNote, .faint).wrapped(style)
        return lines.map { $0 + "\n" }.joined()
    }

    /// On one line each where all fit beside each other, else with the identifiers on a second line.
    private func lines(of entries: [Entry], _ style: TerminalStyle) -> [String] {
        let digits = String(results.count).count
        let start = 2 + digits + 2
        let widest = entries.map { Self.title($0, columns: .max).width }.max() ?? 0
        let identifiers = entries.map { Self.identifiers($0) }
        let isWide = start + widest + 2 + (identifiers.map(\.width).max() ?? 0) <= style.width
        return zip(entries, identifiers).flatMap { entry, identifier in
            let number = TerminalText.padded(String(entry.position), to: digits, alignment: .right)
            let title = Self.title(entry, columns: isWide ? widest : style.width - start)
            let head = [Self.mark(entry.mark), Cell(" \(number). ", .faint)]
            guard !identifier.text.isEmpty else { return [StyledText(head + title.cells).line(style)] }
            if isWide {
                let spaces = Cell(String(repeating: " ", count: widest - title.width + 2))
                return [StyledText(head + title.cells + [spaces, identifier]).line(style)]
            }
            let indent = Cell(String(repeating: " ", count: start))
            return [StyledText(head + title.cells).line(style), StyledText([indent, identifier]).line(style)]
        }
    }

    private static func mark(_ mark: AppMark?) -> Cell {
        switch mark {
        case .mine: Cell("●", .good)
        case .competitor: Cell("○", .caution)
        case nil: Cell(" ")
        }
    }

    private static func identifiers(_ entry: Entry) -> Cell {
        guard let app = entry.app else { return entry.id.map { Cell("id\($0)", .faint) } ?? .empty }
        return Cell(app.bundleID.text + (app.id.map { " · id\($0)" } ?? ""), .faint)
    }

    /// What stands in place of a name that nobody tells.
    private static func nameless(_ entry: Entry) -> String {
        entry.id == nil ? "(unreadable entry)" : "(name not known)"
    }

    /// Name, developer and rating; where they do not fit the developer gives way first, then the name, never the
    /// rating.
    private static func title(_ entry: Entry, columns: Int) -> StyledText {
        guard let details = entry.details else { return StyledText(nameless(entry), .faint) }
        let dash = Cell(" — ", .faint)
        let rating = [dash, Cell(Self.rating(details))]
        let ratingWidth = rating.reduce(0) { $0 + $1.width }
        let name = Cell(
            details.name ?? entry.app?.bundleID.text ?? nameless(entry), entry.mark == nil ? .plain : .strong)
        let developer = Cell(details.developer ?? "")
        guard !developer.text.isEmpty else {
            return StyledText([name.fitted(to: max(1, columns - ratingWidth))] + rating)
        }
        let room = max(2, columns - ratingWidth - dash.width)
        let developerRoom = max(room - name.width, min(developer.width, room / 3))
        let shownDeveloper = developer.fitted(to: developerRoom)
        let shownName = name.fitted(to: max(1, room - shownDeveloper.width))
        return StyledText([shownName, dash, shownDeveloper] + rating)
    }

    private static func rating(_ details: AppDetails) -> String {
        guard let average = stars(details) else { return "unrated" }
        return details.ratingCount.map { "\(average) (\(Figures.counted(Int($0), "rating")))" } ?? "\(average) rating"
    }

    private static func average(_ details: AppDetails) -> Cell { Cell(stars(details) ?? "unrated") }

    /// Apple leaves the figures out, or sends 0, for an app that nobody rated.
    private static func stars(_ details: AppDetails) -> String? {
        guard let rating = details.rating, rating > 0, details.ratingCount != 0 else { return nil }
        return Figures.decimal(rating, places: 2)
    }
}
