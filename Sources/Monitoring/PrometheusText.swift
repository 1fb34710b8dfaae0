import RankKit

/// Figures in Prometheus' text format 0.0.4: of each family what it is, then its samples.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct PrometheusText: Sendable {
    /// What an HTTP answer says of it.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct Family {
        var lines = ""
        /// The labels so far: the same twice would be one series with two values, for which Prometheus drops a scrape.
        var known: Set<String> = []
    }

    private var families: [Metric: Family] = [:]

    package init() {}

    /// Adds a sample. Of one with the same labels the first stays.
    ///
    /// - Parameter labels: the values of `metric.labels`, in their order.
    package mutating func add(_ metric: Metric, _ value: Double, _ labels: String...) {
        add(metric, value, labels: Self.labels(metric.labels, labels))
    }

    /// The same with labels that are written already, for families that share them.
    mutating func add(_ metric: Metric, _ value: Double, labels: String) {
        guard families[metric, default: Family()].known.insert(labels).inserted else { return }
        families[metric]?.lines += "\(metric.rawValue)\(labels) \(Self.number(value))\n"
    }

    mutating func add(_ metric: Metric, _ value: Bool, _ labels: String...) {
        add(metric, value ? 1 : 0, labels: Self.labels(metric.labels, labels))
    }

    /// The families that have samples, in the order of `Metric`.
    package var text: String {
        var text = ""
        for metric in Metric.allCases {
            guard let family = families[metric] else { continue }
            text += "# HELP \(metric.rawValue) \(Self.escaped(metric.help, quotes: false))\n"
            text += "# TYPE \(metric.rawValue) gauge\n"
            text += family.lines
        }
        return text
    }

    /// `{name="value",…}`; empty if there are no labels.
    static func labels(_ names: [String], _ values: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let pairs = zip(names, values).map { "\($0)=\"\(escaped($1, quotes: true))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    /// Foreign text may hold what would end a value or a line. Other control characters mean something to no board, and
    /// NUL ends a scrape.
    static func escaped(_ text: String, quotes: Bool) -> String {
        guard
            text.utf8.contains(where: {
                $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"")
            })
        else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"": escaped += quotes ? "\\\"" : "\""
            case "\u{0}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
