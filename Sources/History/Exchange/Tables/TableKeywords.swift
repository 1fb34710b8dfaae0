import RankKit

/// The columns of a table with a column for each query that are queries although rankctl knows their names otherwise:
/// “link” and “app”, or “status” and “popularity”.
///
/// Whether a column of numbers is a figure or a query's places, nothing in it says. It is a query if the watchlist has one
/// of that name. Else whoever imports has to say it.
struct TableKeywords {
    private(set) var queries: Set<Int> = []
    private let header: TableHeader
    private let options: ForeignTableOptions
    private let places: TablePlaces
    private var cells: [Int: Cells] = [:]
    /// The largest place in columns that can be nothing but queries.
    private var lowest = 0

    private struct Cells {
        /// What its places are; 0 for an absence.
        var numbers: Set<Int> = []
        var arePlaces = true
    }

    private static let names: [TableColumn] = [.link, .app, .bundleID, .country, .platform]
    private static let figures: [TableColumn] = [.popularity, .total, .within]

    init(in file: TableFile, _ header: TableHeader, _ options: ForeignTableOptions) {
        (self.header, self.options) = (header, options)
        places = TablePlaces(absent: options.absent, isWide: true)
        let named = Self.names.flatMap { header.all($0) }
        guard !named.isEmpty || !doubtful.isEmpty else { return }
        let rest = TableShape.unnamed(header)
        for record in TableRecords(file.bytes, separator: header.separator, after: header.line) {
            for column in named + doubtful { take(record, column) }
            for column in rest { lowest = max(lowest, place(record, column).flatMap(\.self) ?? 0) }
        }
        queries = Set((named + doubtful.filter(isWatched)).filter { cells[$0]?.arePlaces == true })
    }

    /// Those that are figures or states unless something says that they are queries.
    private var doubtful: [Int] {
        Self.figures.flatMap { header.all($0) }
            + header.fields.indices.filter { header.isState($0) }
    }

    private func isWatched(_ column: Int) -> Bool {
        options.queries.contains(RankKit.Query.fold(header.fields[column]))
    }

    private mutating func take(_ record: TableRecord, _ column: Int) {
        guard let text = TableHeader.cell(column, record), !TableBlank.isBlank(text) else { return }
        let place = place(record, column)
        cells[column, default: Cells()].arePlaces = cells[column]?.arePlaces ?? true && place != nil
        if let place { cells[column]?.numbers.insert(place ?? 0) }
    }

    /// The place in a cell, or that it says that there is none; `nil` if it can be no cell of a query.
    private func place(_ record: TableRecord, _ column: Int) -> Int?? {
        guard let text = TableHeader.cell(column, record) else { return .none }
        do throws(TableNumbers.Problem) {
            guard case .at(let number) = try places.place(text) else { return .some(nil) }
            return number <= options.within ?? ForeignTableOptions.largestDepth ? .some(number) : .none
        } catch { return .none }
    }

    /// Refuses a table with a column that can be a figure or a query.
    ///
    /// - Throws: `ImportRefusal` that says what helps.
    func checkDoubt(in file: String) throws(ImportRefusal) {
        guard TableShape.figures(header).isEmpty, !TableShape.unnamed(header).isEmpty else { return }
        for column in doubtful where !queries.contains(column) && cells[column]?.arePlaces == true {
            let figure = Self.figures.first { header.all($0).contains(column) }
            if figure == .within, isDepth(column) { continue }
            throw ImportRefusal(
                file: file, line: header.line,
                problem: "“\(header.fields[column])” can be a query, or the \(figure?.noun ?? "state of each check")",
                remedy: "if it is a query, add it to the watchlist, or write a row for each date and query: "
                    + "date,keyword,rank; if not, leave the column out"
                    + (figure == .within ? ", and add --within" : ""))
        }
    }

    /// Whether a tool looked so far everywhere: one round number, which no place is beyond.
    private func isDepth(_ column: Int) -> Bool {
        guard let numbers = cells[column]?.numbers, numbers.count == 1, let depth = numbers.first else { return false }
        return depth > 0 && depth.isMultiple(of: 10) && depth >= lowest
    }
}
