extension ExitStatus {
    /// For people: what the manual says of it.
    package var meaning: String {
        switch self {
        case .fine: "All went well."
        case .usage: "The arguments are wrong, or name what is not there."
        case .data: "A file is not what it should be: damaged, foreign, of a newer rankd, or in the way."
        case .noInput: "There is no such file, or it may not be read."
        case .unavailable: "The App Store gave no answer: queries were due, and not one search succeeded."
        case .ioError: "The history, or what was to be written, cannot be read or written."
        case .temporaryFailure: "Another rankd holds the history."
        case .configuration: "The watchlist is invalid: every mistake is on stderr."
        }
    }
}
