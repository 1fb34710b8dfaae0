import Foundation

/// How much of the processors this program is given beside others.
package enum ProcessPriority {
    /// As much below the usual as a program is that others should not notice (nice 10, setpriority(2)).
    private static let courtesy: CInt = 10

    /// Leaves the processors to programs that cannot wait, such as one that records. To be called before there are
    /// threads: each has a priority of its own.
    package static func giveWay() {
        // Where it is forbidden, the system knows better.
        #if canImport(Glibc)
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, courtesy)
        #else
            _ = setpriority(PRIO_PROCESS, 0, courtesy)
        #endif
    }
}
