import Foundation
import History
import Judging
import RankKit

/// What the checks of one query or more said about one app: the value behind `rankctl report history`.
struct AppHistory: Sendable {
    var generatedAt: Timestamp
    var app: ReportedApp
    /// At least one.
    var queries: [PairHistory]
    /// What happened to the app, and what the watchlist notes of all apps.
    var events: [Chart.Event] = []
    /// How the stores of the queries' countries were on the days of these checks, as far as that is known.
    var weather: [StoreWeather] = []
}

extension AppHistory {
    /// Reads the history of an app, tracked or not, on `queries`.
    ///
    /// - Parameter zone: whose days the notes mean where the watchlist names no time zone.
    init(
        of bundleID: BundleID, on queries: [Query], in span: ClosedRange<Timestamp>, from reader: HistoryReader,
        zone: TimeZone, now: Timestamp
    ) throws(HistoryError) {
        let watched = try WatchedApps(reader)
        var app = ReportedApp(bundleID: bundleID)
        var histories: [PairHistory] = []
        for query in queries {
            if histories.isEmpty { app = try watched.reported(bundleID, namedIn: query.country, reader) }
            histories.append(
                try PairHistory(of: bundleID, on: query, in: span, from: reader, app: app, now: now))
        }
        let releases = try reader.releases(of: bundleID, machineZone: zone).map(Chart.Event.init)
        let notes = try reader.notes().filter { $0.bundleID == nil }.compactMap { note in
            note.day(in: zone).map { Chart.Event(at: $0.lowerBound, kind: .note, label: note.text) }
        }.filter { event in reader.moment.map { event.at <= $0 } ?? true }
        self.init(
            generatedAt: now, app: app, queries: histories, events: releases + notes,
            weather: try Self.weather(of: histories, until: span.upperBound, now: now, from: reader))
    }

    private static func weather(
        of histories: [PairHistory], until: Timestamp, now: Timestamp, from reader: HistoryReader
    ) throws(HistoryError) -> [StoreWeather] {
        guard let first = histories.compactMap({ $0.checks.first?.checkedAt }).min(),
            let last = histories.compactMap({ $0.checks.last?.checkedAt }).max()
        else { return [] }
        return try StoreWeather.of(
            first.reportDay...max(first, last).reportDay, until: until, now: now,
            in: Set(histories.map(\.query.store)), from: reader)
    }
}

extension Chart.Event {
    /// A version, or a noted change without one.
    init(_ release: AppRelease) {
        let words = [release.version, release.text.isEmpty ? nil : release.text].compactMap(\.self)
        self.init(
            at: release.at, kind: release.version == nil ? .note : .version, label: words.joined(separator: ": "))
    }
}
