package import History
package import RankKit

/// `rankctl alerts log`: what was sent, when, where to, and how often it was tried.
package struct AlertLogReport: ReportValue {
    /// A message on its way to one channel.
    package struct Row: Sendable, Hashable {
        package var delivery: OutboxDelivery
        /// What the message says first; may hold foreign text.
        package var title: String
        /// Where it goes, as rankd has it; `nil` if it has no such channel.
        package var channel: OutboxChannel?

        package init(delivery: OutboxDelivery, title: String, channel: OutboxChannel?) {
            self.delivery = delivery
            self.title = title
            self.channel = channel
        }

        /// Why its channel takes nothing, so that it waits and is not tried; `nil` if it does not wait for that.
        var held: String? {
            guard delivery.state == .due else { return nil }
            guard let channel else { return "rankd has no such channel" }
            guard channel.offAt != nil || channel.trouble != nil else { return nil }
            let state = channel.offAt == nil ? "not usable" : "off"
            return "the channel is \(state)" + (channel.trouble.map { ": \($0)" } ?? "")
        }

        /// Whether somebody asked for another try, which was not made yet: then the tries are counted anew.
        var isAskedForAgain: Bool { delivery.state == .due && delivery.tries == 0 && delivery.triedAt != nil }
    }

    package var generatedAt: Timestamp
    /// The newest message first.
    var rows: [Row]
    /// Whether older ones are left out.
    var hasMore: Bool

    package init(generatedAt: Timestamp, rows: [Row], hasMore: Bool = false) {
        self.generatedAt = generatedAt
        self.rows = rows
        self.hasMore = hasMore
    }

    package var document: Document {
        var document = Document(title: "Messages", generatedAt: generatedAt)
        guard !rows.isEmpty else {
            document.paragraph("rankd made no message in this time")
            return document
        }
        let columns: [Table.Column] = [
            .init("decided"), .init("message", minimum: 16, priority: 2), .init("to", minimum: 6, priority: 1),
            .init("state"), .init("tries", .right, priority: 0),
        ]
        let cells = rows.map { row in
            let delivery = row.delivery
            return Table.Row.cells([
                Cell(CivilTime.minute(delivery.decidedAt)), Cell(row.title), Cell(delivery.channel),
                row.held == nil ? Cell(delivery.state.words, delivery.state.ink) : Cell("held", .caution),
                Cell("\(delivery.tries)"),
            ])
        }
        document.table(Table(columns: columns, rows: cells))
        document.notes((hasMore ? ["older ones are left out: --limit"] : []) + ["times in \(ReportZone.days.name)"])
        let retried = rows.filter { OutboxDelivery.State.retried.contains($0.delivery.state) }
        guard !retried.isEmpty else { return document }
        document.heading("Not delivered")
        document.list(retried.map(\.trouble))
        document.notes(
            [
                "\(ReportAudience.command("rankctl alerts retry ID")) tries one of these again; without an ID, all of them"
            ]
                + (rows.contains { $0.held != nil }
                    ? [
                        "a held message waits for its channel: \(ReportAudience.command("rankctl alerts list")) says what to do"
                    ]
                    : []))
        return document
    }

    package static let shape = ReportShape<AlertLogReport>(
        "alert-log", command: "rankctl alerts log",
        [.list("deliveries", "Messages and where they go, the newest first.", onLines: true, Row.shape) { $0.rows }],
        csv: .each(
            "deliveries", "one message to one channel",
            [
                "message", "decidedAt", "title", "channel", "state", "tries", "triedAt", "dueAt", "answer",
                "deliveredAt", "held",
            ]))
}

extension AlertLogReport.Row {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("message", "Its id: the same on every try.") { $0.delivery.message },
        .value("decidedAt") { $0.delivery.decidedAt },
        .value("title", "What it says first.") { $0.title },
        .value("channel", "By the watchlist's name.") { $0.delivery.channel },
        .value("state", "What became of it.") { $0.delivery.state },
        .value("tries", "So far; since rankctl alerts retry, if that was asked for.", .count) { $0.delivery.tries },
        .value("triedAt", "The last of them; null before the first.") { $0.delivery.triedAt },
        .value("dueAt", "When it is tried next; null where it is not.") {
            $0.delivery.state == .due && $0.held == nil ? $0.delivery.dueAt : nil
        },
        .value("answer", "What the last try came to, in rankd's words.") { $0.delivery.answer },
        .value("deliveredAt", "Null where it was not delivered.") { $0.delivery.deliveredAt },
        .value("held", "Why its channel takes nothing, so that it is due and not tried; null where it does not wait.") {
            $0.held
        },
    ])
}

extension AlertLogReport.Row {
    /// Its id, whole, and what keeps it from arriving.
    fileprivate var trouble: StyledText {
        let state = held == nil ? delivery.state.words : "held"
        let last = [state, delivery.answer].compactMap(\.self).joined(separator: ": ")
        let again = isAskedForAgain ? ", not tried since retry" : ""
        let next =
            if let held { "; \(held)" } else if delivery.state == .due {
                ", next try \(CivilTime.minute(delivery.dueAt))"
            } else { "" }
        return StyledText([Cell(delivery.message, .strong), Cell(" to \(delivery.channel), \(last)\(again)\(next)")])
    }
}

extension OutboxDelivery.State: FieldWord {}

extension OutboxDelivery.State {
    fileprivate var words: String {
        switch self {
        case .due: "due"
        case .delivered: "delivered"
        case .refused: "refused"
        case .givenUp: "given up"
        case .expired: "too old"
        case .withdrawn: "withdrawn"
        case .listed: "listed"
        case .dropped: "dropped"
        }
    }

    fileprivate var ink: Ink {
        switch self {
        case .delivered: .good
        case .refused, .givenUp, .expired: .bad
        case .due, .withdrawn, .listed, .dropped: .plain
        }
    }
}
