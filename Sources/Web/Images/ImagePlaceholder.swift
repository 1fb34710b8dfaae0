import RankKit
import Reports

/// What is shown where there is no image: a square of a colour with the first letter of the app's name, the same
/// wherever the app is shown.
struct ImagePlaceholder: Hashable, Sendable {
    /// An index of `colours`; `nil` draws the plain grey of a screenshot that is missing.
    private let colour: Int?
    private let letter: Character?

    /// Dark enough for white letters: contrast 4.5 and more (WCAG 2.2, 1.4.3).
    private static let colours = [
        "#1d5fa8", "#6a4fb3", "#8f3f97", "#a83a5e", "#b0413e", "#9a5312", "#7a6412", "#4f6f1f", "#22763f", "#15746c",
        "#2a6f8f", "#55606e",
    ]

    init(name: String) {
        letter = name.first { ($0.isLetter || $0.isNumber) && Self.isShort($0) }
            .flatMap { $0.uppercased().first }
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        // FNV-1a leaves the last letters of short names in the lower bits; a multiplication more spreads them.
        colour = Int((hash &* 0xFF51_AFD7_ED55_8CCD) >> 33) % Self.colours.count
    }

    /// - Parameter mark: what `mark` gave; anything else is the plain one.
    init(mark: String) {
        guard let digit = mark.first.flatMap({ Int(String($0), radix: 36) }), digit < Self.colours.count,
            mark.count <= 2
        else {
            (colour, letter) = (nil, nil)
            return
        }
        colour = digit
        letter = mark.dropFirst().first { ($0.isLetter || $0.isNumber) && Self.isShort($0) }
    }

    /// The whole placeholder in two characters at most; empty for the plain one.
    var mark: String { colour.map { String($0, radix: 36) + (letter.map(String.init) ?? "") } ?? "" }

    var svg: String {
        let open = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">"#
        guard let colour else {
            return open + ##"<path fill="#8a8f98" fill-opacity=".25" d="M0 0h64v64H0z"/></svg>"##
        }
        let square = #"<path fill="\#(Self.colours[colour])" d="M0 0h64v64H0z"/>"#
        guard let letter else { return open + square + "</svg>" }
        // A letter may come with a sign of markup in one character.
        let style = ##"fill="#fff" font-family="system-ui,sans-serif" font-size="34" font-weight="600""##
        return open + square
            + #"<text x="32" y="44" \#(style) text-anchor="middle">\#(HTMLText.escaped("\(letter)"))</text></svg>"#
    }

    /// Whoever asks for a placeholder by hand chooses its letter; one with a hundred accents is none.
    private static func isShort(_ letter: Character) -> Bool { letter.unicodeScalars.count <= 4 }
}
