extension ManualPage {
    /// The page as GitHub shows it, for who reads the documentation in a browser.
    ///
    /// - Parameter level: of the page's own title; sections stand below it.
    package func markdown(level: Int = 1) -> String {
        let heading = { (depth: Int, title: String) in String(repeating: "#", count: level + depth) + " " + title }
        var blocks = [heading(0, name), "\(name): \(purpose)."]
        for section in sections where section.title != "SEE ALSO" {
            blocks.append(heading(1, section.title.prefix(1) + section.title.dropFirst().lowercased()))
            for block in section.blocks {
                switch block {
                case .paragraph(let text): if !text.isEmpty { blocks.append(text) }
                case .heading(let title): blocks.append(heading(2, title))
                case .synopsis(let synopsis): blocks.append("```\n\(synopsis.text)\n```")
                case .definition(let term, let value, let meaning):
                    let head = [term.isEmpty ? nil : term, value].compactMap(\.self).joined(separator: " ")
                    blocks.append("- `\(head)`: " + meaning.joined(separator: " "))
                case .code(let text): blocks.append("```\n\(text)\n```")
                case .pages: break
                }
            }
        }
        // Definitions that follow one another are one list.
        return blocks.enumerated().map { index, block in
            let isListed = block.hasPrefix("- `") && index + 1 < blocks.count && blocks[index + 1].hasPrefix("- `")
            return block + (isListed ? "\n" : "\n\n")
        }.joined().trimmingSuffix("\n") + "\n"
    }
}

extension Synopsis {
    fileprivate var text: String { Self.text(parts) }

    private static func text(_ parts: [Part]) -> String {
        parts.map { part in
            switch part {
            case .word(let word): return word
            case .value(let name): return name.uppercased()
            case .group(let parts, let isOptional, let isRepeating):
                let inside = text(parts)
                return (isOptional ? "[\(inside)]" : inside) + (isRepeating ? "…" : "")
            }
        }.joined(separator: " ")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
