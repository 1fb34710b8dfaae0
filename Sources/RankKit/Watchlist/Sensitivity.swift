/// How keenly moves are told from wobble: three thresholds of one judgement. What each finds and what it costs stands
/// in `docs/statistics.md`.
package enum Sensitivity: String, Sendable, Hashable, CaseIterable {
    /// Says little, and hardly ever in vain.
    case calm
    case normal
    /// Says more, and more of it turns out to be nothing.
    case keen
}
