import Algorithms

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
    static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        if first.properties.isEmoji, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.reduce(0) { $0 + EastAsianWidth.columns(of: $1) }
    }

    /// `text` in at most `columns` columns.
    static func fitted(_ text: String, to columns: Int, cut: Cut = .end) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        switch cut {
        case .end: return prefix(text, columns: columns - 1) + "…"
        case .beginning: return String(prefix(String(text.reversed()), columns: columns).reversed())
        }
    }

    /// `text` with spaces before or after it up to `columns` columns; unchanged where it is wider.
    static func padded(_ text: String, to columns: Int, alignment: Alignment = .left) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - width(text)))
        switch alignment {
        case .left: return text + spaces
        case .right: return spaces + text
        }
    }

    /// Whether anything in `text` is written from right to left: the blocks of Hebrew, Arabic and the scripts beside them.
    /// Source: Unicode, DerivedBidiClass.txt.
    package static func turns(_ text: String) -> Bool {
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
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2190...0x2193, 0x2500...0x25FC, 0x2800...0x28FF:
            true
        default: false
        }
    }
}

/// How many columns a single scalar takes, emoji apart.
enum EastAsianWidth {
    static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .control, .surrogate, .lineSeparator, .paragraphSeparator:
            return 0
        default: break
        }
        if scalar.properties.isDefaultIgnorableCodePoint || isTrailingJamo(value) { return 0 }
        return isWide(value) ? 2 : 1
    }

    /// Vowels and finals of conjoining Hangul, drawn within the two columns of the syllable's first letter.
    private static func isTrailingJamo(_ value: UInt32) -> Bool {
        (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }

    private static func isWide(_ value: UInt32) -> Bool {
        wide[wide.partitioningIndex { $0.upperBound >= value }...].first?.contains(value) ?? false
    }

    /// The ranges of classes W and F, without the emoji that the standard library knows by itself.
    /// Source: Unicode 16, EastAsianWidth.txt.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x2E99, 0x2E9B...0x2EF3,
        0x2F00...0x2FD5, 0x2FF0...0x303E, 0x3041...0x3096, 0x3099...0x30FF, 0x3105...0x312F, 0x3131...0x318E,
        0x3190...0x31E5, 0x31EF...0x321E, 0x3220...0x3247, 0x3250...0xA48C, 0xA490...0xA4C6, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66, 0xFE68...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x16FF0...0x16FF1, 0x17000...0x187F7,
        0x18800...0x18CD5, 0x18CFF...0x18D08, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE,
        0x1B000...0x1B122, 0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155, 0x1B164...0x1B167,
        0x1B170...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B,
        0x1F240...0x1F248, 0x1F250...0x1F251, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}

extension TerminalText {
    /// Each line of `text` broken at its blanks, so that it fits into so many columns; what goes on is indented by two
    /// more than its line. A word that is wider than that stays whole.
    package static func broken(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard width(String(line)) > columns else { return String(line) }
            let indent = line.prefix { $0 == " " }
            var lines: [String] = []
            var current = String(indent)
            for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
                let isFirst = current.allSatisfy { $0 == " " }
                let longer = current + (isFirst ? "" : " ") + word
                if isFirst || width(longer) <= columns {
                    current = longer
                } else {
                    lines.append(current)
                    current = indent + "  " + word
                }
            }
            return (lines + [current]).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
