import History
package import RankKit

/// `rankctl status`: how the service and its memory are.
package struct StatusReport: ReportValue {
    package var status: Status

    init(_ status: Status) { self.status = status }

    package var generatedAt: Timestamp { status.generatedAt }

    package static let shape = ReportShape<StatusReport>(
        "status", command: StatusRequest.about.command,
        [.object("status", "How the service and its history are.", Status.shape) { $0.status }],
        csv: .each(
            nil, "the service",
            [
                .column("level", "status.level"), .column("running", "status.daemon.running"),
                .column("pid", "status.daemon.pid"), .column("database", "status.database.path"),
                .column("bytes", "status.database.bytes"), .column("walBytes", "status.database.walBytes"),
                .column("trouble", "status.database.trouble"), .column("since", "status.history.since"),
                .column("newestCheckAt", "status.history.newestCheckAt"),
                .column("lastPassAt", "status.lastPass.startedAt"), .column("nextDueAt", "status.nextDueAt"),
                .column("queries", "status.queries.total"), .column("overdue", "status.queries.overdue"),
                .column("requestsLastHour", "status.requests.lastHour"),
                .column("requestsLastDay", "status.requests.lastDay"),
                .column("wantedPerDay", "status.requests.wantedPerDay"), .column("housekeptAt", "status.housekeptAt"),
                .column("backupAt", "status.backup.lastAt"), .column("reason", "status.reason"),
                .column("seenAt", "status.daemon.seenAt"), .column("refusedAt", "status.watchlist.refusedAt"),
            ]
        ).short("level", "running", "trouble", "newestCheckAt", "nextDueAt", "queries", "overdue", "backupAt", "reason")
    )
}

extension Status {
    fileprivate static let shape = ObjectShape<Status>(fields: [
        .value("level", "fine; degraded: something needs a look; down: nothing is being recorded.") { $0.level },
        .value("reason", "The first of the reasons; null if all is fine.") { $0.reasons.first?.text },
        .list("reasons", "Why it is not fine, the gravest first.", Reason.shape) { $0.reasons },
        .group(
            "daemon", "Whether rankd runs.",
            [
                .value("running", "null if it is unknown.") { $0.isRunning },
                .value("pid", "null if it does not run, or if that is unknown.") { $0.pid },
                .value("stoppedAt", "When the service was stopped; null if it was not, or if rankd runs with --once.") {
                    $0.service.stoppedAt
                },
                .value("seenAt", "The last sign of life of a service that nobody has stopped.") { $0.service.seenAt },
            ]),
        .group(
            "watchlist", "The watchlist in force.",
            [
                .value("adoptedAt", "When rankd took it up.") { $0.service.adoptedAt },
                .value("refusedAt", "When rankd refused a newer one; null if it refused none.") {
                    $0.service.refusedAt
                },
                .value("refusal", "Why it did.") { $0.service.refusal },
            ]),
        .object("database", "The history's file.", Database.shape) { $0.database },
        .group(
            "history", "What it holds.",
            [
                .value("since", "The oldest check.") { $0.historySince },
                .value("newestCheckAt", "The newest check.") { $0.newestCheckAt },
            ]),
        .optional(
            "lastPass",
            "The newest round over the queries that were due; null before the first, and for whoever sees a part of the "
                + "watchlist.", Pass.shape
        ) { $0.lastPass },
        .optional("underWay", "The round that is being made now; null if none is.", Status.progress) { $0.underWay },
        .value("nextDueAt", "When the next query comes due.") { $0.nextDueAt },
        .group(
            "queries", "Those that are asked.",
            [
                .value("total", nil, .count) { $0.queryCount }, .value("overdue", nil, .count) { $0.overdueCount },
            ]),
        .list("overdue", "The longest overdue first; about ten of them.", OverdueQuery.shape) { $0.overdue },
        .list("endpoints", "The services of Apple that rankd asks.", Endpoint.shape) { $0.endpoints },
        .list("suspects", "Queries whose newest list cannot be believed yet.", SuspectQuery.shape) { $0.suspects },
        .list("unknownApps", "Tracked apps that their storefronts seem not to sell.", UnknownApp.shape) {
            $0.unknownApps
        },
        .list("namedTwice", "Apps that the watchlist has by several names.", Status.namedTwice) { $0.namedTwice }
            .only("Only where there is one.") { !$0.namedTwice.isEmpty },
        .list("failures", "Queries whose newest checks failed, by the reason of the newest.", FailureStreak.shape) {
            $0.failures
        },
        .value("housekeptAt", "When the clean-up last ran.") { $0.housekeptAt },
        .optional("backup", "null where the watchlist wants none.", DatedBackup.shape) { $0.dated },
        .optional("upkeep", "What the clean-up did and has to do.", ServiceRecord.Upkeep.shape) { $0.upkeep },
        .object("requests", "Requests made, beside what the pace allows and the watchlist wants.", Requests.shape) {
            $0.requests
        },
    ])

    private static let namedTwice = ObjectShape<OneApp>(fields: [
        .value("bundleId", "The bundle identifier that the app has now.") { $0.present },
        .value("since", "Since when.") { $0.since },
        .value("former", "The other ones.") { $0.former },
    ])

    private static let progress = ObjectShape<PassProgress>(fields: [
        .value("startedAt") { $0.startedAt },
        .value("due", "Queries that it set out to ask.", .count) { $0.due },
        .value("done", "How many of these have been asked by now.", .count) { $0.done },
        .value("secondsLeft", "How much longer it will take at the pace so far; null before the first answer.") {
            $0.secondsLeft
        },
    ])

    private var isRunning: Bool? {
        switch daemon {
        case .running: true
        case .nobody: false
        case .unknown: nil
        }
    }

    private var pid: Int64? { if case .running(let pid) = daemon, pid > 0 { Int64(pid) } else { nil } }

    /// The backups as they are now.
    var dated: DatedBackup? {
        backups.map { DatedBackup(record: $0, isLate: $0.isLate(at: generatedAt)) }
    }

    struct DatedBackup: Sendable {
        var record: BackupRecord
        var isLate: Bool
    }
}

extension Status.DatedBackup {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("everySeconds", nil, .count) { $0.record.every },
        .value("lastAt", "The newest backup.") { $0.record.lastAt },
        .value("late", "Whether it is older than two intervals.") { $0.isLate },
        .value("failedAt", "The newest try, where that failed.") { $0.record.failedAt },
        .value("failure", "Why it failed.") { $0.record.failure },
    ])
}

extension Status.Reason {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("kind") { $0.kind }, .value("text", "For people.") { $0.text },
    ])
}

extension Status.Database {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("path", "The file; its name alone for whoever is not on this machine.") { $0.path },
        .value("bytes", "null for whoever sees a part of the watchlist.", .optional(.count)) { $0.bytes },
        .value("walBytes", "Of the write-ahead log; null with bytes.", .optional(.count)) { $0.walBytes },
        .value("schemaVersion", nil, .count) { $0.schemaVersion },
        .value("trouble", "What keeps the file from being written.") { $0.trouble },
    ])
}

extension Status.Pass {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("startedAt") { $0.startedAt },
        .value("finishedAt", "null while it runs, or where it was cut off.") { $0.finishedAt },
        .value("asked", "Queries that were asked.", .count) { $0.asked },
        .value("succeeded", nil, .count) { $0.succeeded }, .value("failed", nil, .count) { $0.failed },
        .value("throttled", "Turned away or not asked because of a pause: still due.", .count) { $0.throttled },
        .value("suspect", "Answered with a list that cannot be believed yet.", .count) { $0.suspect },
        .value("badDay", "Whether half of the lists had collapsed, or a third of those of new queries were empty.") {
            $0.badDay
        },
    ])
}

extension Status.OverdueQuery {
    fileprivate static let shape = ObjectShape<Self>(
        fields: Query.fields { $0.query },
        [
            .value("dueSince") { $0.dueSince }
        ])
}

extension Status.Endpoint {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("name") { $0.name },
        .value(
            "state",
            "asking; cooling-down: Apple asked for fewer requests; offline: nothing can be reached; failing: it answers "
                + "nothing but errors; bad-day: too many lists of the last pass were empty or far too short."
        ) { $0.state },
        .value("until", "When asking goes on; null while it does.") { $0.until },
    ])
}

extension Status.SuspectQuery {
    fileprivate static let shape = ObjectShape<Self>(
        fields: Query.fields { $0.query },
        [
            .value("reason") { $0.reason.rawValue },
            .value("within", "How many places the list had.", .count) { $0.within },
        ])
}

extension UnknownApp {
    fileprivate static let shape = ObjectShape<UnknownApp>(fields: [
        .value("bundleId", "The bundle identifier.") { $0.bundleID },
        .value("country", "The country's two letters.") { $0.country },
        .value("since", "The first of the empty answers.") { $0.since },
        .value("lastAskedAt", "The newest of them.") { $0.lastAskedAt },
        .value("answers", "How many there were.", .count) { $0.answers },
    ])
}

extension Status.FailureStreak {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("reason") { $0.reason.rawValue }, .value("queries", nil, .count) { $0.queryCount },
        .value("mostInARow", "Failed checks since the last good one, of the query that has most.", .count) {
            $0.mostInARow
        },
        .value("lastMessage", "What the newest of them said.") { $0.lastMessage }, .value("lastAt") { $0.lastAt },
    ])
}

extension ServiceRecord.Upkeep {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("pages", "Pages of lists.", .count) { $0.pages },
        .value("listsInPages", nil, .count) { $0.listsInPages },
        .value("otherLists", "Lists in no page yet.", .count) { $0.otherLists },
        .value("listsSince", "The time from which all lists are kept; null if none was dropped.") { $0.listsSince },
        .value("daysBehind", "Days that have ended, from the first one that is not summed up by pair.", .count) {
            $0.daysBehind
        },
        .value("countryDaysBehind", "The same for the figures by country.", .count) { $0.countryDaysBehind },
        .optional("last", "What the last clean-up did.", CleanUp.shape) { $0.last },
    ])
}

extension CleanUp {
    fileprivate static let shape = ObjectShape<CleanUp>(fields: [
        .value("daysRolledUp", nil, .count) { $0.daysRolledUp }, .value("countryDays", nil, .count) { $0.countryDays },
        .value("listsCompacted", nil, .count) { $0.listsCompacted },
        .value("listsDamaged", nil, .count) { $0.listsDamaged },
        .value("listsDropped", nil, .count) { $0.listsDropped },
        .value("failuresThinned", nil, .count) { $0.failuresThinned }, .value("bytesFreed") { $0.bytesFreed },
    ])
}

extension Status.Requests {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("lastHour", "null for whoever sees a part of the watchlist, as is lastDay.", .optional(.count)) {
            $0.lastHour
        },
        .value("budgetPerHour", nil, .count) { $0.budgetPerHour },
        .value("lastDay", nil, .optional(.count)) { $0.lastDay },
        .value("budgetPerDay", nil, .count) { $0.budgetPerDay },
        .value("wantedPerDay", "What all cadences together want.", .optional(.number(minimum: 0))) { $0.wantedPerDay },
    ])
}
