/// What a report can answer with, for interfaces that describe their answers before they give any.
package struct AnswerDescription: Sendable {
    /// One field of the JSON.
    package struct FieldRow: Sendable, Hashable {
        /// Through the objects and lists that it lies in: `standings[].lastGood.position`.
        package let path: String
        /// For people, a sentence or less; empty if the path says it all.
        package let meaning: String
        /// For people: `whole number or null`.
        package let kind: String
    }

    /// What the data is called: `standings`.
    package let name: String
    /// What people type to get it.
    package let command: String
    package let fields: [FieldRow]
    /// What a line of its CSV is: “one pair”.
    package let grain: String
    /// The columns of its CSV that are known beforehand.
    package let columns: [String]
    /// Those of them that come if none are named.
    package let shortColumns: [String]
    /// What the columns hold that follow those and depend on what was asked.
    package let moreColumns: String?
    private let parts: @Sendable (SchemaText.Place) -> SchemaText.Parts

    package init<Value: ReportValue>(_ answer: Value.Type) {
        let shape = answer.shape
        name = shape.name
        command = shape.command
        fields = FieldReference.rows(of: answer)
        grain = shape.csv.grain
        columns = shape.csv.header
        shortColumns = shape.csv.short
        moreColumns = shape.csv.more?.meaning
        parts = { SchemaText.parts(of: answer, place: $0) }
    }

    /// Its JSON Schema (draft 2020-12) under its name and then what that refers to, each with the name of its place.
    ///
    /// - Parameter folder: what references begin with: `#/components/schemas/`.
    package func schemas(in folder: String) -> [(name: String, schema: String)] {
        let parts = parts(SchemaText.Place(reference: folder, owner: name + "."))
        return [(name, parts.schema)] + parts.definitions
    }
}

extension ReportRequest {
    /// What it can be answered with, described.
    package static var answerDescriptions: [AnswerDescription] { answers.map { AnswerDescription($0) } }

    /// What `request` makes of names and values of the words that stand behind the command.
    ///
    /// - Parameter arguments: those of a `ReportExample`; of anything else what has no name is left out.
    package static func parameters(_ arguments: [String]) -> [RequestParameter] {
        let options = options
        var parameters: [RequestParameter] = []
        var places = options.filter(\.isArgument)[...]
        var words = arguments[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                if let place = places.popFirst() { parameters.append(RequestParameter(place.name, word)) }
                continue
            }
            let name = String(word.dropFirst(2))
            guard let option = options.first(where: { $0.name == name }) else { continue }
            let value = option.kind == .flag ? "true" : words.popFirst() ?? ""
            parameters.append(RequestParameter(name, value))
        }
        return parameters
    }
}
