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
}
