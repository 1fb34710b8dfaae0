package import Foundation
package import History
import Judging
package import RankKit

/// What would have been sent over days in the past, decided day by day by the same code. Nothing that came after a day is
/// told on it.
package struct AlertPreview: Sendable {
    /// In order of time. What was confirmed on one day of the watchlist's zone is decided at once, by its last check, and newcomers in the
    /// morning after. Their lines have no places of the last days.
    package internal(set) var messages: [AlertDecision.Outgoing]
    /// How many messages there would have been if all rules were that keen.
    package let counts: [Sensitivity: Int]
    /// The first day that it is about.
    package let since: Int64
    /// The first day of which newcomers are known, where older lists were dropped, as the watchlist wanted; else
    /// `nil`.
    package let newcomersSince: Int64?

    /// - Parameters:
    ///   - since: the first day, in the watchlist's zone; what was so on it is noted, not told.
    ///   - until: the last moment that is read.
    ///   - reader: a snapshot.
    ///   - giveBack: called when all has been read and judged.
    package init(
        _ settings: AlertSettings, since: Int64, until: Timestamp, now: Timestamp, zone: TimeZone,
        from reader: HistoryReader, giveBack: () -> Void = {}
    ) throws(HistoryError) {
        let (until, days) = (min(until, now), ZoneDays(zone))
        let reader = reader.counting(days)
        let today = days.day(of: until)
        let since = min(since, today)
        let usual = try reader.sensitivity()
        var wants = AlertWants(settings, usual: usual)
        if wants.wantMoves { wants.sensitivities = Sensitivity.allCases }
        wants.wantPlaces = false
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let read = try AlertEvents(
            wants, days: since - AlertEvents.reach...today, until: until, now: now, zone: zone,
            isReplay: true, processors: processors, from: reader)
        giveBack()
        self.since = since
        // Without the lists of before an app that was there would look new.
        let firstKnown = try reader.listsSince().map { since in
            // Of a day that begins before them some lists may be missing.
            let day = days.day(of: since)
            return (days.start(of: day) < since ? day + 1 : day) + SettledNewcomer.daysBefore
        }
        newcomersSince = firstKnown.flatMap { since < $0 ? $0 : nil }
        let newcomers = read.newcomers.filter {
            firstKnown ?? .min <= $0.on && NewcomerTurn(zone: days).moment(after: $0.on) <= until
        }
        let moving = settings.sensitivities(usual: usual)
        let own = moving.isEmpty ? [usual] : moving
        var pasts = Sensitivity.allCases.map { sensitivity in
            PreviewedPast(
                settings: own == [sensitivity] ? settings : settings.asKeen(as: sensitivity), usual: sensitivity,
                since: since, until: until, zone: zone, isCounted: own != [sensitivity])
        }
        if own.count != 1 {
            pasts.append(
                PreviewedPast(
                    settings: settings, usual: usual, since: since, until: until, zone: zone, isCounted: false))
        }
        let told = try Self.decided(pasts, of: newcomers, read, processors: processors)
        counts = Dictionary(uniqueKeysWithValues: zip(Sensitivity.allCases, told.map(\.count)))
        messages = pasts.lastIndex { !$0.isCounted }.map { told[$0].messages } ?? []
    }

    /// What each of `pasts` would have sent.
    private static func decided(
        _ pasts: [PreviewedPast], of newcomers: [AlertEvent], _ events: AlertEvents, processors: Int
    ) throws(HistoryError) -> [PreviewedPast.Told] {
        @Sendable func others(of past: PreviewedPast) throws(HistoryError) -> [AlertEvent] {
            try events.others(of: past.sensitivities)
        }
        // Newcomers have no sensitivity, and what limits their rules is the same in all pasts: unless a rule is about moves
        // as well, they are decided once.
        let areApart = pasts.allSatisfy { past in
            past.settings.rules.allSatisfy { !$0.when.contains(.newcomer) || $0.when == [.newcomer] }
        }
        guard areApart, var apart = pasts.last else {
            return try pasts.mapped(on: processors) { past throws(HistoryError) in
                past.told(of: newcomers, try others(of: past))
            }
        }
        apart.isCounted = false
        // The keenest and what is shown take longest, and then the newcomers, so these begin first.
        let order =
            pasts.indices.reversed().filter { !pasts[$0].isCounted }
            + pasts.indices.reversed().filter { pasts[$0].isCounted }
        // `nil` for the newcomers.
        let turns = order.prefix(2).map(Optional.some) + [nil] + order.dropFirst(2).map(Optional.some)
        let told = try turns.mapped(on: processors) { [apart] index throws(HistoryError) in
            if let index {
                pasts[index].told(of: [], try others(of: pasts[index]))
            } else {
                apart.told(of: newcomers, [])
            }
        }
        let all = Dictionary(uniqueKeysWithValues: zip(turns, told))
        return pasts.indices.map { index in
            (all[index] ?? .init()).joined(with: all[nil] ?? .init(), isCounted: pasts[index].isCounted)
        }
    }
}

extension AlertSettings {
    /// The same with one sensitivity for all rules.
    func asKeen(as sensitivity: Sensitivity) -> AlertSettings {
        var settings = self
        settings.sensitivity = sensitivity
        for index in settings.rules.indices { settings.rules[index].sensitivity = nil }
        return settings
    }
}
