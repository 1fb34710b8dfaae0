/// How a program of this package ends. Source: sysexits(3) of the BSDs; a contract with scripts and systemd.
package enum ExitStatus: Int32, Error, Sendable, CaseIterable {
    case fine = 0
    /// Wrong arguments.
    case usage = 64
    /// A file that is not what it should be.
    case data = 65
    /// No such file.
    case noInput = 66
    /// Queries were due, and not one search succeeded.
    case unavailable = 69
    /// The history cannot be read or written.
    case ioError = 74
    /// Another rankd holds the history.
    case temporaryFailure = 75
    /// The watchlist is invalid.
    case configuration = 78
}
