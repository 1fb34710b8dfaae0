import JSON5

/// How long the history keeps what it need not keep for ever. Positions and answered checks always stay.
package struct Retention: Sendable, Hashable {
    /// Seconds that result lists are kept; `nil` for ever.
    package var lists: Int64?
    /// Seconds that failed checks are kept one by one before they become daily counts; `nil` for ever.
    package var failures: Int64?

    /// Two weeks, so that what is derived from lists is there before they go, to a hundred years.
    package static let permittedSeconds: ClosedRange<Int64> = 1_209_600...3_144_960_000

    package init(lists: Int64? = nil, failures: Int64? = 90 * Timestamp.secondsPerDay) {
        self.lists = lists
        self.failures = failures
    }
}

extension WatchlistDecoder {
    /// Reads `{ "lists": "forever", "failures": "90d" }`, of which all may be left out.
    mutating func retention(_ place: JSON5Node) -> Retention {
        var retention = Retention()
        let remedy = "write { \"lists\": \"forever\", \"failures\": \"90d\" }"
        guard let fields = fields(place, of: .retention, remedy: remedy) else { return retention }
        if let value = fields["lists"] { retention.lists = keptFor(value) }
        if let value = fields["failures"] { retention.failures = keptFor(value) }
        return retention
    }

    /// Reads `forever` as `nil`, and a length of time in seconds.
    private mutating func keptFor(_ place: JSON5Node) -> Int64? {
        guard let text = text(place, example: "90d"), text != "forever" else { return nil }
        guard let seconds = Self.seconds(of: text) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not a length of time",
                "write a whole number and d or w, such as 90d or 52w, or \"forever\"")
            return nil
        }
        guard Retention.permittedSeconds.contains(seconds) else {
            refuse(
                place, "“\(TextRule.shown(text))” is not in the range",
                "write a length from 14d to 5200w, or \"forever\"")
            return nil
        }
        return seconds
    }
}
