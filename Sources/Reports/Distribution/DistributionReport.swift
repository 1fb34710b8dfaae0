import Judging
import RankKit

/// `rankctl report distribution`: how many pairs stand in which band of places.
struct DistributionReport: ReportValue {
    var distribution: Distribution
    /// While some pairs cannot be judged yet.
    var firstVerdict: FirstVerdict?

    init(_ distribution: Distribution) { self.distribution = distribution }

    var generatedAt: Timestamp { distribution.generatedAt }

    static let shape = ReportShape<DistributionReport>(
        "distribution", command: DistributionRequest.about.command,
        [
            .value("day", "The day that now is about.") { DateValue($0.distribution.days.upperBound) },
            .value("since", "The day that then is about.") { DateValue($0.distribution.days.lowerBound) },
            .object("mine", "All of the user's own apps together.", Distribution.Tally.shape) { $0.distribution.mine },
            .list(
                "distribution", "One element an app, mine first. The counts of a day add up to the app's active pairs.",
                onLines: true, AppOverDays.shape
            ) { $0.appsOverDays },
        ],
        csv: .each(
            "distribution.days", "one app on one day", ["day", "bundleId", "alias", "appId", "appName", "mark"],
            Distribution.Band.allCases.map { CSVColumn(stringLiteral: $0.name) }, ["noFreshCheck", "notYetChecked"]
        ).short(without: "alias", "appId"))

    private var appsOverDays: [AppOverDays] {
        distribution.rows.map { AppOverDays(row: $0, days: distribution.days) }
    }
}

/// One app over all its pairs, with the days that its counts are of.
private struct AppOverDays: Sendable {
    let row: Distribution.Row
    let days: ClosedRange<Int64>

    struct Day: Sendable {
        let day: Int64
        let count: Distribution.Count
        let notYet: Int

        static let shape = ObjectShape<Day>(
            fields: [.value("day") { DateValue($0.day) }], Distribution.Count.fields { $0.count },
            [
                .value(
                    "notYetChecked",
                    "Of noFreshCheck, the pairs whose query had not been checked at all by the day's end.", .count
                ) { $0.notYet }
            ])
    }

    static let shape = ObjectShape<AppOverDays>(
        fields: ReportedApp.fields { $0.row.app },
        Distribution.Tally.fields { $0.row.tally },
        [.list("days", "Every day from since to day.", Day.shape) { $0.counted }])

    private var counted: [Day] {
        zip(days, zip(row.tally.counts, row.tally.notYet)).map { Day(day: $0, count: $1.0, notYet: $1.1) }
    }
}

extension Distribution.Tally {
    /// The ends, among the fields of whatever has them.
    fileprivate static func fields<Row>(
        of get: @escaping @Sendable (Row) -> Distribution.Tally
    ) -> [Field<Row>] {
        shape.fields.map { $0.of(get) }
    }

    fileprivate static let shape = ObjectShape<Distribution.Tally>(fields: [
        .object("now", "On the last day.", Distribution.Count.shape) { $0.now },
        .object("then", "On the first day.", Distribution.Count.shape) { $0.then },
        .object(
            "compared",
            "The pairs that have a fresh good check on both days, each with a list long enough to show the other's place. "
                + "Only these count in changes.",
            Distribution.Ends.shape
        ) { $0.compared },
        .value(
            "notYetChecked",
            "One for each day from since to day: of noFreshCheck, the pairs whose query had not been checked at all by its "
                + "end.", .list(.count)
        ) { $0.notYet },
    ])
}

extension Distribution.Ends {
    fileprivate static let shape = ObjectShape<Distribution.Ends>(
        "ends", "The same pairs on two days.",
        [
            .object("now", "On the last day.", Distribution.Count.shape) { $0.now },
            .object("then", "On the first day.", Distribution.Count.shape) { $0.then },
        ])
}

extension Distribution.Count {
    /// The counts, among the fields of whatever has them.
    fileprivate static func fields<Row>(
        of get: @escaping @Sendable (Row) -> Distribution.Count
    ) -> [Field<Row>] {
        shape.fields.map { $0.of(get) }
    }

    fileprivate static let shape = ObjectShape<Distribution.Count>(
        "counts", "Pairs by the place of their newest good check.", bands,
        [
            .value(
                "noFreshCheck",
                "Pairs without a fresh check, a good one of the last day or of the last two cadences if these are longer: neither "
                    + "ranked nor absent.", .count
            ) { $0.unchecked }
        ])

    private static var bands: [Field<Distribution.Count>] {
        Distribution.Band.allCases.map { band in
            Field<Distribution.Count>.value(band.name, band.meaning, .count) { $0[band] }
        }
    }
}

extension Distribution.Band {
    /// In JSON and CSV.
    fileprivate var name: String {
        switch self {
        case .first: "first"
        case .to3: "to3"
        case .to10: "to10"
        case .to30: "to30"
        case .to50: "to50"
        case .to100: "to100"
        case .to200: "to200"
        case .beyond200: "beyond200"
        case .absent: "absent"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .first: "Pairs in place 1."
        case .to3, .to10, .to30, .to50, .to100, .to200: "Pairs in places \(title)."
        case .beyond200: "Pairs in places beyond 200."
        case .absent: "Pairs whose app is not among the results that Apple gave."
        }
    }

    /// For people.
    var title: String {
        switch self {
        case .first: "1"
        case .to3: "2–3"
        case .to10: "4–10"
        case .to30: "11–30"
        case .to50: "31–50"
        case .to100: "51–100"
        case .to200: "101–200"
        case .beyond200: "over 200"
        case .absent: "absent"
        }
    }
}
