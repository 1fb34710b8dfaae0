import RankKit

/// Characters in ink, each of which can hold two by four dots (Unicode's Braille patterns).
struct DotCanvas {
    let columns: Int
    let rows: Int
    private var dots: [UInt8]
    private var glyphs: [Character?]
    private var inks: [Ink]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        dots = Array(repeating: 0, count: columns * rows)
        glyphs = Array(repeating: nil, count: columns * rows)
        inks = Array(repeating: .plain, count: columns * rows)
    }

    /// The bit of a dot by its row, in the left and in the right half. Source: Unicode, Braille Patterns.
    private static let bits: [(left: UInt8, right: UInt8)] = [(0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80)]

    mutating func dot(x: Int, y: Int, _ ink: Ink) {
        guard x >= 0, x < columns * 2, y >= 0, y < rows * 4 else { return }
        let index = y / 4 * columns + x / 2
        if dots[index] == 0 { inks[index] = ink }
        dots[index] |= x % 2 == 0 ? Self.bits[y % 4].left : Self.bits[y % 4].right
    }

    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ ink: Ink) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y))
        guard steps > 0 else { return dot(x: start.x, y: start.y, ink) }
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            dot(
                x: start.x + Int((Double(end.x - start.x) * share).rounded()),
                y: start.y + Int((Double(end.y - start.y) * share).rounded()), ink)
        }
    }

    /// Takes the place of the dots there.
    mutating func put(_ glyph: Character, column: Int, row: Int, _ ink: Ink) {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
        glyphs[row * columns + column] = glyph
        inks[row * columns + column] = ink
    }

    /// Whether there is neither a dot nor a glyph.
    func isEmpty(column: Int, row: Int) -> Bool {
        dots[row * columns + column] == 0 && glyphs[row * columns + column] == nil
    }

    func glyph(column: Int, row: Int) -> Character? { glyphs[row * columns + column] }

    /// A row without the spaces at its end.
    func row(_ row: Int) -> [Cell] {
        var runs: [(text: String, ink: Ink)] = []
        var blanks = ""
        for column in 0..<columns {
            let index = row * columns + column
            guard !isEmpty(column: column, row: row) else {
                blanks += " "
                continue
            }
            let glyph = glyphs[index] ?? Character(Unicode.Scalar(UInt16(0x2800) + UInt16(dots[index])) ?? " ")
            if let last = runs.last, last.ink == inks[index] {
                runs[runs.count - 1].text += blanks + String(glyph)
            } else {
                runs.append((blanks + String(glyph), inks[index]))
            }
            blanks = ""
        }
        return runs.map { Cell($0.text, $0.ink) }
    }
}
