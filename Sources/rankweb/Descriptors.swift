import Foundation

enum Descriptors {
    /// Lets this process have `count` files and connections open, as far as it may: shells often allow 1,024.
    static func allow(_ count: UInt64) {
        var limit = rlimit()
        #if os(Linux)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        // With fewer, it serves fewer at the same time.
        _ = setrlimit(kind, &limit)
    }
}
