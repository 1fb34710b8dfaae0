package import RankKit
package import Reports

extension AlertPreview {
    /// As `rankctl alerts preview` shows it.
    ///
    /// - Parameter isOfUsualRules: whether the watchlist has no alerts, and it tells of the usual rules.
    package func report(generatedAt: Timestamp, isOfUsualRules: Bool) -> AlertPreviewReport {
        var notes = isOfUsualRules ? ["the watchlist has no alerts: these are the usual rules"] : []
        if let newcomersSince, newcomersSince > since {
            notes.append("newcomers were looked for since \(CivilTime.date(.startOfDay(newcomersSince)))")
        }
        notes.append("messages about the service and digests are not among them")
        return AlertPreviewReport(
            generatedAt: generatedAt, since: since, messages: messages.map(\.shown), counts: counts, notes: notes)
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
        let place = [country?.code, platform?.displayName].compactMap(\.self).joined(separator: ", ")
        let subject = [app, query.map { "“\($0)”" }].compactMap(\.self).joined(separator: " for ")
        return (subject.isEmpty ? "" : subject + (place.isEmpty ? "" : " (\(place))") + ": ") + text
    }
}
