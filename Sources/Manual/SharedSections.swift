import Console

/// What the programs find around them, in the words of their pages.
enum SharedSections {
    static let files = ManualPage.Section(
        "FILES",
        [
            .definition(
                term: "~/.config/rankd/watchlist.json",
                meaning: ["The watchlist of a user. If `$XDG_CONFIG_HOME` is set, it replaces `~/.config`."]),
            .definition(
                term: "/etc/rankd/watchlist.json",
                meaning: ["The watchlist of the service, and of users who have none of their own."]),
            .definition(
                term: "~/.local/state/rankd/history.sqlite",
                meaning: ["The history of a user. If `$XDG_STATE_HOME` is set, it replaces `~/.local/state`."]),
            .definition(
                term: "/var/lib/rankd/history.sqlite",
                meaning: [
                    "The history of the service: an SQLite database that you may query. Beside it are its write-ahead "
                        + "log (`-wal`), the log's index (`-shm`), the writer's lock (`.lock`), the pace that all programs "
                        + "share (`.turns`) and the time of the newest message that was sent (`.sent`). Leave them "
                        + "alone, and copy the history with `rankctl backup`."
                ]),
            .definition(
                term: "/var/lib/rankd/backups",
                meaning: ["Backups that the service makes by itself if its watchlist asks for them."]),
            .definition(
                term: "/var/lib/rankd/outgoing-mail",
                meaning: [
                    "Mails of alerts that wait for `rankd-alert-mail.path` to hand them to sendmail. In `late` are those "
                        + "that waited for two days."
                ]),
            .definition(
                term: "/etc/rankd/secrets",
                meaning: ["Files with the secrets that the service's watchlist names, for rankd alone to read."]),
            .definition(
                term: "/etc/rankd/digest.env",
                meaning: [
                    "Settings of the morning digest (`rankd-digest.timer`), such as who gets it by mail. Comments in the "
                        + "file explain them."
                ]),
        ])

    /// - Parameter own: the variables that this program alone heeds.
    static func environment(_ own: [ManualPage.Block]) -> ManualPage.Section {
        ManualPage.Section(
            "ENVIRONMENT",
            [
                .paragraph(
                    "The programs look for files in this order: the flag; `RANKD_WATCHLIST` or `RANKD_DATABASE`; the "
                        + "folders that `systemd` sets; a file of the user's, if it exists; the machine's. An empty "
                        + "variable counts as none."),
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
                    meaning: ["The server to ask instead of Apple, such as a simulator at `http://127.0.0.1:8080`."]),
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
