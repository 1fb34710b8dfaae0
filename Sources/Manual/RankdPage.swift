extension ManualPage {
    /// rankd(8).
    package static func rankd(_ info: CommandInfo) -> ManualPage {
        ManualPage(
            name: "rankd", section: 8, purpose: "record where apps stand in the App Store's search results",
            sections: [
                Section("SYNOPSIS", [.synopsis(info.synopsis())]),
                Section(
                    "DESCRIPTION",
                    info.paragraphs(info.discussion) + [
                        .paragraph(
                            "A search that failed is recorded as failed, never as an app that is not there. rankd asks "
                                + "each query once however many apps are tracked on it, one at a time and evenly "
                                + "spaced, asks nothing again that a restart has already recorded, and keeps still "
                                + "when the App Store says that it has had enough."),
                        .paragraph(
                            "The watchlist's format is that of `rankd-watchlist`(5); `rankctl`(1) shows what was "
                                + "recorded. Under `systemd` rankd tells when it is ready, what it is doing "
                                + "(`systemctl status rankd`), and that it is alive."),
                    ]),
                Section("OPTIONS", info.options + info.commonOptions),
                Section(
                    "SIGNALS",
                    [
                        .definition(
                            term: "SIGTERM, SIGINT",
                            meaning: [
                                "Ends rankd. Requests in flight are cut off without a trace; what had been answered is "
                                    + "recorded first."
                            ]),
                        .definition(
                            term: "SIGHUP",
                            meaning: [
                                "Makes the service read its watchlist again. Where that is invalid the log says why, and "
                                    + "the running one stays. Ends rankd with `--once` or `--check`, which read it once."
                            ]),
                        .definition(term: "SIGPIPE", meaning: ["Is ignored."]),
                    ]),
                SharedSections.files,
                SharedSections.environment([
                    .definition(
                        term: "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM",
                        meaning: ["What `systemd` says about itself: see `sd_notify`(3) and `systemd.exec`(5)."])
                ]),
                SharedSections.exitStatus(),
                Section(
                    "EXAMPLES",
                    [
                        .paragraph("Ask what is due, as cron would:"),
                        .code("rankd --once --watchlist watchlist.json --database history.sqlite"),
                        .paragraph("Have the service take up a changed watchlist:"),
                        .code("rankctl watch check /etc/rankd/watchlist.json\nsudo systemctl reload rankd"),
                    ]),
                Section("SEE ALSO", [.pages([("rankctl", 1), ("rankd-watchlist", 5), ("systemctl", 1)])]),
            ])
    }
}
