/// Text as the man(7) macros take it. Source: groff_char(7), groff_man_style(7).
enum Roff {
    /// A paragraph. What stands between backticks is set bold, as something to be typed.
    static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // An opening backtick without its closing one is a backtick.
        guard !parts.count.isMultiple(of: 2) else { return guarded(words(text)) }
        return guarded(
            parts.enumerated().map { $0.isMultiple(of: 2) ? words(String($1)) : bold(String($1)) }.joined())
    }

    static func bold(_ text: String) -> String { text.isEmpty ? "" : #"\fB"# + literal(text) + #"\fR"# }

    static func italic(_ text: String) -> String { text.isEmpty ? "" : #"\fI"# + literal(text) + #"\fR"# }

    /// Something to be typed: each character as it is, so that it can be copied.
    static func literal(_ text: String) -> String { text.unicodeScalars.map { escaped($0, isLiteral: true) }.joined() }

    /// An argument of a macro.
    static func argument(_ text: String) -> String { "\"" + literal(text).replacing("\"", with: #"\(dq"#) + "\"" }

    /// A line that begins with a point or an apostrophe would be a request.
    static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
    }

    /// Words of a sentence, in which only what looks like something to be typed is taken as it is.
    private static func words(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isTyped =
                word.hasPrefix("-") || word.contains("--") || word.contains { "/_=~$<>".contains($0) || $0.isNumber }
            return word.unicodeScalars.map { escaped($0, isLiteral: isTyped) }.joined()
        }.joined(separator: " ")
    }

    private static func escaped(_ scalar: Unicode.Scalar, isLiteral: Bool) -> String {
        switch scalar {
        case "\\": #"\e"#
        case "-" where isLiteral: #"\-"#
        case "'" where isLiteral: #"\(aq"#
        case "`": #"\(ga"#
        case "^": #"\(ha"#
        case "~": #"\(ti"#
        case "\n", "\t", "\r": " "
        case " "..."~": String(Character(scalar))
        default: #"\[u"# + hexadecimal(scalar.value) + "]"
        }
    }

    /// At least four digits, in upper case.
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
