package import History
package import RankKit

/// A report that can be had in every form.
package protocol ReportView: Sendable {
    var generatedAt: Timestamp { get }
    /// For people.
    var document: Document { get }
    /// For a terminal; the document's text unless a report lays itself out.
    func text(_ style: TerminalStyle) -> String
    /// For programs: the members after `version` and `generatedAt`.
    func write(to writer: inout JSONWriter)
    /// For spreadsheets.
    var csv: CSVWriter { get }
    /// Lists that would have said more, and cannot be read. All forms tell of them but CSV, which has no place for it.
    var damaged: [DamagedLists] { get }
}

extension ReportView {
    package var damaged: [DamagedLists] { [] }

    package func text(_ style: TerminalStyle) -> String { document.text(style) }

    /// The whole report, its last line break included.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: text(style)
        case .json: JSONWriter.document(generatedAt: generatedAt) { write(to: &$0) }
        case .csv: csv.text
        case .markdown: document.markdown
        case .html: document.html
        }
    }
}

/// Every report of `rankctl report`.
package enum Report: Sendable {
    case standings(StandingsReport)
    case movers(MoversReport)
    case opportunities(OpportunitiesReport)
    case history(PairHistoryReport)
    case results(ResultsReport)
    case competitors(RivalsReport)
    case compare(ComparisonReport)
    case distribution(DistributionReport)
    case visibility(VisibilityReport)
    case volatility(VolatilityReport)
    case release(ReleaseReport)
    case releases(ReleasesReport)
    case digest(DigestReport)

    private var view: any ReportView {
        switch self {
        case .standings(let report): report
        case .movers(let report): report
        case .opportunities(let report): report
        case .history(let report): report
        case .results(let report): report
        case .competitors(let report): report
        case .compare(let report): report
        case .distribution(let report): report
        case .visibility(let report): report
        case .volatility(let report): report
        case .release(let report): report
        case .releases(let report): report
        case .digest(let report): report
        }
    }

    /// The whole report, its last line break included.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        view.render(as: format, style: style)
    }

    package var damaged: [DamagedLists] { view.damaged }
}
