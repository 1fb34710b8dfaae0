import Reports

/// How a call wants its answer: arguments that every tool has beside those of its report.
struct AnswerForm: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable, CaseIterable {
        /// To be read.
        case text
        /// A line of CSV for each row.
        case rows
        /// Every field.
        case json
    }

    var kind = Kind.text
    var columns = CSVSelection.short
    /// Lines or rows that are left out, because a call before had them.
    var offset = 0

    static let usual = AnswerForm()

    /// The schemas of the arguments, in a tool's own.
    static let properties: [JSONValue.Member] = [
        .init(
            key: "form",
            value: ["type": "string", "enum": .array(Kind.allCases.map { .string($0.rawValue) }), "default": "text"]),
        .init(key: "columns", value: ["type": "string", "description": "With form: rows."]),
        .init(key: "offset", value: ["type": "integer", "minimum": 0]),
    ]

    private init() {}

    /// - Parameter arguments: of a call; those that are not the report's are taken out.
    /// - Throws: `ReportRefusal` for what none of them can be.
    init(takingFrom arguments: inout JSONValue?) throws(ReportRefusal) {
        guard case .object(let members)? = arguments else { return }
        arguments = .object(members.filter { member in !Self.properties.contains { $0.key == member.key } })
        for member in members where member.value != .null {
            switch (member.key, member.value) {
            case ("form", .string(let text)):
                guard let kind = Kind(rawValue: text) else {
                    throw .option("form is \(ForeignText.quoted(text)): write text, rows or json")
                }
                self.kind = kind
            case ("columns", .string(let text)):
                guard let columns = CSVSelection(text) else {
                    throw .option("columns is empty: write short, all, or names of columns with commas")
                }
                self.columns = columns
            case ("offset", .number(let text)):
                guard let offset = Int(text.hasSuffix(".0") ? String(text.dropLast(2)) : text), offset >= 0 else {
                    throw .option("offset is \(text): write a whole number from 0")
                }
                self.offset = offset
            case ("form", _), ("columns", _), ("offset", _): throw .option("\(member.key) cannot be that")
            default: break
            }
        }
        if columns != .short, kind != .rows { throw .option("columns is for rows: add form: rows") }
        if offset > 0, kind == .json { throw .option("offset is not for json: choose fewer with other arguments") }
    }
}
