import RankKit

extension StandingsReport {
    /// The JSON's fields, flattened; tags are joined by `;`, and what is unknown is empty.
    func csv() -> String {
        var writer = CSVWriter(header: [
            "query", "country", "platform", "source", "language", "bundleId", "alias", "appId", "appName", "mine",
            "tags", "state", "position", "within", "checkedAt", "reason", "lastGoodPosition", "lastGoodWithin",
            "lastGoodCheckedAt", "change1d", "change7d", "change30d", "bestPosition", "bestAt", "worstPosition",
            "worstAt", "note",
        ])
        for row in standings.rows {
            writer.record([
                .text(row.query), .text(row.country.code), .text(row.platform.rawValue), .text(row.source.rawValue),
                .optional(row.language), .text(row.bundleID.text), .optional(row.alias),
                row.appID.map { .integer($0.number) } ?? .empty, .optional(row.appName), .bool(row.mine),
                .text(row.tags.joined(separator: ";")), .text(row.state.rawValue), .optional(row.position?.number),
                .optional(row.within), .optional(row.checkedAt), .optional(row.reason),
                .optional(row.lastGood?.position?.number), .optional(row.lastGood?.within),
                .optional(row.lastGood?.checkedAt), Self.field(row.change1d), Self.field(row.change7d),
                Self.field(row.change30d), .optional(row.best?.position.number), .optional(row.best?.at),
                .optional(row.worst?.position.number), .optional(row.worst?.at), .optional(row.unknown?.note),
            ])
        }
        return writer.text
    }

    private static func field(_ change: Standings.Change?) -> CSVWriter.Field {
        switch change {
        case .places(let places): .integer(Int64(places))
        case .entered: .text("entered")
        case .left: .text("left")
        case nil: .empty
        }
    }
}
