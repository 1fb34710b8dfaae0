import Foundation
import RankKit

extension Chart {
    /// What a pointer or a key reads off the drawing, as JSON: where the plot lies, which moments it spans and what each
    /// line says of each check.
    var reading: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return String(decoding: try encoder.encode(readings), as: UTF8.self) } catch {
            preconditionFailure("a chart's readings: \(error)")
        }
    }

    /// Names are short: there is one set of them for every chart of a page.
    struct Readings: Encodable {
        /// Left and right end of the plot, in the drawing's own units.
        var x: [Double]
        /// Its upper and lower end.
        var y: [Double]
        /// The first and the last moment, in seconds since 1970.
        var t: [Int64]
        /// The zone of its days and times.
        var zone: String
        var unit: String
        var lines: [Line]
    }

    struct Line: Encodable {
        var name: String
        /// Seconds after the first moment.
        var at: [Int64]
        /// A place, a figure or a count; 0 for a place that was not in the list; `nil` for what nobody knows.
        var say: [Double?]
        /// How many places were seen; left out where nobody says.
        var of: [Int?]?
    }

    var readings: Readings {
        let start = span.lowerBound
        func seconds(_ moment: Timestamp) -> Int64 { moment - start }
        let lines: [Line] =
            switch content {
            case .positions(let lines):
                lines.map { line in
                    let points = line.points.filter { span.contains($0.at) }
                    let within = points.map(\.seen)
                    return Line(
                        name: SafeText.escaped(line.name), at: points.map { seconds($0.at) },
                        say: points.map(\.said), of: within.contains { $0 != nil } ? within : nil)
                }
            case .values(let lines, _):
                lines.map { line in
                    let points = line.points.filter { span.contains($0.at) }
                    return Line(
                        name: SafeText.escaped(line.name), at: points.map { seconds($0.at) },
                        say: points.map { $0.value.flatMap { $0.isFinite ? ($0 * 10).rounded() / 10 : nil } })
                }
            case .stack(let columns, let parts):
                parts.enumerated().map { index, part in
                    let shown = columns.filter { span.contains($0.at) }
                    return Line(
                        name: SafeText.escaped(part.name), at: shown.map { seconds($0.at) },
                        say: shown.map { $0.counts.isEmpty ? nil : Double($0.count(of: index)) })
                }
            }
        let kind: String =
            switch content {
            case .positions: "#"
            case .values: unit
            case .stack: ""
            }
        return Readings(
            x: [SVGDrawing.left, right], y: [SVGDrawing.top, SVGDrawing.bottom(size)],
            t: [start.secondsSinceEpoch, span.upperBound.secondsSinceEpoch], zone: ReportZone.days.name, unit: kind,
            lines: lines)
    }
}

extension Chart.PositionLine.Point {
    /// Never how many places are drawn.
    fileprivate var seen: Int? {
        if case .absent(let count) = place { within ?? count } else { within }
    }

    fileprivate var said: Double? {
        switch place {
        case .ranked(let position): Double(position.number)
        case .absent: position.map { Double($0.number) } ?? 0
        case .gap: nil
        }
    }
}
