import Foundation

/// Settings of the C library's allocator for a daemon that holds many answers of 2 MB for moments and little for months,
/// and for reports whose work goes from thread to thread. Without glibc they do nothing.
package enum Allocator {
    /// Makes all threads allocate from one arena. By default each has its own, and keeps what it freed from the others:
    /// a pass then holds several answers' worth of memory that nobody uses. To be called before there are threads.
    package static func shareOneArena() { shareArenas(1) }

    /// The same with a few arenas, so that threads that allocate without pause do not wait for each other. To be called
    /// once, before there are threads.
    ///
    /// - Parameter most: how many there may be at most.
    package static func shareArenas(_ most: Int) {
        #if canImport(Glibc)
            typealias Option = @convention(c) (CInt, CInt) -> CInt
            guard let address = dlsym(nil, "mallopt") else { return }
            // M_ARENA_MAX of <malloc.h>, which the Swift module of the C library leaves out.
            _ = unsafeBitCast(address, to: Option.self)(-8, CInt(most))
        #endif
    }

    /// Gives the memory that is free back to the system.
    package static func giveBack() {
        #if canImport(Glibc)
            typealias Trim = @convention(c) (Int) -> CInt
            guard let address = dlsym(nil, "malloc_trim") else { return }
            _ = unsafeBitCast(address, to: Trim.self)(0)
        #endif
    }
}
