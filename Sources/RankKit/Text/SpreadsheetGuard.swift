/// Text that a spreadsheet would run as a formula, made harmless by an apostrophe before it (CWE-1236; OWASP, CSV
/// injection), and read back.
///
/// A formula can stand at the start of a cell, and behind whatever another spreadsheet takes for the end of one: it may
/// separate by semicolons or tabs, and then quotes within a line protect neither those nor line breaks. Blanks, quotes and
/// apostrophes between are passed over. So `unguarded` gives back exactly what `guarded` was given.
package enum SpreadsheetGuard {
    package static func guarded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { startsFormula($0) || endsCell($0) }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isStart = index == 0 || endsCell(scalars[index - 1])
            if isStart, reachesFormula(scalars[index...], isFirst: index == 0) { result.append("'") }
            result.append(scalar)
        }
        return String(result)
    }

    package static func unguarded(_ text: String) -> String {
        guard text.unicodeScalars.contains("'") else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isStart = index == 0 || endsCell(scalars[index - 1])
            if scalar == "'", isStart, reachesFormula(scalars[(index + 1)...], isFirst: index == 0) { continue }
            result.append(scalar)
        }
        return String(result)
    }

    private static func endsCell(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ";", "\t", "\r", "\n": true
        default: false
        }
    }

    /// - Parameter isFirst: whether the cell is the text's first, which some spreadsheets run from behind a tab or a line
    ///   break as well; further on, those end a cell.
    private static func reachesFormula(_ rest: ArraySlice<Unicode.Scalar>, isFirst: Bool) -> Bool {
        guard let scalar = rest.first(where: { $0 != "'" && $0 != "\"" && $0 != " " && $0 != "\u{A0}" }) else {
            return false
        }
        return startsFormula(scalar) || (isFirst && (scalar == "\t" || scalar == "\r" || scalar == "\n"))
    }

    /// The full-width forms count as well.
    private static func startsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠": true
        default: false
        }
    }
}
