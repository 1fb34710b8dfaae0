import History
import Judging
import RankKit

/// `rankctl report compare`: queries down, my app and its competitors across.
struct ComparisonReport: ReportValue {
    var comparison: Comparison

    init(_ comparison: Comparison) { self.comparison = comparison }

    var generatedAt: Timestamp { comparison.generatedAt }
    var damaged: [DamagedLists] { comparison.damaged }

    static let shape = ReportShape<ComparisonReport>(
        "compare", command: CompareRequest.about.command,
        [
            .value("until", "The moment that the lists are of: now, or --until.") { $0.comparison.until },
            .list("apps", "The app, then its competitors.", onLines: true, ReportedApp.shape) { $0.comparison.apps },
            .list(
                "headToHead",
                "The app beside each of its competitors, in the order of apps: now, and by days since --since or in the last "
                    + "\(HeadToHead.defaultDays) days.", onLines: true, HeadToHead.summaryShape
            ) { $0.comparison.meetings },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: "
                    + "nothing of them is compared, and places in them are null. rankctl verify tells more."
            ) { $0.damaged },
            .list(
                "compare", "The app's queries, one that has no good list yet included.", onLines: true,
                ComparedQuery.shape
            ) { $0.queries },
        ],
        csv: .kinds(
            "one app on one query", header: ComparedPlace.columns.map(\.title),
            [.lines({ $0.queries.flatMap(\.places) }, ComparedPlace.columns)]
        ).short("query", "country", "platform", "checkedAt", "bundleId", "appName", "mark", "position", "change"))

    fileprivate var queries: [ComparedQuery] {
        comparison.rows.map { ComparedQuery(row: $0, apps: comparison.apps) }
    }

    // MARK: Table

    /// Columns of an app's name above its positions.
    private static let longestTitle = 16

    var document: Document {
        var document = Document(title: "Comparison", generatedAt: generatedAt)
        guard let app = comparison.apps.first, !comparison.rows.isEmpty else {
            document.paragraph(NoSuchPair.report)
            return document
        }
        document.title = "\(app.title) and its competitors"
        document.asOf(comparison.until)
        document.list(comparison.meetings.filter { $0.rows.contains { !$0.days.isEmpty } }.map(\.summary))
        document.table(table)
        document.damaged(damaged)
        var notes: [String] = []
        if comparison.apps.count == 1 {
            notes.append(
                "the watchlist lists no competitors of \(app.title): "
                    + ReportAudience.words(
                        "add one with “rankctl watch add LINK --as ALIAS --competitor-of "
                            + "\(app.alias ?? app.bundleID.text)”",
                        tools: "the user can add one with “rankctl watch add”"))
        }
        if let other = comparison.meetings.first?.other {
            let names = [app, other].map { $0.alias ?? $0.bundleID.text }
            notes.append(
                "one of them query by query: "
                    + ReportAudience.words(
                        AskedOptions.current.command(
                            "rankctl report compare", of: "compare",
                            with: [RequestParameter("app", names[0]), RequestParameter("with", names[1])]),
                        tools: "the tool compare with the argument with: \(names[1])"))
        }
        if comparison.rows.contains(where: { $0.leader != nil }) { notes.append("◆ the best of them") }
        if comparison.rows.contains(where: \.isOutdated) {
            notes.append("○ the last good list: the newest check failed or is suspect")
        }
        document.notes(notes)
        document.legend()
        document.notes([provenance])
        return document
    }

    /// The app's own column stays on a narrow terminal; competitors' drop out from the right.
    private var table: Table {
        let columns = comparison.apps.enumerated().flatMap { index, app in
            let title = TerminalText.fitted(Cell(app.alias ?? app.title).text, to: Self.longestTitle)
            let place = Table.Column(title, .right, priority: index == 0 ? nil : 100 - index)
            // A competitor's change goes before any of the places does.
            guard let since = comparison.since else { return [place] }
            let meaning = "the change since \(CivilTime.minuteInZone(since))"
            return [place, .init("±", .right, priority: 50 - index, meaning: meaning)]
        }
        var table = Table(
            columns: [.init("query", minimum: 12, comfort: 24)] + columns + [.init("age", .right, priority: 1)],
            indent: 2)
        for block in comparison.rows.grouped(by: \.query.whereAsked) {
            guard let first = block.first else { continue }
            if !table.rows.isEmpty { table.rows.append(.blank) }
            table.rows.append(.heading(StyledText(first.query.whereAsked, .strong)))
            table.rows += block.map { .cells(cells(of: $0)) }
        }
        return table
    }

    private func cells(of row: Comparison.Row) -> [Cell] {
        let leader = row.leader
        let places = row.positions.enumerated().flatMap { index, position in
            let place = Self.cell(position, row, isLeader: index == leader)
            guard comparison.since != nil else { return [place] }
            let change = row.changes.isEmpty ? nil : row.changes[index]
            return [place, .move(change, of: comparison.apps[index].mark)]
        }
        let age = row.checkedAt.map { RelativeAge(of: $0, at: comparison.until).short } ?? ""
        return [.query(row.query)] + places + [Cell((row.isOutdated ? "○ " : "") + age, .faint)]
    }

    private static func cell(_ position: Position?, _ row: Comparison.Row, isLeader: Bool) -> Cell {
        guard let within = row.within else { return Cell("–", .faint) }
        guard let position else { return Cell(">\(within)", .faint) }
        return isLeader ? Cell("◆ \(position)", .strong) : Cell(position.description)
    }
}

/// A query and the apps that are compared on it.
private struct ComparedQuery: Sendable {
    let row: Comparison.Row
    let apps: [ReportedApp]

    static let shape = ObjectShape<ComparedQuery>(
        fields: Query.fields { $0.row.query },
        [
            .value("checkedAt", "When the good check began that the places are of; null where there is none.") {
                $0.row.checkedAt
            },
            .value("within", "How many places its list had; null where there is none.", .optional(.count)) {
                $0.row.within
            },
            .value("outdated", "Whether the newest check failed or is suspect.") { $0.row.isOutdated },
            .value("leader", "The best placed one's bundleId; null where none of them is in the list.") { $0.leader },
            .list("positions", "In the order of apps.", ComparedPlace.shape) { $0.places },
        ])

    private var leader: BundleID? { row.leader.map { apps[$0].bundleID } }

    var places: [ComparedPlace] {
        let leader = row.leader
        return apps.indices.map { index in
            ComparedPlace(
                row: row, app: apps[index], position: row.positions[index],
                change: row.changes.isEmpty ? nil : row.changes[index], isLeader: index == leader)
        }
    }
}

/// One of the apps on a query, and what became of its place.
private struct ComparedPlace: Sendable {
    let row: Comparison.Row
    let app: ReportedApp
    let position: Position?
    let change: Standings.Change?
    /// Whether it is the best placed.
    let isLeader: Bool

    static let shape = ObjectShape<ComparedPlace>(
        fields: [
            .value("bundleId", "The bundle identifier.") { $0.app.bundleID },
            .value("position", "null: not in the list.") { $0.position },
            .value("change", "Since --since; null without it, or where the earlier list is not kept.") { $0.change },
        ])

    /// A line says who the app is and whether it leads, which JSON says once.
    static let columns: [CSVCell<ComparedPlace>] = [
        .cell("query") { $0.row.query.text }, .cell("country") { $0.row.query.country },
        .cell("platform") { $0.row.query.platform }, .cell("source") { $0.row.query.source },
        .cell("language") { $0.row.query.language }, .cell("checkedAt") { $0.row.checkedAt },
        .cell("within") { $0.row.within },
        .cell("outdated") { $0.row.isOutdated }, .cell("bundleId") { $0.app.bundleID }, .cell("alias") { $0.app.alias },
        .cell("appName") { $0.app.name }, .cell("mark") { $0.app.mark }, .cell("position") { $0.position },
        .cell("leader") { $0.isLeader }, .cell("change") { $0.change },
    ]
}
