/// The one line that a pass shows on a terminal while it runs.
package struct ProgressBar: Sendable, Hashable {
    /// Finished, failures included.
    package var done: Int
    package var failed: Int
    package var total: Int
    /// What the pace allows; `nil` if it is not known, and then no remaining time is shown.
    var perMinute: Double?

    package init(done: Int, failed: Int, total: Int, perMinute: Double? = nil) {
        self.done = done
        self.failed = failed
        self.total = total
        self.perMinute = perMinute
    }

    /// `[██████░░░░] 34/100 · 2 failed · about 4 min left at 15 a minute`, at most `width` columns (20 or more). Where it
    /// is narrow the pace goes first, then the bar shrinks, then the time, the bar and the failures go.
    package func line(width: Int) -> String {
        let count = "\(done)/\(total)"
        let faults = failed > 0 ? " · \(failed) failed" : ""
        for (tail, least) in [(faults + timeLeft + pace, 10), (faults + timeLeft, 6), (faults, 4)] {
            let room = width - TerminalText.width(count + tail) - 3
            if room >= least { return "\(bar(columns: min(room, Self.longest))) \(count)\(tail)" }
        }
        return TerminalText.fitted(count + faults, to: width)
    }

    private static let longest = 30

    private var left: Int { max(0, total - done) }

    private func bar(columns: Int) -> String {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let filled = Int(share * Double(columns))
        return "[" + String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled) + "]"
    }

    private var usablePace: Double? { perMinute.flatMap { $0 > 0 && $0.isFinite && left > 0 ? $0 : nil } }

    private var timeLeft: String {
        guard let usablePace else { return "" }
        let minutes = Double(left) / usablePace
        if minutes < 1 { return " · less than a minute left" }
        if minutes < 90 { return " · about \(Int(minutes.rounded())) min left" }
        let hours = minutes / 60
        return hours < 48 ? " · about \(Int(hours.rounded())) h left" : " · more than 2 days left"
    }

    private var pace: String {
        guard let usablePace else { return "" }
        let isWhole = usablePace == usablePace.rounded()
        return " at \(Figures.decimal(usablePace, places: isWhole ? 0 : 1)) a minute"
    }
}
