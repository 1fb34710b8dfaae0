/// Keeps lines that repeat from filling a log: of each class the first goes through, and then at most one a minute, which
/// says how many were held back.
package struct LogLimiter<Moment: InstantProtocol>: Sendable where Moment.Duration == Duration, Moment: Sendable {
    private struct Class {
        var last: Moment
        var heldBack = 0
    }

    private var classes: [String: Class] = [:]
    private let interval: Duration

    /// - Parameter interval: the least time between two lines of a class.
    package init(interval: Duration = .seconds(60)) { self.interval = interval }

    /// Whether a line of `name` goes through at `moment`.
    ///
    /// - Returns: how many were held back since the line before; `nil` if this one is held back as well.
    package mutating func admit(_ name: String, at moment: Moment) -> Int? {
        guard let known = classes[name], moment < known.last.advanced(by: interval) else {
            let heldBack = classes[name]?.heldBack ?? 0
            classes[name] = Class(last: moment)
            return heldBack
        }
        classes[name] = Class(last: known.last, heldBack: known.heldBack + 1)
        return nil
    }

    /// The classes with held-back lines whose time has come, and how many lines each has; sorted by name.
    package mutating func overdue(at moment: Moment) -> [(name: String, heldBack: Int)] {
        let due = classes.filter { $0.value.heldBack > 0 && $0.value.last.advanced(by: interval) <= moment }
        for name in due.keys { classes[name] = Class(last: moment) }
        return due.map { ($0.key, $0.value.heldBack) }.sorted { $0.name < $1.name }
    }
}
