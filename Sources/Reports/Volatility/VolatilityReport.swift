import History
package import Judging
import RankKit

/// `rankctl report volatility`: how the stores were.
struct VolatilityReport: ReportValue {
    var volatility: Volatility
    /// The day of the first check, where it is told when a day can be judged.
    var begins: Int64?

    init(_ volatility: Volatility) { self.volatility = volatility }

    var generatedAt: Timestamp { volatility.generatedAt }

    var remarks: [StoreRemark] { volatility.stores.remarks(on: volatility.days, today: generatedAt.reportDay) }

    static let shape = ReportShape<VolatilityReport>(
        "volatility", command: VolatilityRequest.about.command,
        [
            .value("since", "The first day that was asked for.") { DateValue($0.volatility.days.lowerBound) },
            .value("until", "The last day that was asked for.") { DateValue($0.volatility.days.upperBound) },
            .value("remarks", "What was out of the ordinary, in words.") { $0.remarks.map(\.text) },
            .list("volatility", "One element a country.", onLines: true, StoreWeather.shape) { $0.volatility.stores },
        ],
        csv: .each(
            "volatility.days", "one country and day",
            [
                "country", "day", "state", "z", "moves", "usual", "compared", "apps", "entered", "left", "queries",
                "good", "suspect", "failed", "trouble",
            ]
        ).short("country", "day", "state", "z", "moves", "usual", "entered", "left", "trouble"))
}

extension StoreWeather {
    fileprivate static let shape = ObjectShape<StoreWeather>(fields: [
        .value("country", "The country's two letters.") { $0.country },
        .list("days", "Days with a check, oldest first.", Day.shape) { $0.days },
    ])
}

extension StoreWeather.Day {
    fileprivate static let shape = ObjectShape<StoreWeather.Day>(fields: [
        .value("day", "Of the watchlist's zone.") { DateValue($0.day) },
        .value("state", "By z: stormy from 3.5 on, unsettled from 2 on; null where z is.") { $0.weather?.state },
        .value("z", "(moves − usual) / spread of the 60 days before; null with fewer than 14 of them.") {
            $0.weather?.z
        },
        .value(
            "moves",
            "Places that all apps moved on all lists: (lower quartile + 2 × median + upper quartile) / 4; null where fewer "
                + "than 3 queries were compared, or over more days than is usual."
        ) { $0.figure },
        .value("usual", "The median of moves over the 60 days before.") { $0.weather?.usual },
        .value("compared", "Queries whose lists were compared.", .count) { $0.facts.moves.compared },
        .value("apps", "Apps in both lists of a query, over all queries.", .count) { $0.facts.moves.apps },
        .value("entered", "Apps in the newer list alone.", .count) { $0.facts.moves.entered },
        .value("left", "Apps in the older list alone.", .count) { $0.facts.moves.left },
        .value("queries", "Queries with a check.", .count) { $0.facts.queries },
        .value("good", "Checks that can be relied on.", .count) { $0.facts.good },
        .value("suspect", "Checks whose answers cannot be believed.", .count) { $0.facts.suspect },
        .value("failed", "Checks without an answer.", .count) { $0.facts.failed },
        .value(
            "trouble",
            "bad-day: most lists of a pass had collapsed; failures: of at least 4 queries half or more had a check that "
                + "failed or is suspect, and so did half of all checks or more."
        ) { $0.trouble },
    ])
}

extension StoreWeather.Trouble: FieldWord {}
