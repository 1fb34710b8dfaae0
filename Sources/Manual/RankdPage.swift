import Console
package import Reports

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
                            "A search that failed is recorded as failed, never as an absent app. rankd asks each query once "
                                + "however many apps are tracked on it, evenly spaced. After a restart it does not "
                                + "repeat what it has already recorded. It pauses when the App Store refuses requests."),
                        .paragraph(
                            "`rankd-watchlist`(5) describes the watchlist. `rankctl`(1) shows what was recorded. rankd tells "
                                + "`systemd` when it is ready, what it is doing (`systemctl status rankd`), and that "
                                + "it is alive."),
                    ]),
                Section("OPTIONS", info.options + info.commonOptions),
                Section(
                    "SIGNALS",
                    [
                        .definition(
                            term: "SIGTERM, SIGINT",
                            meaning: [
                                "Ends rankd. Requests under way are cut off without a trace. Answers that have arrived are "
                                    + "recorded first."
                            ]),
                        .definition(
                            term: "SIGHUP",
                            meaning: [
                                "Makes the service reload its watchlist. If that is invalid, the log says why and the "
                                    + "previous one stays in force. With `--once` or `--check`, SIGHUP ends rankd."
                            ]),
                        .definition(term: "SIGPIPE", meaning: ["Ignored."]),
                    ]),
                SharedSections.files,
                SharedSections.environment([
                    .definition(
                        term: "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM",
                        meaning: ["What `systemd` tells the service: see `sd_notify`(3) and `systemd.exec`(5)."])
                ]),
                SharedSections.exitStatus(
                    leaving: [.ioError],
                    [
                        .definition(
                            term: "74",
                            meaning: [
                                ExitStatus.ioError.meaning
                                    + " Or it cannot listen where `--metrics` says: another program does, or you may not. "
                                    + "Or too few files may be open."
                            ]),
                        .definition(
                            term: "130",
                            meaning: ["A signal ended `--once` before everything that was due had been asked."]),
                    ]),
                Section(
                    "EXAMPLES",
                    [
                        .paragraph("Ask what is due, as cron would:"),
                        .code("rankd --once --watchlist watchlist.json --database history.sqlite"),
                        .paragraph("Make the service use a changed watchlist:"),
                        .code("rankctl watch check /etc/rankd/watchlist.json\nsudo systemctl reload rankd"),
                    ]),
                Section(
                    "SEE ALSO", [.pages([("rankctl", 1), ("rankweb", 8), ("rankd-watchlist", 5), ("systemctl", 1)])]),
            ])
    }
}
