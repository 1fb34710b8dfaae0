/// Text measured in terminal columns, not in characters.
///
/// Terminals disagree at the edges; this follows Unicode: by grapheme cluster, wide East Asian characters and emoji
/// take two columns, marks and joiners none, ambiguous ones one. Expects text that holds no controls.
package enum TerminalText {
    package enum Alignment: Sendable { case left, right }

    /// Which end of a text that does not fit is given up.
    package enum Cut: Sendable {
        /// The end, with `…` in its place.
        case end
        /// The beginning, without a mark: for sparklines, whose newest days stand at the end.
        case beginning
    }

    /// The columns that `text` takes.
    package static func width(_ text: String) -> Int {
        var count = 0
        for scalar in text.unicodeScalars {
            guard isNarrow(scalar) else { return text.reduce(0) { $0 + width($1) } }
            count += 1
        }
        return count
    }

    /// The columns that one grapheme cluster takes: 0, 1 or 2, more only for clusters of several letters.
    package static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        if first.properties.isEmoji, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.reduce(0) { $0 + EastAsianWidth.columns(of: $1) }
    }

    /// `text` in at most `columns` columns.
    package static func fitted(_ text: String, to columns: Int, cut: Cut = .end) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        switch cut {
        case .end: return prefix(text, columns: columns - 1) + "…"
        case .beginning: return String(prefix(String(text.reversed()), columns: columns).reversed())
        }
    }

    /// `text` with spaces before or after it up to `columns` columns; unchanged where it is wider.
    package static func padded(_ text: String, to columns: Int, alignment: Alignment = .left) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - width(text)))
        switch alignment {
        case .left: return text + spaces
        case .right: return spaces + text
        }
    }

    /// Whether anything in `text` is written from right to left: the blocks of Hebrew, Arabic and the scripts beside them.
    /// Source: Unicode, DerivedBidiClass.txt.
    static func turns(_ text: String) -> Bool {
        // Nearly no text has a byte with which one of them begins.
        let mayTurn = text.utf8.contains { (0xD6...0xE0).contains($0) || (0xEF...0xF0).contains($0) }
        return mayTurn
            && text.unicodeScalars.contains { scalar in
                switch scalar.value {
                case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
                default: false
                }
            }
    }

    /// `text` with a LEFT-TO-RIGHT MARK behind it where it is written from right to left: a terminal that lays such text
    /// out would set the numbers that follow in the reverse order, and so a place now where the place before belongs.
    /// Source: Unicode Standard Annex 9, W7 and N1.
    static func closed(_ text: String) -> String { turns(text) ? text + "\u{200E}" : text }

    private static func prefix(_ text: String, columns: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += width(character)
            if used > columns { break }
            result.append(character)
        }
        return result
    }

    /// Whether `scalar` lies in one of the blocks that make up nearly all of a report and take one column each.
    private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2500...0x25FC, 0x2800...0x28FF: true
        default: false
        }
    }
}
