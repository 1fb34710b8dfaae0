import History
import Judging
import RankKit

/// `rankctl report grid`: queries down, days across.
struct GridReport: ReportValue {
    var grid: Grid

    init(_ grid: Grid) { self.grid = grid }

    var generatedAt: Timestamp { grid.generatedAt }
    var damaged: [DamagedLists] { grid.damaged }

    static let shape = ReportShape<GridReport>(
        "grid", command: GridRequest.about.command,
        [
            .value("since", "The first day.") { DateValue($0.grid.days.lowerBound) },
            .value("until", "The last day.") { DateValue($0.grid.days.upperBound) },
            .object("app", "Whose positions they are.", ReportedApp.shape) { $0.grid.app },
            DamagedLists.field(
                "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: what "
                    + "they said of the app is unknown. rankctl verify tells more."
            ) { $0.damaged },
            .list("grid", "The app's queries, in the watchlist's order.", onLines: true, GridLine.shape) { $0.lines },
        ],
        csv: .wide(
            "one query", header: queryColumns.map(\.title),
            more: "the position of each day from since to until: "
                + "empty without a good check, > and the length of the list if the app is absent, \(unknown) if the position "
                + "is unknown because \(whyUnknown)",
            { report in report.grid.days.map { CSVWriter.plainText(of: DateValue($0).cell) } },
            { report in
                report.grid.rows.map { row in
                    queryColumns.map { $0.get(row.query) } + row.cells.map(\.cell)
                }
            }))

    /// What stands for a day of which it is unknown what its good checks said.
    static let unknown = "?"
    static let whyUnknown =
        "the list was dropped, is damaged, has not been read yet, or has places that could not be read"

    private static let queryColumns: [CSVCell<Query>] = [
        .cell("query") { $0.text }, .cell("country") { $0.country }, .cell("platform") { $0.platform },
        .cell("source") { $0.source }, .cell("language") { $0.language },
    ]

    private var lines: [GridLine] { grid.rows.map { GridLine(row: $0, days: grid.days) } }
}

/// A query with the days that its cells are of.
private struct GridLine: Sendable {
    let row: Grid.Row
    let days: ClosedRange<Int64>

    struct Cell: Sendable {
        let day: Int64
        let content: Grid.Day

        static let shape = ObjectShape<Cell>(fields: [
            .value("day") { DateValue($0.day) },
            .value(
                "state",
                "ranked and absent: what the day's last good check said; gap: the day had no good check; unknown: "
                    + "\(GridReport.whyUnknown); not-yet: the query had not been checked yet."
            ) { $0.content.state },
            .value("position", "Only where the state is ranked.") { $0.content.reading?.position },
            .value("within", "How many places the list had; null without a good check.", .optional(.count)) {
                $0.content.reading?.within
            },
            .value("checkedAt", "When that check began.") { $0.content.reading?.checkedAt },
        ])
    }

    static let shape = ObjectShape<GridLine>(
        fields: Query.fields { $0.row.query },
        [.list("days", "Every day from since to until.", Cell.shape) { $0.cells }])

    private var cells: [Cell] { zip(days, row.cells).map { Cell(day: $0, content: $1) } }
}

extension Grid.Day {
    enum State: String, FieldWord {
        case ranked, absent, gap, unknown
        case notYet = "not-yet"
    }

    var state: State {
        switch self {
        case .reading(let reading): reading.position == nil ? .absent : .ranked
        case .gap: .gap
        case .unknown: .unknown
        case .notYet: .notYet
        }
    }

    var reading: Reading? { if case .reading(let reading) = self { reading } else { nil } }

    /// For a spreadsheet: a number where there is a place, so that it can be drawn and added up, and nothing that looks
    /// like one where there is none.
    fileprivate var cell: CSVWriter.Field {
        if self == .unknown { return .text(GridReport.unknown) }
        guard let reading else { return .empty }
        return reading.position?.cell ?? .text(">\(reading.within)")
    }
}
