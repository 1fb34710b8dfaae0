package import History
import Judging
package import RankKit

/// `rankctl report competitors`: who an app meets on its queries.
package struct RivalsReport: ReportView {
    package var rivals: Rivals

    package init(_ rivals: Rivals) { self.rivals = rivals }

    package var generatedAt: Timestamp { rivals.generatedAt }
    package var damaged: [DamagedLists] { rivals.damaged }

    package func write(to writer: inout JSONWriter) {
        writer.members(of: rivals.app)
        writer.member("since", rivals.since)
        writer.member("queries", rivals.standings.count)
        writer.damagedLists(damaged)
        writer.key("competitors")
        writer.array(rivals.rows, linePerElement: true) { writer, row in
            writer.object { writer in
                writer.members(of: row.app)
                writer.member("listed", row.isListed)
                writer.member("queries", row.seen)
                writer.member("above", row.above)
                writer.member("top10", row.inTop)
                writer.member("sharedTop10", row.sharedTop)
                writer.member("best", row.best?.number)
                writer.key("overtook")
                writer.array(row.overtook) { $0.meeting($1) }
                writer.key("fellBehind")
                writer.array(row.fellBehind) { $0.meeting($1) }
            }
        }
    }

    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "bundleId", "alias", "appId", "appName", "developer", "mark", "listed", "queries", "above", "top10",
            "sharedTop10", "best", "overtook", "fellBehind",
        ])
        for row in rivals.rows {
            writer.record([
                .text(row.app.bundleID.text), .optional(row.app.alias),
                row.app.appID.map { .integer($0.number) } ?? .empty, .optional(row.app.name),
                .optional(row.app.developer), .optional(row.app.mark?.rawValue), .bool(row.isListed),
                .integer(Int64(row.seen)), .integer(Int64(row.above)), .integer(Int64(row.inTop)),
                .integer(Int64(row.sharedTop)), .optional(row.best?.number), .integer(Int64(row.overtook.count)),
                .integer(Int64(row.fellBehind.count)),
            ])
        }
        return writer
    }
}

extension JSONWriter {
    fileprivate mutating func meeting(_ meeting: Rivals.Meeting) {
        object { writer in
            writer.members(of: meeting.query)
            writer.member("was", meeting.was?.number)
            writer.member("position", meeting.position?.number)
            writer.member("appWas", meeting.appWas?.number)
            writer.member("appPosition", meeting.appPosition?.number)
        }
    }
}
