package import History
import Judging
package import RankKit

/// `rankctl report digest`: the page to read each morning.
package struct DigestReport: ReportValue {
    var digest: Digest
    /// While no pair can be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ digest: Digest) { self.digest = digest }

    package var generatedAt: Timestamp { digest.generatedAt }
    package var damaged: [DamagedLists] { digest.damaged }

    /// What a mail is headed with: the counts of what is new, for whoever reads no further.
    package var subject: String {
        let (fresh, still) = (digest.fresh.summary.movedCells.words, digest.still.summary.movedCells.words)
        let isQuiet = still.isEmpty && digest.movers.summary.likely == 0
        let nothing = isQuiet ? "nothing moved" : "nothing new"
        return "rankd: " + (fresh.isEmpty ? nothing : fresh) + (still.isEmpty ? "" : " (still \(still))")
            + (digest.status.level == .fine ? "" : ", \(digest.status.level.rawValue)")
            + " · \(CivilTime.reportDate(digest.until))"
    }

    package static let shape = ReportShape<DigestReport>(
        "digest", command: DigestRequest.about.command,
        [.object("digest", "What happened.", ObjectShape(fields: DigestReport.fields)) { $0 }],
        csv: .kinds(
            "one thing that happened",
            header: [
                "section", "at", "bundleId", "appName", "mine", "query", "country", "platform", "source", "language",
                "was", "now", "change", "count", "text", "usualChange", "new",
            ], DigestReport.kinds
        ).short(
            "section", "at", "bundleId", "appName", "mine", "query", "country", "platform", "was", "now", "change",
            "count", "text", "new"))

    /// A move as movers have it, without its tags.
    private static let move = ObjectShape<Move>(
        "move", nil,
        Movers.Row.shape.fields.filter { $0.key != "tags" }.map { field in field.of { (move: Move) in move.row } } + [
            .value("new", "Whether it is new: the digest as of `since` did not have it yet.") { $0.isNew }
        ])

    private struct Move {
        let row: Movers.Row
        let isNew: Bool
    }

    private static let lossShape = ObjectShape<Fall>(
        fields: Query.fields { $0.query }, ReportedApp.fields { $0.app },
        [.object("context", "Whether the store moved, the list, or the app alone.", LossContext.shape) { $0.context }])

    private static let fields: [Field<DigestReport>] = [
        .value("since", "Where the time of the digest begins.") { $0.digest.since },
        .value("until", "Where the time of the digest ends.") { $0.digest.until },
        FirstVerdict.field { $0.firstVerdict },
        .group(
            "summary",
            "Moves of mine over the week before `until`, or since `since` if that is longer ago, without wobble; "
                + "competitors never count.",
            [
                .value("pairs", "Pairs of mine.", .count) { $0.digest.pairs },
                .value("up", nil, .count) { $0.summary.up },
                .value("down", nil, .count) { $0.summary.down },
                .value("entered", nil, .count) { $0.summary.entered },
                .value("left", nil, .count) { $0.summary.left },
                .value("withinNoise", "Other moves of mine in that time, which are no news.", .count) {
                    $0.digest.movers.wobbles
                },
                .value("new", "How many of these moves, and of those of the month, are new since `since`.", .count) {
                    $0.digest.fresh.rows.count(where: \.mine)
                },
                .value("month", "Pairs of mine of which the month alone tells a move, an entry or an exit.", .count) {
                    $0.summary.month
                },
            ]),
        .list(
            "moves", "Moves that stayed, mine first, then the biggest.", onLines: true, move
        ) { report in report.moves.map { Move(row: $0, isNew: report.digest.isNew($0)) } },
        .list("slides", "Moves of mine over a month, if the week shows no move.", onLines: true, move) { report in
            report.ofMonth(\.isReal).map { Move(row: $0, isNew: report.digest.isNew($0)) }
        },
        .list(
            "passages", "Entries and exits of mine over a month, if the week shows no move.", onLines: true, move
        ) { report in
            report.ofMonth { !$0.isReal }.map { Move(row: $0, isNew: report.digest.isNew($0)) }
        },
        .list(
            "losses", "New moves of mine that are losses, and what stands beside each.", onLines: true, lossShape
        ) { $0.digest.losses },
        .list(
            "earlierLosses",
            "The biggest losses of mine that were told before and have not come back, \(MoversReport.mostLosses) at most.",
            onLines: true, lossShape
        ) { $0.digest.earlierLosses },
        .list(
            "candidates",
            "Those of newInTop that are worth watching: the watchlist does not name them, and they came from below place "
                + "\(Newcomer.far) or from nowhere. Those on most queries come first.",
            onLines: true, Newcomer.shape
        ) { $0.digest.candidates },
        .value("moreCandidates", "How many more there are.", .count) { $0.digest.unshownCandidates },
        .list(
            "newInTop",
            "All that are in the first ten of a list of a query of mine and were not at since: mine, competitors, then "
                + "others, the candidates first.", onLines: true, Newcomer.shape
        ) { $0.digest.entered + $0.digest.newcomers },
        .value(
            "moreNewInTop", "How many others there are beyond the \(Digest.mostNewcomers) that newInTop has.", .count
        ) { $0.digest.unshownNewcomers },
        DamagedLists.field(
            "Stretches of lists, by when the first and the last were asked for, that are kept and cannot be read: who is "
                + "new in them is unknown. rankctl verify tells more."
        ) { $0.damaged },
        .list("versions", "Versions that became known, mine first.", onLines: true, Digest.Version.shape) {
            $0.digest.versions
        },
        .list(
            "renamed", "Apps of the watchlist that came under another bundle identifier.", onLines: true,
            Digest.Renamed.shape
        ) { $0.digest.renamed },
        .list("notes", "The watchlist's notes of these days.", onLines: true, Digest.DayNote.shape) { $0.digest.notes },
        .value("weather", "What was out of the ordinary with the store, in words.") {
            $0.digest.movers.remarks.map(\.text)
        },
        .object("checks", "How the checks of these days went.", Digest.checksShape) { $0.digest },
        .object("requests", "How much Apple was asked.", Digest.requestsShape) { $0.digest },
        .object("service", "How rankd is, as of generatedAt.", Status.digestShape) { $0.digest.status },
    ]

    private var summary: MoveCounts { digest.movers.summary }
    private var moves: [Movers.Row] { digest.movers.rows.filter(\.judgement.isBeyondNoise) }

    /// Those of mine of which the month alone tells something, of that kind.
    private func ofMonth(_ isWanted: (MoveJudgement) -> Bool = { _ in true }) -> [Movers.Row] {
        digest.movers.rows.filter { $0.mine && ($0.monthMove.map(isWanted) ?? false) }
    }

    private static let kinds: [CSVKind<DigestReport>] = [
        .each(
            "digest.moves",
            [
                .constant("section", "move"), .column("at", "to.checkedAt"), "bundleId", "appName", "mine", "query",
                "country", "platform", "source", "language", .column("was", "judgement.from"),
                .column("now", "judgement.to"), .column("change", "usualChange"), "usualChange", "new",
            ]),
        .lines(
            { report in report.ofMonth().map { ($0, report.digest.isNew($0)) } },
            [
                .cell("section") { $0.0.monthMove?.isReal == true ? "slide" : "passage" },
                .cell("at") { $0.0.to.checkedAt },
                .cell("bundleId") { $0.0.app.bundleID },
                .cell("appName") { $0.0.app.name }, .cell("mine") { $0.0.mine }, .cell("query") { $0.0.query.text },
                .cell("country") { $0.0.query.country }, .cell("platform") { $0.0.query.platform },
                .cell("source") { $0.0.query.source }, .cell("language") { $0.0.query.language },
                .cell("was") { $0.0.monthMove?.from }, .cell("now") { $0.0.monthMove?.to },
                .cell("change") { $0.0.monthMove?.change }, .cell("text") { _ in Table.withinTheMonth },
                .cell("usualChange") { $0.0.monthMove?.change }, .cell("new") { $0.1 },
            ]),
        .lines(
            { digest in
                (digest.digest.entered + digest.digest.newcomers).flatMap { newcomer in
                    newcomer.entries.map { (newcomer.app, $0) }
                }
            },
            [
                .cell("section") { $0.0.mark == nil && $0.1.isFromAfar ? "candidate" : "top-10" },
                .cell("bundleId") { $0.0.bundleID },
                .cell("appName") { $0.0.name },
                .cell("mine") { $0.0.mark == .mine }, .cell("query") { $0.1.query.text },
                .cell("country") { $0.1.query.country },
                .cell("platform") { $0.1.query.platform }, .cell("source") { $0.1.query.source },
                .cell("language") { $0.1.query.language }, .cell("now") { $0.1.position },
            ]),
        .lines(
            \.digest.versions,
            [
                .cell("section") { _ in "version" }, .cell("at") { $0.release.at },
                .cell("bundleId") { $0.app.bundleID },
                .cell("appName") { $0.app.name }, .cell("mine") { $0.app.mark == .mine },
                .cell("text") { $0.release.version },
            ]),
        .lines(
            \.digest.renamed,
            [
                .cell("section") { _ in "renamed" }, .cell("at") { $0.change.at },
                .cell("bundleId") { $0.app.bundleID },
                .cell("appName") { $0.app.name }, .cell("mine") { $0.app.mark == .mine },
                .cell("was") { $0.change.from }, .cell("now") { $0.change.to },
                .cell("text") { "bundle ID \($0.change.from) became \($0.change.to)" },
            ]),
        .lines(
            \.digest.notes,
            [
                .cell("section") { _ in "note" }, .cell("at") { $0.note.on }, .cell("bundleId") { $0.app?.bundleID },
                .cell("appName") { $0.app?.name }, .cell("mine") { $0.app.map { $0.mark == .mine } },
                .cell("text") { $0.note.text },
            ]),
        .lines(
            { $0.digest.troubled.flatMap { query in query.troubles.map { (query.query, $0) } } },
            [
                .cell("section") { $0.1.gap.state }, .cell("at") { $0.1.lastAt },
                .cell("query") { $0.0.text }, .cell("country") { $0.0.country }, .cell("platform") { $0.0.platform },
                .cell("source") { $0.0.source }, .cell("language") { $0.0.language }, .cell("count") { $0.1.count },
                .cell("text") { $0.1.gap.reason },
            ]),
    ]
}

extension Newcomer {
    fileprivate static let shape = ObjectShape<Newcomer>(fields: [
        .value("bundleId", "The bundle identifier.") { $0.app.bundleID },
        .value("appName", "As the storefront calls it.") { $0.app.name },
        .value("mark", "Whose the app is by the watchlist; null for one that it does not name.") { $0.app.mark },
        .value("candidate", "Whether it is one of candidates.") { $0.isCandidate },
        .list("entries", "Where it is new.", Entry.shape) { $0.entries },
    ])
}

extension Newcomer.Entry {
    fileprivate static let shape = ObjectShape<Newcomer.Entry>(
        fields: Query.fields { $0.query },
        [
            .value("position", "1 is the first place.") { $0.position },
            .value("fromAfar", "Whether it was below place \(Newcomer.far), or nowhere, at since.") { $0.isFromAfar },
        ])
}

extension Digest.Version {
    fileprivate static let shape = ObjectShape<Digest.Version>(
        fields: ReportedApp.fields { $0.app },
        [
            .value("version", "As the note has it, else as Apple does.") { $0.release.version },
            .value("at", "When it came out.") { $0.release.at },
            .value("seenAt", "The first check that showed it.") { $0.release.seenAt },
            .value("source", "Whether the watchlist's note or the store's answers tell of it.") { $0.release.source },
        ])
}

extension Digest.Renamed {
    fileprivate static let shape = ObjectShape<Digest.Renamed>(fields: [
        .value("bundleId", "The bundle identifier in the watchlist.") { $0.app.bundleID },
        .value("appName", "As a storefront calls it.") { $0.app.name },
        .value("mine", "False for a competitor.") { $0.app.mark == .mine },
        .value("from", "The bundle identifier that it had.") { $0.change.from },
        .value("to", "The one that it has.") { $0.change.to },
        .value("at", "When the first check showed it.") { $0.change.at },
    ])
}

extension Digest.DayNote {
    fileprivate static let shape = ObjectShape<Digest.DayNote>(fields: [
        .value("on", "A day in the watchlist's time zone.", .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")) { $0.note.on },
        .value("bundleId", "null for a note about no app.") { $0.app?.bundleID },
        .value("version") { $0.note.version },
        .value("text", "The note's words.") { $0.note.text },
        .value("added", "Search texts that the change was meant to gain.") { $0.note.added },
        .value("removed", "Search texts that the change gave up.") { $0.note.removed },
    ])
}

extension Digest {
    fileprivate static let checksShape = ObjectShape<Digest>(fields: [
        .value("good", "Checks that can be relied on.", .count) { $0.checks.reduce(0) { $0 + $1.good } },
        .value("failed", "Checks without an answer.", .count) { $0.checks.reduce(0) { $0 + $1.failed } },
        .value("suspect", "Checks whose answers cannot be believed.", .count) {
            $0.checks.reduce(0) { $0 + $1.suspect }
        },
        .list("reasons", "Why, the most frequent first.", Reason.shape) { $0.reasons },
        .list("queries", "Those with a failed or suspect check.", onLines: true, QueryChecks.shape) { $0.troubled },
    ])

    fileprivate static let requestsShape = ObjectShape<Digest>(fields: [
        .value(
            "made",
            "Requests for checks that “rankctl prune” deleted are not among them. null with a filter, because passes record "
                + "how many requests they made, not for which queries. Also null for anyone who sees only a part of the "
                + "watchlist.",
            .optional(.count)
        ) { $0.requests },
        .value("budget", "How many the pace allows in this time; null if `made` is null.", .optional(.count)) {
            $0.budget
        },
        .value("perMinute", "The pace.", .count) { $0.status.requests.perMinute },
        .value(
            "wantedPerDay", "What the cadences of the filtered queries want.", .optional(.number(minimum: 0))
        ) { $0.status.requests.wantedPerDay },
    ])
}

extension Digest.Reason {
    fileprivate static let shape = ObjectShape<Digest.Reason>(fields: [
        .value("reason") { $0.gap.reason },
        .value("suspect", "Whether there were answers that could not be believed.") { $0.gap.isSuspect },
        .value("checks", nil, .count) { $0.checks }, .value("queries", nil, .count) { $0.queries },
    ])
}

extension QueryChecks {
    fileprivate static let shape = ObjectShape<QueryChecks>(
        fields: Query.fields { $0.query },
        [
            .value("good", nil, .count) { $0.good }, .value("failed", nil, .count) { $0.failed },
            .value("suspect", nil, .count) { $0.suspect },
        ])
}

extension Status {
    fileprivate static let digestShape = ObjectShape<Status>(fields: [
        .value("status", "As rankctl status has it.") { $0.level },
        .value("databaseBytes", "null for whoever sees a part of the watchlist.", .optional(.count)) {
            $0.database.bytes
        },
        .value("trouble", "What keeps the file from being written.") { $0.database.trouble },
        .value("overdue", "How many of the filtered queries are overdue.", .count) { $0.overdueCount },
        .optional("backup", "null where the watchlist wants none.", Self.backupShape) { $0.dated },
    ])

    private static let backupShape = ObjectShape<DatedBackup>(fields: [
        .value("lastAt", "The newest backup.") { $0.record.lastAt },
        .value("late", "Whether it is older than two intervals.") { $0.isLate },
        .value("failedAt", "The newest try, where that failed.") { $0.record.failedAt },
    ])
}
