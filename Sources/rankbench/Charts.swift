import Foundation
import RankKit

/// The chart of one country on one day, as a store really showed it.
struct Chart {
    var country: Country
    var at: Timestamp
    /// In the order of their places.
    var apps: [Int64]

    private static let name = "series/top-free-photo-video-2026.tsv"

    /// Half a year of daily charts of five countries, by moment and country; `nil`, having said so, where they are not here.
    static func series(for row: RowName, _ bench: Workbench) throws -> [Chart]? {
        let source = Workbench.corpus(name)
        guard let bytes = FileManager.default.contents(atPath: source) else {
            bench.say("no \(source): \(row.rawValue) is skipped; name its folder in RANKD_CORPUS")
            return nil
        }
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 3, let country = Country(code: String(fields[0])),
                let midnight = Timestamp(iso8601: "\(fields[1])T00:00:00Z")
            else { throw BenchmarkFailure("not a line of a series: \(line.prefix(40))") }
            return Chart(
                country: country, at: midnight + 10_800, apps: fields[2].split(separator: " ").compactMap { Int64($0) })
        }.sorted { ($0.at, $0.country.code) < ($1.at, $1.country.code) }
    }
}
