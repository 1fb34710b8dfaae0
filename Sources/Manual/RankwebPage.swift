import Console
package import Reports

extension ManualPage {
    /// rankweb(8).
    package static func rankweb(_ info: CommandInfo) -> ManualPage {
        ManualPage(
            name: "rankweb", section: 8, purpose: "show what rankd recorded in a browser",
            sections: [
                Section("SYNOPSIS", [.synopsis(info.synopsis())]),
                Section("DESCRIPTION", info.paragraphs(info.discussion) + description),
                Section("OPTIONS", info.options + info.commonOptions),
                secrets,
                Section(
                    "SIGNALS",
                    [
                        .definition(
                            term: "SIGTERM, SIGINT",
                            meaning: ["Ends rankweb, without waiting for pages that listen for changes."]),
                        .definition(term: "SIGPIPE", meaning: ["Ignored."]),
                    ]),
                Section("FILES", SharedSections.files.blocks + files),
                SharedSections.environment([
                    .definition(
                        term: "RUNTIME_DIRECTORY, CACHE_DIRECTORY",
                        meaning: ["The folders of the socket and of the cache, which `systemd` sets for the service."]),
                    .definition(
                        term: "NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM",
                        meaning: ["What `systemd` tells the service: see `sd_notify`(3) and `systemd.exec`(5)."]),
                ]),
                exitStatus,
                Section(
                    "EXAMPLES",
                    [
                        .paragraph("Look at a history on this machine, without a password:"),
                        .code("rankweb --open --database history.sqlite"),
                        .paragraph("Serve it behind a proxy that does TLS:"),
                        .code(
                            "rankweb --listen unix:/run/rankweb/web.sock \\\n"
                                + "    --origin https://ranks.example.com \\\n"
                                + "    --password-file /etc/rankd/web.password"),
                    ]),
                Section("SEE ALSO", [.pages([("rankctl", 1), ("rankd", 8), ("systemctl", 1)])]),
            ])
    }

    private static let description: [Block] = [
        .paragraph(
            "When it is ready it prints one line, `listening on http://127.0.0.1:PORT` or `listening on unix:PATH`, and "
                + "nothing more on stdout. A socket is made with the mode 0660, for the group of the process."),
        .paragraph(
            "rankweb answers only requests for an address that it was told of: where it listens, and each `--origin`. "
                + "It refuses what a page of another site sends. Wrong passwords and tokens have to wait longer each "
                + "time. Each kind of refusal is in the log, once a minute at most."),
        .paragraph(
            "No request to it changes the history or the watchlist, and only its search asks the "
                + "App Store. Without a history, or with one of a newer rankd, its pages say so."),
    ]

    private static let secrets = Section(
        "PASSWORD AND TOKENS",
        [
            .paragraph(
                "Only their owner and its group may read these files: `chmod 600`, or 640. rankweb reads them when it "
                    + "starts."),
            .definition(
                term: "--password-file",
                meaning: [
                    "The first line is the password, of at least 8 characters. Whoever has it sees everything. A "
                        + "browser stays logged in for 30 days. A new password ends all that."
                ]),
            .definition(
                term: "--token-file",
                meaning: [
                    "Each line is a name, a token of at least 16 characters, and perhaps the tags that the token is "
                        + "narrowed to: its owner then sees only the pairs with one of them. Programs send a token in "
                        + "the field `Authorization: Bearer TOKEN`; people may log in with it. `#` begins a comment."
                ]),
            .code("grafana 6f2c1d0b9a8e7f6d5c4b   # sees everything\nnorthwind 0a1b2c3d4e5f60718293 tags=northwind"),
        ])

    private static let files: [Block] = [
        .definition(
            term: "/etc/rankd/web.env",
            meaning: ["Options of the service, in `RANKWEB_OPTIONS`. Comments in the file explain them."]),
        .definition(
            term: "/run/rankweb/web.sock",
            meaning: ["The socket that the service listens on unless it is told otherwise."]),
        .definition(
            term: "/var/cache/rankweb",
            meaning: [
                "Images, and the key that signs sessions and links. If you delete it, everybody has to log in "
                    + "again, and links that were sent no longer work."
            ]),
    ]

    private static let exitStatus = SharedSections.exitStatus(
        leaving: [.data, .noInput, .unavailable, .ioError, .temporaryFailure, .configuration],
        [
            .definition(term: "65", meaning: ["The file of the password or of the tokens is not text."]),
            .definition(term: "66", meaning: ["There is no such file, or you may not read it."]),
            .definition(
                term: "74",
                meaning: ["It cannot listen there: another program does, or you may not. Or too few files may be open."]
            ),
            .definition(
                term: "78",
                meaning: [
                    "Everybody may read the file of the password or of the tokens, or there is a mistake in it: stderr "
                        + "says which."
                ]),
        ])
}
