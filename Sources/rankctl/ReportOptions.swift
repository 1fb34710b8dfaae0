internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// What every report takes: which pairs, which time, which form.
struct ReportOptions: ParsableArguments {
    @OptionGroup var filter: FilterOptions

    @Option(help: ArgumentHelp("From when: 2026-11-01, 7d, yesterday, release.", valueName: "time"), completion: .since)
    var since: String?

    @Option(help: ArgumentHelp("As of when; now without it.", valueName: "time"), completion: .time)
    var until: String?

    @OptionGroup var database: DatabaseOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show the report in place, and keep it fresh until Ctrl-C.")
    var live = false

    /// Makes a report and delivers it.
    func deliver(_ make: (ReportContext) throws -> Report) async throws {
        if live { return try await watch(make) }
        let work = LongWork("reading the history")
        let report: Report
        do { report = try self.report(make) } catch {
            await work.end()
            throw error
        }
        await work.end()
        try output.deliver(Surroundings()) { report.render(as: $0, style: $1) }
    }

    func report(_ make: (ReportContext) throws -> Report) throws -> Report {
        let surroundings = Surroundings()
        return try make(ReportContext(self, try database.reader(surroundings), surroundings))
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

    /// - Throws: a usage error for a time that is none, and for apps that nobody tracks.
    init(_ options: ReportOptions, _ reader: HistoryReader, _ surroundings: Surroundings) throws {
        let times = try TimeReading(reader, surroundings, apps: options.filter.app)
        self.options = options
        self.reader = reader
        filter = options.filter.filter
        until = try options.until.map { try times.moment($0) }
        since = try times.beginning(options.since, before: until ?? times.now)
        now = times.now
        zone = times.zone
        try refuseUnknownApps(options.filter.app, reader)
    }

    /// The moment that the report is of.
    var moment: Timestamp { until ?? now }
}

/// An app that nobody tracks would make an empty report that looks like an answer.
private func refuseUnknownApps(_ names: [String], _ reader: HistoryReader) throws {
    guard !names.isEmpty else { return }
    let apps = try reader.watchedApps()
    for name in names.map({ $0.lowercased() })
    where !apps.contains(where: { $0.alias?.lowercased() == name || $0.bundleID.folded == name }) {
        let known = apps.map { $0.alias ?? $0.bundleID.text }.joined(separator: ", ")
        throw refusal("no app “\(SafeText.escaped(name))” is tracked; these are: \(SafeText.escaped(known))")
    }
}
