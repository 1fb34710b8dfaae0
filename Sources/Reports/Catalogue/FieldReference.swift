/// What each report's data is made of, for people: a page of Markdown, made of the declared fields.
enum FieldReference {
    static var markdown: String {
        """
        # Every field of every report

        `RANKD_RENEW_GOLDENS=1 script/test --filter CatalogueTests` writes this page from what the reports declare.
        [json.md](../json.md) has the rules that hold for all of them.

        """ + ReportCatalogue.answers.map { section(of: $0) }.joined(separator: "\n")
    }

    private static func section<Value: ReportValue>(of value: Value.Type) -> String {
        let shape = value.shape
        var lines = [
            "", "## \(shape.name)", "", "`\(shape.command)`; a line of its CSV is \(shape.csv.grain).", "",
            "| Field | What it is | Kind |", "|---|---|---|",
        ]
        for row in rows(of: value) {
            let meaning = row.meaning.replacing("|", with: "\\|")
            lines.append("| `\(row.path)` | \(meaning) | \(row.kind.replacing("|", with: "\\|")) |")
        }
        let more = shape.csv.more.map { "; then \($0.meaning)" } ?? ""
        lines += ["", "Columns of the CSV: \(list(shape.csv.header))\(more)."]
        if shape.csv.short != shape.csv.header { lines += ["", "Without `--columns`: \(list(shape.csv.short))."] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ titles: [String]) -> String { titles.map { "`\($0)`" }.joined(separator: ", ") }

    /// Every field of a report with the path to it, in the order of its JSON.
    static func rows<Value: ReportValue>(of value: Value.Type) -> [AnswerDescription.FieldRow] {
        var rows: [AnswerDescription.FieldRow] = []
        var told: Set<String> = []
        append(value.shape.object.info.fields, below: "", to: &rows, &told)
        return rows
    }

    private static func append(
        _ fields: [FieldInfo], below path: String, to rows: inout [AnswerDescription.FieldRow],
        _ told: inout Set<String>
    ) {
        for field in fields {
            rows.append(.init(path: path + field.key, meaning: field.meaning ?? "", kind: field.shape.words))
            guard let (object, suffix) = field.shape.nested else { continue }
            // An object that occurs in several places is told of once.
            if let name = object.name, !told.insert(name).inserted { continue }
            append(object.fields, below: path + field.key + suffix + ".", to: &rows, &told)
        }
    }
}

extension FieldShape {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .text, .pattern: "text"
        case .integer, .constant: "whole number"
        case .number: "number"
        case .flag: "true or false"
        case .time: "time"
        case .date: "day"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .change: "places gained, `entered`, `left` or null"
        case .object(let info): info.name.map { "object (\($0))" } ?? "object"
        case .list(let element): "list of " + element.words
        case .optional(let shape): shape.words + " or null"
        }
    }

    fileprivate var nested: (ObjectInfo, suffix: String)? {
        switch self {
        case .object(let info), .optional(.object(let info)): (info, "")
        case .list(.object(let info)): (info, "[]")
        default: nil
        }
    }
}
