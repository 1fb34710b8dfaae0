package import History

/// Every report. Commands, completions, schemas, the reference, the tests' goldens and the benchmark's rows iterate it: a
/// new report is one line here.
package enum ReportCatalogue {
    /// In the order in which people are shown them.
    package static let reports: [any ReportRequest.Type] = [
        StandingsRequest.self, MoversRequest.self, HistoryRequest.self, GridRequest.self, ResultsRequest.self,
        CompetitorsRequest.self, CompareRequest.self, OpportunitiesRequest.self, DistributionRequest.self,
        VisibilityRequest.self, VolatilityRequest.self, ReleaseRequest.self, TimelineRequest.self, DigestRequest.self,
        StatusRequest.self, AppsRequest.self,
    ]

    /// The report of that name; `nil` if there is none.
    package static func report(named name: String) -> (any ReportRequest.Type)? {
        reports.first { $0.about.name == name }
    }

    /// What asks Apple, reads a file or reads everything, or tells who is sent what: only the terminal has it.
    static let atTheTerminal: [any ReportValue.Type] = [
        PlanReport.self, SearchReport.self, VerificationReport.self, WatchlistReport.self, AlertListReport.self,
        AlertLogReport.self, AlertPreviewReport.self,
    ]

    /// By which the CSV of each is known. The grid has places alone and is read back like another tool's.
    package static var ownTables: [OwnReport] {
        answers.map { AnswerDescription($0) }.filter { $0.moreColumns == nil }.map {
            OwnReport(command: $0.command, columns: $0.columns, shortColumns: $0.shortColumns)
        }
    }

    /// Every shape of data that there is.
    static var answers: [any ReportValue.Type] { reports.flatMap { $0.answers } + atTheTerminal }
}
