import Algorithms
package import History
import Judging
import RankKit

/// What moved of mine in the time of the standings' news, as a few cards: what deserves a look, without a table.
package struct WhatChanged: Sendable {
    /// Those that are confirmed first, and of these the farthest.
    let cards: [Card]
    /// Moves that no card tells.
    let rest: Int
    /// Whether there is more than one app of mine, so that each card says which.
    let hasSeveralApps: Bool
    /// Queries on which an app of mine is tracked on several devices.
    private let divided: Set<Asked>
    /// Days of another year than it are written with theirs.
    let today: Int64

    struct Card: Sendable {
        /// One, or several that are alike in what `common` says.
        var moves: [Standings.FoldedRow]
        var common: Common?
        /// What is known of why.
        var causes: [Cause] = []
    }

    /// What moves of one app and one direction are told together by.
    enum Common: Sendable, Hashable {
        case country(Country)
        case query(String)
    }

    enum Cause: Sendable, Hashable {
        case store
        case list
        case app
        case release(LossContext.NearRelease)
    }

    /// A query in a country, on whatever device.
    private struct Asked: Hashable {
        let query: String
        let store: String
        let bundleID: BundleID

        init(_ row: Standings.Row) {
            (query, store, bundleID) = (row.question.folded, row.question.storefront, row.bundleID)
        }
    }

    /// The device of a move, where it could be taken for another's: the iPhone goes without saying where it is the only one.
    func device(of move: Standings.FoldedRow) -> String {
        move.row.platform != .iphone || divided.contains(Asked(move.row)) ? move.platforms : ""
    }

    package static let mostCards = 5
    /// Fewer are told one by one.
    private static let fewestAlike = 3

    package var isEmpty: Bool { cards.isEmpty }

    /// - Throws: `HistoryError` where the lists beside a loss cannot be read.
    package init(_ report: StandingsReport, from reader: HistoryReader) throws(HistoryError) {
        let standings = report.standings
        let reader = standings.until < standings.generatedAt ? reader.asOf(standings.until) : reader
        var losses: Losses?
        try self.init(report) { card throws(HistoryError) in
            var known: Losses
            if let losses { known = losses } else { known = try Losses(reader, weather: standings.weather) }
            defer { losses = known }
            return try card.causes(standings, &known, reader)
        }
    }

    /// - Parameter causes: what is known of why the moves of a card that is shown happened.
    init(
        _ report: StandingsReport, causes: (Card) throws(HistoryError) -> [Cause]
    ) throws(HistoryError) {
        let standings = report.standings
        let moves = report.newMoves.filter { !$0.row.isBack }
        let all = Self.grouped(moves).enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.isConfirmed != b.isConfirmed { return a.isConfirmed }
            return a.distance == b.distance ? left.offset < right.offset : a.distance > b.distance
        }.map(\.element)
        var shown = Array(all.prefix(Self.mostCards))
        for index in shown.indices { shown[index].causes = try causes(shown[index]) }
        cards = shown
        rest = all.dropFirst(Self.mostCards).reduce(0) { $0 + $1.moves.count }
        let mine = standings.rows.lazy.filter(\.mine)
        hasSeveralApps = Set(mine.map(\.bundleID)).count > 1
        let platforms = Dictionary(grouping: mine) { Asked($0) }.mapValues { Set($0.map(\.platform)) }
        divided = Set(platforms.filter { $0.value.count > 1 }.keys)
        today = standings.generatedAt.reportDay
    }

    /// Those of one app in one country together, then those on one query; the rest one by one.
    private static func grouped(_ moves: [Standings.FoldedRow]) -> [Card] {
        let (inCountries, others) = taken(moves, by: { .country($0.country) }, different: \.query)
        let (onQueries, rest) = taken(others, by: { .query($0.query) }, different: \.country.code)
        return inCountries + onQueries + rest.map { Card(moves: [$0]) }
    }

    /// - Parameters:
    ///   - common: what several have in common.
    ///   - different: in what they have to differ to be several.
    private static func taken(
        _ moves: [Standings.FoldedRow], by common: (Standings.Row) -> Common,
        different: (Standings.Row) -> String
    ) -> (cards: [Card], rest: [Standings.FoldedRow]) {
        struct Alike: Hashable {
            var bundleID: BundleID
            var way: MoveDirection?
            var isConfirmed: Bool
            var common: Common
        }
        func key(_ move: Standings.FoldedRow) -> Alike {
            Alike(
                bundleID: move.row.bundleID, way: move.way, isConfirmed: move.isConfirmed, common: common(move.row))
        }
        let groups = Dictionary(grouping: moves, by: key)
        let large = Set(
            groups.filter { Set($0.value.map { different($0.row) }).count >= fewestAlike }.keys)
        let cards = moves.map(key).uniqued().filter(large.contains).map { alike in
            Card(moves: groups[alike] ?? [], common: alike.common)
        }
        return (cards, moves.filter { !large.contains(key($0)) })
    }
}

extension Standings.FoldedRow {
    var way: MoveDirection? { row.judgement?.way }

    var isConfirmed: Bool { row.judgement?.isBeyondNoise ?? false }

    /// On `PositionScale`.
    fileprivate var distance: Double {
        guard let newest = row.lastGood, let judgement = row.judgement else { return 0 }
        return judgement.distance(before: row.newsFrom ?? newest, since: newest)
    }

    /// The first day of a step; `nil` for what went slowly, and began on no one day.
    fileprivate var stepDay: Int64? {
        if case .real(let move)? = row.judgement, move.isSlow { return nil }
        return row.judgement?.since
    }
}

extension StandingsReport {
    /// The moves of mine that are news, of pairs whose newest good check says something about now.
    var newMoves: [Standings.FoldedRow] { moves().filter { !$0.row.isStale(at: standings.until) } }
}

extension WhatChanged.Card {
    var isConfirmed: Bool { moves.contains(where: \.isConfirmed) }
    fileprivate var distance: Double { moves.reduce(0) { $0 + $1.distance } }

    /// What is known of why: of a loss that is told by itself as `movers` says it, else what is true of each of the moves.
    fileprivate func causes(
        _ standings: Standings, _ losses: inout Losses, _ reader: HistoryReader
    ) throws(HistoryError) -> [WhatChanged.Cause] {
        guard isConfirmed else { return [] }
        if moves.count == 1, let context = try moves[0].row.lossContext(standings, &losses, reader) {
            let likely: WhatChanged.Cause? =
                switch context.likely {
                case .store: .store
                case .list: .list
                case .app: .app
                case .unclear: nil
                }
            return [likely, context.release.map { .release($0) }].compactMap(\.self)
        }
        let isStormy = moves.allSatisfy { move in
            if case .real(let step)? = move.row.judgement { !step.isSlow && step.weather == .stormy } else { false }
        }
        var releases: Set<LossContext.NearRelease?> = []
        for move in moves {
            let day = move.stepDay
            releases.insert(
                day.flatMap {
                    losses.release(
                        of: move.row.bundleID, on: $0 - LossContext.reach...$0, at: standings.until)
                })
        }
        let common = releases.count == 1 ? releases.first ?? nil : nil
        return [isStormy ? .store : nil, common.map { .release($0) }].compactMap(\.self)
    }
}

extension Standings.Row {
    /// What stands beside its loss of the time that is news; `nil` where it lost nothing.
    fileprivate func lossContext(
        _ standings: Standings, _ losses: inout Losses, _ reader: HistoryReader
    ) throws(HistoryError) -> LossContext? {
        guard let judgement, let newest = lastGood else { return nil }
        let until = standings.until
        let began = min(standings.newsDays.lowerBound, until.reportDay - span.news)
        guard let ends = Losses.Ends(judgement, after: began, newest: newest.checkedAt.reportDay) else { return nil }
        let loss = Losses.Loss(
            ends, of: try SoughtApp(bundleID, reader), on: question, through: newest.checkedAt.reportDay, span: span)
        let (then, now) = try losses.lists(of: loss, through: newest.checkedAt)
        return losses.context(of: loss, then, now, at: until)
    }
}
