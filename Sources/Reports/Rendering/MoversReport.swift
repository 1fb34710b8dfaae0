import Judging
package import RankKit

/// `rankctl report movers`: what moved between two moments, the biggest first.
package struct MoversReport: ReportView {
    package struct Options: Sendable, Hashable {
        /// Whether people's forms show moves within noise as well; JSON and CSV always have every row.
        package var all: Bool

        package init(all: Bool = false) { self.all = all }
    }

    package var movers: Movers
    package var options: Options
    /// Whether more than one app of mine moved, so that each row has to say whose it is, whichever are shown.
    let hasSeveralApps: Bool

    package init(_ movers: Movers, options: Options = Options()) {
        self.movers = movers
        self.options = options
        hasSeveralApps = Set(movers.rows.filter(\.mine).map(\.app.bundleID)).count > 1
    }

    package var generatedAt: Timestamp { movers.generatedAt }

    // MARK: Data

    package func write(to writer: inout JSONWriter) {
        writer.member("since", movers.since)
        writer.member("until", movers.until)
        writer.member("compared", movers.compared)
        writer.key("movers")
        writer.array(movers.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.members(of: row.query)
                writer.members(of: row.app)
                writer.member("mine", row.mine)
                writer.key("tags")
                writer.array(row.tags) { $0.string($1) }
                writer.reading("from", row.from)
                writer.reading("to", row.to)
                writer.member("change", row.change)
                writer.member("usualChange", row.usualChange)
                writer.judgement(row.judgement)
                writer.slide(row.slide)
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(
            header: [
                "query", "country", "platform", "source", "language", "bundleId", "alias", "appId", "appName", "mine",
                "tags", "fromPosition", "fromWithin", "fromCheckedAt", "toPosition", "toWithin", "toCheckedAt",
                "change",
            ] + CSVWriter.judgementHeader + ["usualChange", "slideFrom", "slideTo"])
        for row in movers.rows {
            let app: [CSVWriter.Field] = [
                .text(row.app.bundleID.text), .optional(row.app.alias),
                row.app.appID.map { .integer($0.number) } ?? .empty, .optional(row.app.name), .bool(row.mine),
                .text(row.tags.joined(separator: ";")),
            ]
            let readings = [row.from, row.to].flatMap { reading -> [CSVWriter.Field] in
                [.optional(reading.position?.number), .optional(reading.within), .optional(reading.checkedAt)]
            }
            writer.record(
                CSVWriter.fields(of: row.query) + app + readings + [.change(row.change)]
                    + CSVWriter.fields(of: row.judgement) + [
                        .change(row.usualChange), .optional(row.slide?.from.number), .optional(row.slide?.to.number),
                    ])
        }
        return writer
    }
}

extension JSONWriter {
    mutating func reading(_ name: StaticString, _ reading: Reading?) {
        member(name, reading) { writer, reading in
            writer.member("position", reading.position?.number)
            writer.member("within", reading.within)
            writer.member("checkedAt", reading.checkedAt)
        }
    }
}
