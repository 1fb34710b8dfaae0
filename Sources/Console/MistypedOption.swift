package import ArgumentParser
import RankKit
import Reports

/// An option that a command does not have, or that is given a word that it does not take, in a line that the parser
/// refuses. The parser would name a required option that is missing, and not the one that was typed in its place.
package enum MistypedOption {
    /// For people, without a full stop; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - words: what was typed behind the names of the program and the command.
    ///   - command: the command that `words` were to be read as.
    package static func mistake(
        in words: some Sequence<String>, of command: any ParsableArguments.Type
    ) -> String? {
        let typed = Array(words.prefix { $0 != "--" })
        let arguments = CommandInfo.arguments(of: command)
        let names = arguments.flatMap { ($0.names ?? []).map(\.text) }.filter { $0.hasPrefix("--") }
        let options = typed.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        if let unknown = options.first(where: { !names.contains($0) && !everywhere.contains($0) }) {
            return "there is no option “\(SafeText.escaped(unknown))”"
                + (nearest(to: unknown, in: names).map { "; did you mean “\($0)”?" } ?? "")
        }
        for argument in arguments where argument.kind == .option {
            guard let known = argument.allValues, !known.isEmpty else { continue }
            for name in (argument.names ?? []).map(\.text) {
                let mistakes = values(of: name, in: typed).lazy.compactMap {
                    MistypedWord.mistake(String($0), for: name, in: known)
                }
                if let mistake = mistakes.first { return mistake }
            }
        }
        return nil
    }

    /// What the option `name` is given.
    package static func values(of name: String, in words: some Collection<String>) -> [Substring] {
        let words = Array(words)
        return words.enumerated().compactMap { place, word in
            if word.hasPrefix(name + "=") { return word.dropFirst(name.count + 1) }
            return word == name && words.indices.contains(place + 1) ? words[place + 1][...] : nil
        }
    }

    /// Those that the parser adds to every command, and does not always tell of.
    private static let everywhere: Set = [
        "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]

    /// The one that `name` begins, or that comes nearest.
    private static func nearest(to name: String, in names: [String]) -> String? {
        let begun = names.filter { $0.hasPrefix(name) }
        return begun.count == 1 ? begun[0] : Spelling.nearest(to: name, in: names)
    }
}
