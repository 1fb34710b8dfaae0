import Judging
import RankKit

extension QueryDifficulty {
    /// Headings of `cells`. What is told of the query gives way later than what is told of the app.
    static let columns: [Table.Column] = [
        .init(
            "top 10", .right, priority: 4, meaning: "the median number of ratings of the query's first ten apps"),
        .init("own", .right, priority: 1, meaning: "the app's own number of ratings"),
        .init("named", .right, priority: 2, meaning: "how many of the first ten have the query's words in their names"),
    ]

    /// - Parameter ratingCount: the app's own.
    static func cells(_ difficulty: QueryDifficulty?, own ratingCount: Int64?) -> [Cell] {
        guard let difficulty else { return [.empty, .empty, .empty] }
        let missing = Cell("–", .faint)
        return [
            difficulty.medianRatings.map { Cell(Figures.short($0)) } ?? missing,
            ratingCount.map { Cell(Figures.short(Double($0))) } ?? missing,
            difficulty.withWords.map { Cell("\($0)/\(difficulty.named)") } ?? missing,
        ]
    }
}
