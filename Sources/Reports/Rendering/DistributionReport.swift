import Judging
package import RankKit

/// `rankctl report distribution`: how many pairs stand in which band of places.
package struct DistributionReport: ReportView {
    package var distribution: Distribution

    package init(_ distribution: Distribution) { self.distribution = distribution }

    package var generatedAt: Timestamp { distribution.generatedAt }

    package func write(to writer: inout JSONWriter) {
        writer.member("day", CivilTime.date(.startOfDay(distribution.days.upperBound)))
        writer.member("since", CivilTime.date(.startOfDay(distribution.days.lowerBound)))
        let mine = distribution.mine
        writer.key("mine")
        writer.object { writer in
            writer.count("now", mine.last ?? Distribution.Count())
            writer.count("then", mine.first ?? Distribution.Count())
        }
        writer.key("distribution")
        writer.array(distribution.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.members(of: row.app)
                writer.count("now", row.now)
                writer.count("then", row.then)
                writer.key("days")
                writer.array(zip(distribution.days, row.counts)) { writer, element in
                    writer.object { writer in
                        writer.member("day", CivilTime.date(.startOfDay(element.0)))
                        writer.members(of: element.1)
                    }
                }
            }
        }
    }

    /// A row an app and day.
    package var csv: CSVWriter {
        var writer = CSVWriter(
            header: ["day", "bundleId", "alias", "appId", "appName", "mark"]
                + Distribution.Band.allCases.map { "\($0.name)" } + ["noFreshCheck"])
        for row in distribution.rows {
            for (day, count) in zip(distribution.days, row.counts) {
                writer.record(
                    [
                        .text(CivilTime.date(.startOfDay(day))), .text(row.app.bundleID.text),
                        .optional(row.app.alias), row.app.appID.map { .integer($0.number) } ?? .empty,
                        .optional(row.app.name), .optional(row.app.mark?.rawValue),
                    ] + Distribution.Band.allCases.map { .integer(Int64(count[$0])) }
                        + [.integer(Int64(count.unchecked))])
            }
        }
        return writer
    }
}

extension Distribution.Band {
    /// In JSON and CSV.
    var name: StaticString {
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

extension JSONWriter {
    fileprivate mutating func count(_ name: StaticString, _ count: Distribution.Count) {
        key(name)
        object { $0.members(of: count) }
    }

    fileprivate mutating func members(of count: Distribution.Count) {
        for band in Distribution.Band.allCases { member(band.name, count[band]) }
        member("noFreshCheck", count.unchecked)
    }
}
