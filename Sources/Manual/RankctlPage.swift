extension ManualPage {
    /// rankctl(1).
    package static func rankctl(_ info: CommandInfo) -> ManualPage {
        ManualPage(
            name: "rankctl", section: 1, purpose: "review what rankd recorded, and keep its watchlist",
            sections: [
                Section(
                    "SYNOPSIS",
                    [
                        .synopsis(
                            Synopsis(parts: [
                                .word("rankctl"), .value("command"),
                                .group([.value("argument")], isOptional: true, isRepeating: true),
                            ]))
                    ]),
                Section(
                    "DESCRIPTION",
                    [.paragraph(info.abstract ?? "")] + info.paragraphs(info.discussion) + [
                        .paragraph(
                            "Reports read the history while rankd writes it, or after it has stopped, and never change "
                                + "it. The commands that change the watchlist change only their own lines: comments "
                                + "and layout stay. rankd takes the changes up on reload."),
                        .paragraph(
                            "Results go to stdout and words about them to stderr. Names that strangers choose are shown "
                                + "escaped where they would act on a terminal."),
                    ]),
                Section("COMMANDS", info.groups),
                Section("OPTIONS OF EVERY COMMAND", info.commonOptions),
                times,
                SharedSections.files,
                SharedSections.environment([
                    .definition(
                        term: "RANKD_SENDMAIL",
                        meaning: ["The program that takes mails, instead of `/usr/sbin/sendmail`."]),
                    .definition(
                        term: "TMPDIR",
                        meaning: [
                            "Where `verify` and `export` copy a history of an older schema to, instead of `/var/tmp`."
                        ]),
                    .definition(
                        term: "NO_COLOR, TERM, COLUMNS",
                        meaning: [
                            "No colour where `NO_COLOR` is set or `TERM` is `dumb`; how wide tables may be, instead of "
                                + "as wide as the terminal."
                        ]),
                    .definition(
                        term: "PAGER, LESS",
                        meaning: [
                            "What shows a report that is longer than the terminal, `less` without it, and that one's "
                                + "options, `FRX` without it."
                        ]),
                ]),
                SharedSections.exitStatus([
                    .definition(
                        term: "1, 2",
                        meaning: [
                            "Of `rankctl status`: something needs a look, or nothing is being recorded."
                        ]),
                    .definition(term: "130", meaning: ["SIGINT or SIGTERM ended it."]),
                ]),
                Section("SEE ALSO", [.pages([("rankd", 8), ("rankd-watchlist", 5), ("sqlite3", 1)])]),
            ])
    }

    private static let times = Section(
        "TIMES",
        [
            .paragraph("Where a command takes a time, it may be written as a day or as a moment:"),
            .definition(
                term: "2026-11-01, today, yesterday",
                meaning: [
                    "A day stands for all of its seconds, in the watchlist's `timeZone`, else the machine's: what is "
                        + "wanted since it begins with its first, what is wanted until it goes to its last."
                ]),
            .definition(
                term: "2026-11-01 08:30, 2026-11-01T08:30:00Z, now", meaning: ["A moment, by the same clock or by UTC."]
            ),
            .definition(
                term: "12h, 7d, 4w, 1y",
                meaning: [
                    "So long ago. What a report begins with or compares with is counted back from `--until` or `--at` "
                        + "where one of them is given."
                ]),
            .definition(
                term: "release",
                meaning: [
                    "When the newest version of the apps in question came out: the day of the watchlist's note about it, "
                        + "else when the store first showed it."
                ]),
        ])
}

extension CommandInfo {
    /// A heading for each command that does something, with how it is written and all that it takes.
    fileprivate var groups: [ManualPage.Block] {
        (subcommands ?? []).flatMap { group -> [ManualPage.Block] in
            guard group.shouldDisplay ?? true, group.commandName != "help" else { return [] }
            return group.leaves.flatMap { command -> [ManualPage.Block] in
                // The one that a group stands for needs no name.
                let name =
                    group.defaultSubcommand == command.commandName
                    ? "\(group.fullName) [\(command.commandName)]" : command.fullName
                return [.heading(name), .synopsis(command.synopsis(as: name))] + command.reference()
            }
        }
    }
}
