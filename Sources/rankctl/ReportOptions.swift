internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// What every report takes: which pairs, which time, which form.
struct ReportOptions: ParsableArguments {
    @OptionGroup var filter: FilterOptions

    @Option(
        help: ArgumentHelp("From when: 2026-11-01, 7d before --until, yesterday, release.", valueName: "time"),
        completion: .since)
    var since: String?

    @Option(help: ArgumentHelp("As of when; now without it.", valueName: "time"), completion: .time)
    var until: String?

    @OptionGroup var delivery: DeliveryOptions

    /// Makes a report and delivers it.
    func deliver(_ make: (ReportContext) throws -> Report) async throws {
        try await delivery.deliver { try make(ReportContext(self, $0, $1)) }
    }
}

/// What a report is made from.
struct ReportContext {
    let reader: HistoryReader
    let filter: PairFilter
    /// The beginning of what `--since` names.
    let since: Timestamp?
    /// The end of what `--until` names, and not after now.
    let until: Timestamp?
    /// The wall clock's time.
    let now: Timestamp
    let zone: TimeZone
    let options: ReportOptions

    /// - Throws: a usage error for a time that is none, and for names that are not there or leave no pair.
    init(_ options: ReportOptions, _ reader: HistoryReader, _ surroundings: Surroundings) throws {
        let times = try TimeReading(reader, surroundings, apps: options.filter.app)
        self.options = options
        self.reader = reader
        filter = options.filter.filter
        until = try options.until.map { try times.moment($0) }
        since = try times.beginning(options.since, before: until ?? times.now)
        now = times.now
        zone = times.zone
        // A report on nothing would look like an answer; that there is nothing yet is one.
        if let nothing = try NoSuchPair(filter, in: reader), nothing != .nothingTracked { throw refusal(nothing) }
    }

    /// The moment that the report is of.
    var moment: Timestamp { until ?? now }
}
