import RankKit
import Reports

/// As many whole lines of a report as have room in an answer.
struct AnswerPage: Sendable, Hashable {
    /// What stands again above the first line, and the lines.
    var lines: [String]
    /// How many there are before the first that is shown.
    var offset: Int
    var shown: Int
    var of: Int

    /// Where the next page begins; `nil` at the end.
    var next: Int? { offset + shown < of ? offset + shown : nil }

    /// - Parameters:
    ///   - lines: all of them, each with what has to stand above it if a page begins with it.
    ///   - limit: bytes, line breaks included. One line is shown in any case, cut if it is longer.
    /// - Throws: `ReportRefusal` if `offset` is behind the end.
    init(
        _ lines: [(text: String, above: [String])], from offset: Int, limit: Int, of what: String
    ) throws(ReportRefusal) {
        guard offset == 0 || offset < lines.count else {
            throw .option("offset is \(offset), and there are \(lines.count) \(what)")
        }
        self.offset = offset
        of = lines.count
        self.lines = offset > 0 ? lines[offset].above : []
        shown = 0
        var size = self.lines.reduce(0) { $0 + $1.utf8.count + 1 }
        for line in lines[offset...] {
            size += line.text.utf8.count + 1
            guard size <= limit || shown == 0 else { break }
            self.lines.append(size <= limit ? line.text : line.text.cut(toBytes: limit) + "…")
            shown += 1
        }
    }
}
