import Foundation
import Judging
import RankKit

/// Where moments lie across a drawing.
struct TimeScale {
    let span: ClosedRange<Timestamp>

    /// Seconds, as a floating-point number, because the ends may lie further apart than whole numbers reach.
    var length: Double { Double(span.upperBound.secondsSinceEpoch) - Double(span.lowerBound.secondsSinceEpoch) }

    /// 0 at the beginning and 1 at the end; the middle where these are the same moment; `nil` outside.
    func fraction(_ moment: Timestamp) -> Double? {
        guard span.contains(moment) else { return nil }
        guard length > 0 else { return 0.5 }
        return (Double(moment.secondsSinceEpoch) - Double(span.lowerBound.secondsSinceEpoch)) / length
    }

    /// Which of `count` columns `moment` lies in.
    func column(_ moment: Timestamp, of count: Int) -> Int? {
        fraction(moment).map { Int(($0 * Double(count - 1)).rounded()) }
    }
}

/// A line folded to the columns of a drawing: what is finer than a column is kept as its best, worst, first and last.
struct ChartTrace {
    /// What is drawn of a column; a depth grows downwards.
    struct Sample {
        var highest = Double.infinity
        var lowest = -Double.infinity
        var first = 0.0
        var last = 0.0
        var isAbsent = false
        var hasGap = false
        var from: Timestamp
        var through: Timestamp

        var isDrawn: Bool { highest <= lowest }
        /// Nothing is known in this column, although it was asked.
        var isGap: Bool { hasGap && !isDrawn && !isAbsent }

        fileprivate mutating func add(_ depth: Double) {
            if !isDrawn { first = depth }
            highest = min(highest, depth)
            lowest = max(lowest, depth)
            last = depth
        }
    }

    enum Level {
        case at(Double)
        case absent
        case gap
    }

    let name: String
    let mark: AppMark?
    /// The last that is known, as people read it; `–` where nothing is.
    let latest: String
    /// One a column; `nil` if there was no point.
    let samples: [Sample?]
    /// Columns that are joined by a line.
    let runs: [[Int]]
    /// Columns in which the app was not in the list, those between two such checks included.
    let absences: Set<Int>
    /// Columns of which nothing is known although they were asked for.
    let gaps: Set<Int>
    /// The last that is known; never a gap.
    let end: Level?

    /// Columns that the line runs through, known or between two that are.
    var covered: Set<Int> {
        runs.reduce(into: absences) { covered, run in
            if let first = run.first, let last = run.last { covered.formUnion(first...last) }
        }
    }

    /// Two points further apart than so many usual distances have something missing between them.
    private static let longestStep = 4
    /// In seconds; below this nothing counts as missing.
    private static let leastStep = 2 * Timestamp.secondsPerDay

    init(
        name: String, mark: AppMark?, latest: String, points: [(at: Timestamp, level: Level)], on scale: TimeScale,
        columns: Int
    ) {
        self.name = name
        self.mark = mark
        self.latest = latest
        var samples: [Sample?] = Array(repeating: nil, count: max(1, columns))
        for point in points {
            guard let column = scale.column(point.at, of: samples.count) else { continue }
            var sample = samples[column] ?? Sample(from: point.at, through: point.at)
            sample.through = point.at
            switch point.level {
            case .at(let depth): sample.add(depth)
            case .absent: sample.isAbsent = true
            case .gap: sample.hasGap = true
            }
            samples[column] = sample
        }
        self.samples = samples
        let step = Self.longestStep(points.map(\.at))
        runs = Self.runs(samples, longestStep: step)
        absences = Self.columns(samples, longestStep: step, where: \.isAbsent)
        gaps = Self.columns(samples, longestStep: step, where: \.isGap)
        end = points.last { if case .gap = $0.level { false } else { scale.span.contains($0.at) } }?.level
    }

    /// The columns whose sample is such a one, and those between two of them with nothing else in between.
    private static func columns(
        _ samples: [Sample?], longestStep: Int64, where isMeant: (Sample) -> Bool
    ) -> Set<Int> {
        var columns: Set<Int> = []
        var before: (column: Int, through: Timestamp)?
        for (column, sample) in samples.enumerated() {
            guard let sample else { continue }
            guard isMeant(sample) else {
                before = nil
                continue
            }
            let joined = before.map { sample.from - $0.through <= longestStep } ?? false
            columns.formUnion((joined ? before?.column ?? column : column)...column)
            before = (column, sample.through)
        }
        return columns
    }

    private static func longestStep(_ moments: [Timestamp]) -> Int64 {
        let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }.sorted()
        guard !steps.isEmpty else { return leastStep }
        return max(leastStep, steps[steps.count / 2].multipliedReportingOverflow(by: Int64(longestStep)).partialValue)
    }

    private static func runs(_ samples: [Sample?], longestStep: Int64) -> [[Int]] {
        var runs: [[Int]] = []
        var end: Timestamp?
        for (column, sample) in samples.enumerated() {
            guard let sample else { continue }
            guard sample.isDrawn else {
                end = nil
                continue
            }
            if let end, sample.from - end <= longestStep {
                runs[runs.count - 1].append(column)
            } else {
                runs.append([column])
            }
            end = sample.through
        }
        return runs
    }
}

extension [ChartTrace] {
    /// Columns in which some line is unknown although it was asked for, and none is known.
    var unknown: Set<Int> {
        reduce(into: Set<Int>()) { $0.formUnion($1.gaps) }
            .subtracting(reduce(into: Set<Int>()) { $0.formUnion($1.covered) })
    }
}

extension Chart {
    /// The lines of positions or values, folded; none for a stack.
    func traces(columns: Int) -> [ChartTrace] {
        let scale = TimeScale(span: span)
        switch content {
        case .positions(let lines):
            return lines.map { line in
                ChartTrace(
                    name: line.name, mark: line.mark, latest: line.latest,
                    points: line.points.map { ($0.at, $0.place.level(isLinear: rankedPlaces != nil)) }, on: scale,
                    columns: columns)
            }
        case .values(let lines, _):
            return lines.map { line in
                ChartTrace(
                    name: line.name, mark: line.mark, latest: latest(of: line),
                    points: line.points.map { ($0.at, ChartTrace.Level(value: $0.value)) }, on: scale,
                    columns: columns)
            }
        case .stack: return []
        }
    }

    private func latest(of line: ValueLine) -> String {
        let value = line.points.last { $0.value?.isFinite ?? false }?.value
        return value.map { Figures.decimal($0, places: $0.magnitude < 100 ? 1 : 0) + unit } ?? "–"
    }
}

extension Chart.PositionLine {
    fileprivate var latest: String {
        for point in points.reversed() {
            switch point.place {
            case .ranked(let position): return position.description
            case .absent(let within): return ">\(within)"
            case .gap: continue
            }
        }
        return "–"
    }
}

extension Chart.PositionLine.Place {
    fileprivate func level(isLinear: Bool) -> ChartTrace.Level {
        switch self {
        case .ranked(let position): .at(isLinear ? Double(position.number) : log2(Double(position.number)))
        case .absent: .absent
        case .gap: .gap
        }
    }
}

extension ChartTrace.Level {
    fileprivate init(value: Double?) {
        if let value, value.isFinite { self = .at(-value) } else { self = .gap }
    }
}
