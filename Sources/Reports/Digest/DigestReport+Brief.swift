import Judging
package import RankKit

extension DigestReport {
    /// Of what there can be hundreds of.
    private static let most = 10

    /// The moment that it is of: now, or `--until`.
    package var until: Timestamp { digest.until }

    /// The digest in some lines, for a message: what is new, what is still so, versions, and how the service is.
    package var brief: [String] {
        let rows = digest.fresh.rows
        let fresh = rows.filter { $0.loss != nil } + rows.filter { $0.loss == nil }
        var lines = [opening.text]
        if let firstVerdict { lines.append(firstVerdict.words) }
        lines += fresh.prefix(Self.most).map { row in
            "\(row.app.title): \(news(of: row)) for “\(row.query.text)” (\(row.query.side))"
        }
        if fresh.count > Self.most { lines.append("and \(fresh.count - Self.most) more moves") }
        if !digest.still.rows.isEmpty {
            lines.append(
                "\(Figures.counted(digest.still.rows.count, "earlier move")) still \(digest.still.rows.count == 1 ? "holds" : "hold")"
            )
        }
        lines += (renamed + versions + notes).prefix(Self.most).map(\.text)
        let candidates = digest.candidates
        if !candidates.isEmpty {
            lines.append(
                "new in the top \(Newcomer.top): " + candidates.prefix(3).map(\.app.title).joined(separator: ", ")
                    + (candidates.count > 3 ? " and \(candidates.count - 3) more" : ""))
        }
        lines.append(service.text)
        return lines
    }

    /// A move is told once it is confirmed, which may be days after it began.
    private func news(of row: Movers.Row) -> String {
        guard digest.isConfirmedLate(row) else { return row.news }
        let isToday = digest.since.reportDay >= digest.until.reportDay - 1
        return row.news + ", confirmed " + (isToday ? "today" : "since \(CivilTime.reportDate(digest.since))")
    }
}
