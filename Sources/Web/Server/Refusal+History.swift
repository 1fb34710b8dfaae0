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
                    "A newer rankd wrote the history, and this site cannot read it yet. Restart rankweb after the upgrade. "
                        + "Nothing is lost."
                )
            case .older:
                ("An older history", "rankd has to bring the history up to date first: start rankd, and come back.")
            case .notPermitted:
                ("The history may not be read", "rankweb has no permission to read it: see the log of rankweb.")
            case .busy: ("The history is busy", "Another program holds it. Try again in a moment.")
            default: ("The history cannot be read", "The log of rankweb says why.")
            }
        self.init(.serviceUnavailable, title, detail, fields: [.retryAfter: "30"])
    }
}
