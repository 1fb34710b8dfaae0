import RankKit

/// `rankctl report history`: what every check of a query said about one app.
package struct PairHistoryReport: Sendable {
    package var history: PairHistory

    package init(_ history: PairHistory) { self.history = history }

    /// The whole report, its last line break included. The table folds what does not change; JSON and CSV have every
    /// check.
    package func render(as format: ReportFormat, style: TerminalStyle = .plain) -> String {
        switch format {
        case .table: table(style)
        case .json: json()
        case .csv: csv()
        }
    }
}

extension PairHistoryReport {
    func json() -> String {
        JSONWriter.document(generatedAt: history.generatedAt) { writer in
            writer.members(of: history.query)
            writer.members(of: history.app)
            writer.key("history")
            writer.array(history.checks, linePerElement: true) { writer, check in
                writer.object { writer in
                    writer.member("checkedAt", check.checkedAt)
                    writer.member("state", check.state.rawValue)
                    writer.member("position", check.position?.number)
                    writer.member("within", check.within)
                    writer.member("reason", check.reason)
                }
            }
        }
    }

    func csv() -> String {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "bundleId", "checkedAt", "state", "position",
            "within",
            "reason",
        ])
        let query = CSVWriter.fields(of: history.query)
        for check in history.checks {
            writer.record(
                query + [
                    .text(history.app.bundleID.text), .timestamp(check.checkedAt), .text(check.state.rawValue),
                    .optional(check.position?.number), .optional(check.within), .optional(check.reason),
                ])
        }
        return writer.text
    }
}

extension JSONWriter {
    mutating func members(of query: Query) {
        member("query", query.text)
        member("country", query.country.code)
        member("platform", query.platform.rawValue)
        member("source", query.source.rawValue)
        member("language", query.language)
    }

    mutating func members(of app: ReportedApp) {
        member("bundleId", app.bundleID.text)
        member("alias", app.alias)
        member("appId", app.appID?.number)
        member("appName", app.name)
        member("developer", app.developer)
        member("mark", app.mark?.rawValue)
    }

    mutating func member(_ name: StaticString, _ change: Standings.Change?) {
        key(name)
        switch change {
        case .places(let places): integer(places)
        case .entered: string("entered")
        case .left: string("left")
        case nil: null()
        }
    }
}

extension CSVWriter {
    /// The query's text, country, platform, source and language.
    static func fields(of query: Query) -> [Field] {
        [
            .text(query.text), .text(query.country.code), .text(query.platform.rawValue), .text(query.source.rawValue),
            .optional(query.language),
        ]
    }
}

extension CSVWriter.Field {
    static func change(_ change: Standings.Change?) -> Self {
        switch change {
        case .places(let places): .integer(Int64(places))
        case .entered: .text("entered")
        case .left: .text("left")
        case nil: .empty
        }
    }
}
