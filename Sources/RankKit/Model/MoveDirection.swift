/// Which way a pair went: within its list, into it, or out of it.
package enum MoveDirection: String, Sendable, Hashable, CaseIterable {
    case up, down, entered, left

    /// Whether it leads towards the first place; into the list does.
    package var isUp: Bool { self == .up || self == .entered }
}
