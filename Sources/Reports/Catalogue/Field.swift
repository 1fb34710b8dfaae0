/// One member of a report's data, declared once: JSON, JSON Schema, CSV and the reference in the documentation follow
/// from it.
package struct Field<Row>: Sendable {
    let info: FieldInfo
    /// `"key":` as JSON has it.
    let member: [UInt8]
    /// Writes the value alone.
    let write: @Sendable (Row, inout JSONWriter) -> Void
    /// What a column holds that this path below the value names; `nil` if it names none.
    let cell: CSVLines.Finder<Row>
    /// The lines that a list, or an object with lists in it, makes in CSV.
    let lines: CSVLines.Source<Row>?
    /// Whether JSON has it of this row; always where it is `nil`.
    let isThere: (@Sendable (Row) -> Bool)?

    init(
        _ key: String, _ meaning: String?, _ shape: FieldShape,
        write: @escaping @Sendable (Row, inout JSONWriter) -> Void,
        cell: @escaping CSVLines.Finder<Row>, lines: CSVLines.Source<Row>? = nil,
        isThere: (@Sendable (Row) -> Bool)? = nil
    ) {
        info = FieldInfo(key: key, meaning: meaning, shape: shape, isOptional: isThere != nil)
        member = Array("\"\(key)\":".utf8)
        self.write = write
        self.cell = cell
        self.lines = lines
        self.isThere = isThere
    }

    var key: String { info.key }

    /// The same of whatever has such a row.
    func of<Outer>(_ get: @escaping @Sendable (Outer) -> Row) -> Field<Outer> {
        let (write, cell, lines, isThere) = (write, cell, lines, isThere)
        var isOuterThere: (@Sendable (Outer) -> Bool)?
        if let isThere { isOuterThere = { outer in isThere(get(outer)) } }
        let outerLines: CSVLines.Source<Outer>? = lines.map { lines in CSVLines.through(get, lines) }
        return Field<Outer>(
            key, info.meaning, info.shape, write: { outer, writer in write(get(outer), &writer) },
            cell: { path in
                guard let cell = cell(path) else { return nil }
                return { outer in cell(get(outer)) }
            }, lines: outerLines, isThere: isOuterThere)
    }

    /// The same, which JSON has in some cases only. What it is made of is not asked for in the others.
    ///
    /// - Parameter when: in which cases, for people: a sentence.
    func only(_ when: String, _ isThere: @escaping @Sendable (Row) -> Bool) -> Field {
        let cell = cell
        return Field(
            key, [info.meaning, when].compactMap(\.self).joined(separator: " "), info.shape, write: write,
            cell: { path in
                guard let cell = cell(path) else { return nil }
                return { row in isThere(row) ? cell(row) : .empty }
            }, isThere: isThere)
    }
}

extension Field {
    /// A value.
    ///
    /// - Parameters:
    ///   - meaning: for people, a sentence or less; `nil` if the key says it all.
    ///   - shape: where it is narrower than its type says.
    static func value<Value: FieldValue>(
        _ key: String, _ meaning: String? = nil, _ shape: FieldShape? = nil,
        _ get: @escaping @Sendable (Row) -> Value
    ) -> Field {
        Field(
            key, meaning, shape ?? Value.shape, write: { row, writer in get(row).write(to: &writer) },
            cell: { path in
                guard path.isEmpty else { return nil }
                return { row in get(row).cell }
            })
    }

    /// An object.
    static func object<Child>(
        _ key: String, _ meaning: String? = nil, _ shape: ObjectShape<Child>,
        _ get: @escaping @Sendable (Row) -> Child
    ) -> Field {
        Field(
            key, meaning, .object(shape.info), write: { row, writer in shape.write(get(row), to: &writer) },
            cell: { path in
                guard let cell = shape.cell(path) else { return nil }
                return { row in cell(get(row)) }
            }, lines: CSVLines.through(get, shape.lines))
    }

    /// An object that may be missing: null then, and empty in CSV.
    static func optional<Child>(
        _ key: String, _ meaning: String? = nil, _ shape: ObjectShape<Child>,
        _ get: @escaping @Sendable (Row) -> Child?
    ) -> Field {
        Field(
            key, meaning, .optional(.object(shape.info)),
            write: { row, writer in
                if let child = get(row) { shape.write(child, to: &writer) } else { writer.null() }
            },
            cell: { path in
                guard let cell = shape.cell(path) else { return nil }
                return { row in get(row).map(cell) ?? .empty }
            })
    }

    /// Objects, one after the other.
    ///
    /// - Parameter onLines: whether each has a line of its own in JSON, so that `diff` can compare them.
    static func list<Child>(
        _ key: String, _ meaning: String? = nil, onLines: Bool = false, _ shape: ObjectShape<Child>,
        _ get: @escaping @Sendable (Row) -> [Child]
    ) -> Field {
        let lines: CSVLines.Source<Row> = { (wanted: CSVLines.Wanted) throws(CSVLines.Mistake) in
            let maker = try shape.lines(wanted)
            return { row, line, emit in for child in get(row) { maker(child, &line, emit) } }
        }
        return Field(
            key, meaning, .list(.object(shape.info)),
            write: { row, writer in
                writer.array(get(row), linePerElement: onLines) { writer, child in shape.write(child, to: &writer) }
            }, cell: { _ in nil }, lines: lines)
    }

    /// An object of its own, made of some of the row's fields.
    static func group(_ key: String, _ meaning: String? = nil, _ fields: [Field]) -> Field {
        .object(key, meaning, ObjectShape(fields: fields)) { $0 }
    }
}

extension [String] {
    /// `["last", "good"]` as `lastGood`.
    var camelCased: String {
        (first ?? "") + dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

/// What the value of a field can be, for whoever reads the data without having seen it: JSON Schema and the reference in
/// the documentation are made of it.
indirect enum FieldShape: Sendable, Hashable {
    case text
    /// Text of a form that a regular expression says.
    case pattern(String)
    /// Always this number.
    case constant(Int)
    case integer(minimum: Int?, maximum: Int? = nil)
    case number(minimum: Double?)
    case flag
    /// A moment: ISO 8601 in UTC.
    case time
    /// A day.
    case date
    /// One of these words.
    case word([String])
    /// Places gained, or that an app entered or left; null where that is not known.
    case change
    case object(ObjectInfo)
    case list(FieldShape)
    /// The same, or null.
    case optional(FieldShape)

    /// How many there are.
    static var count: FieldShape { .integer(minimum: 0) }
}

/// What is known of a field without its row's type.
struct FieldInfo: Sendable, Hashable {
    let key: String
    let meaning: String?
    let shape: FieldShape
    /// Whether JSON has it in some cases only; the meaning says in which.
    var isOptional = false
}

/// What is known of an object without its row's type.
struct ObjectInfo: Sendable, Hashable {
    /// Objects that occur in several places have one; JSON Schema defines them once.
    let name: String?
    let meaning: String?
    let fields: [FieldInfo]
}
