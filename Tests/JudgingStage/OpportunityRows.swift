package import History
package import Judging
import RankKit
import TestSupport

/// Rows of the report of opportunities, from the places that a pair had.
package protocol OpportunityRows {}

extension OpportunityRows {
    package var me: ReportedApp { ReportedApp(bundleID: bundle("com.me"), name: "Mine", mark: .mine) }
    package var rival: ReportedApp { ReportedApp(bundleID: bundle("com.rival"), name: "Rival", mark: .competitor) }

    /// One reading a day, the last one today; `nil` for a day without a good check, 0 for an absence.
    package func pair(_ positions: [Int?], cadence: Int64 = day, popularity: Double? = nil) -> PairDays {
        var days: [Int64: Reading] = [:]
        for (index, position) in positions.reversed().enumerated() {
            guard let position else { continue }
            days[noon.day - Int64(index)] = reading(
                position == 0 ? nil : position, secondsAgo: Int64(index) * day)
        }
        return PairDays(
            query: query("habit tracker"), bundleID: me.bundleID, popularity: popularity, cadence: cadence,
            days: DailyReadings(days))
    }

    /// The last week at `recent`, the twelve before at `earlier`.
    package func weeks(_ recent: Int, _ earlier: Int) -> [Int?] {
        Array(repeating: earlier, count: 84) + Array(repeating: recent, count: 7)
    }

    /// - Parameter judgement: of its month; `nil` for what its own readings say.
    package func row(
        _ positions: [Int?], cadence: Int64 = day, difficulty: QueryDifficulty? = nil, ratings: Int64? = nil,
        rivals: [Opportunities.Rival] = [], judgement: MoveJudgement? = nil
    ) -> Opportunities.Row? {
        let pair = pair(positions, cadence: cadence)
        return Opportunities.row(
            of: pair, .init(app: me, difficulty: difficulty, ratingCount: ratings), rivals: rivals,
            judgement: judgement ?? month(of: pair), on: noon.day)
    }

    package func month(of pair: PairDays) -> MoveJudgement {
        let series = NoiseModel.Series(pair)
        return NoiseModel([series], upTo: noon.day)
            .judgement(of: series, since: noon.day - NoiseModel.monthDays, at: noon.day)
    }

    package func difficulty(median: Double? = nil, withWords: Int? = nil) -> QueryDifficulty {
        QueryDifficulty(at: noon, medianRatings: median, withWords: withWords, named: 10)
    }

    package var showcase: [Opportunities.Row] {
        get throws {
            var pushed = try known(
                row(weeks(18, 28), difficulty: difficulty(median: 8_200, withWords: 2), ratings: 340))
            pushed.popularity = 46
            let climbing = Opportunities.Rival(
                app: rival, position: try known(Position(4)), usual: try known(Position(9)))
            return [
                try known(row(Array(repeating: 0, count: 30))),
                try known(row(weeks(2, 1), rivals: [climbing])),
                try known(row(weeks(20, 20), difficulty: difficulty(withWords: 0))), pushed,
            ]
        }
    }
}
