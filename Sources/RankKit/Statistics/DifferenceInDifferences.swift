/// What a release did to the queries that it touched, beside what happened meanwhile to those that it did not.
///
/// On `PositionScale`, turned so that better is more; an absence stands at `floor`.
package struct DifferenceInDifferences: Sendable, Hashable {
    /// Where an absence is put: just beyond the longest list.
    package static let floor = 201.0
    /// Search texts of either group, below which nothing is said.
    package static let minimumTexts = 3
    /// Good readings of an observation before, and after, below which it does not count.
    package static let minimumReadings = 3

    /// One pair before and after.
    package struct Observation: Sendable, Hashable {
        /// What is observed together and therefore not independent: the search text, in all countries.
        package var text: String
        /// One text in one country, on one platform.
        package var query: String
        /// Whether the release touched it; a control otherwise.
        package var isTreated: Bool
        package var before: [Reading]
        package var after: [Reading]

        package init(text: String, query: String, isTreated: Bool, before: [Reading], after: [Reading]) {
            self.text = text
            self.query = query
            self.isTreated = isTreated
            self.before = before
            self.after = after
        }
    }

    /// What the figures carry.
    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        case helped, hurt
        case noClearEffect = "no-clear-effect"
        case tooLittleData = "too-little-data"
    }

    /// How far one group moved.
    package struct Group: Sendable, Hashable {
        /// Pairs, queries and texts that counted.
        package let pairs: Int
        package let queries: Int
        package let texts: Int
        /// The mean over its texts; above 0 is better. `nil` if there is none.
        package let change: Double?
    }

    package let treated: Group
    package let control: Group
    /// The treated's change less the control's, on the scale: 1 halves (position + 5). `nil` if too little is known.
    package let effect: Double?
    /// Where the effect lies with 95 % confidence.
    package let interval: ClosedRange<Double>?
    package let verdict: Verdict

    /// The share of cases in which an interval like this one holds the true effect.
    package static let confidence = 0.95
    /// The least effect that is called one: about a place at 10.
    package static let leastEffect = 0.1
    /// The least scatter that a text's change is supposed to have, for groups that happen to agree.
    private static let leastDeviation = 0.05

    /// A pair's change is the median of its values after less that before; a text's is the mean of its pairs', whatever
    /// their countries; a group's the mean of its texts'. The interval is Welch's (“The generalization of ‘Student’s’
    /// problem when several different population variances are involved”, 1947) over texts. A release touches a text, not
    /// a country: pairs on one text share its fate and are one observation, not several (Bertrand, Duflo and
    /// Mullainathan, “How much should we trust differences-in-differences estimates?”, 2004; Abadie, Athey, Imbens and
    /// Wooldridge, “When should you adjust standard errors for clustering?”, 2023).
    ///
    /// A pair that was absent throughout, before and after, shows nothing and does not count.
    package init(_ observations: [Observation]) {
        var changes: [Bool: [String: [Double]]] = [:]
        var pairs = [true: 0, false: 0]
        var queries: [Bool: Set<String>] = [:]
        for observation in observations {
            guard let change = Self.change(observation) else { continue }
            changes[observation.isTreated, default: [:]][observation.text, default: []].append(change)
            queries[observation.isTreated, default: []].insert(observation.query)
            pairs[observation.isTreated, default: 0] += 1
        }
        func means(_ isTreated: Bool) -> [Double] {
            (changes[isTreated] ?? [:]).sorted { $0.key < $1.key }
                .map { $0.value.reduce(0, +) / Double($0.value.count) }
        }
        let (treatedMeans, controlMeans) = (means(true), means(false))
        let (first, second) = (Self.moments(treatedMeans), Self.moments(controlMeans))
        func group(_ isTreated: Bool, _ means: [Double], _ change: Double?) -> Group {
            Group(
                pairs: pairs[isTreated] ?? 0, queries: queries[isTreated]?.count ?? 0, texts: means.count,
                change: change)
        }
        treated = group(true, treatedMeans, first?.mean)
        control = group(false, controlMeans, second?.mean)
        guard let first, let second, min(treatedMeans.count, controlMeans.count) >= Self.minimumTexts else {
            effect = nil
            interval = nil
            verdict = .tooLittleData
            return
        }
        let (one, other) = (first.squaredError, second.squaredError)
        let freedom =
            (one + other) * (one + other)
            / (one * one / Double(treatedMeans.count - 1) + other * other / Double(controlMeans.count - 1))
        let reach = StudentT.quantile((1 + Self.confidence) / 2, freedom: freedom) * (one + other).squareRoot()
        let effect = first.mean - second.mean
        self.effect = effect
        interval = effect - reach...effect + reach
        verdict =
            abs(effect) < max(reach, Self.leastEffect) ? .noClearEffect : effect > 0 ? .helped : .hurt
    }

    /// Above 0 is better.
    private static func change(_ observation: Observation) -> Double? {
        guard min(observation.before.count, observation.after.count) >= minimumReadings,
            (observation.before + observation.after).contains(where: { $0.position != nil })
        else { return nil }
        func middle(_ readings: [Reading]) -> Double? {
            Robust.median(readings.map { PositionScale.value($0.position.map { Double($0.number) } ?? floor) })
        }
        guard let before = middle(observation.before), let after = middle(observation.after) else { return nil }
        return before - after
    }

    /// The mean, and the square of its standard error; `nil` of fewer than one value.
    private static func moments(_ values: [Double]) -> (mean: Double, squaredError: Double)? {
        guard !values.isEmpty else { return nil }
        let number = Double(values.count)
        let mean = values.reduce(0, +) / number
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let variance = max(squares / max(number - 1, 1), leastDeviation * leastDeviation)
        return (mean, variance / number)
    }

    /// Where an app at `position` would stand after a change of so much.
    package static func position(_ position: Double, after effect: Double) -> Double {
        PositionScale.position(PositionScale.value(position) - effect)
    }
}
