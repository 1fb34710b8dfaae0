import Foundation

/// How long rankd's transactions took that recorded a check, by its log.
struct RecordingTimes {
    private var times: [(at: Date, milliseconds: Double)] = []

    /// - Parameter log: of a rankd that was started with `--log-level trace`.
    init(log: String) {
        let reader = ISO8601DateFormatter()
        for line in log.split(separator: "\n") where line.contains(" step=record(_:restartsBaseline") {
            let fields = line.split(separator: " ")
            func value(_ name: String) -> String? {
                fields.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
            }
            guard let at = value("time").flatMap(reader.date), let took = value("milliseconds").flatMap(Double.init)
            else { continue }
            times.append((at, took))
        }
    }

    var count: Int { times.count }

    /// The median of those between two moments and of the others: some in a hundred wait for a disk that others use.
    ///
    /// Those within a second or two of either are left out: the log tells the second alone, and clients that begin and
    /// end are another matter.
    func medians(between start: Date, and end: Date) throws -> (within: Double, outside: Double) {
        let margin = 2.0
        let within = times.filter { $0.at >= start + margin && $0.at <= end - margin }.map(\.milliseconds)
        let outside = times.filter { $0.at <= start - margin || $0.at >= end + margin }.map(\.milliseconds)
        guard within.count >= 45, outside.count >= 45, let usual = outside.median, let own = within.median else {
            throw BenchmarkFailure("\(within.count) checks were recorded with clients, and \(outside.count) without")
        }
        return (own, usual)
    }
}
