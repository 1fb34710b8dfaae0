package import History
package import Judging
package import RankKit

/// `rankctl report opportunities`: queries to push, to defend and to drop.
package struct OpportunitiesReport: ReportView {
    package var opportunities: Opportunities

    package init(_ opportunities: Opportunities) { self.opportunities = opportunities }

    package var generatedAt: Timestamp { opportunities.generatedAt }
    package var damaged: [DamagedLists] { opportunities.damaged }

    // MARK: For people

    private static let titles: [(Opportunities.Kind, String, String)] = [
        (.push, "to push", "within reach of the top ten"), (.defend, "to defend", "in the first three, under pressure"),
        (.drop, "to drop", "they bring nothing"),
    ]

    package var document: Document {
        var document = Document(title: "Opportunities", generatedAt: generatedAt)
        guard opportunities.pairs > 0 else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        guard opportunities.mine > 0 else {
            document.paragraph("mine: " + NoSuchPair.noneOfMine)
            return document
        }
        guard !opportunities.rows.isEmpty else {
            document.paragraph(
                "nothing to push, to defend or to drop: no pair of mine meets one of the rules below, or there is too "
                    + "little history yet")
            document.damaged(damaged)
            document.notes([Self.rules(of: Opportunities.Kind.allCases), provenance])
            return document
        }
        for (kind, title, why) in Self.titles {
            let rows = opportunities.rows.filter { $0.kind == kind }
            guard !rows.isEmpty else { continue }
            document.heading("\(Figures.grouped(rows.count)) \(title): \(why)")
            document.table(table(of: rows))
        }
        document.damaged(damaged)
        document.legend()
        document.notes([Self.rules(of: opportunities.rows.map(\.kind)), provenance])
        return document
    }

    /// What makes a pair one of these.
    private static func rules(of kinds: [Opportunities.Kind]) -> String {
        Opportunities.Kind.allCases.filter(kinds.contains).map { kind in
            switch kind {
            case .push:
                "push: 11–30 and rising, or a top ten with no more ratings than the app or with the words in at most "
                    + "\(Opportunities.fewNames) names"
            case .defend:
                "defend: 1–3 and slipping, slowly sliding from there, or a climbing competitor at most \(Opportunities.closeBelow) places below"
            case .drop: "drop: in no good check of \(Opportunities.dropDays) days"
            }
        }.joined(separator: "; ")
    }

    private static let usually =
        "the median place of the last 7 days, of \(Opportunities.leastReadings) of them at least"

    private func table(of rows: [Opportunities.Row]) -> Table {
        let hasSeveralApps = Set(opportunities.rows.map(\.app.bundleID)).count > 1
        let hasSeveralPlatforms = Set(opportunities.rows.map(\.query.platform)).count > 1
        return Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 5), .init("app", minimum: 8, comfort: 14),
                .init("now", .right), .init("usually", .right, priority: 7, meaning: Self.usually),
                .init("before", .right, priority: 6, meaning: "the same three weeks earlier"),
                .init("popularity", .right, priority: 0, meaning: "the query's, as the watchlist has it"),
            ] + QueryDifficulty.columns + [.init("why", minimum: 60, priority: 8, below: .plain)],
            rows: rows.map { row in
                let place = [
                    Cell(row.query.text), Cell(row.query.country.code), Cell(row.query.platform.displayName),
                    hasSeveralApps ? .app(row.app) : .empty,
                    row.reading.position.map { Cell($0.description, .strong) } ?? Cell(">\(row.reading.within)"),
                    Self.usual(row.recent), Self.usual(row.earlier),
                    row.popularity.map { Cell(Figures.decimal($0, places: 0)) } ?? .empty,
                ]
                return .cells(
                    place
                        + (row.kind == .drop
                            ? [.empty, .empty, .empty] : QueryDifficulty.cells(row.difficulty, own: row.ratingCount))
                        + [Cell(Self.why(row), row.kind == .defend ? .bad : row.kind == .push ? .good : .plain)])
            }, indent: 2)
    }

    private static func usual(_ place: Double?) -> Cell {
        place.map { Cell("#" + Self.figure($0)) } ?? .empty
    }

    /// `12` or `12.5`.
    private static func figure(_ place: Double) -> String {
        Figures.decimal(place, places: place == place.rounded() ? 0 : 1)
    }

    /// The reasons in words, each with its figures.
    package static func why(_ row: Opportunities.Row) -> String {
        row.reasons.map { reason in
            switch reason {
            case .rising: trend(row, "rising")
            case .slipping: trend(row, "slipping")
            case .sliding(let slide):
                "slid \(Figures.counted(slide.places, "place")) over \(NoiseModel.slideDays) days, usually \(slide.from) "
                    + "before"
            case .fewRatings: "the top 10 has no more ratings than the app"
            case .fewNames: names(row.difficulty)
            case .rival(let rival):
                "\(rival.app.title) climbed to \(rival.position) from #\(figure(rival.usual)) three weeks ago"
            case .neverRanked:
                "absent on all of \(Figures.counted(row.goodDays, "day")) with a good check in "
                    + "\(Opportunities.dropDays)"
            }
        }.joined(separator: "; ")
    }

    private static func names(_ difficulty: QueryDifficulty?) -> String {
        let (with, named) = (difficulty?.withWords ?? 0, difficulty?.named ?? 0)
        return switch with {
        case 0: "none of the top \(named) has the words in its name"
        case 1: "only 1 of the top \(named) has the words in its name"
        default: "only \(with) of the top \(named) have the words in their names"
        }
    }

    private static func trend(_ row: Opportunities.Row, _ word: String) -> String {
        guard let earlier = row.earlier, let recent = row.recent, earlier != recent else { return word }
        return "\(word): usually #\(figure(recent)), three weeks ago #\(figure(earlier))"
    }

    // MARK: Data

    package func write(to writer: inout JSONWriter) {
        writer.member("until", opportunities.until)
        writer.damagedLists(damaged)
        writer.key("opportunities")
        writer.array(opportunities.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.member("kind", row.kind.rawValue)
                writer.members(of: row.query)
                writer.members(of: row.app)
                writer.key("tags")
                writer.array(row.tags) { $0.string($1) }
                writer.member("popularity", row.popularity)
                writer.reading("reading", row.reading)
                writer.key("reasons")
                writer.array(row.reasons) { $0.string($1.code) }
                writer.member("why", Self.why(row))
                writer.member("usual", row.recent)
                writer.member("usualBefore", row.earlier)
                writer.member("goodDays", row.goodDays)
                writer.difficulty(row.difficulty, own: row.ratingCount)
                writer.slide(row.slide)
                writer.key("rivals")
                writer.array(row.rivals) { writer, rival in
                    writer.object { writer in
                        writer.member("bundleId", rival.app.bundleID.text)
                        writer.member("position", rival.position.number)
                        writer.member("usualBefore", rival.usual)
                    }
                }
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(
            header: [
                "kind", "query", "country", "platform", "source", "language", "bundleId", "alias", "appId", "appName",
                "tags", "popularity", "position", "within", "checkedAt", "reasons", "why", "usual", "usualBefore",
                "goodDays",
            ] + CSVWriter.difficultyHeader)
        for row in opportunities.rows {
            let app: [CSVWriter.Field] = [
                .text(row.app.bundleID.text), .optional(row.app.alias),
                row.app.appID.map { .integer($0.number) } ?? .empty, .optional(row.app.name),
                .text(row.tags.joined(separator: ";")), row.popularity.map(CSVWriter.Field.number) ?? .empty,
            ]
            let facts: [CSVWriter.Field] = [
                .optional(row.reading.position?.number), .optional(row.reading.within),
                .optional(row.reading.checkedAt), .text(row.reasons.map(\.code).joined(separator: ";")),
                .text(Self.why(row)), row.recent.map(CSVWriter.Field.number) ?? .empty,
                row.earlier.map(CSVWriter.Field.number) ?? .empty, .optional(row.goodDays),
            ]
            writer.record(
                [.text(row.kind.rawValue)] + CSVWriter.fields(of: row.query) + app + facts
                    + CSVWriter.fields(of: row.difficulty, own: row.ratingCount))
        }
        return writer
    }
}

extension Opportunities.Row {
    fileprivate var slide: LastingMove? {
        reasons.lazy.compactMap { if case .sliding(let slide) = $0 { slide } else { nil } }.first
    }

    fileprivate var rivals: [Opportunities.Rival] {
        reasons.compactMap { if case .rival(let rival) = $0 { rival } else { nil } }
    }
}
