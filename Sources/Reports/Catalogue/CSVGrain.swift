/// A report as a table for spreadsheets: what one line is, and which of the declared fields are its columns.
package struct CSVGrain<Value>: Sendable {
    /// What one line is, for people: “one pair”.
    let grain: String
    let header: [String]
    let kinds: [CSVKind<Value>]
    /// Columns that depend on what is asked for; they follow those of the header.
    var more: More?

    struct More: Sendable {
        /// What they hold, for people.
        let meaning: String
        let titles: @Sendable (Value) -> [String]
    }

    /// What people want to see of it: some of the header, in its order; all of it unless a report says otherwise.
    private(set) var short: [String]

    private init(grain: String, header: [String], kinds: [CSVKind<Value>], more: More? = nil) {
        self.grain = grain
        self.header = header
        self.kinds = kinds
        self.more = more
        short = header
    }

    /// The same, of which people see these columns.
    func short(_ titles: String...) -> CSVGrain {
        var grain = self
        grain.short = titles
        return grain
    }

    /// The same, of which people see all but these columns.
    func short(without titles: String...) -> CSVGrain {
        var grain = self
        grain.short = header.filter { !titles.contains($0) }
        return grain
    }

    /// Every element of a list of the report is a line.
    ///
    /// - Parameters:
    ///   - list: the path to the list, through the objects and lists that it lies in; `nil` if the report itself is
    ///     the line.
    ///   - grain: what one line is, for people.
    ///   - columns: paths into the fields, of the innermost object that has them.
    static func each(_ list: String?, _ grain: String, _ columns: [CSVColumn]...) -> CSVGrain {
        let columns = Array(columns.joined())
        return CSVGrain(grain: grain, header: columns.map(\.title), kinds: [.each(list, columns)])
    }

    /// Lines of several kinds below one header; a column that a kind has not is empty there.
    static func kinds(_ grain: String, header: [String], _ kinds: [CSVKind<Value>]) -> CSVGrain {
        CSVGrain(grain: grain, header: header, kinds: kinds)
    }

    /// Lines with a column for each of something that is not known before, such as the days that are asked for.
    ///
    /// - Parameters:
    ///   - more: what these columns hold, for people; they follow those of `header`.
    ///   - rows: one a line, with a field for each column.
    static func wide(
        _ grain: String, header: [String], more: String, _ titles: @escaping @Sendable (Value) -> [String],
        _ rows: @escaping @Sendable (Value) -> [[CSVWriter.Field]]
    ) -> CSVGrain {
        let kind = CSVKind<Value> { _, _ in { value, emit in for row in rows(value) { emit(row) } } }
        return CSVGrain(
            grain: grain, header: header, kinds: [kind], more: More(meaning: more, titles: titles))
    }

    /// - Returns: what writes a report's lines.
    func lines(of shape: ObjectShape<Value>) -> @Sendable (Value, ([CSVWriter.Field]) -> Void) -> Void {
        let parts = kinds.map { $0.lines(header, shape) }
        return { value, emit in for part in parts { part(value, emit) } }
    }
}

/// One kind of line.
struct CSVKind<Value>: Sendable {
    let lines: @Sendable ([String], ObjectShape<Value>) -> @Sendable (Value, ([CSVWriter.Field]) -> Void) -> Void

    /// Every element of the list at this path is a line.
    static func each(_ list: String?, _ columns: [CSVColumn]) -> CSVKind {
        CSVKind { header, shape in
            let blank = Self.blank(header, columns)
            let wanted = CSVLines.Wanted(
                grain: list.map { $0.split(separator: ".").map(String.init) }?[...] ?? [],
                columns: columns.compactMap { column in
                    column.constant == nil
                        ? CSVLines.Column(
                            index: Self.index(of: column.title, in: header), path: column.path,
                            outwards: column.outwards)
                        : nil
                })
            let maker: CSVLines.Maker<Value>
            do { maker = try shape.lines(wanted) } catch {
                preconditionFailure("the columns of \(list ?? "a report"): \(error)")
            }
            return { value, emit in
                var line = blank
                maker(value, &line, emit)
            }
        }
    }

    /// Lines of something that JSON has in another shape.
    static func lines<Line>(
        _ get: @escaping @Sendable (Value) -> [Line], _ columns: [CSVCell<Line>]
    ) -> CSVKind {
        CSVKind { header, _ in
            let cells = columns.map { (index: Self.index(of: $0.title, in: header), get: $0.get) }
            let blank = Array(repeating: CSVWriter.Field.empty, count: header.count)
            return { value, emit in
                for row in get(value) {
                    var line = blank
                    for (index, get) in cells { line[index] = get(row) }
                    emit(line)
                }
            }
        }
    }

    private static func blank(_ header: [String], _ columns: [CSVColumn]) -> [CSVWriter.Field] {
        var blank = Array(repeating: CSVWriter.Field.empty, count: header.count)
        for column in columns {
            if let constant = column.constant { blank[index(of: column.title, in: header)] = .text(constant) }
        }
        return blank
    }

    private static func index(of title: String, in header: [String]) -> Int {
        guard let index = header.firstIndex(of: title) else { preconditionFailure("no column is called \(title)") }
        return index
    }
}

/// A column of lines that JSON has in another shape.
struct CSVCell<Line>: Sendable {
    let title: String
    let get: @Sendable (Line) -> CSVWriter.Field

    static func cell<Value: FieldValue>(
        _ title: String, _ get: @escaping @Sendable (Line) -> Value
    ) -> CSVCell {
        CSVCell(title: title) { get($0).cell }
    }
}

/// A column: a path into the fields, such as `lastGood.position`, and what stands above it.
///
/// `../bundleId` is a field of the object that the line's object lies in, where both have one of that name.
struct CSVColumn: Sendable, ExpressibleByStringLiteral {
    let title: String
    let path: [String]
    /// Of how many objects further out than the innermost.
    let outwards: Int
    /// What all lines have here; `nil` if the path says it.
    let constant: String?

    private init(title: String?, path: String, constant: String? = nil) {
        let steps = path.split(separator: "/").map(String.init)
        outwards = steps.count { $0 == ".." }
        self.path = (steps.last ?? "").split(separator: ".").map(String.init)
        self.title = title ?? self.path.camelCased
        self.constant = constant
    }

    init(stringLiteral path: String) { self.init(title: nil, path: path) }

    static func column(_ title: String, _ path: String) -> CSVColumn { CSVColumn(title: title, path: path) }

    static func constant(_ title: String, _ text: String) -> CSVColumn {
        CSVColumn(title: title, path: "", constant: text)
    }
}

/// How lines are made of rows.
enum CSVLines {
    struct Column: Sendable {
        let index: Int
        let path: [String]
        let outwards: Int
    }

    struct Wanted: Sendable {
        /// The lists that are still to be gone into.
        let grain: ArraySlice<String>
        let columns: [Column]
    }

    /// The value that a path names; `nil` if it names none.
    typealias Finder<Row> = @Sendable (ArraySlice<String>) -> (@Sendable (Row) -> CSVWriter.Field)?

    /// How lines are made of a row whose lists are gone into.
    typealias Source<Row> = @Sendable (Wanted) throws(Mistake) -> Maker<Row>

    /// The same of whatever has such a row.
    static func through<Outer, Row>(
        _ get: @escaping @Sendable (Outer) -> Row, _ source: @escaping Source<Row>
    ) -> Source<Outer> {
        { (wanted: Wanted) throws(Mistake) in
            let maker = try source(wanted)
            return { outer, line, emit in maker(get(outer), &line, emit) }
        }
    }

    /// Fills in what the row says and emits each line that it makes.
    typealias Maker<Row> =
        @Sendable (
            Row, _ line: inout [CSVWriter.Field], _ emit: ([CSVWriter.Field]) -> Void
        ) -> Void

    /// The tests make every report's columns once, so that none of these is met anywhere else.
    enum Mistake: Error, CustomStringConvertible {
        case noSuchField(String)
        case noSuchList(String)

        var description: String {
            switch self {
            case .noSuchField(let path): "no field is called \(path)"
            case .noSuchList(let key): "no list is called \(key)"
            }
        }
    }
}
