import Foundation

/// The descriptors 0, 1 and 2.
package enum StandardStreams {
    /// Opens those that are closed to nowhere, before anything else can get their numbers: a message for stderr would
    /// end up in the database then (sqlite.org/howtocorrupt.html, 1.1).
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The system gives the lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
