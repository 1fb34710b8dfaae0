/// What people at a terminal gave the command that they see the answer of. A command that a report names repeats it, so
/// that it shows what the report's words promise.
///
/// It is bound to the task and not handed on, as `ReportAudience` is. Pages, tools and messages are asked in other ways,
/// and bind none.
package struct AskedOptions: Sendable, Hashable {
    @TaskLocal package static var current = AskedOptions()

    private let options: [RequestParameter]
    private let database: String?

    /// - Parameters:
    ///   - options: as `ReportRequest.asked` has them.
    ///   - database: the history's file, if it was named.
    package init(_ options: [RequestParameter] = [], database: String? = nil) {
        self.options = options
        self.database = database
    }

    /// `command` with what was given, as it can be pasted.
    ///
    /// - Parameters:
    ///   - report: the name of the report that it shows; what the report does not take is left out. `nil` for a command
    ///     that shows none.
    ///   - own: options that the command needs, whatever was given of the same name.
    ///   - dropped: names of options that would make it show something else.
    func command(
        _ command: String, of report: String? = nil, with own: [RequestParameter] = [],
        leavingOut dropped: Set<String> = []
    ) -> String {
        let known = report.flatMap { ReportCatalogue.report(named: $0)?.options } ?? []
        let taken = Set(known.lazy.filter { !$0.isArgument }.map(\.name)).subtracting(dropped + own.map(\.name))
        let typed = options.filter { taken.contains($0.name) } + own
        let file = database.map { [RequestParameter("database", $0)] } ?? []
        return ([command] + (typed + file).map(\.typed)).joined(separator: " ")
    }
}

extension RequestParameter {
    /// As people type it for a shell.
    fileprivate var typed: String {
        value.hasPrefix("-") ? "--\(name)=\(ShellWord.quoted(value))" : "--\(name) \(ShellWord.quoted(value))"
    }
}

/// A word of a command line.
enum ShellWord {
    /// The word as a POSIX shell, or zsh, reads it back: between single quotes unless it needs none.
    static func quoted(_ word: String) -> String {
        // At the beginning zsh takes = for the name of a program.
        let isPlain =
            word.allSatisfy { $0.isLetter || $0.isNumber || "-_./,:@%+=".contains($0) } && !word.hasPrefix("=")
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
