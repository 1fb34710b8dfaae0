import Judging
import RankKit

extension MoversReport {
    /// Apps that are named in the table; data has more.
    private static let mostNamed = 3
    private static let mostInData = 10

    /// Who passed mine where they fell.
    var fallsTable: Table {
        let hasSeveralPlatforms = Set(falls.map(\.query.platform)).count > 1
        let hasSeveralApps = Set(falls.map(\.app.bundleID)).count > 1
        return Table(
            columns: [
                .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 2), .init("app", minimum: 8, comfort: 14),
                .init("then", .right), .init("since", .right),
                .init("compared", priority: 1, meaning: Self.comparedMeaning),
                .init(
                    "passed by", .right,
                    meaning:
                        "how many apps were below it or absent on the first of these days and above it on the second"
                ),
                .init("who", below: .plain), .init("store or mine", below: .plain),
            ],
            rows: falls.map { fall in
                .cells([
                    .query(fall.query), .storefront(of: fall.query), Cell(fall.query.platform.displayName),
                    hasSeveralApps ? .app(fall.app) : .empty, Self.place(fall.was), Self.place(fall.now),
                    Cell(fall.passers == nil ? "" : compared(fall), .faint),
                    fall.passers.map { Cell("\($0.count)", .strong) } ?? Cell("?", .caution),
                    Self.named(fall.passers),
                    Cell(fall.context.words(in: fall.query.country, today: generatedAt.reportDay)),
                ])
            }, indent: 2)
    }

    private static let comparedMeaning =
        "the days of two lists, one before the fall and one after it, in which the app was nearest to its usual place"

    private func compared(_ fall: Fall) -> String {
        DayNames.on([fall.was, fall.now].map(\.checkedAt.reportDay), today: generatedAt.reportDay)
    }

    static func named(_ passers: [Fall.Passer]?) -> Cell {
        guard let passers else { return Cell("a list of these days is damaged or no longer kept", .caution) }
        guard !passers.isEmpty else { return Cell("nobody between these two lists", .faint) }
        let more = passers.count - min(passers.count, mostNamed)
        return Cell(names(of: passers) + (more > 0 ? ", and \(more) more" : ""))
    }

    /// The first of them, each with its place in the earlier list and in the later one.
    static func names(of passers: [Fall.Passer]) -> String {
        passers.prefix(mostNamed).map { passer in
            let mark =
                switch passer.app.mark {
                case .mine: " (mine)"
                case .competitor: " (competitor)"
                case nil: ""
                }
            return "\(passer.app.title)\(mark) \(passer.was?.description ?? "absent") → \(passer.position)"
        }.joined(separator: ", ")
    }

    static let fallShape = ObjectShape<Fall>(
        fields: Query.fields { $0.query }, ReportedApp.fields { $0.app },
        [
            .object(
                "was",
                "In the earlier list: of the last seven days with a check before the fall, the newest in which it stood "
                    + "nearest to its usual place; of a slow fall, before the last \(NoiseModel.monthDays) days.",
                Reading.shape
            ) { $0.was },
            .object(
                "now",
                "In the later list: the newest since the fall in which it stands nearest to its usual place, or of one that "
                    + "left is absent; of a slow fall, of the newest week.", Reading.shape
            ) { $0.now },
            .value(
                "passedBy",
                "How many apps stood below it or nowhere then, and stand above it now; null where one of the lists is "
                    + "damaged or no longer kept.", .optional(.count)
            ) { $0.passers?.count },
            .list(
                "passers",
                "The first \(mostInData) of these at most: mine, competitors, then those that rose, the best placed first.",
                passerShape
            ) { Array(($0.passers ?? []).prefix(mostInData)) },
            .object("context", "Whether the store moved, the list, or the app alone.", LossContext.shape) {
                $0.context
            },
        ])

    private static let passerShape = ObjectShape<Fall.Passer>(
        fields: ReportedApp.fields { $0.app },
        [
            .value("was", "Its place in the earlier list; null for not in it.") { $0.was },
            .value("position", "Its place in the later list.") { $0.position },
        ])
}
