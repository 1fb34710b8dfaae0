/// Foreign text made fit for a terminal or a log.
///
/// Names in the store are chosen by strangers: an escape sequence in one could repaint the screen, a line break
/// forge a log line, a bidi control show a text in another order than it is stored (CWE-150).
package enum SafeText {
    /// `text` with everything that acts instead of showing as a visible `\u{…}`: C0, DEL, C1, bidi controls, line and
    /// paragraph separators, other invisible, private-use and unassigned characters.
    ///
    /// Joiners stay where a script or an emoji needs them, variation selectors behind the character that they vary,
    /// and tags within a flag. A backslash that was in the text stays as it is: the result is for eyes, and is not
    /// meant to be read back.
    package static func escaped(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isPlain) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        var inFlag = false
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            let isKept: Bool
            if isJoiner(scalar) {
                isKept = previous.map(takesJoiner) ?? false && next.map(followsJoiner) ?? false
            } else if isTag(scalar) {
                isKept = inFlag
            } else if scalar.properties.isVariationSelector {
                isKept = previous.map { !$0.properties.isVariationSelector && !$0.properties.isWhitespace } ?? false
            } else {
                isKept = !isUnsafe(scalar)
            }
            inFlag = scalar == blackFlag || (inFlag && isTag(scalar))
            previous = isKept ? scalar : nil
            if isKept {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Whether `scalar` acts instead of showing wherever it stands. Joiners, tags and variation selectors, which are
    /// right in some places, are not among them.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if isPlain(scalar) { return false }
        if isJoiner(scalar) || isTag(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isVisibleFormat(scalar)
        default:
            return scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    /// Whether `scalar` lies in one of the blocks that hold most names and nothing unsafe: Latin, general punctuation
    /// that shows, box drawing and shapes, Braille, kana, Han, Hangul. Spares a look at the Unicode tables, which cost ten times
    /// as much.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x2010...0x2027, 0x2500...0x25FF, 0x2800...0x28FF, 0x3041...0x3096,
            0x30A1...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
            true
        default: false
        }
    }

    /// Begins the flags of regions (England, Scotland, Wales), which are spelled with tags.
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"

    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0020...0xE007F).contains(scalar.value) }

    /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x200C || scalar.value == 0x200D }

    private static func takesJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFE0F || isTag(scalar) || followsJoiner(scalar)
    }

    /// Emoji, and the letters and signs of the scripts in which joiners change the shape of a letter, which all lie
    /// between Arabic and Mongolian.
    private static func followsJoiner(_ scalar: Unicode.Scalar) -> Bool {
        if (0x0600...0x18AF).contains(scalar.value) {
            switch scalar.properties.generalCategory {
            case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
            default: return false
            }
        }
        return !scalar.isASCII && scalar.properties.isEmoji
    }

    /// The format characters that are drawn (`Prepended_Concatenation_Mark`): number signs and the like.
    /// Source: Unicode, PropList.txt.
    private static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }
}

extension String {
    /// At most this many of the text's first bytes as UTF-8, without a broken character at the end. A single `Character` may
    /// be of any size, so a count of those bounds nothing.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, !isScalarAligned(end) { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    private func isScalarAligned(_ index: Index) -> Bool { index.samePosition(in: unicodeScalars) != nil }
}
