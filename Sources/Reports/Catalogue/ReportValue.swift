package import History
package import RankKit

/// What a report answers with: a value that declares its fields once and has one document for people. Every form that it
/// can be had in follows from these two.
package protocol ReportValue: Sendable {
    static var shape: ReportShape<Self> { get }
    /// The wall clock's time.
    var generatedAt: Timestamp { get }
    /// For people.
    var document: Document { get }
    /// For a terminal; the document's text unless a report lays itself out.
    func text(_ style: TerminalStyle) -> String
    /// Lists that would have said more, and cannot be read. All forms tell of them but CSV, which has no place for it.
    var damaged: [DamagedLists] { get }
    /// Which page of its rows it shows; `nil` if it was not asked for pages.
    var paging: Paging? { get }
}

/// What a report's data is called and made of.
package struct ReportShape<Value>: Sendable {
    /// What its schema is called: `standings`.
    let name: String
    /// What people type to get it: `rankctl report`.
    let command: String
    /// The members after `version` and `generatedAt`.
    let object: ObjectShape<Value>
    let csv: CSVGrain<Value>
    let lines: @Sendable (Value, ([CSVWriter.Field]) -> Void) -> Void

    package init(_ name: String, command: String, _ fields: [Field<Value>]..., csv: CSVGrain<Value>) {
        self.init(name, command: command, ObjectShape(parts: fields), csv)
    }

    private init(_ name: String, command: String, _ object: ObjectShape<Value>, _ csv: CSVGrain<Value>) {
        self.name = name
        self.command = command
        self.object = object
        self.csv = csv
        lines = csv.lines(of: object)
    }
}

extension ReportValue {
    package var damaged: [DamagedLists] { [] }

    package var paging: Paging? { nil }

    package func text(_ style: TerminalStyle) -> String { document.text(style) }

    /// The whole report, its last line break included; as CSV with every column.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        var bytes: [UInt8] = []
        write(as: format, style: style) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Hands the whole report to `sink` in pieces, so that a long one need not be in memory as a whole.
    package func write<Failure: Error>(
        as format: ReportFormat, style: TerminalStyle = .plain, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch format {
        case .table: try sink(Array(text(style).utf8))
        case .json: try writeJSON(to: sink)
        case .csv: try sink(Array(csv(Array(header.indices)).utf8))
        case .markdown: try sink(Array(document.markdown.utf8))
        case .html: try sink(Array(document.html.utf8))
        }
    }

    private func writeJSON<Failure: Error>(to sink: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var failure: Failure?
        withoutActuallyEscaping(sink) { sink in
            var writer = JSONWriter { bytes in
                guard failure == nil else { return }
                do throws(Failure) { try sink(bytes) } catch { failure = error }
            }
            writer.document(generatedAt: generatedAt) { Self.shape.object.members(of: self, to: &$0) }
        }
        if let failure { throw failure }
    }

    /// The report as CSV with some of its columns.
    ///
    /// - Throws: `ReportRefusal` for a column that it does not have.
    package func csv(_ columns: CSVSelection) throws(ReportRefusal) -> String { csv(try places(of: columns)) }

    /// The report's rows with some of their columns, as plain text.
    ///
    /// - Throws: `ReportRefusal` for a column that it does not have.
    package func rows(_ columns: CSVSelection) throws(ReportRefusal) -> (titles: [String], rows: [[String]]) {
        let places = try places(of: columns)
        var rows: [[String]] = []
        Self.shape.lines(self) { line in rows.append(places.map { CSVWriter.plainText(of: line[$0]) }) }
        return (places.map { header[$0] }, rows)
    }

    /// How many rows its CSV has, the header aside.
    package var rowCount: Int {
        var count = 0
        Self.shape.lines(self) { _ in count += 1 }
        return count
    }

    /// Where the columns stand in the header.
    private func places(of columns: CSVSelection) throws(ReportRefusal) -> [Int] {
        let grain = Self.shape.csv
        let places = try grain.places(of: columns, in: header)
        guard columns == .short else { return places }
        var telling = TellingColumns(of: grain)
        Self.shape.lines(self) { telling.look(at: $0) }
        return (places + telling.places).sorted()
    }

    /// What stands above the columns of this report, those that depend on what was asked for among them.
    private var header: [String] { Self.shape.csv.header + (Self.shape.csv.more?.titles(self) ?? []) }

    /// - Parameter places: of the columns in the header.
    private func csv(_ places: [Int]) -> String {
        var writer = CSVWriter(header: places.map { header[$0] })
        let isWhole = places == Array(header.indices)
        Self.shape.lines(self) { line in writer.record(isWhole ? line : places.map { line[$0] }) }
        return writer.text
    }
}
