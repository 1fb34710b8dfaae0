/// The fields of an object, in the order in which JSON has them.
struct ObjectShape<Row>: Sendable {
    let info: ObjectInfo
    let fields: [Field<Row>]
    private let members: [Member]

    /// What JSON needs of a field: walking over whole fields would count references of all that they are made of.
    private struct Member: Sendable {
        let name: [UInt8]
        let write: @Sendable (Row, inout JSONWriter) -> Void
        let isThere: (@Sendable (Row) -> Bool)?
    }

    init(fields parts: [Field<Row>]...) { self.init(parts: parts) }

    init(parts: [[Field<Row>]], name: String? = nil, meaning: String? = nil) {
        fields = Array(parts.joined())
        members = fields.map { Member(name: $0.member, write: $0.write, isThere: $0.isThere) }
        info = ObjectInfo(name: name, meaning: meaning, fields: fields.map(\.info))
    }

    /// An object that occurs in several places.
    ///
    /// - Parameters:
    ///   - name: what JSON Schema defines it as, once.
    ///   - meaning: for people, a sentence or less.
    init(_ name: String, _ meaning: String? = nil, _ parts: [Field<Row>]...) {
        self.init(parts: parts, name: name, meaning: meaning)
    }

    func write(_ row: Row, to writer: inout JSONWriter) {
        writer.object { members(of: row, to: &$0) }
    }

    func members(of row: Row, to writer: inout JSONWriter) {
        for member in members where member.isThere?(row) ?? true {
            writer.key(encoded: member.name)
            member.write(row, &writer)
        }
    }

    /// What a column holds that `path` names; `nil` if it names no value.
    func cell(_ path: ArraySlice<String>) -> (@Sendable (Row) -> CSVWriter.Field)? {
        guard let key = path.first, let field = fields.first(where: { $0.key == key }) else { return nil }
        return field.cell(path.dropFirst())
    }

    /// How the lines of CSV are made of a row.
    @Sendable func lines(_ wanted: CSVLines.Wanted) throws(CSVLines.Mistake) -> CSVLines.Maker<Row> {
        var own: [(index: Int, cell: @Sendable (Row) -> CSVWriter.Field)] = []
        var left: [CSVLines.Column] = []
        for column in wanted.columns {
            // A column is of the innermost object that has it, unless it says how far out it lies.
            let isHere =
                column.outwards > 0
                ? column.outwards == wanted.grain.count : !info.hasBelow(wanted.grain, column.path[...])
            if isHere, let cell = cell(column.path[...]) {
                own.append((column.index, cell))
            } else {
                left.append(column)
            }
        }
        let cells = own
        guard let next = wanted.grain.first else {
            if let missing = left.first { throw .noSuchField(missing.path.joined(separator: ".")) }
            return { row, line, emit in
                for (index, cell) in cells { line[index] = cell(row) }
                emit(line)
            }
        }
        guard let inner = fields.first(where: { $0.key == next })?.lines else { throw .noSuchList(next) }
        let maker = try inner(CSVLines.Wanted(grain: wanted.grain.dropFirst(), columns: left))
        return { row, line, emit in
            for (index, cell) in cells { line[index] = cell(row) }
            maker(row, &line, emit)
        }
    }
}

extension ObjectInfo {
    /// Whether an object further in, along `grain`, has a value at `path`.
    fileprivate func hasBelow(_ grain: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
        guard let next = grain.first, let info = fields.first(where: { $0.key == next })?.shape.inner else {
            return false
        }
        return info.hasValue(path) || info.hasBelow(grain.dropFirst(), path)
    }

    private func hasValue(_ path: ArraySlice<String>) -> Bool {
        guard let key = path.first, let field = fields.first(where: { $0.key == key }) else { return false }
        switch field.shape {
        case .object(let info), .optional(.object(let info)): return info.hasValue(path.dropFirst())
        case .list(.object): return false
        default: return path.count == 1
        }
    }
}

extension FieldShape {
    /// The object that lines can be made of: itself, or a list's elements.
    fileprivate var inner: ObjectInfo? {
        switch self {
        case .object(let info), .list(.object(let info)): info
        default: nil
        }
    }
}
