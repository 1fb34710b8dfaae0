/// Something in a history that is not as it must be.
package struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What was looked at.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The file's own structure.
        case structure
        /// Rows that refer to rows that are not there.
        case references
        case lists
        /// What is derived about the apps in lists.
        case apps
        case positions
        case standings
        case rollUps = "roll-ups"

        /// Whether it is derived from the checks of a query that count (`CountedChecks.derive`).
        var isOfCounted: Bool { self == .references || self == .apps || self == .standings }

        /// Whether it is derived from checks and lists (`Derivation`).
        var isDerived: Bool { self != .structure && self != .lists }
    }

    package let part: Part
    /// Which row.
    package let place: String
    package let problem: String

    package init(part: Part, place: String, problem: String) {
        self.part = part
        self.place = place
        self.problem = problem
    }

    package var description: String { "\(part.rawValue): \(place): \(problem)" }
}
