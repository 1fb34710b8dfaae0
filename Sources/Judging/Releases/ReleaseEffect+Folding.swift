import History
package import RankKit

extension ReleaseEffect.Window {
    /// - Parameters:
    ///   - day: of the release.
    ///   - today: the last day that may count.
    ///   - first: the oldest day of which the touched pairs have a reading; `nil` if they have none.
    ///   - others: the same app's other noted changes, by day.
    init(
        around day: Int64, wanted: Int64, today: Int64, first: Int64?, others: [(day: Int64, release: AppRelease)]
    ) {
        self.wanted = wanted
        var limits: [(days: Int64, limit: ReleaseEffect.Limit)] = [(max(0, today - day), .today)]
        limits.append((max(0, day - min(first ?? day, day)), .history))
        for other in others where other.day != day {
            limits.append((abs(other.day - day) - 1, .release(other.release)))
        }
        let tightest = limits.filter { $0.days < wanted }.min { $0.days < $1.days }
        days = tightest?.days ?? wanted
        limit = tightest?.limit
        if days > 0 {
            before = (day - days)...(day - 1)
            after = (day + 1)...(day + days)
        }
    }
}

extension ReleaseEffect.Comparison {
    /// - Returns: `nil` if there is no pair of either group.
    init?(_ treated: ReleaseEffect.Role, against controls: [ReleaseEffect.Role], _ pairs: [ReleaseEffect.Pair]) {
        let touched = pairs.filter { $0.role == treated }
        let queries = Set(touched.map(\.query))
        let others = pairs.filter { controls.contains($0.role) && ($0.role != .rival || queries.contains($0.query)) }
        guard !touched.isEmpty, !others.isEmpty else { return nil }
        self.treated = treated
        self.controls = controls
        figures = DifferenceInDifferences((touched + others).map(DifferenceInDifferences.Observation.init))
        readings = (touched + others).filter(\.counts).reduce(0) { $0 + $1.before.count + $1.after.count }
        before = Self.place(touched.filter(\.counts).map(\.before))
        after = Self.place(touched.filter(\.counts).map(\.after))
    }

    /// The mean of the pairs' medians, on the scale.
    private static func place(_ pairs: [[Reading]]) -> Double? {
        let values = pairs.compactMap { readings in Robust.median(readings.map { PositionScale.value($0.placeOrFloor) })
        }
        guard !values.isEmpty else { return nil }
        return PositionScale.position(values.reduce(0, +) / Double(values.count))
    }
}

extension DifferenceInDifferences.Observation {
    init(_ pair: ReleaseEffect.Pair) {
        let query = pair.query
        self.init(
            text: query.folded,
            query: [query.folded, query.country.code, query.platform.rawValue, query.language ?? ""]
                .joined(separator: "\n"),
            isTreated: !pair.role.isControl, before: pair.before, after: pair.after)
    }
}

extension Reading {
    /// Where `DifferenceInDifferences` puts it.
    var placeOrFloor: Double {
        position.map { Double($0.number) } ?? DifferenceInDifferences.floor
    }
}

extension [Reading] {
    /// The reading in the middle, the better of two, an absence below every place; `nil` of none.
    package var middle: Reading? {
        let sorted = sorted { $0.placeOrFloor < $1.placeOrFloor }
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}

extension ReleaseEffect.Finding {
    /// - Parameter isTouched: whether the app is tracked on any query that the release touched, whatever the filters
    ///   leave.
    init(
        _ window: ReleaseEffect.Window, _ pairs: [ReleaseEffect.Pair], _ first: ReleaseEffect.Comparison?,
        isTouched: Bool
    ) {
        let least = Int64(DifferenceInDifferences.minimumReadings)
        let touched = pairs.filter { !$0.role.isControl }
        if touched.isEmpty {
            self = isTouched ? .filteredOut : .notTracked
        } else if window.days < least, window.limit == .today {
            self = .tooEarly
        } else if window.days < least, window.limit == .history {
            self = .noHistory
        } else if let first {
            let read = touched.filter { $0.role == first.treated && $0.isRead }
            let isAbsent = !read.isEmpty && !read.contains(where: \.counts)
            self = isAbsent ? .absent : .verdict(first.figures.verdict)
        } else {
            self = .noControl
        }
    }
}
