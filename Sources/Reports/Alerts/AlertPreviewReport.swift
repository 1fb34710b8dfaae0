package import RankKit

/// `rankctl alerts preview`: what would have been sent.
package struct AlertPreviewReport: ReportValue {
    package struct Message: Sendable, Hashable {
        var at: Timestamp
        var channels: [String]
        var severity: AlertSeverity
        var title: String
        var lines: [String]
        var omitted: Int

        package init(
            at: Timestamp, channels: [String], severity: AlertSeverity, title: String, lines: [String], omitted: Int
        ) {
            self.at = at
            self.channels = channels
            self.severity = severity
            self.title = title
            self.lines = lines
            self.omitted = omitted
        }
    }

    /// A digest, of which only the time is foreseen.
    package struct Digest: Sendable, Hashable {
        package var at: Timestamp
        package var channels: [String]

        package init(at: Timestamp, channels: [String]) {
            self.at = at
            self.channels = channels
        }
    }

    package var generatedAt: Timestamp
    /// The first day, in the watchlist's zone.
    var since: Int64
    /// In order of time.
    var messages: [Message]
    /// Messages at each sensitivity.
    var counts: [Sensitivity: Int]
    /// In order of time; they are not among the messages.
    var digests: [Digest]
    /// What it rests on or leaves out.
    package var notes: [String]

    package init(
        generatedAt: Timestamp, since: Int64, messages: [Message], counts: [Sensitivity: Int],
        digests: [Digest] = [], notes: [String] = []
    ) {
        self.generatedAt = generatedAt
        self.since = since
        self.messages = messages
        self.counts = counts
        self.digests = digests
        self.notes = notes
    }

    package var document: Document {
        var document = Document(title: "What would have been sent", generatedAt: generatedAt)
        let days = Int(generatedAt.reportDay - since)
        let besides = digests.isEmpty ? "" : " and \(Figures.counted(digests.count, "digest"))"
        document.paragraph(
            "\(Figures.counted(messages.count, "message"))\(besides) since \(CivilTime.date(.startOfDay(since))) "
                + "(\(Figures.counted(days, "day")))")
        document.list([
            StyledText(
                "messages at each sensitivity: "
                    + Sensitivity.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", "))
        ])
        for message in messages {
            document.heading(
                "\(CivilTime.minute(message.at)) to \(message.channels.joined(separator: ", "))")
            document.paragraph(message.title, .strong)
            document.list(
                message.lines.map { StyledText($0) }
                    + (message.omitted > 0 ? [StyledText("and \(message.omitted) more", .faint)] : []))
        }
        if !digests.isEmpty {
            document.heading("Digests")
            document.table(
                Table(
                    columns: [.init("at"), .init("to", minimum: 10)],
                    rows: digests.map { digest in
                        .cells([Cell(CivilTime.minute(digest.at)), Cell(digest.channels.joined(separator: ", "))])
                    }, indent: 2))
        }
        document.notes(notes + (digests.isEmpty ? [] : [Self.contents]))
        return document
    }

    private static var contents: String {
        ReportAudience.words(
            AskedOptions.current.command("rankctl report digest --since TIME --at TIME"),
            tools: "the tool digest with since and at") + " shows what a digest said"
    }

    package static let shape = ReportShape<AlertPreviewReport>(
        "alert-preview", command: "rankctl alerts preview",
        [
            .value("since", "The first day, in the watchlist's time zone.") { DateValue($0.since) },
            .group(
                "counts", "How many messages each sensitivity would have sent.",
                Sensitivity.allCases.map { sensitivity in
                    .value(sensitivity.rawValue, nil, .count) { $0.counts[sensitivity] ?? 0 }
                }),
            .value("digests", "Digests that would have come; they are not among the messages.", .count) {
                $0.digests.count
            },
            .list("dueDigests", "When the digests would have come, in order of time.", Digest.shape) { $0.digests },
            .value("notes", "What it is based on and leaves out, in words.") { $0.notes },
            .list("messages", "In order of time.", onLines: true, Message.shape) { $0.messages },
        ], csv: .each("messages", "one message", ["at", "channels", "severity", "title", "text", "omitted"]))
}

extension AlertPreviewReport.Digest {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("at", "When it would have been sent.") { $0.at },
        .value("channels", "Where it would have gone, with spaces between.") { $0.channels.joined(separator: " ") },
    ])
}

extension AlertPreviewReport.Message {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("at", "When it would have been decided.") { $0.at },
        .value("channels", "Where it would have gone, with spaces between.") { $0.channels.joined(separator: " ") },
        .value("severity", "How much it matters.") { $0.severity },
        .value("title", "What it says first.") { $0.title },
        .value("text", "Its lines.") { $0.lines.joined(separator: "\n") },
        .value("omitted", "Lines that were left out to save space.", .count) { $0.omitted },
    ])
}

extension AlertSeverity: FieldWord {}
