import HTTPTypes
import History

extension Refusal {
    /// What visitors are told where the history cannot be read; where the file lies is none of their business. `nil` for
    /// an error of another kind.
    init?(historyOf error: any Error) {
        guard let error = error as? HistoryError else { return nil }
        let (title, detail): (String, String) =
            switch error {
            case .missing:
                ("No history yet", "rankd has recorded nothing yet. Give it a watchlist, start it, and come back.")
            case .newer:
                (
                    "A newer history",
                    "The history was written by a newer rankd than this site understands. Restart rankweb after the upgrade: "
                        + "nothing is lost."
                )
            case .older:
                ("An older history", "The history waits for rankd to bring it up to date: start rankd, and come back.")
            case .notPermitted:
                ("The history may not be read", "rankweb is not in the group that may read it: see the log of rankweb.")
            case .busy: ("The history is busy", "Another program holds it. Try again in a moment.")
            default: ("The history cannot be read", "The log of rankweb says why.")
            }
        self.init(.serviceUnavailable, title, detail, fields: [.retryAfter: "30"])
    }
}
