import Foundation
import RankKit

/// Another tool's table of places: its columns found by name, what they mean decided by all of their rows.
struct ForeignTable {
    struct Row {
        let line: Int
        var at: Timestamp
        /// The day that `at` stands for, if the table says no time.
        let day: TableDay?
        let query: RankKit.Query
        let app: TableApp
        /// `nil` for an absence.
        let position: Int?
        let within: Int
        /// What another tool's table says of the language, which is not kept.
        let language: String?
    }

    let file: TableFile
    let options: ForeignTableOptions
    let header: TableHeader
    let shape: TableShape
    let own: OwnTable
    let columns: [TableColumn: Int]
    /// Another tool's column of languages, which are not kept.
    let language: Int?
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
    /// Places beside a word for a failed check: how many, the first word and its line.
    var dropped: (rows: Int, word: String, line: Int)?
    /// The depths that absences tell in a table with a column for each query or day, by query.
    private(set) var depthsOfQueries: [Int: Set<Int>] = [:]

    /// - Throws: `ImportRefusal` if columns are missing; `ImportMissing`, `HistoryError`.
    init(_ path: String, options: ForeignTableOptions) throws {
        file = try TableFile(path)
        self.options = options
        var header = try TableHeader(file, wanted: [.date, .query, .rank])
        if TableShape.mayHaveQueries(header) {
            let keywords = TableKeywords(in: file, header, options)
            header.release(keywords.queries)
            // What is rankctl's own is refused with the words for that.
            _ = try OwnTable(header, path, reports: options.reports)
            try keywords.checkDoubt(in: path)
        }
        self.header = header
        language = header.fields.firstIndex {
            ["language", "languagecode", "lang", "locale"].contains(TableColumn.plain($0))
        }
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
        dates = try Self.dates(header, options, path)
        places = TablePlaces(absent: options.absent, isWide: shape.isWide)
        try requireColumns()
        lookThrough()
    }

    /// By the zone that the header names beside the dates, else by the options.
    private static func dates(
        _ header: TableHeader, _ options: ForeignTableOptions, _ path: String
    ) throws -> TableDates {
        let plain = header.zone.map { TableColumn.plain($0) } ?? ""
        // `Date (YYYY-MM-DD)` says how dates are written.
        guard let written = header.zone, !plain.allSatisfy({ "ymdhs".contains($0) }) else {
            return TableDates(zone: options.timeZone, days: options.days)
        }
        guard let zone = TableDates.zone(written) else {
            throw ImportRefusal(
                file: path, line: header.line, problem: "“\(written)” beside the date is no zone that rankctl reads",
                remedy: "write it as UTC+01:00, or leave it out and add --time-zone, such as --time-zone Europe/Berlin")
        }
        return TableDates(zone: zone)
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
            if let state = own.state, TableHeader.cell(state, record).flatMap(OwnTable.state) != .ranked { continue }
            for column in shape.places {
                guard let text = TableHeader.cell(column, record),
                    own.failure(of: record, hasPlace: places.mayBePlace(text)) == nil
                else { continue }
                places.note(text, line: record.line)
                if let key = depthKey(record, column), let depth = TablePlaces.depth(TableBlank.plain(text)), depth > 0
                {
                    depthsOfQueries[key, default: []].insert(depth)
                }
            }
        }
    }

    /// What tells the query of a cell in a table with a column for each query or day; `nil` in another one.
    func depthKey(_ record: TableRecord, _ column: Int) -> Int? {
        switch shape {
        case .long: nil
        case .days: record.line
        case .queries: column
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
        var notes = [dates.decision, zones, places.decision, codes.note].compactMap(\.self)
        switch shape {
        case .long: break
        case .days(let columns):
            let days = columns.count == 1 ? "one day" : "each of \(columns.count) days"
            notes.append("read as a table with a column for \(days)")
        case .queries(let columns):
            let queries = columns.count == 1 ? "one query" : "each of \(columns.count) queries"
            notes.append("read as a table with a column for \(queries)")
            for column in [TableColumn.popularity, .total, .within] {
                for place in header.all(column) {
                    notes.append("“\(header.fields[place])” is read as the \(column.noun), and not as a query")
                }
            }
            for place in header.fields.indices where header.isState(place) {
                notes.append("“\(header.fields[place])” is read as the state of each check, and not as a query")
            }
            for place in header.queries.sorted() {
                notes.append("“\(header.fields[place])” is read as a query")
            }
        }
        if let language, own.language == nil, case .long = shape {
            notes.append("“\(header.fields[language])” is not kept: rows of other tools have no language")
        }
        notes += leftOut.sorted { $0.key < $1.key }.map { "\($0.value) \($0.value == 1 ? "row" : "rows") \($0.key)" }
        if let (rows, word) = doubtful {
            notes.append(
                "\(rows) \(rows == 1 ? "row" : "rows") read as “not found” beside a state that rankctl does not know, such as "
                    + "“\(word.prefix(60))”: if it means that the check failed, remove them")
        }
        if let (rows, word, line) = dropped {
            notes.append(
                "\(rows) of the rows left out \(rows == 1 ? "has" : "have") a place beside a word for a failed check, such as "
                    + "“\(word.prefix(60))” in line \(line): if it is not about the check, remove its column")
        }
        if let end {
            notes.append("line \(end.line) and what follows are no rows and were left out: “\(end.text.prefix(60))”")
        }
        return notes
    }

    /// Whose days and times are read.
    private var zones: String? {
        if let zones = dates.zones { return zones }
        guard columns[.date] == nil, options.dateIsDay, !options.days.isUTC, case .long = shape else { return nil }
        return "the date is a day of \(options.days.name)"
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
