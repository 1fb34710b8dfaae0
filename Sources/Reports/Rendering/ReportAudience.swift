/// Whom the words of a report are for: what they call options and other reports differs by where somebody asks.
///
/// It is bound to the task and not handed on, as `ReportZone` is: sentences of every report need it.
package enum ReportAudience: Sendable {
    /// Someone at a terminal. Pages and the API make their links and names of what is said there.
    case commandLine
    /// A program that calls reports as tools, with arguments by their names.
    case tools

    @TaskLocal package static var current = ReportAudience.commandLine

    /// How more is asked for: `--all`, or `all: true`.
    static func flag(_ name: String) -> String {
        switch current {
        case .commandLine: "--" + name
        case .tools: name + ": true"
        }
    }

    /// A report by what it is called there: `rankctl report movers`, or `the tool movers`.
    ///
    /// At a terminal it repeats what was given of options that the report takes (`AskedOptions`).
    ///
    /// - Parameters:
    ///   - command: what people type; `rankctl report` and the name unless given.
    ///   - since: the time to ask it about.
    ///   - dropped: names of options that would make it show something else.
    static func report(
        _ name: String, command: String? = nil, since: String? = nil, leavingOut dropped: Set<String> = []
    ) -> String {
        switch current {
        case .commandLine:
            AskedOptions.current.command(
                command ?? "rankctl report \(name)", of: name,
                with: since.map { [RequestParameter("since", $0)] } ?? [], leavingOut: dropped)
        case .tools: "the tool \(name)" + (since.map { " with since: \($0)" } ?? "")
        }
    }

    /// A command that is no report: with the history that was named.
    package static func command(_ words: String) -> String {
        current == .commandLine ? AskedOptions.current.command(words) : words
    }

    /// The same in quotation marks where people would type it.
    static func quotedReport(_ name: String, command: String? = nil, since: String? = nil) -> String {
        let words = report(name, command: command, since: since)
        return current == .commandLine ? "“\(words)”" : words
    }

    /// - Returns: `typed` for people at a terminal, `called` for who calls tools.
    static func words(_ typed: String, tools called: String) -> String {
        current == .commandLine ? typed : called
    }
}
