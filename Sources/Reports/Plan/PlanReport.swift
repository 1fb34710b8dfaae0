package import RankKit

/// `rankctl plan`: what a watchlist would change before it is adopted.
package struct PlanReport: ReportValue {
    var change: PlanChange
    /// Whether lists that are long are shown whole; in the table alone, JSON always has everything.
    var showsAll: Bool

    package init(_ change: PlanChange, showsAll: Bool = false) {
        self.change = change
        self.showsAll = showsAll
    }

    package var generatedAt: Timestamp { change.generatedAt }

    package static let shape = ReportShape<PlanReport>(
        "plan", command: "rankctl plan",
        [.object("plan", "What would change.", PlanChange.shape) { $0.change }],
        csv: .kinds(
            "one query or pair that is added, retired or asked at other times",
            header: [
                "section", "query", "country", "platform", "source", "language", "bundleId", "cadence", "was",
                "history",
                "lastCheckedAt", "because",
            ],
            [
                .each("plan.added", columns("added", ["cadence", "history", "lastCheckedAt", "because"])),
                .each("plan.retired", columns("retired", ["lastCheckedAt"])),
                .each(
                    "plan.cadences", columns("cadence", [.column("cadence", "after"), .column("was", "before")])),
                .each("plan.pairsAdded", columns("pair added", ["bundleId", "history"])),
                .each("plan.pairsRetired", columns("pair retired", ["bundleId"])),
                .each("plan.pairsRenamed", columns("pair renamed", ["bundleId", .column("was", "from")])),
            ]
        ).short(without: "source", "language", "lastCheckedAt"))

    private static func columns(_ section: String, _ more: [CSVColumn]) -> [CSVColumn] {
        [.constant("section", section)] + Query.columns + more
    }
}

extension PlanChange {
    fileprivate static let shape = ObjectShape<PlanChange>(fields: counts, figures, lists)

    private static let counts: [Field<PlanChange>] = [
        .value(
            "countries",
            "The countries of --country: the change is then what asking in them as well would cost. Else empty."
        ) {
            $0.countries
        },
        .value("adoptedAt", "When the plan in force was adopted; null before there is one.") { $0.adoptedAt },
        .group(
            "searches", "Queries.",
            [
                .value("added", nil, .count) { $0.added.count }, .value("retired", nil, .count) { $0.retired.count },
                .value("kept", nil, .count) { $0.keptCount },
            ]),
        .group(
            "pairs", "Apps on queries.",
            [
                .value("added", nil, .count) { $0.pairsAdded.count },
                .value("retired", nil, .count) { $0.pairsRetired.count }, .value("kept", nil, .count) { $0.pairsKept },
            ]),
        .group(
            "histories", "What becomes of what is recorded.",
            [
                .value("kept", "Queries that go on.", .count) { $0.continuing },
                .value("comingBack", "Retired ones that go on again.", .count) { $0.comingBack },
                .value("startingAnew", "Queries without a past.", .count) { $0.startingAnew },
                .list(
                    "because", "Of these, by the one property that keeps a history from continuing.",
                    ObjectShape(fields: [
                        .value("property") { $0.property }, .value("count", nil, .count) { $0.count },
                    ])
                ) { $0.startingAnewBecause },
            ]),
    ]

    private static let figures: [Field<PlanChange>] = [
        .group(
            "requestsPerDay", "What it costs.",
            [
                .value("before", nil, .optional(.number(minimum: 0))) { $0.before?.requestsPerDay },
                .value("after", nil, .number(minimum: 0)) { $0.after.requestsPerDay },
                .value("budget", "What the pace allows.", .number(minimum: 0)) { $0.after.budgetPerDay },
            ]),
        .group(
            "passSeconds", "How long one round over all queries takes.",
            [
                .value("before", nil, .optional(.number(minimum: 0))) { $0.before.map { $0.passMinutes * 60 } },
                .value("after", nil, .number(minimum: 0)) { $0.after.passMinutes * 60 },
            ]),
        .group(
            "requestsPerMinute", "The pace.",
            [
                .value("before", nil, .optional(.number(minimum: 0))) { $0.before?.requestsPerMinute },
                .value("after", nil, .number(minimum: 0)) { $0.after.requestsPerMinute },
            ]),
        .group(
            "sensitivity", "How easily a change counts as a move in reports.",
            [.value("before") { $0.before?.sensitivity }, .value("after") { $0.after.sensitivity }]),
        .value("fitsBudget", "Whether the pace allows as many requests as it wants.") { $0.after.fitsBudget },
        .value("fitsCadence", "Whether a round is over before its queries come due again.") { $0.after.fitsCadence },
        .optional("remedies", "What would make it fit; null where it does.", BudgetRemedies.shape) { $0.remedies },
    ]

    private static let lists: [Field<PlanChange>] = [
        .list("added", "Queries that are new.", onLines: true, AddedSearch.shape) { $0.added },
        .list(
            "retired", "Queries that are no longer asked; their history stays.", onLines: true,
            ObjectShape(fields: Query.fields { $0.query }, [.value("lastCheckedAt") { $0.lastCheckedAt }])
        ) { $0.retired },
        .list(
            "cadences", "Queries that are asked at other times.", onLines: true,
            ObjectShape(
                fields: Query.fields { $0.query },
                [
                    .value("before") { WatchlistReport.words($0.before) },
                    .value("after") { WatchlistReport.words($0.after) },
                ])
        ) { $0.recadenced },
        .list(
            "pairsAdded", "Pairs that are new.", onLines: true,
            ObjectShape(
                fields: Query.fields { $0.pair.query },
                [
                    .value("bundleId", "The bundle identifier.") { $0.pair.bundleID },
                    .value(
                        "history", "Whether it has a past, of its own or in the kept lists, or starts anew.",
                        .word(["continues", "anew"])
                    ) { $0.comesBack || $0.pastSince != nil ? "continues" : "anew" },
                    .value("pastSince", "From when on kept lists tell its past; null if there are none.") {
                        $0.pastSince
                    },
                ])
        ) { $0.pairsAdded },
        .list(
            "pairsRetired", "Pairs that are no longer tracked; their history stays.", onLines: true,
            ObjectShape(
                fields: Query.fields { $0.query },
                [.value("bundleId", "The bundle identifier.") { $0.bundleID }])
        ) { $0.pairsRetired },
        .list(
            "pairsRenamed", "Pairs whose app the watchlist names otherwise; their history goes on.", onLines: true,
            ObjectShape(
                fields: Query.fields { $0.pair.query },
                [
                    .value("bundleId", "The bundle identifier.") { $0.pair.bundleID },
                    .value("from", "The one that the plan in force has.") { $0.from },
                ])
        ) { $0.pairsRenamed },
    ]
}

extension PlanChange.Property: FieldWord {}

extension BudgetRemedies {
    fileprivate static let shape = ObjectShape<BudgetRemedies>(fields: [
        .value("everySeconds", "The shortest cadence that would fit.", .optional(.count)) { $0.every },
        .value("requestsPerMinute", "The pace that would fit.", .optional(.count)) { $0.requestsPerMinute },
        .list(
            "busiestLines", "The watchlist's lines that cost most.",
            ObjectShape(fields: [
                .value("path", "Where it stands.") { $0.path }, .value("searches", nil, .count) { $0.queries },
                .value("requestsPerDay", nil, .number(minimum: 0)) { $0.requestsPerDay },
            ])
        ) { $0.busiest },
    ])
}

extension PlanChange.AddedSearch {
    fileprivate static let shape = ObjectShape<Self>(
        fields: Query.fields { $0.query },
        [
            .value("cadence", "In words.") { WatchlistReport.words($0.cadences) },
            .value("apps", "How many are tracked on it.", .count) { $0.apps },
            .value("history", "Whether its history continues or starts anew.", .word(["continues", "anew"])) {
                $0.history.isContinued ? "continues" : "anew"
            },
            .value("lastCheckedAt", "Of a history that continues.") { $0.history.lastCheckedAt },
            .value("because", "The one property that keeps a history from continuing.") { $0.history.hindrance },
        ])
}

extension PlanChange.Continuation {
    fileprivate var lastCheckedAt: Timestamp? { if case .continues(let last) = self { last } else { nil } }

    fileprivate var isContinued: Bool { if case .continues = self { true } else { false } }

    fileprivate var hindrance: PlanChange.Property? {
        if case .startsAnewBecause(let property, _) = self { property } else { nil }
    }
}
