import History
import RankKit
import Reports

/// A report made for an agent: text to read, data to compute with, both cut to a size.
struct ReportAnswer: Sendable {
    let text: String
    /// `nil` where not even a report without rows would fit.
    let data: JSONValue?
    let cuts: [RowCut]
    /// What is to be said beside the report: what was left out, how to narrow it, and remarks of its own.
    let notes: [String]

    /// Data that is not read any further: what bounds the memory of an answer.
    private static let mostRead = 16 << 20

    private struct TooMuch: Error {}

    init<Request: ReportRequest>(
        _ request: Request, in context: ReportContext, remarks: () -> [String], limit: Int
    ) throws {
        let report = try request.answer(in: context)
        let narrowing = ReportTool.narrowing(Request.options)
        var notes = remarks().map { ForeignText.bounded($0, to: ForeignText.longestSentence) }
        var data = try Self.data(of: report)
        cuts = data?.cut(toBytes: limit) ?? []
        if data != nil, cuts.isEmpty, let size = data?.bytes.count, size > limit { data = nil }
        self.data = data
        if data == nil {
            notes.append("The data would be larger than \(limit) bytes without any row, and is left out.")
        }
        notes += cuts.map { "In the data, \($0.words)." }
        let words = report.markdown(mostInCell: ForeignText.longest, mostInLine: ForeignText.longestSentence)
        let (kept, left) = Self.lines(of: words, limit: limit)
        if left > 0 { notes.append("In the text, the last \(left) lines are left out.") }
        if (data == nil || !cuts.isEmpty || left > 0), !narrowing.isEmpty {
            notes.append("Answers have at most \(limit) bytes. Narrow it with: \(narrowing.joined(separator: ", ")).")
        }
        self.notes = notes
        text = kept
    }

    /// The report's JSON with its texts made safe; `nil` where it is larger than anything that is read.
    private static func data(of report: any ReportValue) throws -> JSONValue? {
        var bytes: [UInt8] = []
        do {
            try report.write(as: .json) { (piece: [UInt8]) throws(TooMuch) in
                guard bytes.count + piece.count <= mostRead else { throw TooMuch() }
                bytes += piece
            }
        } catch { return nil }
        return try JSONValue(parsing: bytes).withBoundedTexts()
    }

    /// As many whole lines as fit.
    private static func lines(of text: String, limit: Int) -> (text: String, left: Int) {
        guard text.utf8.count > limit else { return (text, 0) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var size = 0
        let kept = lines.prefix { line in
            size += line.utf8.count + 1
            return size <= limit
        }
        return (kept.joined(separator: "\n") + "\n", lines.count - kept.count)
    }

    /// The report between fences that nothing in it can end, with what is to be said of it in front.
    var marked: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let body = lines.last?.isEmpty == true ? Array(lines.dropLast()) : lines
        return (notes + [ForeignText.warning, "", MarkdownText.fenced(body, as: "markdown")]).joined(separator: "\n")
    }
}
