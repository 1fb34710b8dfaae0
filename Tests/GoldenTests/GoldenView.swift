import Foundation
import History
import Judging
import RankKit
import Reports
import Testing

/// A report as one of the commands makes it from the golden demo.
struct GoldenView: Sendable, CustomTestStringConvertible {
    /// What its files are called.
    let name: String
    let make: @Sendable (HistoryReader, Timestamp) throws -> Report

    init(_ name: String, _ make: @escaping @Sendable (HistoryReader, Timestamp) throws -> Report) {
        self.name = name
        self.make = make
    }

    var testDescription: String { name }

    static let all: [GoldenView] = [
        GoldenView("standings") { reader, now in
            .standings(StandingsReport(try Standings(from: reader, withTrend: true, now: now)))
        },
        GoldenView("standings-all") { reader, now in
            .standings(
                StandingsReport(
                    try Standings(from: reader, withTrend: true, now: now),
                    options: .init(competitors: true, all: true)))
        },
        GoldenView("movers") { reader, now in
            .movers(MoversReport(try Movers(from: reader, now: now), options: .init(all: false)))
        },
        GoldenView("movers-all") { reader, now in
            .movers(MoversReport(try Movers(from: reader, now: now), options: .init(all: true)))
        },
        GoldenView("opportunities") { reader, now in
            .opportunities(OpportunitiesReport(try Opportunities(from: reader, now: now)))
        },
        GoldenView("history") { reader, now in try history(["streaks"], in: ["us"], reader, now) },
        GoldenView("history-several") { reader, now in
            try history(["habit tracker", "streaks", "mood journal"], in: ["us", "de"], reader, now)
        },
        GoldenView("results") { reader, now in
            .results(
                ResultsReport(
                    try Results(
                        on: try #require(try queries(["streaks"], in: ["us"], reader).first), at: now,
                        comparedWith: now - week, from: reader, now: now)))
        },
        GoldenView("competitors") { reader, now in
            .competitors(
                RivalsReport(
                    try Rivals(
                        of: try daylight, on: try queries([], in: [], reader), since: now - week, candidates: 10,
                        from: reader,
                        now: now)))
        },
        GoldenView("compare") { reader, now in
            .compare(
                ComparisonReport(
                    try Comparison(
                        try daylight, on: try queries([], in: [], reader), since: now - week, from: reader, now: now)))
        },
        GoldenView("distribution") { reader, now in
            .distribution(DistributionReport(try Distribution(from: reader, now: now)))
        },
        GoldenView("visibility") { reader, now in
            .visibility(VisibilityReport(try VisibilityHistory(from: reader, now: now)))
        },
        GoldenView("volatility") { reader, now in
            .volatility(VolatilityReport(try Volatility(from: reader, now: now)))
        },
        GoldenView("release") { reader, now in
            let releases = try Releases(of: try daylight, from: reader, zone: .gmt, now: now)
            let release = try #require(releases.find("2.4"))
            return .release(ReleaseReport(try ReleaseEffect(of: release, from: reader, zone: .gmt, now: now)))
        },
        GoldenView("releases") { reader, now in
            .releases(ReleasesReport(try Releases(of: try daylight, from: reader, zone: .gmt, now: now)))
        },
        GoldenView("digest") { reader, now in
            .digest(DigestReport(try Digest(from: reader, zone: .gmt, now: now)))
        },
    ]

    private static let week = 7 * Timestamp.secondsPerDay

    private static var daylight: BundleID { get throws { try #require(BundleID("com.northwind.daylight")) } }

    /// Daylight's queries; those of `texts` in `countries` on the iPhone, where any are named.
    private static func queries(_ texts: [String], in countries: [String], _ reader: HistoryReader) throws
        -> [Query]
    {
        let all = try reader.queries(tracking: try daylight)
        guard !texts.isEmpty else { return all }
        return all.filter {
            texts.contains($0.text) && countries.contains($0.country.code) && $0.platform == .iphone
        }
    }

    private static func history(
        _ texts: [String], in countries: [String], _ reader: HistoryReader, _ now: Timestamp
    ) throws -> Report {
        .history(
            PairHistoryReport(
                try AppHistory(
                    of: try daylight, on: try queries(texts, in: countries, reader), in: .always, from: reader,
                    zone: .gmt, now: now)))
    }
}
