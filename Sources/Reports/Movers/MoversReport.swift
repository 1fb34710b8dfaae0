import Judging
import RankKit

/// `rankctl report movers`: what moved between two moments, the biggest first.
struct MoversReport: ReportValue {
    struct Options: Sendable, Hashable {
        /// Whether people's forms show wobble as well; JSON and CSV always have every row.
        var all = false
        /// Whether they show what was weighed.
        var figures = false
    }

    var movers: Movers
    var options: Options
    /// Those of mine that are told of, with who passed them.
    var falls: [Fall]
    /// While no pair can be judged yet.
    var firstVerdict: FirstVerdict?
    /// Whether more than one app of mine moved, so that each row has to say whose it is, whichever are shown.
    let hasSeveralApps: Bool

    init(_ movers: Movers, falls: [Fall] = [], options: Options = Options()) {
        self.movers = movers
        self.falls = falls
        self.options = options
        hasSeveralApps = Set(movers.rows.filter(\.mine).map(\.app.bundleID)).count > 1
    }

    var generatedAt: Timestamp { movers.generatedAt }

    static let shape = ReportShape<MoversReport>(
        "movers", command: MoversRequest.about.command,
        [
            .value("since", "The earlier moment.") { $0.movers.since },
            .value("until", "The later moment.") { $0.movers.until },
            .value("sensitivity", "How easily a change counted as a move.") { $0.movers.sensitivity },
            FirstVerdict.field { $0.firstVerdict },
            .value("compared", "Pairs with a good reading at both moments.", .integer(minimum: 0)) {
                $0.movers.compared
            },
            .list(
                "movers", "Mine first, then the biggest moves on the scale log2(position + 5); entries and exits last.",
                onLines: true, Movers.Row.shape
            ) { $0.movers.rows },
            .list(
                "falls", "My pairs that fell or left for good, at once or slowly, and who passed each of them.",
                onLines: true, fallShape
            ) { $0.falls },
        ],
        csv: .each(
            "movers", "one pair that moved", Query.columns,
            ["bundleId", "alias", "appId", "appName", "mine", "tags"], Reading.columns("from"), Reading.columns("to"),
            ["change"], MoveJudgement.columns, ["usualChange"], MoveJudgement.monthColumns,
            MoveJudgement.evidenceColumns
        ).short(
            "query", "country", "platform", "bundleId", "appName", "mine", "fromPosition", "toPosition", "change",
            "judgement", "usualChange"))
}

extension Movers.Row {
    static let monthMoveMeaning =
        "The move of the month, its entry or its exit, if it only wobbled in the days that were asked about."

    /// A move, in whatever report it occurs.
    static let shape = ObjectShape<Movers.Row>(
        "move", nil, Query.fields { $0.query }, ReportedApp.fields { $0.app },
        [
            .value("mine", "Whether the app is mine.") { $0.mine },
            .value("tags", "Of the pair.") { $0.tags },
            .object(
                "from",
                "The last good check at since; without --since, of a query asked less often than every other day, four "
                    + "cadences before until.", Reading.shape
            ) { $0.from },
            .object("to", "The last good check at until.", Reading.shape) { $0.to },
            .value(
                "change",
                "Between the two readings, even if one of them was a spike; null if one list was too short to show the place "
                    + "that the other has."
            ) { $0.change },
            .value(
                "usualChange",
                "Between the usual places before and since, as tables show it; null for a pair that only wobbled. For a pair "
                    + "that came and went, or left and came back, tables show `change`."
            ) { $0.usualChange },
            .object("judgement", "Whether it is a move, or wobble.", MoveJudgement.shape) { $0.judgement },
            .optional("slide", "`month`, if it is a step or a drift.", LastingMove.slideShape) { $0.monthMove?.slide },
            .optional("month", Self.monthMoveMeaning, MoveJudgement.monthShape) { $0.monthMove },
        ])
}
