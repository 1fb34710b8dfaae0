import HTTPTypes
import RankKit
import Reports

/// In which form a report is wanted, and what it is asked with beside that.
struct AnswerForm: Sendable {
    var format: ReportFormat = .json
    /// Which columns of CSV; those for people if none are named.
    var columns: CSVSelection?
    /// What is the report's own.
    var options: [RequestParameter] = []

    static let formatName = "format"
    static let columnsName = "columns"
    /// How many parameters a request may have, and how often one of them may be repeated. One that is repeated to the
    /// limit, with values of the longest and all in a script that percent-encoding makes twelve times as long, is still
    /// less than the 80 kB that SwiftNIO reads of a request's head.
    static let mostParameters = 60
    static let mostRepeated = 20
    /// How many Unicode scalars each of their values may have, and how many the names of columns, which are ASCII.
    static let longestValue = 300
    static let longestColumns = 1000

    /// - Throws: `Problem` for what is there twice or cannot be read, and if no form fits `Accept`.
    init(_ visit: Visit) throws(Problem) {
        try Self.limit(visit.parameters)
        var chosen: ReportFormat?
        for parameter in visit.parameters {
            switch parameter.name {
            case Self.columnsName where parameter.value.isEmpty: break
            case Self.formatName:
                guard chosen == nil else { throw Problem(.usage, "format is given twice: give it once") }
                guard let format = ReportFormat(rawValue: parameter.value) else {
                    let known = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                    let slip = MistypedWord.mistake(
                        parameter.value, for: Self.formatName, in: ReportFormat.allCases.map(\.rawValue))
                    if let slip { throw Problem(.usage, slip) }
                    throw Problem(.usage, "format is “\(SafeText.escaped(parameter.value))”: write one of \(known)")
                }
                chosen = format
            case Self.columnsName:
                guard columns == nil else { throw Problem(.usage, "columns is given twice: give it once") }
                guard let selection = CSVSelection(parameter.value) else {
                    throw Problem(.usage, "columns is empty: write short, all, or columns such as query,position")
                }
                columns = selection
            default: options.append(parameter)
            }
        }
        format = if let chosen { chosen } else { try Self.accepted(visit.headers) }
        if columns != nil, format != .csv { throw Problem(.usage, "columns is for CSV: add format=csv") }
    }

    private static func limit(_ parameters: [RequestParameter]) throws(Problem) {
        guard parameters.count <= mostParameters else {
            throw Problem(.usage, "\(parameters.count) parameters: write at most \(mostParameters)")
        }
        let often = Dictionary(grouping: parameters, by: \.name).filter { $0.value.count > mostRepeated }
        if let name = often.keys.min() {
            let shown = SafeText.escaped(String(name.prefix(40)))
            throw Problem(
                .usage, "“\(shown)” is given \(often[name]?.count ?? 0) times: give it at most \(mostRepeated) times")
        }
        for parameter in parameters {
            let most = parameter.name == columnsName ? longestColumns : longestValue
            let length = max(parameter.name.unicodeScalars.count, parameter.value.unicodeScalars.count)
            guard length > most else { continue }
            let name = SafeText.escaped(String(parameter.name.prefix(40)))
            throw Problem(.usage, "“\(name)” is too long: write at most \(most) characters")
        }
    }

    /// The form that `Accept` likes most; `nil` if it admits none.
    static func liked(_ headers: HTTPFields) -> ReportFormat? {
        do { return try accepted(headers) } catch { return nil }
    }

    /// The form that `Accept` likes most; of several alike the first one, JSON before the others.
    private static func accepted(_ headers: HTTPFields) throws(Problem) -> ReportFormat {
        let accept = Acceptance(headers)
        var best: (format: ReportFormat, quality: Int)?
        for format in ReportFormat.inOrder {
            let quality = accept.quality(of: format.mediaType)
            if quality > (best?.quality ?? 0) { best = (format, quality) }
        }
        guard let best else { throw Acceptance.nothingFits(ReportFormat.inOrder.map(\.mediaType)) }
        return best.format
    }
}

extension ReportFormat {
    /// Programs first.
    static let inOrder: [ReportFormat] = [.json, .csv, .markdown, .html, .table]

    /// Without parameters.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        case .markdown: "text/markdown"
        case .html: "text/html"
        case .table: "text/plain"
        }
    }

    /// As an answer names it. JSON is UTF-8 by its own standard (RFC 8259).
    var contentType: String {
        switch self {
        case .json: mediaType
        case .csv: mediaType + "; charset=utf-8; header=present"
        case .markdown, .html, .table: mediaType + "; charset=utf-8"
        }
    }
}
