import RankKit

extension StandingsReport {
    /// The JSON's fields, flattened; tags are joined by `;`, and what is unknown is empty.
    package var csv: CSVWriter {
        var writer = CSVWriter(
            header: [
                "query", "country", "platform", "source", "language", "bundleId", "alias", "appId", "appName", "mine",
                "tags", "state", "position", "within", "checkedAt", "reason", "lastGoodPosition", "lastGoodWithin",
                "lastGoodCheckedAt", "change1d", "change7d", "change30d", "bestPosition", "bestAt", "worstPosition",
                "worstAt", "note", "changeSince",
            ] + CSVWriter.judgementHeader + CSVWriter.difficultyHeader)
        for row in standings.rows {
            let fields: [CSVWriter.Field] = [
                .text(row.query), .text(row.country.code), .text(row.platform.rawValue), .text(row.source.rawValue),
                .optional(row.language), .text(row.bundleID.text), .optional(row.alias),
                row.appID.map { .integer($0.number) } ?? .empty, .optional(row.appName), .bool(row.mine),
                .text(row.tags.joined(separator: ";")), .text(row.state.rawValue), .optional(row.position?.number),
                .optional(row.within), .optional(row.checkedAt), .optional(row.reason),
                .optional(row.lastGood?.position?.number), .optional(row.lastGood?.within),
                .optional(row.lastGood?.checkedAt), .change(row.change1d), .change(row.change7d),
                .change(row.change30d), .optional(row.best?.position.number), .optional(row.best?.at),
                .optional(row.worst?.position.number), .optional(row.worst?.at), .optional(row.unknown?.note),
                .change(row.changeSince),
            ]
            writer.record(
                fields + CSVWriter.fields(of: row.judgement)
                    + CSVWriter.fields(of: row.difficulty, own: row.ratingCount))
        }
        return writer
    }
}
