import Foundation
import History
import RankKit

/// What a place in a list costs in the file, for lists that a store really showed.
struct SeriesBenchmark {
    let bench: Workbench

    static let explanation = """
        bytes-per-place-series: half a year of daily charts of 100 apps in 5 countries, recorded as checks, compacted \
        day by day and read back: bytes of the tables of lists and their indexes for each place; beside a table with a \
        row a place.
        """

    func run() async throws -> [Row] {
        guard let charts = try Chart.series(for: .seriesBytes, bench) else { return [] }
        let path = bench.file("series.sqlite")
        try await record(charts, in: path)
        try confirm(charts, in: path)
        let places = charts.reduce(0) { $0 + $1.apps.count }
        let size = try PlainSQLite(path).size(of: ["result_list", "result_page", "page_top"])
        return [
            Row(
                name: .seriesBytes, value: Double(size) / Double(places), unit: "bytes",
                reference: try plainSize(charts) / Double(places), goal: .value(atMost: 0.75))
        ]
    }

    private func record(_ charts: [Chart], in path: String) async throws {
        let store = try HistoryStore(path: path)
        let queries = Set(charts.map(\.query)).sorted { $0.country.code < $1.country.code }
        let start = charts.first?.at ?? Timestamp(secondsSinceEpoch: 0)
        try await store.adopt(
            Watchlist(queries: queries.map { WatchedQuery(query: $0, cadences: [.every(seconds: 86_400)], pairs: []) }),
            now: start)
        for (number, chart) in charts.enumerated() {
            let places = chart.apps.map { app in
                BundleID("com.example.app\(app)").map {
                    SeenApp(id: AppID(app), bundleID: $0, fingerprint: 1, details: { AppDetails() })
                }
            }
            // Searches take about four seconds at the usual pace, and never quite the same.
            let at = chart.at + Int64(number % queries.count * 4 + number * 7 % 3)
            try await store.record(Check(query: chart.query, at: at, outcome: .answered(ResultList(places: places))))
            let isLastOfDay = number + 1 == charts.count || charts[number + 1].at.day > chart.at.day
            if isLastOfDay { try await store.compactAll(before: .startOfDay(chart.at.day + 1)) }
        }
        try await store.close()
    }

    /// A list that is read back as another would be a cheap one.
    private func confirm(_ charts: [Chart], in path: String) throws {
        let reader = try HistoryReader(path: path)
        for (query, wanted) in Dictionary(grouping: charts, by: \.query) {
            var lists: [StoredList] = []
            try reader.lists(on: query) {
                lists.append($0)
                return true
            }
            let apps = try reader.apps(Set(lists.flatMap { $0.places.compactMap { $0 } }), namedIn: query.country)
            let read = lists.map { $0.places.map { $0.flatMap { apps[$0]?.id.number } } }
            guard read == wanted.map(\.apps) else { throw BenchmarkFailure("the lists are not what was recorded") }
        }
        let left = try PlainSQLite(path).integer("SELECT count(*) FROM result_list")
        guard left == 0 else { throw BenchmarkFailure("\(left) lists are not compacted") }
    }

    private func plainSize(_ charts: [Chart]) throws -> Double {
        let plain = try PlainPlaces(bench.file("series-plain.sqlite"))
        for (index, charts) in Dictionary(grouping: charts, by: \.query).values.enumerated() {
            try plain.write(
                query: Int64(index + 1), lists: charts.map { (at: $0.at.secondsSinceEpoch, apps: $0.apps) })
        }
        return Double(try plain.size)
    }
}

extension HistoryStore {
    /// Puts all lists from before `moment` into pages, as the clean-up does.
    ///
    /// - Returns: how many there were.
    @discardableResult
    nonisolated func compactAll(before moment: Timestamp, turn: () async throws -> Void = {}) async throws -> Int {
        var lists = 0
        for query in try await queriesToCompact(before: moment) {
            var mark: CompactionMark?
            repeat {
                try await turn()
                let step = try await compact(query: query, after: mark, before: moment, limit: 512)
                guard step.damaged == 0 else { throw BenchmarkFailure("\(step.damaged) lists cannot be compacted") }
                lists += step.lists
                mark = step.next
            } while mark != nil
        }
        return lists
    }
}

extension Chart {
    fileprivate var query: Query { Query(text: "top free", country: country) }
}
