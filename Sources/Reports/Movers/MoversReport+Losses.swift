import Judging
import RankKit

extension MoversReport {
    /// Losses that are told one by one: with who took each place they leave room for the head of the report on a screen
    /// of 24 lines.
    static let mostLosses = 8

    /// What fell or left of mine, the biggest loss first, each with who passed it.
    ///
    /// - Parameters:
    ///   - title: the heading; `nil` for one that says what is told.
    ///   - most: how many are told one by one.
    ///   - rest: how to see the others.
    func losses(_ title: String? = nil, most: Int = mostLosses, rest: String) -> [Document.Block] {
        let all = movers.rows.enumerated().filter { $0.element.loss != nil }.sorted { left, right in
            let (a, b) = (left.element.lossDistance, right.element.lossDistance)
            return a == b ? left.offset < right.offset : a > b
        }.map(\.element)
        guard !all.isEmpty else { return [] }
        let left = all.count { $0.loss?.to == nil }
        let heading = left == 0 ? "fell" : left == all.count ? "left the list" : "fell or left the list"
        var table = table(ofLosses: all.prefix(most))
        let more = all.count - min(all.count, most)
        if more > 0 { table.rows.append(.heading(StyledText("and \(Figures.grouped(more)) more: \(rest)", .faint))) }
        return [.heading(title ?? heading), .table(table)]
    }

    private func table(ofLosses rows: some Sequence<Movers.Row>) -> Table {
        let hasSeveralPlatforms = Set(movers.rows.map(\.query.platform)).count > 1
        return Table(
            columns: [
                .init(""), .init("query", minimum: 12, comfort: 24), .init("in"),
                .init("on", priority: hasSeveralPlatforms ? nil : 2), .init("app", minimum: 8, comfort: 14),
                .init("usually"), .init("change", .right), .init("now", .right), .init("since", priority: 3),
            ] + (options.figures ? Table.figureColumns : []) + [.init("who passed it", below: .line)],
            rows: rows.map { row in
                let judgement = row.slide.map { .real($0) } ?? row.judgement
                return .cells(
                    [
                        .mark(judgement, isMine: true), .query(row.query), .storefront(of: row.query),
                        Cell(row.query.platform.displayName), hasSeveralApps ? .app(row.app) : .empty,
                        .usual(judgement), .move(row.lossChange, of: .mine), Self.place(row.to),
                        row.slide == nil
                            ? .since(judgement, today: generatedAt.reportDay) : Cell(DigestReport.overTheMonth),
                    ] + (options.figures ? Table.figures(of: judgement, movers.sensitivity) : [])
                        + [passers(of: row)])
            }, indent: 2)
    }

    /// `passed by 29: Habitly (competitor) #29 → #32, …`; nothing for what is only likely a loss.
    private func passers(of row: Movers.Row) -> Cell {
        guard let fall = falls.first(where: { $0.query == row.query && $0.app.bundleID == row.app.bundleID }) else {
            return .empty
        }
        guard let passers = fall.passers, !passers.isEmpty else { return Self.named(fall.passers) }
        return Cell("passed by \(Figures.grouped(passers.count)): \(Self.names(of: passers))")
    }
}

extension Movers.Row {
    /// The usual places that it went from and to, if it is one of mine that fell or left, or that likely did; `to` is
    /// `nil` for out of the list.
    var loss: (from: Position, to: Position?)? {
        guard mine, !isBack else { return nil }
        if let slide { return slide.direction == .down ? (slide.from, slide.to) : nil }
        return switch judgement {
        case .real(let move), .unconfirmed(let move): move.direction == .down ? (move.from, move.to) : nil
        case .left(let from, _): (from, nil)
        case .entered, .withinNoise, .notJudged: nil
        }
    }

    /// How far down it went on `PositionScale`; out of the list is at least one place below its end.
    fileprivate var lossDistance: Double {
        guard let loss else { return 0 }
        let now = loss.to.map { PositionScale.value($0) } ?? PositionScale.value(Double(to.within + 1))
        return now - PositionScale.value(loss.from)
    }

    fileprivate var lossChange: Standings.Change? {
        guard let loss else { return nil }
        return loss.to.map { .places(loss.from.number - $0.number) } ?? .left
    }
}
