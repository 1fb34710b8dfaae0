import Foundation
import RankKit
import Testing

/// Half a year of charts, as the App Store showed them, that lies beside the project.
private enum Charts {
    static let path: String? = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root = root.deletingLastPathComponent() }
        let beside = root.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        return [ProcessInfo.processInfo.environment["RANKD_CORPUS"], beside].compactMap(\.self)
            .map { $0 + "/series/top-free-photo-video-2026.tsv" }.first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// The charts of each country in the order of days: places by app.
    static func read() throws -> [[[Substring: Int]]] {
        let lines = try String(contentsOfFile: #require(path), encoding: .utf8).split(separator: "\n").dropFirst()
        let fields = lines.map { $0.split(separator: "\t") }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        return Dictionary(grouping: fields) { $0[0] }.values.map { days in
            days.map { day in
                Dictionary(
                    day[2].split(separator: " ").enumerated().map { ($0.element, $0.offset + 1) },
                    uniquingKeysWith: { first, _ in first })
            }
        }
    }
}

@Suite(.enabled(if: Charts.path != nil, "needs the charts: put them in ../shared/corpus or name RANKD_CORPUS"))
struct ChartMovesTests {
    @Test func `on the scale of positions a day's moves are alike at the top and far down`() throws {
        var moves: [Int: [Double]] = [:]
        for days in try Charts.read() {
            for (before, after) in zip(days, days.dropFirst()) {
                for (app, place) in before {
                    guard let new = after[app] else { continue }
                    let band = [3, 10, 20, 30, 50].firstIndex { place <= $0 } ?? 5
                    moves[band, default: []].append(
                        abs(PositionScale.value(Double(new)) - PositionScale.value(Double(place))))
                }
            }
        }
        for band in 0...5 {
            let far = try #require(Robust.quantile(moves[band] ?? [], 0.95))
            #expect((0.2...0.6).contains(far), "band \(band): \(far)")
        }
    }
}
