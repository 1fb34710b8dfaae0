package import History
import Judging
package import RankKit

/// `rankctl report history`: what every check of one query or more said about one app.
package struct PairHistoryReport: ReportView {
    package var history: AppHistory

    package init(_ history: AppHistory) { self.history = history }

    package init(_ history: PairHistory) {
        self.init(AppHistory(generatedAt: history.generatedAt, app: history.app, queries: [history]))
    }

    package var generatedAt: Timestamp { history.generatedAt }
    package var damaged: [DamagedLists] { history.queries.flatMap(\.damaged) }
}

extension PairHistoryReport {
    /// The members of the query stand at the top where it is the only one, and in every row in any case.
    package func write(to writer: inout JSONWriter) {
        if history.queries.count == 1 { writer.members(of: history.queries[0].query) }
        writer.key("queries")
        writer.array(history.queries, linePerElement: true) { writer, pair in
            writer.object { $0.members(of: pair.query) }
        }
        writer.members(of: history.app)
        writer.damagedLists(damaged)
        writer.key("history")
        let rows = history.queries.lazy.flatMap { pair in pair.checks.lazy.map { (pair.query, $0) } }
        writer.array(rows, linePerElement: true) { writer, row in
            let (query, check) = row
            writer.object { writer in
                writer.members(of: query)
                writer.member("checkedAt", check.checkedAt)
                writer.member("state", check.state.rawValue)
                writer.member("position", check.position?.number)
                writer.member("within", check.within)
                writer.member("reason", check.reason)
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "bundleId", "checkedAt", "state", "position",
            "within",
            "reason",
        ])
        for pair in history.queries {
            let query = CSVWriter.fields(of: pair.query)
            for check in pair.checks {
                writer.record(
                    query + [
                        .text(history.app.bundleID.text), .timestamp(check.checkedAt), .text(check.state.rawValue),
                        .optional(check.position?.number), .optional(check.within), .optional(check.reason),
                    ])
            }
        }
        return writer
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
