package import Foundation
package import RankKit
package import Reports

extension AlertPreview {
    /// As `rankctl alerts preview` shows it.
    ///
    /// - Parameters:
    ///   - settings: those that it was made by.
    ///   - apps: those of the watchlist, for their aliases.
    ///   - zone: the watchlist's, for the times of digests.
    ///   - unexplained: how many losses do not say whose doing they likely were.
    ///   - isOfUsualRules: whether the watchlist has no alerts, and it tells of the usual rules.
    package func report(
        of settings: AlertSettings, apps: [WatchedApp], zone: TimeZone, generatedAt: Timestamp, unexplained: Int = 0,
        isOfUsualRules: Bool
    ) -> AlertPreviewReport {
        var notes = isOfUsualRules ? ["the watchlist has no alerts: these are the usual rules"] : []
        if let muted = settings.mutedWords(since: ZoneDays(zone).start(of: since), zone: zone, apps: apps) {
            notes.append(muted)
        }
        let wanted = Set(settings.rules.flatMap(\.when))
        if let newcomersSince, wanted.contains(.newcomer) {
            let first = CivilTime.date(.startOfDay(newcomersSince))
            notes.append("newcomers are known since \(first): older lists were dropped")
        }
        if wanted.contains(.service) {
            notes.append("messages about rankd itself are missing: the history does not keep how it was")
        }
        if wanted.contains(.appUnknown) {
            notes.append("of the apps that a store does not know, only those that are unknown now are shown")
        }
        if unexplained > 0 {
            notes.append(
                "only the newest losses say whether the store moved, the list, or the app alone; a message that is sent "
                    + "always does")
        }
        return AlertPreviewReport(
            generatedAt: generatedAt, since: since, messages: messages.map(\.shown), counts: counts,
            digests: settings.digests(since: ZoneDays(zone).start(of: since), until: generatedAt, zone: zone),
            notes: notes)
    }
}

extension AlertSettings {
    /// The digests that come after `since` and up to `until`, as the rules are, in order of time.
    func digests(since: Timestamp, until: Timestamp, zone: TimeZone) -> [AlertPreviewReport.Digest] {
        guard rules.contains(where: { !$0.times.isEmpty }) else { return [] }
        var digests: [AlertPreviewReport.Digest] = []
        var last = since
        while last < until {
            let next = min(last + Timestamp.secondsPerDay, until)
            for moment in FurtherEvents(settings: self, zone: zone, now: next).digestMoments(since: last) {
                digests += self.digests(at: moment, zone: zone)
            }
            last = next
        }
        // Quiet hours change the order, and may keep one for a time that is still to come.
        return digests.filter { $0.at <= until }.sorted {
            ($0.at, $0.channels.first ?? "") < ($1.at, $1.channels.first ?? "")
        }
    }

    /// Those that are due in that second and go to a channel; one that quiet hours keep for some channels is two.
    private func digests(at moment: Timestamp, zone: TimeZone) -> [AlertPreviewReport.Digest] {
        let further = FurtherEvents(settings: self, zone: zone, now: moment)
        return further.dueDigests(since: moment - 1).flatMap { due in
            let event = further.digest(due, [])
            let situation = AlertDecision.Situation(settings: self, start: event.on - 1, now: moment, zone: zone)
            let messages = AlertDecision([event], told: [], situation).messages
            return Dictionary(grouping: messages) { $0.notBefore ?? moment }.map { at, messages in
                AlertPreviewReport.Digest(at: at, channels: Set(messages.flatMap(\.channels)).sorted())
            }
        }
    }
}

extension AlertDecision.Outgoing {
    fileprivate var shown: AlertPreviewReport.Message {
        AlertPreviewReport.Message(
            at: message.at, channels: channels, severity: message.severity, title: message.title,
            lines: message.lines.map(\.words), omitted: message.omitted)
    }
}

extension AlertMessage.Line {
    /// With its subject, as one line.
    fileprivate var words: String {
        let place = [country?.code, platform?.displayName, language].compactMap(\.self).joined(separator: ", ")
        let subject = [app, query.map { "“\($0)”" }].compactMap(\.self).joined(separator: " for ")
        return (subject.isEmpty ? "" : subject + (place.isEmpty ? "" : " (\(place))") + ": ") + text
    }
}
