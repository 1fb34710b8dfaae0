import Foundation
import Testing

@testable import Reports

@Suite struct TerminalStyleTests {
    private func style(
        terminal: Bool = true, _ environment: [String: String] = ["TERM": "xterm-256color"], columns: Int? = 100
    ) -> TerminalStyle {
        TerminalStyle.detect(isTerminal: terminal, environment: environment, columns: columns)
    }

    @Test func `a terminal has colour and its own width`() {
        #expect(style() == TerminalStyle(colour: true, width: 100))
    }

    @Test func `a pipe has no colour and 120 columns`() {
        #expect(style(terminal: false, columns: nil) == TerminalStyle(colour: false, width: 120))
    }

    @Test func `NO_COLOR counts only where it is not empty`() {
        #expect(!style(["NO_COLOR": "1"]).colour)
        #expect(style(["NO_COLOR": ""]).colour)
    }

    @Test func `a dumb terminal has no colour`() {
        #expect(!style(["TERM": "dumb"]).colour)
    }

    @Test func `COLUMNS outranks the measured width where it makes sense`() {
        #expect(style(["COLUMNS": "60"]).width == 60)
        #expect(style(terminal: false, ["COLUMNS": "60"], columns: nil).width == 60)
        for nonsense in ["", "0", "-5", "wide", "19", "99999999"] { #expect(style(["COLUMNS": nonsense]).width == 100) }
    }

    @Test func `a terminal of unknown width has 80 columns, and a tiny one 20`() {
        #expect(style(columns: nil).width == 80)
        #expect(style(columns: 0).width == 80)
        #expect(style(columns: 3).width == 20)
    }

    @Test func `without colour nothing is painted`() {
        #expect(TerminalStyle.plain.painted("up", .good) == "up")
        #expect(TerminalStyle(colour: true, width: 80).painted("up", .good) == "\u{1B}[38;5;28mup\u{1B}[0m")
    }

    /// Contrast after WCAG 2, on the colour cube of the 256-colour palette.
    @Test func `every colour is legible on black and on white`() throws {
        for colour in Ink.allCases.compactMap(\.paletteColour) {
            let levels: [Double]
            if colour >= 232 {
                levels = Array(repeating: Double(8 + (colour - 232) * 10), count: 3)
            } else {
                let cube = [0.0, 95, 135, 175, 215, 255]
                levels = [(colour - 16) / 36, (colour - 16) / 6 % 6, (colour - 16) % 6].map { cube[$0] }
            }
            let linear = levels.map { $0 / 255 }.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
            #expect((luminance + 0.05) / 0.05 >= 4, "\(colour) on black")
            #expect(1.05 / (luminance + 0.05) >= 4, "\(colour) on white")
        }
    }
}
