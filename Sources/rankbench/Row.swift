/// The rows, by the names that scripts know them by.
enum RowName: String, CaseIterable {
    case passCPU = "pass-cpu-per-search"
    case passMemory = "pass-peak-memory"
    case recordRate = "record-rate"
    case reportCPU = "report-cpu"
    case reportCPU100 = "report-cpu-100"
    case reportCPU10000 = "report-cpu-10000"
    case idleMemory = "idle-memory"
    case idleCPU = "idle-cpu"
    case seriesBytes = "bytes-per-place-series"
    case compactionMemory = "compaction-memory"
    case compactionRate = "compaction-rate"
    case recordWhileCompacting = "record-p99-while-compacting"
    case yearBytes = "bytes-per-place-year"
    case yearSize = "file-size-year"
    case longestStep = "housekeeping-longest-step"
    case rankctlMemory = "rankctl-memory"
    case historyTracked = "history-tracked"
    case historyUntracked = "history-untracked"
    case appQuarter = "app-90-days"
    case reportYear = "report-year"
    case growth
    case viewStandings = "view-standings"
    case viewMovers = "view-movers"
    case viewOpportunities = "view-opportunities"
    case viewHistory = "view-history"
    case viewResults = "view-results"
    case viewCompetitors = "view-competitors"
    case viewCompare = "view-compare"
    case viewDistribution = "view-distribution"
    case viewVisibility = "view-visibility"
    case viewVolatility = "view-volatility"
    case viewRelease = "view-release"
    case viewDigest = "view-digest"
    case viewMemory = "view-memory"
    case falseAlarms = "noise-false-alarms"
    case falseAlarmsFive = "noise-false-alarms-5-places"
    case falseAlarmsDeviations = "noise-false-alarms-3-mad"
    case falseAlarmsWeekly = "noise-false-alarms-weekly"
    case detected = "shift-detected"
    case detectedFive = "shift-detected-5-places"
    case detectedDeviations = "shift-detected-3-mad"
    case detectedWeekly = "shift-detected-weekly"
    case slideAlarms = "slide-false-alarms"
    case slides = "slide-detected"
    case releaseVerdicts = "release-false-verdicts"
}

/// One measurement beside its reference.
struct Row {
    var name: RowName
    var value: Double
    var unit: String
    /// What the reference came to, in the same unit; `nil` where it could not be measured.
    var reference: Double?
    var goal: Goal?

    /// What a row must keep to.
    enum Goal {
        /// In the row's unit.
        case value(atMost: Double)
        /// In the row's unit, where more is better.
        case valueAtLeast(Double)
        /// A multiple of the reference.
        case ratio(atMost: Double)
    }

    var ratio: Double? { reference.flatMap { $0 > 0 ? value / $0 : nil } }

    /// A goal that needs a reference is kept where there is none: nothing says that it was missed.
    var isOK: Bool {
        switch goal {
        case .value(let limit): value <= limit
        case .valueAtLeast(let limit): value >= limit
        case .ratio(let limit): ratio.map { $0 <= limit } ?? true
        case nil: true
        }
    }
}

extension [Double] {
    /// The middle one, or the mean of the two in the middle; `nil` of none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
