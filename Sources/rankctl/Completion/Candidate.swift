internal import ArgumentParser
import RankKit

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
