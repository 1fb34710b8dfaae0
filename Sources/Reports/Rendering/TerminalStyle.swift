/// What the reader's terminal can show: a value that the program fills, since only it sees the terminal.
package struct TerminalStyle: Sendable, Hashable {
    var colour: Bool
    /// In columns.
    var width: Int

    package init(colour: Bool, width: Int) {
        self.colour = colour
        self.width = width
    }

    /// No colour, and room enough that little is cut: for pipes, files and mails.
    package static let plain = TerminalStyle(colour: false, width: 120)

    /// The style of an output.
    ///
    /// - `NO_COLOR`, set and not empty, forbids colour (no-color.org), and so does `TERM=dumb`.
    /// - `COLUMNS`, where it is a number from 20 up, outranks the measured width.
    /// - A terminal of unknown width has 80 columns, anything else 120.
    ///
    /// - Parameter columns: the width that the terminal reports, `nil` if it reports none.
    package static func detect(isTerminal: Bool, environment: [String: String], columns: Int?) -> TerminalStyle {
        let forbidsColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
        let wanted = environment["COLUMNS"].flatMap(Int.init).flatMap { permittedWidths.contains($0) ? $0 : nil }
        let measured = columns.flatMap { $0 > 0 ? max($0, permittedWidths.lowerBound) : nil }
        return TerminalStyle(
            colour: isTerminal && !forbidsColour,
            width: wanted ?? measured ?? (isTerminal ? 80 : plain.width))
    }

    /// Narrower than 20 columns nothing is legible.
    static let permittedWidths = 20...10_000

    /// `text` in `ink`, where colour is wanted.
    func painted(_ text: String, _ ink: Ink) -> String {
        guard colour, !text.isEmpty, let code = ink.code else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// What a text means, apart from its words or marks, which always say the same without colour.
package enum Ink: Sendable, Hashable, CaseIterable {
    case plain, good, bad, caution, faint, strong
    /// One of a drawing's lines, which a letter at its end tells apart as well.
    case line(Hue)

    package enum Hue: Int, Sendable, Hashable, CaseIterable {
        case blue, orange, green, violet, red, teal

        /// Of the line with that number, from 0.
        init(of line: Int) { self = Self.allCases[line % Self.allCases.count] }
    }

    package static let allCases: [Ink] =
        [.plain, .good, .bad, .caution, .faint, .strong] + Hue.allCases.map(Ink.line)

    /// The number of the colour in the 256-colour palette. All have a contrast of at least 4 to 1 on black and on
    /// white, because the ground is unknown; the sixteen named colours depend on the reader's theme and have not.
    var paletteColour: Int? {
        switch self {
        case .plain, .strong: nil
        case .good: 28
        case .bad: 161
        case .caution: 130
        case .faint: 243
        case .line(.blue): 27
        case .line(.orange): 130
        case .line(.green): 28
        case .line(.violet): 164
        case .line(.red): 161
        case .line(.teal): 30
        }
    }

    /// The parameters of the terminal's SGR sequence.
    fileprivate var code: String? {
        if let paletteColour { return "38;5;\(paletteColour)" }
        return self == .strong ? "1" : nil
    }
}
