import History
package import Judging
package import RankKit

/// `rankctl report release APP VERSION`: did an update work?
package struct ReleaseReport: ReportView {
    package var effect: ReleaseEffect
    package var options: Options

    package struct Options: Sendable {
        /// Whether the pairs that are compared with are shown one by one.
        package var all: Bool

        package init(all: Bool = false) { self.all = all }
    }

    package init(_ effect: ReleaseEffect, options: Options = Options()) {
        self.effect = effect
        self.options = options
    }

    package var generatedAt: Timestamp { effect.generatedAt }

    package func write(to writer: inout JSONWriter) {
        writer.key("release")
        writer.object { writer in
            writer.members(of: effect.app)
            writer.members(of: effect.release, on: effect.day)
            writer.member("verdict", effect.finding.code)
            writer.member("sentence", effect.sentence)
            writer.key("days")
            writer.object { $0.members(of: effect.window) }
            writer.key("comparisons")
            writer.array(effect.comparisons, linePerElement: true) { writer, comparison in
                writer.object { $0.members(of: comparison) }
            }
            writer.key("pairs")
            writer.array(effect.pairs, linePerElement: true) { writer, pair in
                writer.object { $0.members(of: pair) }
            }
            writer.key("untracked")
            writer.array(effect.untracked) { $0.string($1) }
            writer.key("unclear")
            writer.array(effect.unclear) { writer, query in writer.object { $0.members(of: query) } }
            writer.key("events")
            writer.array(effect.events, linePerElement: true) { writer, event in
                writer.object { $0.members(of: event) }
            }
            writer.key("weather")
            writer.array(effect.remarks) { $0.string($1.text) }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "group", "bundleId", "appName", "query", "country", "platform", "source", "language", "before",
            "beforeDays", "after", "afterDays", "counts",
        ])
        for pair in effect.pairs {
            writer.record(
                [.text(pair.role.rawValue), .text(pair.app.bundleID.text), .optional(pair.app.name)]
                    + CSVWriter.fields(of: pair.query) + [
                        .optional(pair.before.middle?.position?.number), .integer(Int64(pair.before.count)),
                        .optional(pair.after.middle?.position?.number), .integer(Int64(pair.after.count)),
                        .bool(pair.counts),
                    ])
        }
        return writer
    }
}

extension ReleaseEffect.Finding {
    /// As JSON has it.
    package var code: String {
        switch self {
        case .verdict(let verdict): verdict.rawValue
        case .absent: "absent"
        case .tooEarly: "too-early"
        case .noHistory: "no-history"
        case .notTracked: "not-tracked"
        case .noControl: "no-control"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of window: ReleaseEffect.Window) {
        member("wanted", window.wanted)
        member("compared", window.days)
        member("before", window.before) { $0.days($1) }
        member("after", window.after) { $0.days($1) }
        switch window.limit {
        case .today?: member("limit", "today")
        case .history?: member("limit", "history")
        case .release?: member("limit", "release")
        case nil: member("limit", String?.none)
        }
    }

    private mutating func days(_ days: ClosedRange<Int64>) {
        member("from", CivilTime.date(.startOfDay(days.lowerBound)))
        member("through", CivilTime.date(.startOfDay(days.upperBound)))
    }

    fileprivate mutating func members(of comparison: ReleaseEffect.Comparison) {
        member("group", comparison.treated.rawValue)
        key("controls")
        array(comparison.controls) { $0.string($1.rawValue) }
        member("verdict", comparison.figures.verdict.rawValue)
        key("treated")
        group(comparison.figures.treated)
        key("control")
        group(comparison.figures.control)
        member("readings", comparison.readings)
        member("effect", comparison.figures.effect)
        member("interval", comparison.figures.interval) { writer, interval in
            writer.member("from", interval.lowerBound)
            writer.member("through", interval.upperBound)
        }
        member("before", comparison.before)
        member("after", comparison.after)
        member("expected", comparison.expected)
    }

    private mutating func group(_ group: DifferenceInDifferences.Group) {
        object { writer in
            writer.member("pairs", group.pairs)
            writer.member("queries", group.queries)
            writer.member("texts", group.texts)
            writer.member("change", group.change)
        }
    }

    fileprivate mutating func members(of pair: ReleaseEffect.Pair) {
        member("group", pair.role.rawValue)
        member("bundleId", pair.app.bundleID.text)
        member("appName", pair.app.name)
        members(of: pair.query)
        member("before", pair.before.middle?.position?.number)
        member("beforeDays", pair.before.count)
        member("after", pair.after.middle?.position?.number)
        member("afterDays", pair.after.count)
        member("counts", pair.counts)
    }

    fileprivate mutating func members(of event: ReleaseEffect.Event) {
        member("at", event.at)
        member("bundleId", event.app?.bundleID.text)
        member("appName", event.app?.name)
        member("version", event.version)
        member("text", event.text)
        member("own", event.isOwn)
    }
}
