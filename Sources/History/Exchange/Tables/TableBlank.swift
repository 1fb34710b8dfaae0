import Foundation

/// What tools write in a cell that holds no number, in lower case. Places and popularity are read by the same words.
enum TableBlank {
    /// Marks of their own for “there is none”.
    static let marks: Set<String> = [
        "-", "–", "—", "−", "unranked", "not ranked", "not found", "not in list", "notranked", "notfound", "absent",
        "nr",
    ]
    /// Words of programs for a value that is missing.
    static let words: Set<String> = ["n/a", "#n/a", "na", "null", "nil", "none", "nan"]
    /// Nobody knows.
    static let unknown: Set<String> = ["?", "unknown"]

    /// Whether a cell says that it holds no figure, or nothing at all.
    static func isBlank(_ text: String) -> Bool {
        let text = plain(text)
        return text.isEmpty || marks.contains(text) || words.contains(text) || unknown.contains(text)
    }

    static func plain(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces).lowercased() }
}
