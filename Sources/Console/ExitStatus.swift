package import ArgumentParser
package import History
package import RankKit

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

extension ExitStatus {
    /// For people: what the manual says of it.
    package var meaning: String {
        switch self {
        case .fine: "All went well."
        case .usage: "The arguments are wrong, or name something that does not exist."
        case .data: "A file is not what it should be: damaged, foreign, from a newer rankd, or in the way."
        case .noInput: "There is no such file, or you may not read it."
        case .unavailable: "The App Store gave no answer: queries were due, and not one search succeeded."
        case .ioError: "The history cannot be read or written, or an output file cannot be written."
        case .temporaryFailure: "Another rankd holds the history."
        case .configuration: "The watchlist is invalid: every mistake is on stderr."
        }
    }
}

extension ExitStatus {
    /// How a program ends that cannot read its watchlist.
    package init(_ failure: WatchlistFile.Failure) {
        switch failure {
        case .missing, .notPermitted: self = .noInput
        case .notAFile, .tooLarge, .empty, .unreadable: self = .configuration
        case .unwritable, .unsynced: self = .ioError
        }
    }

    package var code: ExitCode { ExitCode(rawValue) }

    package init(_ refusal: WatchlistEditor.Refusal) {
        switch refusal {
        case .invalid: self = .configuration
        default: self = .data
        }
    }

    package init(_ refusal: FileRefusal) {
        switch refusal {
        case .exists, .notAFile, .isTheHistory, .isAWatchlist: self = .data
        case .noFolder: self = .noInput
        case .notWritable: self = .ioError
        }
    }

    package init(_ error: HistoryError) {
        switch error {
        case .missing: self = .noInput
        case .foreign, .newer, .older, .corrupt, .damagedInUse, .damagedLists, .abandoned, .strangeLog,
            .strangeJournal:
            self = .data
        case .heldByAnother: self = .temporaryFailure
        case .notPermitted, .notWritable, .ownedByAnother, .full, .readOnly, .busy, .replaced, .inputOutput, .unusable:
            self = .ioError
        }
    }
}
