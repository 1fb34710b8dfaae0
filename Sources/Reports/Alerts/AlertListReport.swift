package import History
package import RankKit

/// `rankctl alerts list`: the rules in words, and the channels with how they are.
package struct AlertListReport: ReportValue {
    /// A way out, and what came of what was to go there.
    package struct Channel: Sendable, Hashable {
        var name: String
        /// Its word in the watchlist.
        var kind: String
        var words: String
        /// `nil` for one that rankd has not taken up yet.
        var known: OutboxChannel?
        /// Whether the watchlist says something else of it by now than rankd has read.
        var isChanged: Bool
        var deliveries: [OutboxDelivery]
        /// What is wrong with a secret of it, as whoever asks sees it; `nil` if nothing is.
        var lacking: String?

        /// - Parameters:
        ///   - fingerprint: of what the watchlist says of it.
        ///   - deliveries: all that is kept of it, the newest first.
        ///   - lacking: what is wrong with a secret of it.
        package init(
            _ channel: AlertChannel, known: OutboxChannel?, fingerprint: String, deliveries: [OutboxDelivery],
            lacking: String? = nil
        ) {
            self.lacking = lacking
            name = channel.name
            kind = channel.kind
            words = channel.words
            self.known = known
            isChanged = known.map { $0.settings != fingerprint } ?? false
            self.deliveries = deliveries
        }

        enum State: String, FieldWord {
            case on
            /// Nobody is there any more.
            case off
            case notUsable = "not-usable"
            /// rankd has not taken it up yet.
            case unknown
        }

        var state: State {
            guard let known else { return lacking == nil ? .unknown : .notUsable }
            return known.offAt != nil ? .off : known.trouble != nil ? .notUsable : .on
        }

        /// Why it is not used, or why what was tried last did not arrive.
        var trouble: String? {
            if let trouble = known?.trouble { return trouble }
            // rankd itself knows better of what it has taken up: it may have a secret that nobody else can read.
            if known == nil, let lacking { return lacking }
            let last = deliveries.filter { $0.answer != nil }
                .max { ($0.triedAt ?? $0.decidedAt) < ($1.triedAt ?? $1.decidedAt) }
            return last.flatMap { $0.state == .delivered ? nil : $0.answer }
        }

        var lastDelivered: Timestamp? { deliveries.compactMap(\.deliveredAt).max() }
        var waiting: Int { deliveries.count { $0.state == .due } }
        var lost: Int { deliveries.count { [.refused, .givenUp, .expired].contains($0.state) } }
    }

    package var generatedAt: Timestamp
    /// `nil` where the watchlist has no alerts.
    var settings: AlertSettings?
    var apps: [WatchedApp]
    var channels: [Channel]
    /// How rankd comes to read the watchlist again on this machine: a clause without a full stop.
    var reload: String

    package init(
        generatedAt: Timestamp, settings: AlertSettings?, apps: [WatchedApp], channels: [Channel], reload: String
    ) {
        self.reload = reload
        self.generatedAt = generatedAt
        self.settings = settings
        self.apps = apps
        self.channels = channels
    }

    fileprivate struct Words: Sendable {
        var name: String?
        var words: String
    }

    fileprivate struct Rule: Sendable {
        var name: String?
        var words: String
        /// As a line of the watchlist.
        var text: String
    }

    fileprivate var rules: [Rule] {
        settings.map { settings in
            settings.rules.map { Rule(name: $0.name, words: $0.words(in: settings, apps: apps), text: $0.text) }
        } ?? []
    }

    fileprivate var mutes: [Words] { settings?.mutes.map { Words(name: nil, words: $0.words(apps: apps)) } ?? [] }

    package var document: Document {
        var document = Document(title: "Alerts", generatedAt: generatedAt)
        guard let settings else {
            document.paragraph("the watchlist has no alerts, so no message is sent: docs/alerts.md says how to begin")
            return document
        }
        document.heading(settings.hasDefaultRules ? "Rules (the usual ones)" : "Rules")
        document.list(
            rules.enumerated().map { index, rule in
                StyledText("\(index + 1). " + (rule.name.map { "\($0): " } ?? "") + rule.words)
            })
        document.heading("Channels")
        let columns: [Table.Column] = [
            .init("channel"), .init("goes to", minimum: 10, priority: 3), .init("state"),
            .init("last sent", priority: 2), .init("waiting", .right, priority: 1),
            .init("not sent", .right, priority: 1),
        ]
        let rows = channels.map { channel in
            Table.Row.cells([
                Cell(channel.name), Cell(channel.words), channel.stateCell,
                Cell(channel.lastDelivered.map(CivilTime.minute) ?? "–"), Cell("\(channel.waiting)"),
                Cell("\(channel.lost)", channel.lost > 0 ? .bad : .plain),
            ])
        }
        document.table(Table(columns: columns, rows: rows))
        document.list(channels.compactMap { $0.remark(reload) })
        if !mutes.isEmpty {
            document.heading("Muted")
            document.list(mutes.map { StyledText($0.words) })
        }
        return document
    }

    package static let shape = ReportShape<AlertListReport>(
        "alerts", command: "rankctl alerts list",
        [
            .value("defaultRules", "Whether the watchlist leaves the rules to rankd; null without alerts.") {
                $0.settings?.hasDefaultRules
            },
            .list("rules", "What is worth a message.", Rule.shape) { $0.rules },
            .list("channels", "Where messages go.", onLines: true, Channel.shape) { $0.channels },
            .list("mutes", "What no message is sent about.", Words.shape) { $0.mutes },
        ],
        csv: .each(
            "channels", "one channel",
            ["channel", "kind", "words", "state", "trouble", "lastDeliveredAt", "waiting", "notSent", "changed"]))
}

extension AlertListReport.Words {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("name", "As the watchlist calls it; null where it does not.") { $0.name },
        .value("words", "In words.") { $0.words },
    ])
}

extension AlertListReport.Rule {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("name", "As the watchlist calls it; null where it does not.") { $0.name },
        .value("words", "In words.") { $0.words },
        .value("text", "As `rules` of the watchlist has it or, if it is a usual one, could have it.") { $0.text },
    ])
}

extension AlertListReport.Channel {
    fileprivate var stateCell: Cell {
        if isChanged { return Cell("changed", .caution) }
        return switch state {
        case .on: trouble == nil ? Cell("on", .good) : Cell("failing", .caution)
        case .off: Cell("off", .bad)
        case .notUsable: Cell("not usable", .bad)
        case .unknown: Cell("new", .caution)
        }
    }

    /// What is wrong with it, and what to do about that; `nil` where all is well.
    fileprivate func remark(_ reload: String) -> StyledText? {
        let why = trouble ?? "no reason is known"
        let words: String
        switch state {
        case _ where isChanged:
            words = "was changed after rankd read the watchlist: \(reload)"
        case .on:
            guard let trouble else { return nil }
            words =
                "is failing: the last try ended with “\(trouble)”. \(ReportAudience.command("rankctl alerts log")) shows more"
        case .off: words = "is off: \(why). \(ReportAudience.command("rankctl alerts retry")) switches it on again"
        case .notUsable: words = "is not usable: \(why). Fix that, then \(reload)"
        case .unknown: words = "is new, and rankd does not know it yet: \(reload)"
        }
        return StyledText([Cell(name, .strong), Cell(" " + words)])
    }

    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("channel", "The watchlist's name for it.") { $0.name },
        .value("kind", "What it is.") { $0.kind },
        .value("words", "Where it goes, without what is secret.") { $0.words },
        .value("state", "Whether it is used.") { $0.state },
        .value("changed", "Whether the watchlist has changed it since rankd read it: reload rankd.") {
            $0.isChanged
        },
        .value("trouble", "Why it is not used, or why what was tried last did not arrive; null where all is well.") {
            $0.trouble
        },
        .value("lastDeliveredAt", "Null where nothing was delivered.") { $0.lastDelivered },
        .value("waiting", "Messages that are to be sent.", .count) { $0.waiting },
        .value("notSent", "Messages that were refused, given up or too old.", .count) { $0.lost },
    ])
}
