/// Who writes a history, as far as that can be seen from outside.
package enum HistoryWriter: Sendable, Hashable {
    case running(pid: Int32)
    /// Certainly nobody.
    case nobody
    /// It cannot be told. Never to be taken for `nobody`.
    case unknown
}
