import RankKit
import Reports

/// Text of strangers made fit to be escaped for a way out.
enum CleanText {
    /// The longest name or query that is shown whole, in characters.
    static let longestName = 120

    /// `text` in one line, with whatever acts instead of showing as a visible escape, and without characters that are
    /// piled up from many parts.
    static func line(_ text: String) -> String {
        String(
            SafeText.escaped(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
                .map { $0.utf8.count > mostOfCharacter ? "\u{FFFD}" : $0 })
    }

    static func name(_ text: String) -> String { shortened(line(text), to: longestName) }

    /// Whether some way out shows a part of a name alone.
    static func isCut(_ name: String) -> Bool {
        let line = line(name)
        return line.count > longestName || line.utf16.count > mostShown
    }

    /// In UTF-16 units: so many take no more than a way out has for a name, however it escapes them.
    private static let mostShown = 150

    /// `name` so that what stands beside it keeps its order: behind a name that is written from right to left, “#34 → #9”
    /// would be read from the #9 on. Source: Unicode Standard Annex #9, “Explicit Directional Isolates”.
    static func isolated(_ name: String) -> String {
        TerminalText.turns(name) ? "\(isolate)\(name)\(isolateEnd)" : name
    }

    /// What stands outside and inside of isolated names in turn.
    static func parts(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == isolate || $0 == isolateEnd }.map(String.init)
    }

    private static let isolate: Character = "\u{2068}"
    private static let isolateEnd: Character = "\u{2069}"

    /// At most `limit` of what `measure` counts of the escaped text, and no character in part: the end of what is cut is
    /// “…”.
    ///
    /// - Parameters:
    ///   - escape: applied to each character, so that no escape is cut in two.
    ///   - measure: adds up: that of two texts is the sum of theirs.
    static func escaped(
        _ text: String, upTo limit: Int, measure: (String) -> Int = \.utf16.count,
        _ escape: (Character) -> String = { String($0) }
    ) -> String {
        let whole = text.map(escape)
        if whole.reduce(0, { $0 + measure($1) }) <= limit { return whole.joined() }
        var (result, left) = ("", limit - measure("…"))
        for piece in whole {
            left -= measure(piece)
            guard left >= 0 else { break }
            result += piece
        }
        return left + measure("…") >= 0 || !result.isEmpty ? result + "…" : ""
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// In bytes: the longest emoji that people write, flags of regions among them, have 35.
    private static let mostOfCharacter = 48
}

/// What of a list of lines goes into a message whose length is limited.
struct FittedLines {
    var lines: [String]
    /// Those that were left out.
    var omitted: Int

    /// The first `lines` that take at most `limit` together, with one for each line break.
    init(_ lines: [String], upTo limit: Int, measure: (String) -> Int) {
        var left = limit
        let kept = lines.prefix { line in
            left -= measure(line) + 1
            return left >= 0
        }
        self.lines = Array(kept)
        omitted = lines.count - kept.count
    }
}
