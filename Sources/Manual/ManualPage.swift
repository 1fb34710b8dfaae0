/// A page of the manual, which `roff` writes for man(1).
package struct ManualPage: Sendable {
    package enum Block: Sendable {
        case paragraph(String)
        /// A title within a section.
        case heading(String)
        /// How something is written on a command line.
        case synopsis(Synopsis)
        /// What something to be typed means. `value` stands for what a person puts there.
        case definition(term: String, value: String? = nil, meaning: [String])
        /// Lines as they are.
        case code(String)
        /// Pages by name and section.
        case pages([(String, Int)])
    }

    package struct Section: Sendable {
        var title: String
        var blocks: [Block]

        init(_ title: String, _ blocks: [Block]) {
            self.title = title
            self.blocks = blocks
        }
    }

    package let name: String
    package let section: Int
    /// The line that apropos(1) finds, without a full stop.
    let purpose: String
    let sections: [Section]

    /// - Parameters:
    ///   - version: of the programs.
    ///   - day: of their sources, `YYYY-MM-DD`.
    package func roff(version: String, day: String) -> String {
        var lines = [
            #".\" Made by rankdocs of what the programs say about themselves: do not edit."#,
            ".TH \(Roff.argument(name.uppercased())) \(section) \"\(day)\" "
                + "\(Roff.argument("rankd \(version)")) \(Roff.argument("App Store rank tracker"))",
            // A manual page is read in a narrow window as well: neither hyphenated nor stretched.
            ".nh", ".ad l", ".SH NAME", #"\#(Roff.literal(name)) \- \#(Roff.prose(purpose))"#,
        ]
        for section in sections {
            lines.append(".SH \(Roff.argument(section.title))")
            for block in section.blocks {
                let added = Self.lines(of: block)
                // A title begins a paragraph by itself.
                let follows = lines.last?.hasPrefix(".S") ?? false
                lines += follows && added.first == ".PP" ? added.dropFirst() : added[...]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of block: Block) -> [String] {
        switch block {
        case .paragraph(let text): return [".PP", Roff.prose(text)]
        case .heading(let title): return [".SS \(Roff.argument(title))"]
        case .synopsis(let synopsis): return [".PP", synopsis.roff]
        case .definition(let term, let value, let meaning):
            let head = Roff.guarded(Roff.bold(term) + (value.map { " " + Roff.italic($0) } ?? ""))
            let paragraphs = meaning.map { Roff.prose($0) }
            return [".TP", head] + Array(paragraphs.map { [$0] }.joined(separator: [".IP"]))
        case .code(let text):
            let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            return [".PP", ".RS 4", ".EX"] + code.map { Roff.guarded(Roff.literal(String($0))) } + [".EE", ".RE"]
        case .pages(let pages):
            let names = pages.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            return [".PP"]
                + names.enumerated().map { index, page in
                    ".BR \(Roff.literal(page.0)) (\(page.1))\(index < names.count - 1 ? "," : "")"
                }
        }
    }
}

/// How a command is written.
package struct Synopsis: Sendable {
    enum Part: Sendable {
        /// Typed as it is.
        case word(String)
        /// What a person puts in.
        case value(String)
        /// A word and what belongs to it, or either, which may be left out or repeated.
        indirect case group([Part], isOptional: Bool, isRepeating: Bool)
    }

    let parts: [Part]

    var roff: String { Self.roff(parts) }

    private static func roff(_ parts: [Part]) -> String {
        parts.map { part in
            switch part {
            case .word(let word): return Roff.bold(word)
            case .value(let name): return Roff.italic(name)
            case .group(let parts, let isOptional, let isRepeating):
                // Kept on one line: an option and its value belong together.
                let inside = parts.map { roff([$0]) }.joined(separator: #"\ "#)
                return (isOptional ? "[\(inside)]" : inside) + (isRepeating ? #"\|.\|.\|."# : "")
            }
        }.joined(separator: " ")
    }
}
