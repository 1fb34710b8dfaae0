package import ArgumentParser
import Reports

/// An option that takes one value and was typed more than once. The parser would use the last value and drop the others
/// without a word, so that a comparison of two apps would show one.
package enum RepeatedOption {
    /// What to tell of the first option in `words` that is typed more than once although `command` takes one value for it;
    /// `nil` if there is none. Flags may be repeated, because that changes nothing.
    ///
    /// - Parameters:
    ///   - words: what was typed behind the program's name.
    ///   - command: the command that `words` were read as.
    package static func mistake(
        in words: some Sequence<String>, of command: any ParsableArguments.Type
    ) -> ValidationError? {
        let typed = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        let uses = Dictionary(typed.map { ($0, 1) }, uniquingKeysWith: +).filter { $1 > 1 }
        // Few lines type a name twice, and what a command says about itself takes a while to read.
        guard !uses.isEmpty else { return nil }
        let single = CommandInfo.arguments(of: command).filter { $0.kind == .option && !$0.isRepeating }
            .flatMap { ($0.names ?? []).map(\.text) }
        return typed.first { uses[$0] != nil && single.contains($0) }.map { name in
            ValidationError("\(name) is given \(uses[name] ?? 2) times and takes one value: give it once")
        }
    }

    /// Ends the program as the parser does at a mistake, if one is in its command line: an option that is given twice, or
    /// that is likely a slip of another.
    package static func refuse(in command: (some ParsableCommand).Type) {
        let words = Array(CommandLine.arguments.dropFirst())
        if let mistake = mistake(in: words, of: command) { command.exit(withError: mistake) }
        do { _ = try command.parse(words) } catch {
            if command.exitCode(for: error) == .validationFailure,
                let mistake = MistypedOption.mistake(in: words, of: command)
            {
                command.exit(withError: ValidationError(mistake))
            }
        }
    }
}
