import HTTPTypes
import Reports

/// The API for people who write programs: made of the same catalogue as its description, and needs nothing else.
enum APIPage {
    static let title = "API"

    /// The part of the page that is about the API.
    static var body: String {
        """
        <p>Every report has an address. Its options have the same names and meanings as on the command line. The API only
        reads: nothing here changes the history or the watchlist.</p>
        <p>Programs send a token of rankweb's token file: <code>Authorization: Bearer TOKEN</code>. A browser that has
        logged in needs none.</p>
        <p>The answer is JSON. <code>format=csv</code> makes it CSV, with <code>columns=all</code> for every column;
        <code>\(formats)</code> are the other forms. Instead of <code>format</code>, <code>Accept</code> can name the
        media type. An answer has an <code>ETag</code>. Send it back as <code>If-None-Match</code>: if the answer has not
        changed, it is not sent again.</p>
        <p>To repeat an option, write it several times: <code>country=us&amp;country=de</code>. Remarks about a report are in
        the header <code>\(Remarks.name)</code>.</p>
        <p><a href="\(APIAddress.description)">The whole description as OpenAPI 3.1</a> is for tools;
        <a href="\(APIAddress.list)">the list of reports</a> is for programs.</p>
        <h2>Reports</h2>
        <ul>
        \(ReportCatalogue.reports.map { "<li><a href=\"#\(id(of: $0))\">\($0.about.name)</a>: \(text($0.about.abstract))</li>" }.joined(separator: "\n"))
        </ul>
        \(ReportCatalogue.reports.map(section).joined(separator: "\n"))
        <h2>Problems</h2>
        <p>If a request cannot be answered, the answer is <code>\(Problem.mediaType)</code> (RFC 9457): <code>type</code> says
        which kind of problem it is, and <code>detail</code> says what is wrong, in the same words as the terminal.</p>
        \(table(
            "Problems", ["Type", "Status", "What it means"],
            Problem.Kind.allCases.map { kind in
                [code(kind.address), "\(kind.status.code)", text("\(kind.title). \(kind.meaning)")]
            }, ids: Problem.Kind.allCases.map(\.rawValue)))

        """
    }

    private static var formats: String {
        ReportFormat.inOrder.filter { $0 != .json && $0 != .csv }.map(\.rawValue).joined(separator: "</code>, <code>")
    }

    private static func id(of report: any ReportRequest.Type) -> String { "report-\(report.about.name)" }

    private static func section(_ report: any ReportRequest.Type) -> String {
        let about = report.about
        let examples = report.examples(.documented).map { example in
            let address = APIAddress.with(report.parameters(example.arguments), APIAddress.full(report))
            return "curl -H \"Authorization: Bearer $TOKEN\" \"$RANKWEB\(address)\""
        }
        let options = report.options.map { option in
            [code(option.name), text(option.meaning), text(words(of: option))]
        }
        var parts = [
            "<section id=\"\(id(of: report))\">", "<h2>\(text(about.name))</h2>", "<p>\(text(about.abstract))</p>",
            "<p>\(APIAddress.all(of: report).map(code).joined(separator: " or ")), the same as \(code(about.command))</p>",
            "<div class=\"scroll\"><pre tabindex=\"0\">\(text(examples.joined(separator: "\n"), keepsLines: true))</pre></div>",
            table("Options of \(about.name)", ["Option", "What it does", "Kind"], options),
        ]
        for answer in report.answerDescriptions {
            parts += [
                "<details>", "<summary>The fields of \(text(answer.name))</summary>",
                table(
                    "Fields of \(answer.name)", ["Field", "What it is", "Kind"],
                    answer.fields.map { [code($0.path), text($0.meaning), text($0.kind)] }),
                "<p>A line of its CSV is \(text(answer.grain)). Its columns: \(text(columns(of: answer))).</p>",
                "</details>",
            ]
        }
        return (parts + ["</section>"]).joined(separator: "\n")
    }

    private static func columns(of answer: AnswerDescription) -> String {
        answer.columns.joined(separator: ", ") + (answer.moreColumns.map { "; then \($0)" } ?? "")
    }

    private static func words(of option: RequestOption) -> String {
        let kind =
            switch option.kind {
            case .flag: "true or false"
            case .text: option.valueName.isEmpty ? "text" : option.valueName
            case .wholeNumber: "whole number" + (option.most.map { ", at most \($0)" } ?? "")
            case .word: option.values.joined(separator: ", ")
            }
        return [
            kind, option.isRequired ? "must be given" : nil, option.isRepeating ? "may be repeated" : nil,
            option.defaultValue.map { "\($0) if it is not given" },
        ].compactMap(\.self).joined(separator: "; ")
    }

    /// - Parameters:
    ///   - rows: their cells, as HTML.
    ///   - ids: what each row is linked to by; none if there are none.
    private static func table(
        _ label: String, _ header: [String], _ rows: [[String]], ids: [String] = []
    ) -> String {
        let head = header.map { "<th scope=\"col\">\(text($0))</th>" }.joined()
        let body = rows.enumerated().map { index, cells in
            let id = index < ids.count ? " id=\"\(text(ids[index]))\"" : ""
            return "<tr\(id)>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return """
            <div class="scroll" role="region" aria-label="\(text(label))" tabindex="0"><table>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body.joined(separator: "\n"))
            </tbody></table></div>
            """
    }

    private static func code(_ text: String) -> String { "<code>\(HTMLText.escaped(text))</code>" }

    private static func text(_ text: String, keepsLines: Bool = false) -> String {
        guard keepsLines else { return HTMLText.escaped(text) }
        return text.split(separator: "\n").map { HTMLText.escaped(String($0)) }.joined(separator: "\n")
    }
}
