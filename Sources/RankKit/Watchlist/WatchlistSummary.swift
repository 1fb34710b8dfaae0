import Foundation

/// What a watchlist comes to, for `watch check` and `rankd --check`.
package struct WatchlistSummary: Sendable, Hashable {
    package let pairs: Int
    /// Apps that are nobody's competitor.
    package let mine: Int
    package let competitors: Int
    /// Distinct queries: the searches of one pass over everything.
    package let queries: Int
    /// Search texts, each of which may be asked in several countries and on several platforms.
    package let texts: Int
    /// Sorted.
    package let countries: [Country]
    /// Searches a day: the slots of the union of each query's cadences, over all queries.
    package let requestsPerDay: Double
    /// The set pace.
    package let requestsPerMinute: Int
    /// The shortest cadence of any query, in seconds; 0 if there are no queries.
    package let shortestCadence: Int64
    package let retention: Retention
    package let sensitivity: Sensitivity

    /// Searches a day that the set pace allows.
    package var budgetPerDay: Double { Double(requestsPerMinute) * 24 * 60 }
    /// One pass over all queries, in minutes at the set pace.
    package var passMinutes: Double { Double(queries) / Double(requestsPerMinute) }
    /// Whether the pace allows all that is wanted in a day. Otherwise slots are missed.
    package var fitsBudget: Bool { requestsPerDay <= budgetPerDay }
    /// Whether a pass over everything ends before the shortest cadence comes round. Otherwise checks come late.
    package var fitsCadence: Bool { passMinutes * 60 <= Double(shortestCadence) }

    package init(_ watchlist: Watchlist) {
        pairs = watchlist.pairCount
        mine = watchlist.apps.count { $0.isMine }
        competitors = watchlist.apps.count - mine
        queries = watchlist.queries.count
        texts = Set(watchlist.queries.map(\.query.folded)).count
        countries = Set(watchlist.queries.map(\.query.country)).sorted()
        requestsPerMinute = watchlist.service.requestsPerMinute
        retention = watchlist.service.retention
        sensitivity = watchlist.sensitivity
        var known: [[Cadence]: Double] = [:]
        requestsPerDay = watchlist.queries.reduce(0) { sum, query in
            let slots = known[query.cadences] ?? SlotCount.perDay(query.cadences)
            known[query.cadences] = slots
            return sum + slots
        }
        shortestCadence = known.keys.joined().map(\.seconds).min() ?? 0
    }

    /// Lines of `name: value` with the values aligned, each ended by a line feed.
    package var text: String { text(alerts: nil) }

    /// - Parameter alerts: what messages come to, in words; `nil` where nothing is known of them.
    package func text(alerts: String?) -> String {
        let names = countries.map(\.code).joined(separator: ", ")
        var rows = [
            ("pairs", "\(pairs)"),
            ("apps", "\(mine) mine, \(Self.counted(competitors, "competitor"))"),
            ("queries", "\(queries) (\(Self.counted(texts, "text")))"),
            ("countries", countries.isEmpty ? "0" : "\(countries.count) (\(names))"),
            ("requests a day", "\(Self.short(requestsPerDay)) of the \(Self.short(budgetPerDay)) that the pace allows"),
            (
                "one pass",
                "\(Self.duration(passMinutes * 60)) at \(Self.counted(requestsPerMinute, "request")) a minute"
            ),
            ("shortest cadence", Self.duration(Double(shortestCadence))),
        ]
        rows.append(("kept", "lists \(Self.kept(retention.lists)), failures \(Self.kept(retention.failures))"))
        if sensitivity != .normal { rows.append(("sensitivity", sensitivity.rawValue)) }
        if let alerts { rows.append(("alerts", alerts)) }
        rows.append(("fits", verdict))
        let width = (rows.map(\.0.count).max() ?? 0) + 1
        return rows.map { name, value in
            (name + ":").padding(toLength: width, withPad: " ", startingAt: 0) + " " + value + "\n"
        }.joined()
    }

    private static func kept(_ seconds: Int64?) -> String { seconds.map { duration(Double($0)) } ?? "forever" }

    private var verdict: String {
        if !fitsBudget {
            return "no: it wants more requests a day than the pace allows; ask less often, or remove queries"
        }
        if !fitsCadence {
            return "yes; but if everything is due at once, one pass takes longer than the shortest cadence"
        }
        return "yes"
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// At most one decimal, and none where it would be 0: `4.5`, `21,600`.
    private static func short(_ number: Double) -> String {
        let tenths = (number * 10).rounded() / 10
        guard let whole = Int64(exactly: tenths) else { return String(tenths) }
        let digits = Array(String(whole))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text.append(",") }
            text.append(digit.element)
        }
    }

    /// The two largest units: `1 d 12 h`, `6 min 40 s`, `45 s`. Fractions of a second count as a second.
    package static func duration(_ seconds: Double) -> String {
        let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        var rest = Int64(seconds.rounded(.up))
        var parts: [String] = []
        for (name, length) in units {
            let count = rest / length
            rest %= length
            if count > 0 { parts.append("\(count) \(name)") } else if !parts.isEmpty { break }
            if parts.count == 2 { break }
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}

/// How many slots a union of cadences has in a day.
package enum SlotCount {
    /// For `every` alone the long-run average, exact by inclusion and exclusion over least common multiples. Starts
    /// of `at` are those of one sample day, of which those that an `every` hits as well count once.
    package static func perDay(_ cadences: [Cadence]) -> Double {
        var periods: [Int64] = []
        var starts: Set<Timestamp> = []
        for cadence in cadences {
            switch cadence {
            case .every(let seconds): periods.append(seconds)
            case .at: starts.formUnion(startsOnSampleDay(cadence))
            }
        }
        let extra = starts.count { start in
            !periods.contains { start.secondsSinceEpoch.isMultiple(of: $0) }
        }
        return unionPerDay(periods) + Double(extra)
    }

    /// 2026-01-14 in UTC: a day without a change of clocks in any zone.
    private static let sampleDay: Int64 = 20_467

    private static func startsOnSampleDay(_ cadence: Cadence) -> [Timestamp] {
        let end = Timestamp.startOfDay(sampleDay + 1)
        var starts: [Timestamp] = []
        var next = cadence.slot(containing: Timestamp.startOfDay(sampleDay) - 1).end
        while next < end {
            starts.append(next)
            next = cadence.slot(containing: next).end
        }
        return starts
    }

    private static func unionPerDay(_ periods: [Int64]) -> Double {
        // A multiple of another period adds no slots of its own.
        let needed = Set(periods).sorted().reduce(into: [Int64]()) { kept, period in
            if !kept.contains(where: { period.isMultiple(of: $0) }) { kept.append(period) }
        }
        let day = Double(Timestamp.secondsPerDay)
        // The number of subsets doubles with each period; beyond this the plain sum is the bound that is told.
        guard needed.count <= 12 else { return needed.reduce(0) { $0 + day / Double($1) } }
        var sum = 0.0
        for subset in 1..<max(1 << needed.count, 1) {
            let members = needed.indices.filter { subset & (1 << $0) != 0 }
            let multiple = members.reduce(1.0) { lcm($0, Double(needed[$1])) }
            sum += (members.count.isMultiple(of: 2) ? -1 : 1) * day / multiple
        }
        return sum
    }

    /// In floating point, since the least common multiple of a dozen lengths can pass 64 bits; what is beyond 2^53
    /// contributes nothing that shows.
    private static func lcm(_ left: Double, _ right: Double) -> Double {
        var (first, second) = (left, right)
        while second > 0 { (first, second) = (second, first.truncatingRemainder(dividingBy: second)) }
        return left / first * right
    }
}
