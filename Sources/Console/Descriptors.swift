import Foundation

/// How many files and connections this process may have open.
package enum Descriptors {
    #if os(Linux)
        private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let kind = RLIMIT_NOFILE
    #endif

    /// Lets this process have `count` open, as far as it may: shells often allow 1,024.
    ///
    /// - Returns: how many it may have now.
    @discardableResult
    package static func allow(_ count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return count }
        if limit.rlim_cur < rlim_t(count) {
            let before = limit.rlim_cur
            limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
            // With fewer, less is done at the same time.
            if setrlimit(kind, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many are open beside the three streams: what the process was started with, and what it has opened since.
    ///
    /// Each is asked for: a list of them could not be opened where none is left, and not every machine has one.
    package static var open: Int {
        var limit = rlimit()
        // The limit may be far beyond what any process opens. Those above it were opened under a higher one.
        let numbers = getrlimit(kind, &limit) == 0 ? min(Int32(clamping: limit.rlim_cur), highest) : highest
        return (3..<max(3, numbers)).count { fcntl($0, F_GETFD) != -1 }
    }

    private static let highest: Int32 = 65_536

    /// What is taken before anything is asked or answered: three for each processor by the networking library, which ends
    /// the process where it cannot have them, the three streams, and the history with its lock and its log.
    package static var base: Int { 3 * ProcessInfo.processInfo.activeProcessorCount + 16 }

    /// - Parameters:
    ///   - count: how many the program needs beside `base`.
    ///   - wanted: how many it is glad to have.
    /// - Returns: how many it may have beside `base`.
    /// - Throws: `ExitStatus.ioError`, after saying so, where there are too few.
    @discardableResult
    package static func require(_ count: Int, wanted: Int = 1_024) throws -> Int {
        let open = open
        let allowed = allow(max(wanted, base + count + open))
        guard allowed - open >= base + count else {
            let others = open > 0 ? ", \(open) are open already" : ""
            Terminal.say(
                "too few files may be open: \(allowed)\(others), and at least \(base + count) are needed; raise the limit "
                    + "with ulimit -n, or LimitNOFILE= in the unit")
            throw ExitStatus.ioError.code
        }
        return allowed - open - base
    }
}
