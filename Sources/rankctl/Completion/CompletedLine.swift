internal import ArgumentParser
import RankKit

/// The command line that a shell wants completed. Shells pass its words as they were typed: quotes, escapes, tildes and
/// all.
struct CompletedLine {
    /// What the words stand for.
    private let words: [String]
    /// Which of them is being completed.
    private let index: Int

    init(words: [String], index: Int, environment: [String: String]) {
        self.words = words.map { Self.meaning(of: $0, environment) }
        self.index = index
    }

    /// What is there already of the word that is being completed.
    var beginning: String { words.indices.contains(index) ? words[index] : "" }

    /// What an option has been given: `--name VALUE` or `--name=VALUE`; the last one counts.
    func value(of name: String) -> String? {
        var value: String?
        for (place, word) in words.enumerated() where place != index {
            if word.hasPrefix(name + "=") {
                value = String(word.dropFirst(name.utf8.count + 1))
            } else if word == name {
                // To bash an equals sign is a word of its own.
                let next = words.dropFirst(place + 1).first == "=" ? place + 2 : place + 1
                if words.indices.contains(next), next != index { value = words[next] }
            }
        }
        return value
    }

    /// What a shell would make of a word: quotes and escapes taken away, a leading `~/` and variables of the
    /// environment put in. Nothing is run.
    private static func meaning(of word: String, _ environment: [String: String]) -> String {
        var rest = Substring(word)
        var text = ""
        if rest.hasPrefix("~/"), let home = environment["HOME"] {
            text = home
            rest = rest.dropFirst()
        }
        var quote: Character?
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", nil), ("\"", nil): quote = character
            case (_, .some(character)): quote = nil
            case (_, .some("'")): text.append(character)
            case ("\\", .some):
                let escapes = rest.first.map { "\"\\$`".contains($0) } ?? false
                text.append(escapes ? rest.popFirst() ?? "\\" : "\\")
            case ("\\", nil): if let escaped = rest.popFirst() { text.append(escaped) }
            case ("$", _): text += variable(&rest, environment)
            default: text.append(character)
            }
        }
        return text
    }

    /// The value of the variable whose name follows a dollar sign; the sign itself where none does.
    private static func variable(_ rest: inout Substring, _ environment: [String: String]) -> String {
        let isBraced = rest.first == "{"
        let name = rest.dropFirst(isBraced ? 1 : 0).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let behind = rest[name.endIndex...]
        guard !name.isEmpty, !isBraced || behind.first == "}" else { return "$" }
        rest = isBraced ? behind.dropFirst() : behind
        return environment[String(name)] ?? ""
    }
}

/// A word that a shell may put on the command line.
struct Candidate: Hashable {
    var text: String
    /// What it is, where the shell can say so; without tabs and colons.
    var detail: String?

    init(_ text: String, detail: String? = nil) {
        self.text = text
        self.detail = detail
    }

    /// Whether the text shows as what it is. What would act on a terminal cannot be typed either.
    var isPlain: Bool { !text.isEmpty && SafeText.escaped(text) == text }

    /// The line that the shell's completion script takes for this word, and for nothing else.
    func line(for shell: CompletionShell?) -> String {
        switch shell {
        case .bash?:
            // `compgen -W` expands what it is given: unquoted, $(…) in a name would run.
            return "'" + text.replacing("'", with: #"'\''"#) + "'"
        case .zsh?:
            // `_describe` takes what follows a colon for a description.
            let escaped = text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return detail.map { "\(escaped):\($0)" } ?? escaped
        case .fish?: return detail.map { "\(text)\t\($0)" } ?? text
        default: return text
        }
    }
}
