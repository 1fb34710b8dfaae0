import Judging
import RankKit

extension Standings {
    /// A line of the table: one pair, or an app's iPhone and iPad pairs on one query where they read the same.
    struct FoldedRow: Sendable {
        /// The iPhone's where two are folded.
        var row: Row
        var twin: Row?

        /// Whether what is shown of the past is true of the iPhone alone.
        var differsInPast: Bool {
            guard let twin else { return false }
            return twin.best?.position != row.best?.position
                || twin.trend.map { $0?.position } != row.trend.map { $0?.position }
        }
    }

    /// What stands in the first column of changes must stay true for both, so the rows have to agree in state, place,
    /// reason, all changes and whether it moved beyond noise. Best and trend may differ: they are told apart in JSON and CSV.
    ///
    /// - Parameter agree: what else has to agree.
    static func folded(_ rows: [Row], where agree: (Row, Row) -> Bool = { _, _ in true }) -> [FoldedRow] {
        var pads: [FoldKey: Int] = [:]
        for (index, row) in rows.enumerated() where row.platform == .ipad { pads[FoldKey(row)] = index }
        var twins: [Int: Int] = [:]
        for (index, row) in rows.enumerated() where row.platform == .iphone {
            guard let twin = pads[FoldKey(row)], row.readsLike(rows[twin]), agree(row, rows[twin]) else {
                continue
            }
            twins[index] = twin
        }
        let hidden = Set(twins.values)
        return rows.indices.filter { !hidden.contains($0) }.map { index in
            FoldedRow(row: rows[index], twin: twins[index].map { rows[$0] })
        }
    }

    private struct FoldKey: Hashable {
        var query: String
        var country: Country
        var source: Source
        var language: String?
        var bundleID: BundleID

        init(_ row: Row) {
            query = Query.fold(row.query)
            country = row.country
            source = row.source
            language = row.language
            bundleID = row.bundleID
        }
    }
}

extension Standings.Row {
    fileprivate func readsLike(_ other: Self) -> Bool {
        state == other.state && position == other.position && within(of: self) == within(of: other)
            && reason == other.reason && lastGood?.position == other.lastGood?.position
            && change1d == other.change1d && change7d == other.change7d && change30d == other.change30d
            && judgement?.isBeyondNoise == other.judgement?.isBeyondNoise
    }

    /// How many places were seen matters only to an absence.
    private func within(of row: Self) -> Int? {
        let newest = row.state == .absent ? row.within : nil
        return newest ?? row.lastGood.flatMap { $0.position == nil ? $0.within : nil }
    }
}
