import Console

/// What both programs find around them, in the words of both pages.
enum SharedSections {
    static let files = ManualPage.Section(
        "FILES",
        [
            .definition(
                term: "~/.config/rankd/watchlist.json",
                meaning: ["The watchlist of a user. `$XDG_CONFIG_HOME` stands for `~/.config` where it is set."]),
            .definition(
                term: "/etc/rankd/watchlist.json",
                meaning: ["The watchlist of the service, and of whoever has none of their own."]),
            .definition(
                term: "~/.local/state/rankd/history.sqlite",
                meaning: ["The history of a user. `$XDG_STATE_HOME` stands for `~/.local/state` where it is set."]),
            .definition(
                term: "/var/lib/rankd/history.sqlite",
                meaning: [
                    "The history of the service: an SQLite database, which is everybody's to query. Beside it are "
                        + "its write-ahead log (`-wal`), the log's index (`-shm`) and the lock of the one process that "
                        + "writes (`.lock`): leave them, and copy the history with `rankctl backup`."
                ]),
            .definition(
                term: "/var/lib/rankd/backups",
                meaning: ["Copies that the service makes by itself where its watchlist asks for them."]),
            .definition(
                term: "/etc/rankd/digest.env",
                meaning: [
                    "What `rankd-digest.timer` makes of each day, and whom it is mailed to: the file explains itself."
                ]),
        ])

    /// - Parameter own: the variables that this program alone heeds.
    static func environment(_ own: [ManualPage.Block]) -> ManualPage.Section {
        ManualPage.Section(
            "ENVIRONMENT",
            [
                .paragraph(
                    "Files are looked for in this order: the flag, `RANKD_WATCHLIST` or `RANKD_DATABASE`, the folders of "
                        + "`systemd`, a file of the user's that exists, the machine's. An empty variable is as good as "
                        + "none."),
                .definition(
                    term: "RANKD_WATCHLIST, RANKD_DATABASE",
                    meaning: ["Where the watchlist and the history are, instead of the usual places."]),
                .definition(
                    term: "CONFIGURATION_DIRECTORY, STATE_DIRECTORY",
                    meaning: [
                        "The folders of `watchlist.json` and `history.sqlite`, which `systemd` sets for the service."
                    ]),
                .definition(
                    term: "RANKD_SEARCH_URL",
                    meaning: ["Who is asked instead of Apple, such as `http://127.0.0.1:8080`, a simulator."]),
            ] + own)
    }

    /// - Parameter leaving: the statuses that this program never ends with.
    static func exitStatus(leaving: Set<ExitStatus> = [], _ own: [ManualPage.Block] = []) -> ManualPage.Section {
        ManualPage.Section(
            "EXIT STATUS",
            ExitStatus.allCases.filter { !leaving.contains($0) }.map {
                .definition(term: String($0.rawValue), meaning: [$0.meaning])
            } + own)
    }
}
