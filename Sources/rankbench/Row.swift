internal import ArgumentParser

/// A row, by the name that scripts know it by.
struct RowName: RawRepresentable, Hashable, ExpressibleByArgument {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.rawValue = rawValue }

    static let passCPU = RowName("pass-cpu-per-search")
    static let passMemory = RowName("pass-peak-memory")
    static let recordRate = RowName("record-rate")
    static let reportCPU = RowName("report-cpu")
    static let reportCPU100 = RowName("report-cpu-100")
    static let reportCPU10000 = RowName("report-cpu-10000")
    static let idleMemory = RowName("idle-memory")
    static let idleCPU = RowName("idle-cpu")
    static let seriesBytes = RowName("bytes-per-place-series")
    static let compactionMemory = RowName("compaction-memory")
    static let compactionRate = RowName("compaction-rate")
    static let recordWhileCompacting = RowName("record-p99-while-compacting")
    static let yearBytes = RowName("bytes-per-place-year")
    static let yearSize = RowName("file-size-year")
    static let longestStep = RowName("housekeeping-longest-step")
    static let rankctlMemory = RowName("rankctl-memory")
    static let historyTracked = RowName("history-tracked")
    static let historyUntracked = RowName("history-untracked")
    static let appQuarter = RowName("app-90-days")
    static let reportYear = RowName("report-year")
    static let growth = RowName("growth")
    static let viewMemory = RowName("view-memory")
    static let falseAlarms = RowName("noise-false-alarms")
    static let falseAlarmsFive = RowName("noise-false-alarms-5-places")
    static let falseAlarmsDeviations = RowName("noise-false-alarms-3-mad")
    static let falseAlarmsWeekly = RowName("noise-false-alarms-weekly")
    static let detected = RowName("shift-detected")
    static let detectedFive = RowName("shift-detected-5-places")
    static let detectedDeviations = RowName("shift-detected-3-mad")
    static let detectedWeekly = RowName("shift-detected-weekly")
    static let driftAlarms = RowName("drift-false-alarms")
    static let drifts = RowName("drift-detected")
    static let keenAlarms = RowName("noise-false-alarms-keen")
    static let calmAlarms = RowName("noise-false-alarms-calm")
    static let realFlagged = RowName("real-flagged")
    static let realShifts = RowName("real-shift-detected")
    static let realTopShifts = RowName("real-shift-detected-top")
    static let releaseVerdicts = RowName("release-false-verdicts")
    static let todayCold = RowName("web-today-cold")
    static let todayKept = RowName("web-today-kept")
    static let todayUnchanged = RowName("web-today-unchanged")
    static let todayBytes = RowName("web-today-bytes")
    static let scriptBytes = RowName("web-script-bytes")
    static let streamsMemory = RowName("web-streams-memory")
    static let webErrors = RowName("web-errors")
    static let webRecording = RowName("web-recording")
    static let webPeakMemory = RowName("web-peak-memory")
    static let webIdleMemory = RowName("web-idle-memory")
    static let alertsPreview = RowName("alerts-preview")
    static let alertsPreviewCPU = RowName("alerts-preview-cpu")
    static let alertsPreviewMemory = RowName("alerts-preview-memory")
    static let alertsPreviewYear = RowName("alerts-preview-year")
    static let alertsPreviewYearMemory = RowName("alerts-preview-year-memory")
    static let alertsDeciding = RowName("alerts-deciding")
    static let alertsDecidingNewcomers = RowName("alerts-deciding-newcomers")
    static let alertsDecidingDaily = RowName("alerts-deciding-daily")
    static let alertsWriter = RowName("alerts-writer")
    static let alertsDecidingMemory = RowName("alerts-deciding-memory")

    /// Of one report; see `ViewBenchmark`.
    static func view(_ report: String) -> RowName { RowName("view-\(report)") }

    /// Of one question to a watchlist of so many pairs; see `ScaleBenchmark`.
    static func scale(_ question: String, pairs: Int) -> RowName { RowName("scale-\(question)-\(pairs)") }

    static var all: [RowName] { Benchmark.allCases.flatMap(\.rows) }

    init?(argument: String) {
        guard let known = Self.all.first(where: { $0.rawValue == argument }) else { return nil }
        self = known
    }

    static var allValueStrings: [String] { all.map(\.rawValue) }
}

/// One measurement beside its reference.
struct Row {
    var name: RowName
    var value: Double
    var unit: String
    /// What the reference came to, in the same unit; `nil` if it could not be measured.
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
        /// A multiple of the reference, where more is better.
        case ratioAtLeast(Double)
    }

    var ratio: Double? { reference.flatMap { $0 > 0 ? value / $0 : nil } }

    /// A goal that needs a reference is kept where there is none: nothing says that it was missed.
    var isOK: Bool {
        switch goal {
        case .value(let limit): value <= limit
        case .valueAtLeast(let limit): value >= limit
        case .ratio(let limit): ratio.map { $0 <= limit } ?? true
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit } ?? true
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
