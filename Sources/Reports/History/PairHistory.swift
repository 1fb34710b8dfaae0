import History
import Judging
import RankKit

/// What every check of a query said about one app.
struct PairHistory: Sendable {
    var generatedAt: Timestamp
    var query: Query
    var app: ReportedApp
    /// Oldest first.
    var checks: [Check]
    /// Lists that would have said more, and cannot be read: what they said of the app is unknown.
    var damaged: [DamagedLists] = []

    struct Check: Sendable, Hashable {
        var checkedAt: Timestamp
        var outcome: Outcome
        /// What was seen of one that failed, such as its status.
        var detail: String?

        var position: Position? { outcome.position }

        /// `nil` for a check that no position comes from.
        var reading: Reading? { outcome.reading(checkedAt: checkedAt) }
    }
}

extension PairHistory {
    /// Reads the history of an app, tracked or not, on `query`.
    init(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp>, from reader: HistoryReader,
        now: Timestamp
    ) throws(HistoryError) {
        try self.init(
            of: bundleID, on: query, in: span, from: reader,
            app: try WatchedApps(reader).reported(bundleID, namedIn: query.country, reader), now: now)
    }

    init(
        of bundleID: BundleID, on query: Query, in span: ClosedRange<Timestamp>, from reader: HistoryReader,
        app: ReportedApp, now: Timestamp
    ) throws(HistoryError) {
        let past = try reader.history(of: bundleID, on: query, in: span)
        self.init(
            generatedAt: now, query: query, app: app,
            checks: past.checks.map { Check(checkedAt: $0.at, outcome: $0.outcome, detail: $0.detail) },
            damaged: past.damaged)
    }
}

extension PairHistory {
    /// Whether its newest check says no place, and an earlier one does.
    var isOutdated: Bool { checks.last.map { $0.reading == nil } ?? false && checks.contains { $0.reading != nil } }
}

extension PairHistory {
    /// Consecutive checks that a line of the table stands for.
    struct Stretch: Sendable {
        var from: Timestamp
        var through: Timestamp
        var checks = 0
        /// The last good check; `nil` if there is none: a gap.
        var last: Reading?
        var best: Position?
        var worst: Position?
        var absent = 0
        var failed = 0
        var suspect = 0
        /// Why the last of those failed or is suspect.
        var gap: Gap?
        /// What was seen of that one.
        var detail: String?
        /// Whether it stands for lists that cannot be read, and no check.
        var isDamaged = false

        init(_ check: Check) {
            from = check.checkedAt
            through = check.checkedAt
            add(check)
        }

        init(_ lists: DamagedLists) {
            (from, through, isDamaged) = (lists.from, lists.through, true)
        }

        mutating func add(_ check: Check) {
            through = check.checkedAt
            checks += 1
            last = check.reading ?? last
            if let position = check.position {
                best = min(best ?? position, position)
                worst = max(worst ?? position, position)
            }
            switch check.outcome {
            case .ranked, .pending: break
            case .absent: absent += 1
            case .failed: failed += 1
            case .suspect: suspect += 1
            }
            if let newest = check.outcome.gap { (gap, detail) = (newest, check.detail) }
        }
    }

    /// How the checks were put together.
    enum Folding: Sendable, Hashable {
        /// A stretch for each change.
        case changes
        /// A stretch for so many UTC days.
        case days(Int64)
    }

    /// The checks in at most `limit` stretches, unless three months each are still more: by change where that does, else
    /// by day, week, 30 days, 91 days.
    func folded(limit: Int) -> (stretches: [Stretch], by: Folding) {
        let changes = stretches { $0.readsLike($1) }
        if changes.count <= limit { return (changes, .changes) }
        let lengths: [Int64] = [1, 7, 30, 91]
        for days in lengths {
            let stretches = stretches { $0.checkedAt.reportDay / days == $1.checkedAt.reportDay / days }
            if stretches.count <= limit || days == lengths.last { return (stretches, .days(days)) }
        }
        return (changes, .changes)
    }

    private func stretches(_ belongTogether: (Check, Check) -> Bool) -> [Stretch] {
        var stretches: [Stretch] = []
        var previous: Check?
        var damaged = damaged.sorted { $0.from < $1.from }[...]
        for check in checks {
            while let lists = damaged.first, lists.from <= check.checkedAt {
                stretches.append(Stretch(lists))
                damaged = damaged.dropFirst()
                previous = nil
            }
            if let previous, belongTogether(previous, check) {
                stretches[stretches.count - 1].add(check)
            } else {
                stretches.append(Stretch(check))
            }
            previous = check
        }
        return stretches + damaged.map(Stretch.init)
    }
}

extension PairHistory.Check {
    fileprivate func readsLike(_ other: Self) -> Bool {
        outcome.state == other.outcome.state && position == other.position && outcome.gap == other.outcome.gap
    }
}
