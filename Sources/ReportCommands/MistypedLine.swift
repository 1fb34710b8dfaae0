internal import ArgumentParser
import Console
import RankKit
import Reports

/// What is wrong with a line that the parser refuses, where that can be said better than by the parser: a command that is
/// likely a slip of another, an option or a word that is, a country that is none.
struct MistypedLine {
    /// For people, without a full stop.
    let problem: String
    /// The command in which it is.
    let command: any ParsableCommand.Type

    /// `nil` if it is neither.
    init?(_ words: [String], of root: any ParsableCommand.Type) {
        var command = root
        var rest = words[...]
        if rest.first == "help" { rest.removeFirst() }
        while let word = rest.first, !word.hasPrefix("-") {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
            rest.removeFirst()
        }
        self.command = command
        if let word = rest.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
            problem = Self.unknown(word, in: command, root)
        } else if let refused = Self.country(in: rest) {
            problem = refused
        } else if let refused = Self.option(in: rest, of: command) {
            problem = refused
        } else {
            return nil
        }
    }

    private static func unknown(
        _ word: String, in command: any ParsableCommand.Type, _ root: any ParsableCommand.Type
    ) -> String {
        let names = command.configuration.subcommands.map { $0._commandName }
        // The name of a report stands for `report` and that name.
        let reports = command == root ? ReportCatalogue.reports.map { $0.about.name } : []
        let what = "there is no command “\(SafeText.escaped(word))”"
        if command == root, let elsewhere = (root as? any RootCommand.Type)?.elsewhere, elsewhere.names.contains(word) {
            return "\(what) here: \(elsewhere.place)"
        }
        guard let near = Spelling.nearest(to: word, in: names + reports) else {
            return what + "; the commands are \(names.joined(separator: ", "))"
        }
        return what + "; did you mean “\(near)”?"
    }

    /// What is wrong with an option; `nil` if nothing is.
    private static func option(in words: ArraySlice<String>, of command: any ParsableCommand.Type) -> String? {
        let meant = command.configuration.defaultSubcommand ?? command
        guard meant.configuration.subcommands.isEmpty else { return nil }
        return MistypedOption.mistake(in: words, of: meant)
    }

    /// What is wrong with the value of a `--country`; `nil` if nothing is.
    private static func country(in words: ArraySlice<String>) -> String? {
        TypedLine.countries(in: words).lazy.compactMap { CountryList.mistake(in: String($0)) }.first
    }
}
