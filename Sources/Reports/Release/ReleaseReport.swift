import History
package import Judging
package import RankKit

/// `rankctl report release APP VERSION`: did an update work?
struct ReleaseReport: ReportValue {
    var effect: ReleaseEffect
    var options: Options
    /// What stores changed of what they say about the app in the days that are compared, the newest first.
    var listingChanges: [Timeline.Event] = []
    /// While some of the queries cannot be judged yet.
    var firstVerdict: FirstVerdict?

    struct Options: Sendable {
        /// Whether the pairs that are compared with are shown one by one.
        var all = false
    }

    init(_ effect: ReleaseEffect, options: Options = Options()) {
        self.effect = effect
        self.options = options
    }

    var generatedAt: Timestamp { effect.generatedAt }

    static let shape = ReportShape<ReleaseReport>(
        "release", command: ReleaseRequest.about.command + " APP VERSION",
        [
            .object("release", "What the update did, and the figures behind it.", ReleaseEffect.shape) { $0.effect },
            .list(
                "listingChanges",
                "New names, prices, icons and screenshots of the app in the days that are compared, the newest first: with "
                    + "the release or beside it.", Timeline.Event.shape
            ) { $0.listingChanges },
        ],
        csv: .each(
            "release.pairs", "one pair that is compared", ["group", "bundleId", "appName"], Query.columns,
            ["before", "beforeDays", "after", "afterDays", "counts"]
        ).short("group", "bundleId", "appName", "query", "country", "platform", "before", "after", "counts"))
}

extension ReleaseEffect.Finding {
    /// As JSON has it.
    var code: String {
        switch self {
        case .verdict(let verdict): verdict.rawValue
        case .absent: "absent"
        case .tooEarly: "too-early"
        case .noHistory: "no-history"
        case .notTracked: "not-tracked"
        case .filteredOut: "filtered-out"
        case .noControl: "no-control"
        }
    }
}

extension ReleaseEffect {
    fileprivate static let shape = ObjectShape<ReleaseEffect>(
        fields: ReportedApp.fields { $0.app },
        Releases.Row.shape.fields.map { $0.of { Releases.Row(release: $0.release, day: $0.day) } },
        [
            .value(
                "verdict", "What the first comparison shows, or why it shows nothing.", .word(Finding.codes)
            ) { $0.finding.code },
            .value("sentence", "The same in words.") { $0.sentence },
            .object("days", "The days that are compared, before the release and after it.", Window.shape) { $0.window },
            .list(
                "comparisons", "The one that the verdict is about comes first.", onLines: true, Comparison.shape
            ) { $0.comparisons },
            .list("pairs", "The pairs that are compared.", onLines: true, Pair.shape) { $0.pairs },
            .list(
                "alsoMoved",
                "Queries that the release did not touch and on which the app has moved since, falls first.",
                onLines: true, Aside.shape
            ) { $0.asides },
            .value("untracked", "Queries of the note on which the app is not tracked.") { $0.untracked },
            .list(
                "unclear", "Queries left out because they share their words with one of the note's.",
                ObjectShape(fields: Query.fields { $0 })
            ) { $0.unclear },
            .list("events", "What else happened in the days that are compared.", onLines: true, Event.shape) {
                $0.events
            },
            .value("weather", "What was out of the ordinary with the store, in words.") { $0.remarks.map(\.text) },
        ])
}

extension ReleaseEffect.Finding {
    fileprivate static var codes: [String] {
        DifferenceInDifferences.Verdict.allCases.map(\.rawValue) + [
            "absent", "too-early", "no-history", "not-tracked", "filtered-out", "no-control",
        ]
    }
}

extension ReleaseEffect.Window {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("wanted", "On each side, as asked for.", .count) { $0.wanted },
        .value("compared", "On each side, as there are.", .count) { $0.days },
        .optional("before", "Those before the release.", Self.daysShape) { $0.before },
        .optional("after", "Those after it.", Self.daysShape) { $0.after },
        .value(
            "limit",
            "Why fewer days are compared than wanted: no more have passed, no older checks exist, or another change was noted.",
            .optional(.word(["today", "history", "release"]))
        ) { $0.limitCode },
    ])

    private static let daysShape = ObjectShape<ClosedRange<Int64>>(fields: [
        .value("from", "In the watchlist's time zone.") { DateValue($0.lowerBound) },
        .value("through", "In the watchlist's time zone.") { DateValue($0.upperBound) },
    ])

    private var limitCode: String? {
        switch limit {
        case .today?: "today"
        case .history?: "history"
        case .release?: "release"
        case nil: nil
        }
    }
}

extension ReleaseEffect.Comparison {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("group", "The pairs that the release touched.") { $0.treated },
        .value("controls", "What they are set against.") { $0.controls },
        .value("verdict", "What these figures show.") { $0.figures.verdict },
        .object("treated", "Those that have enough readings before and after to count.", Self.groupShape) {
            $0.figures.treated
        },
        .object("control", "Those that have enough readings before and after to count.", Self.groupShape) {
            $0.figures.control
        },
        .value("readings", "Good daily readings of all pairs that count.", .count) { $0.readings },
        .value(
            "effect",
            "The touched pairs' change less the control's, on log2(position + 5), above 0 is better; null where too little "
                + "is known."
        ) { $0.figures.effect },
        .optional("interval", "Where the effect lies with 95 % confidence.", Self.intervalShape) {
            $0.figures.interval
        },
        .value(
            "before", "Where the touched pairs stood on the average of that scale, 201 for an absence.",
            .optional(.number(minimum: 0))
        ) { $0.before },
        .value("after", "The same after the release.", .optional(.number(minimum: 0))) { $0.after },
        .value(
            "expected", "Where they would stand if they had moved as the control did.", .optional(.number(minimum: 0))
        ) { $0.expected },
    ])

    private static let groupShape = ObjectShape<DifferenceInDifferences.Group>(fields: [
        .value("pairs", nil, .count) { $0.pairs },
        .value("queries", nil, .count) { $0.queries },
        .value("texts", "Search texts, each one observation in however many countries.", .count) { $0.texts },
        .value("change", "The mean over its texts; above 0 is better.") { $0.change },
    ])

    private static let intervalShape = ObjectShape<ClosedRange<Double>>(fields: [
        .value("from") { $0.lowerBound }, .value("through") { $0.upperBound },
    ])
}

extension ReleaseEffect.Pair {
    fileprivate static let shape = ObjectShape<Self>(
        fields: [
            .value("group", "How the release concerns it.") { $0.role },
            .value("bundleId", "The bundle identifier.") { $0.app.bundleID },
            .value("appName", "As the storefront calls it.") { $0.app.name },
        ], Query.fields { $0.query },
        [
            .value(
                "before", "The reading in the middle of the days before; null for an absence, and without a reading."
            ) {
                $0.before.middle?.position
            },
            .value("beforeDays", "Days before with a good check.", .count) { $0.before.count },
            .value("after", "The reading in the middle of the days after; null for an absence, and without a reading.")
            {
                $0.after.middle?.position
            },
            .value("afterDays", "Days after with a good check.", .count) { $0.after.count },
            .value("counts", "Whether there are enough readings on both sides.") { $0.counts },
        ])
}

extension ReleaseEffect.Aside {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("query", "The search text as the watchlist has it.") { $0.text },
        .value("direction") { $0.direction },
        .list("pairs", "Where it moved.", ReleaseEffect.Pair.shape) { $0.pairs },
    ])
}

extension ReleaseEffect.Event {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("at") { $0.at },
        .value("bundleId", "null for a note about no app.") { $0.app?.bundleID },
        .value("appName", "As the storefront calls it.") { $0.app?.name },
        .value("version") { $0.version },
        .value("text", "In words.") { $0.text },
        .value("own", "Whether it is the same app's.") { $0.isOwn },
    ])
}

extension ReleaseEffect.Role: FieldWord {}
extension LastingMove.Direction: FieldWord {}
extension DifferenceInDifferences.Verdict: FieldWord {}
