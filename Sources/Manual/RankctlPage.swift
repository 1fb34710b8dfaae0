package import Reports

extension ManualPage {
    /// rankctl(1).
    package static func rankctl(_ info: CommandInfo) -> ManualPage {
        ManualPage(
            name: "rankctl", section: 1, purpose: "show what rankd recorded, and edit its watchlist",
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
                            "Reports read the history, whether rankd runs or not, and never change it. The commands that "
                                + "change the watchlist change only their own lines: your comments and layout stay. "
                                + "Reload rankd to use the changes."),
                        .paragraph(
                            "Results go to stdout, remarks to stderr. App names are shown escaped if they would act on a "
                                + "terminal."),
                    ]),
                Section("COMMANDS", info.groups),
                Section("OPTIONS OF EVERY COMMAND", info.commonOptions("help")),
                Section("OPTIONS WITHOUT A COMMAND", info.commonOptions("version")),
                times,
                SharedSections.files,
                SharedSections.environment([
                    .definition(
                        term: "RANKD_SENDMAIL",
                        meaning: ["The program that sends mail, instead of `/usr/sbin/sendmail`."]),
                    .definition(
                        term: "TMPDIR",
                        meaning: [
                            "The folder for the copy that `verify` and `export` make of a history with an older schema, "
                                + "and for what `import -` has to read twice, instead of `/var/tmp`."
                        ]),
                    .definition(
                        term: "NO_COLOR, TERM, COLUMNS",
                        meaning: [
                            "If `NO_COLOR` is set or `TERM` is `dumb`, there is no colour. `COLUMNS` is the largest width of "
                                + "tables (default: the width of the terminal)."
                        ]),
                    .definition(
                        term: "PAGER, LESS",
                        meaning: [
                            "The pager for a report longer than the terminal (default: `less`), and the options of `less` "
                                + "(default: `FRX`)."
                        ]),
                ]),
                SharedSections.exitStatus([
                    .definition(
                        term: "1, 2",
                        meaning: [
                            "From `rankctl status`: something needs a look, or nothing is being recorded. 1 also from "
                                + "`rankctl watch check`: the watchlist wants more requests than the pace allows or, with `--online`, the "
                                + "App Store did not find an app."
                        ]),
                    .definition(term: "130", meaning: ["SIGINT or SIGTERM ended the command."]),
                ]),
                Section("SEE ALSO", [.pages([("rankd", 8), ("rankweb", 8), ("rankd-watchlist", 5), ("sqlite3", 1)])]),
            ])
    }

    private static let times = Section(
        "TIMES",
        [
            .paragraph("A time is a day or a moment:"),
            .definition(
                term: "2026-11-01, today, yesterday",
                meaning: [
                    "The whole day, in the watchlist's `timeZone` or else in UTC. With `--since`, a day begins with its "
                        + "first second; with `--until` or `--at`, it ends with its last."
                ]),
            .definition(
                term: "2026-11-01 08:30, 2026-11-01T08:30:00Z, now",
                meaning: ["A moment, in the same time zone or in UTC (`Z`)."]
            ),
            .definition(
                term: "12h, 7d, 4w, 1y",
                meaning: [
                    "That long before now. In `--since` and `--compare` it counts back from `--until` or `--at` if you give "
                        + "one."
                ]),
            .definition(
                term: "release",
                meaning: [
                    "When the newest version of the apps in question came out: the day of the watchlist's note about it, "
                        + "or else when the store first showed it."
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
