import Foundation
import RankKit

/// Another tool's table of places: its columns found by name, what they mean decided by all of their rows.
struct ForeignTable {
    struct Row {
        let line: Int
        let at: Timestamp
        let query: RankKit.Query
        let app: TableApp
        /// `nil` for an absence.
        let position: Int?
        let within: Int
    }

    let file: TableFile
    let options: ForeignTableOptions
    let header: TableHeader
    let shape: TableShape
    let own: OwnTable
    let columns: [TableColumn: Int]
    var dates: TableDates
    var places: TablePlaces
    /// Where lines begin that are no rows, up to the end; what the first of them says.
    private(set) var end: (line: Int, text: String)?
    /// Three-letter codes of countries.
    var codes = TableCountryCodes()
    /// Rows that say nothing, by what is to be said of them.
    var leftOut: [String: Int] = [:]
    /// Absences beside a word that may say that the check failed: how many, and the first word.
    var doubtful: (rows: Int, word: String)?

    /// - Throws: `ImportRefusal` if columns are missing; `ImportMissing`, `HistoryError`.
    init(_ path: String, options: ForeignTableOptions) throws {
        file = try TableFile(path)
        self.options = options
        let header = try TableHeader(file, wanted: [.date, .query, .rank])
        self.header = header
        own = try OwnTable(header, path, reports: options.reports)
        var columns: [TableColumn: Int] = [:]
        for column in TableColumn.allCases where ![.country, .popularity, .total].contains(column) {
            columns[column] = try header.place(of: column, in: path)
        }
        self.columns = columns
        guard let shape = TableShape(header, rank: columns[.rank]) else {
            if columns[.query] == nil, columns[.date] != nil, let figure = TableShape.figures(header).first {
                throw ImportRefusal(
                    file: path, line: header.line,
                    problem: "“\(figure)” is the name of a figure, and there is no column for the query",
                    remedy: "if it is a query, write a row for each date and query: date,keyword,rank")
            }
            throw Self.missing(columns[.query] == nil ? .query : .rank, header, path)
        }
        self.shape = shape
        dates = TableDates(zone: options.timeZone)
        places = TablePlaces(absent: options.absent, isWide: shape.isWide)
        try requireColumns()
        lookThrough()
    }

    private static func missing(_ column: TableColumn, _ header: TableHeader, _ path: String) -> ImportRefusal {
        ImportRefusal(
            file: path, line: header.line,
            problem: "there is no column for the \(column.noun); there are \(header.names)",
            remedy: "call it \(column.names.sorted().joined(separator: ", or "))")
    }

    func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: file.path, line: line, problem: problem, remedy: remedy)
    }

    private func requireColumns() throws {
        if case .long = shape, columns[.query] == nil { throw Self.missing(.query, header, file.path) }
        if case .long = shape, columns[.date] == nil, options.date == nil {
            let refused = Self.missing(.date, header, file.path)
            throw refusal(refused.line, refused.problem, refused.remedy + ", or add --date with the day of all rows")
        }
        if !header.has(.country), options.country == nil {
            throw refusal(header.line, "there is no column for the country", "add --country, such as --country us")
        }
        if [.bundleID, .appID, .app, .link].allSatisfy({ columns[$0] == nil }), options.app == nil {
            throw refusal(
                header.line, "there is no column for the app's bundle id, number or name", "add --app with a bundle id")
        }
    }

    // MARK: What columns mean

    /// What stands in a column of a row; `nil` if it is empty or there is no such column.
    func cell(_ column: TableColumn, _ record: TableRecord) -> String? {
        columns[column].flatMap { TableHeader.cell($0, record) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Decides by all rows what dates, points, commas and empty cells mean, and where the rows end.
    private mutating func lookThrough() {
        if case .days(let columns) = shape {
            for column in columns { dates.note(header.fields[column], line: header.line) }
        }
        for record in records {
            guard isRow(record) else {
                end = end ?? (record.line, record.fields[0])
                continue
            }
            end = nil
            if let text = cell(.date, record) { dates.note(text, line: record.line) }
            if own.hasFailed(record) { continue }
            if let state = own.state, TableHeader.cell(state, record).flatMap(OwnTable.state) != .ranked { continue }
            for column in shape.places {
                if let text = TableHeader.cell(column, record) { places.note(text, line: record.line) }
            }
        }
    }

    /// Whether it can be a row: a line of advertisement is one field, or stands below an empty line with fewer fields
    /// than any row needs.
    private func isRow(_ record: TableRecord) -> Bool {
        guard header.fields.count > 1 else { return true }
        if record.fields.count == 1 { return false }
        return record.fields.count >= fewestFields || (end == nil && !record.isAfterGap)
    }

    /// The columns that no row can be without.
    var needed: [(column: TableColumn, place: Int)] {
        [.query, .date, .rank, .bundleID, .appID].compactMap { column in columns[column].map { (column, $0) } }
    }

    private var fewestFields: Int { (needed.map(\.place).max() ?? 0) + 1 }

    var records: TableRecords { TableRecords(file.bytes, separator: header.separator, after: header.line) }

    /// What was decided and left out, for people.
    var notes: [String] {
        var notes = [dates.decision, places.decision, codes.note].compactMap(\.self)
        switch shape {
        case .long: break
        case .days(let columns):
            let days = columns.count == 1 ? "one day" : "each of \(columns.count) days"
            notes.append("read as a table with a column for \(days)")
        case .queries(let columns):
            let queries = columns.count == 1 ? "one query" : "each of \(columns.count) queries"
            notes.append("read as a table with a column for \(queries)")
        }
        notes += leftOut.sorted { $0.key < $1.key }.map { "\($0.value) \($0.value == 1 ? "row" : "rows") \($0.key)" }
        if let (rows, word) = doubtful {
            notes.append(
                "\(rows) \(rows == 1 ? "row" : "rows") read as “not found” beside a state that rankctl does not know, such as "
                    + "“\(word.prefix(60))”: if it means that the check failed, remove them")
        }
        if let end {
            notes.append("line \(end.line) and what follows are no rows and were left out: “\(end.text.prefix(60))”")
        }
        return notes
    }

    /// Why none of its rows could be imported.
    var isEmpty: ImportRefusal {
        var records = records
        guard records.next() != nil else {
            return refusal(nil, "there are no rows below the header", "check that this is the file that you mean")
        }
        let why = leftOut.isEmpty ? "" : ": " + notes.joined(separator: "; ")
        return refusal(
            nil, "no row has a place that could be imported\(why)", "check that this is the file that you mean")
    }
}
