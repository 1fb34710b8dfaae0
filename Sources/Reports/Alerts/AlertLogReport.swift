package import History
package import RankKit

/// `rankctl alerts log`: what was sent, when, where to, and how often it was tried.
package struct AlertLogReport: ReportValue {
    /// A message on its way to one channel.
    package struct Row: Sendable, Hashable {
        package var delivery: OutboxDelivery
        /// What the message says first; may hold foreign text.
        package var title: String

        package init(delivery: OutboxDelivery, title: String) {
            self.delivery = delivery
            self.title = title
        }
    }

    package var generatedAt: Timestamp
    /// The newest message first.
    var rows: [Row]

    package init(generatedAt: Timestamp, rows: [Row]) {
        self.generatedAt = generatedAt
        self.rows = rows
    }

    package var document: Document {
        var document = Document(title: "Messages", generatedAt: generatedAt)
        guard !rows.isEmpty else {
            document.paragraph("no message was decided in this time")
            return document
        }
        let columns: [Table.Column] = [
            .init("decided"), .init("message", minimum: 16, priority: 5), .init("to", minimum: 6, priority: 4),
            .init("state"), .init("tries", .right, priority: 2), .init("answer", minimum: 8, priority: 1),
            .init("id", minimum: 8, priority: 0),
        ]
        document.table(Table(columns: columns, rows: rows.map { Table.Row.cells(cells($0)) }))
        return document
    }

    private func cells(_ row: Row) -> [Cell] {
        let delivery = row.delivery
        return [
            Cell(CivilTime.minute(delivery.decidedAt)), Cell(row.title), Cell(delivery.channel),
            Cell(delivery.state.words, delivery.state.ink), Cell("\(delivery.tries)"), Cell(delivery.answer ?? ""),
            Cell(delivery.message),
        ]
    }

    package static let shape = ReportShape<AlertLogReport>(
        "alert-log", command: "rankctl alerts log",
        [.list("deliveries", "Messages and where they go, the newest first.", onLines: true, Row.shape) { $0.rows }],
        csv: .each(
            "deliveries", "one message to one channel",
            [
                "message", "decidedAt", "title", "channel", "state", "tries", "triedAt", "dueAt", "answer",
                "deliveredAt",
            ]))
}

extension AlertLogReport.Row {
    fileprivate static let shape = ObjectShape<Self>(fields: [
        .value("message", "Its id: the same on every try.") { $0.delivery.message },
        .value("decidedAt") { $0.delivery.decidedAt },
        .value("title", "What it says first.") { $0.title },
        .value("channel", "By the watchlist's name.") { $0.delivery.channel },
        .value("state", "What became of it.") { $0.delivery.state },
        .value("tries", "So far.", .count) { $0.delivery.tries },
        .value("triedAt", "The last of them; null before the first.") { $0.delivery.triedAt },
        .value("dueAt", "When it is tried next; null where it is not.") {
            $0.delivery.state == .due ? $0.delivery.dueAt : nil
        },
        .value("answer", "What the last try came to, in rankd's words.") { $0.delivery.answer },
        .value("deliveredAt", "Null where it was not delivered.") { $0.delivery.deliveredAt },
    ])
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
