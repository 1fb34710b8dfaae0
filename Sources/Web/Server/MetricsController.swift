import History
import Monitoring
import RankKit

/// `/metrics`: the history's figures for Prometheus.
struct MetricsController: Sendable {
    let history: HistoryAccess

    func add(to routes: inout Routes) {
        routes.get("/metrics", by: .nothing) { visit in
            .ofHistory {
                let text = try HistoryMetrics.text(
                    of: try history.reader(for: visit.visitor), now: visit.now, isNarrowed: visit.visitor.tags != nil)
                return Answer(type: PrometheusText.contentType, text)
            }
        }
    }
}
