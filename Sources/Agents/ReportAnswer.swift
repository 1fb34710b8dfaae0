import History
import RankKit
import Reports

/// A report made for an agent, cut to a size.
struct ReportAnswer: Sendable {
    /// Between fences; `nil` where data stands in its place.
    private let body: (lines: [String], kind: String)?
    /// Every field, if that was asked for and fits.
    let data: JSONValue?
    /// Whether every field was asked for, and not even a report without rows would fit.
    let isTooLarge: Bool
    let cuts: [RowCut]
    /// Where the next page begins; `nil` if this is the last.
    let next: Int?
    /// What is to be said beside the report: what was left out, how to get it, and remarks of its own.
    let notes: [String]

    /// Data that is not read any further: what bounds the memory of an answer.
    private static let mostRead = 16 << 20
    /// Bytes for the fences and for what is said of the rest.
    private static let frame = 500

    private struct TooMuch: Error {}

    init<Request: ReportRequest>(
        _ request: Request, in context: ReportContext, remarks: () -> [String], form: AnswerForm, limit: Int
    ) throws {
        let report = try request.answer(in: context)
        let name = Request.about.name
        var notes = Self.bounded(remarks(), to: limit / 4)
        let said = notes.reduce(ForeignText.warning.utf8.count) { $0 + $1.utf8.count + 1 }
        let room = max(limit / 4, limit - said - Self.frame)
        let narrowing = ReportTool.narrowing(Request.options).joined(separator: ", ")
        var data: JSONValue?
        var cuts: [RowCut] = []
        var page: AnswerPage?
        var kind = "text"
        switch form.kind {
        case .text:
            let lines = report.toolLines(mostInCell: ForeignText.longest, mostInLine: ForeignText.longestSentence)
            page = try AnswerPage(lines.map { ($0.text, $0.above) }, from: form.offset, limit: room, of: "lines")
        case .rows:
            let (titles, rows) = try report.rows(form.columns)
            let head = [Self.record(titles)]
            page = try AnswerPage(
                rows.map { (Self.record($0), head) }, from: form.offset, limit: room - head[0].utf8.count, of: "rows")
            if form.offset == 0 { page?.lines.insert(head[0], at: 0) }
            kind = "csv"
        case .json:
            data = try Self.data(of: report)
            cuts = data?.cut(toBytes: room) ?? []
            if let size = data?.bytes.count, size > room { data = nil }
            notes.append(
                data == nil
                    ? "The data would be larger than \(limit) bytes without any row: ask with form: rows."
                    : "The data is the structured content; the resource rankd://shapes/\(name) has its shape.")
            notes += cuts.prefix(Self.mostCuts).map { "In the data, \($0.words)." }
        }
        if let page, let next = page.next {
            let what = form.kind == .rows ? "rows" : "lines"
            notes.append(
                "These are \(what) \(page.offset + 1) to \(next) of \(page.of). For the rest call \(name) again with the "
                    + "same arguments and offset: \(next).")
        }
        if page?.next != nil || !cuts.isEmpty || (form.kind == .json && data == nil), !narrowing.isEmpty {
            notes.append("Narrow it with: \(narrowing).")
        }
        self.notes = notes
        self.cuts = cuts
        self.data = data
        next = page?.next
        body = page.map { ($0.lines, kind) }
        isTooLarge = form.kind == .json && data == nil
    }

    /// Lists that were cut and are told of in words; `_meta` has all of them.
    private static let mostCuts = 5

    /// As many remarks as have room.
    private static func bounded(_ remarks: [String], to limit: Int) -> [String] {
        var left = limit
        return remarks.map { ForeignText.bounded($0, to: ForeignText.longestSentence) }.prefix { remark in
            left -= remark.utf8.count + 1
            return left >= 0
        }
    }

    /// A line of CSV (RFC 4180) without line breaks in its fields.
    private static func record(_ fields: [String]) -> String {
        fields.map { field in
            let text = ForeignText.bounded(field)
            guard text.contains(where: { ",\"".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
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

    /// The report between fences that nothing in it can end, with what is to be said of it in front.
    var marked: String {
        let front = notes + [ForeignText.warning]
        guard let body else { return front.joined(separator: "\n") }
        let lines = body.lines.last?.isEmpty == true ? Array(body.lines.dropLast()) : body.lines
        return (front + ["", MarkdownText.fenced(lines, as: body.kind)]).joined(separator: "\n")
    }
}
