import Foundation

/// What the system would write to disk of this program's memory if it crashed.
package enum CoreFiles {
    /// Has no core file be made of this program, and no other program of the same user read its memory. For a program that
    /// holds secrets, however it was started; systemd's `LimitCORE=` does it for a unit.
    ///
    /// Source: prctl(2), `PR_SET_DUMPABLE`; elsewhere than on Linux setrlimit(2), `RLIMIT_CORE`.
    package static func refuse() {
        #if canImport(Glibc)
            typealias Control =
                @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
            // The Swift module of the C library leaves out what takes any number of arguments.
            guard let address = dlsym(nil, "prctl") else { return }
            // PR_SET_DUMPABLE of <linux/prctl.h>.
            _ = unsafeBitCast(address, to: Control.self)(4, 0, 0, 0, 0)
        #elseif canImport(Darwin)
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
