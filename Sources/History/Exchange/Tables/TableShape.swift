import RankKit

/// How a table of places is laid out.
enum TableShape {
    /// A place in each row.
    case long(rank: Int)
    /// A query in each row, a column for each day.
    case days([Int])
    /// A day in each row, a column for each query.
    case queries([Int])

    /// `nil` if it has no places.
    init?(_ header: TableHeader, rank: Int?) {
        if let rank {
            self = .long(rank: rank)
            return
        }
        let rest = header.fields.indices.filter { !header.known.contains($0) && !header.fields[$0].isEmpty }
        let queries = Self.unnamed(header)
        let days = rest.filter {
            TableDates.isDate(header.fields[$0]) || TableDates.beginsWithDate(header.fields[$0])
        }
        if header.has(.query), !header.has(.date), !days.isEmpty {
            self = .days(days)
        } else if header.has(.date), !header.has(.query), !queries.isEmpty, days.isEmpty, Self.figures(header).isEmpty {
            self = .queries(queries)
        } else {
            return nil
        }
    }

    /// The columns without another meaning, which are queries if the table has a column for each.
    static func unnamed(_ header: TableHeader) -> [Int] {
        header.fields.indices.filter { place in
            !header.known.contains(place) && !header.fields[place].isEmpty && !header.isState(place)
        }
    }

    /// Whether it can only have a column for each query, if any.
    static func mayHaveQueries(_ header: TableHeader) -> Bool {
        header.has(.date) && !header.has(.query) && !header.has(.rank)
    }

    /// The names of columns without another meaning that make a table one of an app's figures: one that is the name of a
    /// figure, or half of them that have the word for one. Fewer may be queries such as “volume booster”.
    static func figures(_ header: TableHeader) -> [String] {
        let rest = header.fields.indices.filter { !header.known.contains($0) }.map { header.fields[$0] }
            .filter { !$0.isEmpty }
        let exact = rest.filter { TableColumn.figures.contains(TableColumn.plain($0)) }
        let having = rest.filter(TableColumn.hasFigure)
        return having.count * 2 >= rest.count ? having : exact
    }

    var isWide: Bool { if case .long = self { false } else { true } }

    /// The columns that hold places.
    var places: [Int] {
        switch self {
        case .long(let rank): [rank]
        case .days(let columns), .queries(let columns): columns
        }
    }
}

/// A report of rankctl's, by which its CSV is known.
package struct OwnReport: Sendable {
    /// What people type to get it: `rankctl report movers`.
    let command: String
    /// Everything that its CSV can have, in the order of the columns.
    let columns: Set<String>
    /// What it has at least, unless columns are named.
    let shortColumns: Set<String>

    package init(command: String, columns: [String], shortColumns: [String]) {
        self.command = command
        self.columns = Set(columns)
        self.shortColumns = Set(shortColumns)
    }

    /// Whether a table is one of its: with all that it has at least; or with some named columns of it, among them when a
    /// check was made in rankctl's word for it, or none for a query or a place, which would otherwise be taken for queries.
    func wrote(_ header: TableHeader) -> Bool {
        let names = Set(header.fields)
        guard names.isSubset(of: columns) else { return false }
        return names.isSuperset(of: shortColumns) || names.contains("checkedAt")
            || (names.count > 1 && !header.has(.query) && !header.has(.rank))
    }
}

/// What rankctl itself wrote as CSV. A table with a state in each row is read by it, so that a check that failed does not
/// come back as an absence. What has none cannot be read back as it was.
struct OwnTable {
    /// The column of the state; `nil` for a table of another tool.
    let state: Int?
    /// The column of Apple's language code.
    let language: Int?
    /// Whether it is a grid, whose rows are queries, each with lists of its own length.
    let isGrid: Bool
    /// Where another tool says how a check ended.
    private let outcomes: TableOutcomes

    /// - Parameter reports: those that cannot be read back, unless they have a state in each row.
    /// - Throws: `ImportRefusal` for a table of rankctl's that cannot be read back.
    init(_ header: TableHeader, _ file: String, reports: [OwnReport]) throws {
        let names = header.fields
        func refusal(
            _ what: String, _ remedy: String = "import the history itself: rankctl export --output history.ndjson"
        ) -> ImportRefusal {
            ImportRefusal(file: file, line: header.line, problem: what, remedy: remedy)
        }
        if names.contains("state"), names.contains("bundle_id"), names.contains("source") {
            throw refusal("is rankctl's own CSV export, which has no lists")
        }
        let missing = Self.identifying.filter { !names.contains($0) }
        let isReport = missing.isEmpty
        outcomes = isReport ? TableOutcomes() : TableOutcomes(header)
        state = isReport ? names.firstIndex(of: "state") : nil
        if isReport, state == nil {
            throw refusal(
                "is a report of rankctl that does not say how each check ended, so that it cannot be read back")
        }
        let written = reports.filter { $0.wrote(header) }
        if !isReport, names.contains("state"), written.contains(where: { $0.columns.isSuperset(of: Self.identifying) })
        {
            let columns = missing.map { "“\($0)”" }.joined(separator: ", ")
            throw refusal(
                "is a report of rankctl without its \(missing.count == 1 ? "column" : "columns") \(columns), so that it "
                    + "cannot be read back", "write it with --columns all")
        }
        if state == nil, let report = written.first {
            throw refusal(
                (written.count == 1 ? "is the CSV of “\(report.command)”, which" : "is a report of rankctl that")
                    + " does not say how each check ended, so that it cannot be read back")
        }
        isGrid = names.prefix(3) == ["query", "country", "platform"] && names.dropFirst(3).contains("language")
        language = isReport || isGrid ? names.firstIndex(of: "language") : nil
    }

    /// The columns that say which list each row of a report is from, and when.
    private static let identifying = ["query", "country", "platform", "bundleId", "checkedAt"]

    /// What another tool says of a row whose check failed; `nil` if it does not say that.
    ///
    /// - Parameter hasPlace: whether the row has a place.
    func failure(of record: TableRecord, hasPlace: Bool) -> String? {
        outcomes.failure(of: record, hasPlace: hasPlace)
    }

    /// What another tool says of how a row's check ended, if that can be either.
    func doubt(of record: TableRecord) -> String? { outcomes.doubt(of: record) }

    enum State {
        case ranked, absent
        /// A check that failed or is suspect, or none: nothing that could be imported.
        case untold
    }

    /// `nil` for a word that rankctl does not write.
    static func state(_ word: String) -> State? {
        switch Outcome.State(rawValue: word) {
        case .ranked: .ranked
        case .absent: .absent
        case .failed, .suspect, .pending: .untold
        case nil: nil
        }
    }
}
