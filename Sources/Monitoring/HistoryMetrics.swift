package import History
package import RankKit

/// The figures that come from the history. Nothing is computed here that a report would compute otherwise.
package enum HistoryMetrics {
    /// Pairs of mine that have figures of their own: three series each.
    package static let mostPairs = 2_000

    /// All that Prometheus gets, as of one moment of the history.
    ///
    /// It reads for some milliseconds, in which it holds its thread.
    ///
    /// - Parameter isNarrowed: for somebody who may see some apps alone: `reader` then shows those, and what is about
    ///   the whole service is left out.
    /// - Throws: `HistoryError` if the history cannot be read.
    package static func text(
        of reader: HistoryReader, now: Timestamp, isNarrowed: Bool = false
    ) throws -> String {
        var text = PrometheusText()
        try add(reader, now: now, isNarrowed: isNarrowed, to: &text)
        addProgram(to: &text)
        text.add(.readable, true)
        return text.text
    }

    static func addProgram(to text: inout PrometheusText) { text.add(.buildInfo, 1, Release.version) }

    static func add(
        _ reader: HistoryReader, now: Timestamp, isNarrowed: Bool, to text: inout PrometheusText
    ) throws {
        let moment = try reader.snapshot()
        if !isNarrowed {
            let record = try moment.serviceRecord(now: now)
            addService(record, now: now, to: &text)
            addCountries(record.queries, lastGood: try moment.lastGoodChecks(asOf: now), now: now, to: &text)
            addChecks(try moment.checks(in: now - Timestamp.secondsPerDay...now), to: &text)
            addDisk(DiskSpace(of: reader.path), to: &text)
        }
        addPairs(try moment.myPlaces(limit: mostPairs), to: &text)
    }

    private static func addChecks(_ checks: [QueryChecks], to text: inout PrometheusText) {
        // Each of them has its series from the beginning, so that a rule sees it rise.
        var counts: [Gap: Int] = [:]
        for reason in Failure.Reason.allCases { counts[.failed(.check(reason))] = 0 }
        for reason in Suspicion.allCases { counts[.suspect(reason)] = 0 }
        for trouble in checks.flatMap(\.troubles) { counts[trouble.gap, default: 0] += trouble.count }
        text.add(.recentChecks, Double(checks.reduce(0) { $0 + $1.good }), "good", "none")
        let ordered = counts.sorted {
            ($0.key.isSuspect ? 0 : 1, $0.key.reason) < ($1.key.isSuspect ? 0 : 1, $1.key.reason)
        }
        for (gap, count) in ordered { text.add(.recentChecks, Double(count), gap.state.rawValue, gap.reason) }
    }

    private static func addDisk(_ disk: DiskSpace?, to text: inout PrometheusText) {
        guard let disk else { return }
        text.add(.diskFree, Double(disk.freeBytes))
        text.add(.diskSize, Double(disk.totalBytes))
    }

    private static func addCountries(
        _ queries: [ServiceRecord.WatchedQuery], lastGood: [Country: Timestamp], now: Timestamp,
        to text: inout PrometheusText
    ) {
        let byCountry = Dictionary(grouping: queries.filter { !$0.scheduled.query.source.isImported }) {
            $0.scheduled.query.country
        }
        for (country, queries) in byCountry.sorted(by: { $0.key.code < $1.key.code }) {
            // One that never had a good check counts from when it was wanted, or no rule would miss it.
            if let since = lastGood[country] ?? queries.compactMap(\.since).min() {
                text.add(.goodCheckAge, Double(max(0, now - since)), country.code)
            }
            if let cadence = queries.map(\.scheduled.shortestCadence).min() {
                text.add(.shortestCadence, Double(cadence), country.code)
            }
        }
    }

    private static func addPairs(_ mine: (places: [MyPlace], total: Int), to text: inout PrometheusText) {
        text.add(.pairs, Double(mine.total))
        text.add(.pairsLeftOut, Double(max(0, mine.total - mostPairs)))
        for place in mine.places {
            // Without a good check nothing is known: not even that the app is absent.
            guard let good = place.lastGood else { continue }
            let query = place.query
            let labels = PrometheusText.labels(
                Metric.position.labels,
                [
                    place.alias ?? place.bundleID.text, place.bundleID.text, query.text, query.country.code,
                    query.platform.rawValue, query.source.rawValue, query.language ?? "",
                ])
            text.add(.ranked, good.position == nil ? 0 : 1, labels: labels)
            if let position = good.position { text.add(.position, Double(position.number), labels: labels) }
            text.add(.positionTime, Double(good.checkedAt.secondsSinceEpoch), labels: labels)
        }
    }
}
