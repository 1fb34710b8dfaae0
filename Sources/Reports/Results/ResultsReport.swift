import History
import Judging
package import RankKit

/// `rankctl report results`: the list at a moment, and what changed since another.
package struct ResultsReport: ReportValue {
    var results: Results
    /// What the list is of.
    package var query: Query { results.query }
    /// The moment asked for, where it is past: `nil` for now.
    package var moment: Timestamp? { results.moment }

    init(_ results: Results) { self.results = results }

    package var generatedAt: Timestamp { results.generatedAt }

    package static let shape = ReportShape<ResultsReport>(
        "results", command: ResultsRequest.about.command, Query.fields { $0.results.query },
        [
            .value("checkedAt", "When the good check began that the list is of.") { $0.results.checkedAt },
            .value("within", "How many places the list had.", .count) { $0.results.within },
            .optional(
                "comparedWith", "The earlier list; null where none is compared with.", Results.Earlier.shape
            ) { $0.results.earlier },
            .list(
                "results",
                "The places in order. If lists are compared, the apps follow that only the earlier list names, in the order "
                    + "of their earlier places: they left, or may be in a place that could not be read.", onLines: true,
                Results.Row.shape
            ) { $0.results.rows },
        ],
        csv: .each(
            "results", "one place, or one app that only the earlier list names", Query.columns,
            ["checkedAt", "position", "readable", "bundleId", "alias", "appId", "appName", "developer", "mark"],
            [.column("comparedWith", "comparedWith.checkedAt"), "was", "change"]
        ).short(
            "query", "country", "platform", "checkedAt", "position", "bundleId", "appName", "developer", "mark", "was",
            "change"))
}

extension Results.Earlier {
    fileprivate static let shape = ObjectShape<Results.Earlier>(
        fields: [
            .value("checkedAt", "When its check began.") { $0.checkedAt },
            .value("within", "How many places it had.", .count) { $0.within },
        ])
}

extension Results.Row {
    /// The app's fields are null, all of them, where the entry could not be read.
    fileprivate static let shape = ObjectShape<Results.Row>(
        fields: [
            .value(
                "position",
                "null for an app that only the earlier list names: it left, or, if change is null, it may be in a place "
                    + "that could not be read."
            ) { $0.position },
            .value(
                "readable",
                "Whether the entry in this place could be read; where it could not, nothing is known of the app there."
            ) { $0.app != nil },
            .value("bundleId", "The bundle identifier; null where the entry could not be read.") { $0.app?.bundleID },
            .value("alias", "The watchlist's name for the app.") { $0.app?.alias },
            .value("appId", "Apple's number.") { $0.app?.appID },
            .value("appName", "As the storefront calls it.") { $0.app?.name },
            .value("developer", "Who makes it.") { $0.app?.developer },
            .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.app?.mark },
            .value("was", "The app's place in the earlier list.") { $0.was },
            .value(
                "change",
                "Since the earlier list. null if there is none, and for what cannot be compared: an entry that could not "
                    + "be read, an app's second place, and an app that one of the two lists does not name, but may hold "
                    + "in a place that could not be read."
            ) { $0.change },
        ])
}

extension ResultsReport {
    package var document: Document {
        var document = Document(title: "Results for “\(results.query.text)”", generatedAt: generatedAt)
        document.paragraph(title)
        document.paragraph(summary)
        if let unread = results.unread {
            let why =
                unread.outcome.gap.map { "\($0.isSuspect ? "is suspect" : "failed"): \($0.words(unread.detail))" } ?? ""
            document.paragraph(
                "the check of \(CivilTime.minute(unread.at)) \(why); this is the last good list before it", .caution)
        }
        if results.rows.isEmpty {
            document.paragraph(
                results.within == 0 ? "The App Store found nothing." : "None of these apps is in the list.")
        } else {
            document.table(table())
        }
        let unsure = results.rows.contains(where: \.isUnsure) ? [Self.unsureNote] : []
        document.notes(
            markNotes(results.rows.map { $0.app?.mark }) + unsure + ["times in \(ReportZone.days.name); \(provenance)"])
        return document
    }

    private var title: StyledText {
        StyledText([
            .query(results.query, .strong),
            Cell(
                " \(results.query.whereAsked) · \(Figures.counted(results.within, "result")) · "
                    + CivilTime.minute(results.checkedAt)),
        ])
    }

    /// What happened since the earlier list. All apps count, so nothing of it is good or bad news.
    private var summary: StyledText? {
        guard let earlier = results.earlier else { return nil }
        var (up, down, same, entered, left) = (0, 0, 0, 0, 0)
        for row in results.rows {
            switch row.change {
            case .places(let places) where places > 0: up += 1
            case .places(let places) where places < 0: down += 1
            case .places: same += 1
            case .entered: entered += 1
            case .left: left += 1
            case nil: break
            }
        }
        let unsure = results.rows.count(where: \.isUnsure)
        let parts = [
            (entered, "entered"), (left, "left"), (up, "rose"), (down, "fell"), (same, "unchanged"),
            (unsure, "unknown"),
        ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        return StyledText(
            "since \(CivilTime.minute(earlier.checkedAt)) (\(Figures.counted(earlier.within, "result"))): "
                + (parts.isEmpty ? "nothing to compare" : parts.joined(separator: ", ")))
    }

    private static let unsureNote =
        "? unknown: one of the two lists has entries that could not be read, and the app may be one of them"

    private func table() -> Table {
        var table = Table(columns: [
            .init(""), .init("now", .right), .init("was", .right), .init("change", .right),
            .init("app", minimum: 28, priority: 6, namesRow: true), .init("developer", minimum: 10, priority: 1),
            .init("bundle id", priority: 2, isForWidePages: true),
        ])
        var hasLeft = false
        for row in results.rows {
            if row.position == nil, !hasLeft {
                let title = results.isWhole ? "left" : "left, or in a place that could not be read"
                table.rows += [.blank, .heading(StyledText(title, .faint))]
                hasLeft = true
            }
            let place = row.position?.description ?? (row.isUnsure ? "?" : ">\(results.within)")
            guard let app = row.app else {
                table.rows.append(
                    .cells([.empty, Cell(place), .empty, .empty, Cell("(unreadable entry)", .faint), .empty, .empty]))
                continue
            }
            table.rows.append(
                .cells([
                    .of(app.mark), Cell(place, app.mark == nil ? .plain : .strong),
                    Cell(row.was?.description ?? "", .faint),
                    row.isUnsure ? Cell("?", .faint) : .move(row.change, of: app.mark),
                    .title(app, app.mark == nil ? .plain : .strong), Cell(app.developer ?? ""),
                    Cell(app.bundleID.text, .faint),
                ]))
        }
        return table
    }
}
