package import ArgumentParser
package import History
package import RankKit

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
        }
    }

    package init(_ error: HistoryError) {
        switch error {
        case .missing: self = .noInput
        case .foreign, .newer, .older, .corrupt, .damagedLists, .abandoned: self = .data
        case .heldByAnother: self = .temporaryFailure
        case .notPermitted, .notWritable, .ownedByAnother, .full, .readOnly, .busy, .replaced, .inputOutput, .unusable:
            self = .ioError
        }
    }
}
