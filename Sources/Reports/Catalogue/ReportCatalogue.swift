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

    /// Every shape of data that there is.
    static var answers: [any ReportValue.Type] { reports.flatMap { $0.answers } + atTheTerminal }
}
