package import RankKit

/// Another tool's table of how often people search for what, such as Apple Ads': its columns found by name.
package struct PopularityTable: Sendable {
    /// 0–100 by country, by search text as `Query.fold` has it.
    package private(set) var figures: [String: [Country: Double]] = [:]
    /// What stands in the table without a figure, by the same.
    package private(set) var withoutFigure: [String: Set<Country>] = [:]
    /// What was decided about it, and what of it was left out: for people.
    package private(set) var notes: [String] = []

    private let file: TableFile
    private let header: TableHeader
    private let query: Int
    private let figure: Int
    private let country: Country?
    private var numbers = TableNumbers()
    private var lines: [String: [Country: Int]] = [:]
    /// The first line with a figure and no query.
    private var withoutQuery: Int?
    /// Where lines begin that are no rows, up to the end.
    private var end: (line: Int, text: String)?

    /// Three-letter codes of countries.
    private var codes = TableCountryCodes()

    /// Reads the table at `path`.
    ///
    /// - Parameters:
    ///   - country: of rows without one.
    ///   - query: the name of the column of the search texts, if no usual name.
    ///   - popularity: the name of the column of the figures, if no usual name.
    /// - Throws: `ImportRefusal` with the line that cannot be made sense of, or if no row has a figure; `ImportMissing`,
    ///   `HistoryError`.
    package init(_ path: String, country: Country? = nil, query: String? = nil, popularity: String? = nil) throws {
        file = try TableFile(path)
        let own: [TableColumn: String] = [.query: query, .popularity: popularity].compactMapValues { $0 }
        let header = try TableHeader(file, own: own, wanted: [.query, .popularity])
        func place(_ column: TableColumn) throws -> Int {
            if let place = try header.place(of: column, in: path, choice: "--\(column.rawValue)-column") {
                return place
            }
            let option = "--\(column.rawValue)-column"
            guard let wanted = own[column] else {
                throw ImportRefusal(
                    file: path, line: nil,
                    problem: "there is no column for the \(column.noun); there are \(header.names)",
                    remedy: "name it with \(option)")
            }
            let near = Spelling.nearest(to: wanted, in: header.fields)
            throw ImportRefusal(
                file: path, line: nil,
                problem: "there is no column “\(wanted)” for the \(column.noun)"
                    + (near == nil ? "; there are \(header.names)" : ""),
                remedy: near.map { "did you mean \(option) “\($0)”?" } ?? "name one of them with \(option)")
        }
        (self.query, figure) = (try place(.query), try place(.popularity))
        self.header = header
        self.country = country
        guard header.has(.country) || country != nil else {
            throw refusal(nil, "there is no column for the country", "add --country, such as --country us")
        }
        lookThrough()
        try read()
        if let decision = numbers.decision { notes.append("\(decision) in “\(header.fields[figure])”") }
        if let note = codes.note { notes.append(note) }
        if let withoutQuery {
            notes.append("rows with a figure and no query were left out, the first in line \(withoutQuery)")
        }
        for (index, name) in header.fields.enumerated() where index != self.query && index != figure {
            let isLanguage = ["language", "languagecode", "lang", "locale"].contains(TableColumn.plain(name))
            guard isLanguage || header.all(.platform).contains(index) else { continue }
            notes.append(
                "“\(name)” is not read: a figure is written to its query "
                    + (isLanguage ? "in every language" : "on every platform")
            )
        }
        if let end {
            notes.append("line \(end.line) and what follows are no rows and were left out: “\(end.text.prefix(60))”")
        }
    }

    private func refusal(_ line: Int?, _ problem: String, _ remedy: String) -> ImportRefusal {
        ImportRefusal(file: file.path, line: line, problem: problem, remedy: remedy)
    }

    private var records: TableRecords { TableRecords(file.bytes, separator: header.separator, after: header.line) }

    private mutating func lookThrough() {
        for record in records {
            if record.fields.count == 1, header.fields.count > 1 {
                end = end ?? (record.line, record.fields[0])
            } else {
                end = nil
                numbers.note(cell(figure, record), line: record.line)
            }
        }
    }

    /// A row may end early: what it does not have is empty.
    private func cell(_ place: Int, _ record: TableRecord) -> String { TableHeader.cell(place, record) ?? "" }

    private mutating func read() throws {
        var records = records
        var rows = 0
        while let record = records.next() {
            if let end, record.line >= end.line { break }
            rows += 1
            try take(record)
        }
        if let failure = records.failure {
            throw refusal(
                failure.line, "a quote is not closed", "close it, or double each quote that is part of a text")
        }
        guard figures.isEmpty else { return }
        throw rows == 0
            ? refusal(nil, "there are no rows below the header", "check that this is the file that you mean")
            : refusal(
                nil, "no row has a figure in “\(header.fields[figure])”",
                "name the column that has one with --popularity-column")
    }

    private mutating func take(_ record: TableRecord) throws {
        let line = record.line
        try header.checkLength(of: record, in: file.path)
        let (text, written) = (cell(query, record), cell(figure, record))
        let folded = Query.fold(text)
        guard !folded.isEmpty else {
            if !TableBlank.isBlank(written) { withoutQuery = withoutQuery ?? line }
            return
        }
        guard let place = try header.country(of: record, in: file.path, &codes) ?? country else {
            throw refusal(line, "there is no country", "add --country, such as --country us")
        }
        guard !TableBlank.isBlank(written) else {
            withoutFigure[folded, default: []].insert(place)
            return
        }
        let value = try number(written, line)
        if let known = figures[folded]?[place], known != value, let first = lines[folded]?[place] {
            throw refusal(
                line, "“\(text)” has another popularity in \(place) than in line \(first)", "leave one of them out")
        }
        figures[folded, default: [:]][place] = value
        lines[folded, default: [:]][place] = line
    }

    private func number(_ text: String, _ line: Int) throws -> Double {
        var isNumber = true
        do throws(TableNumbers.Problem) {
            let value = try numbers.value(text)
            if WatchlistLimits.popularity.contains(value) { return value }
        } catch {
            isNumber = false
            if error == .unclear {
                throw refusal(
                    line,
                    "the column does not say whether “\(text)” has a decimal mark or groups thousands, and those are no "
                        + "popularity from 0 to 100",
                    "write it with fewer decimals, or name the column that has one with --popularity-column")
            }
        }
        throw refusal(line, "“\(text)” is no popularity from 0 to 100", remedy(isNumber: isNumber))
    }

    /// What helps with a cell that is no popularity: in a column of popularity it alone is wrong.
    ///
    /// - Parameter isNumber: whether it is a figure of another kind.
    private func remedy(isNumber: Bool) -> String {
        var (good, odd) = (0, 0)
        for record in records where end.map({ record.line < $0.line }) ?? true {
            let text = cell(figure, record)
            guard !TableBlank.isBlank(text) else { continue }
            do throws(TableNumbers.Problem) {
                if WatchlistLimits.popularity.contains(try numbers.value(text)) { good += 1 } else { odd += 1 }
            } catch { odd += 1 }
        }
        return good > odd || (good > 0 && !isNumber)
            ? "correct it, or leave the cell empty" : "name the column that has one with --popularity-column"
    }
}
