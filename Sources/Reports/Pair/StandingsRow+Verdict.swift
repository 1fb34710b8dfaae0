import Judging
import RankKit

/// What a pair's newest move was, in sentences.
extension Standings.Row {
    /// The move of the week, or that of the month where the week confirms none; `nil` where nothing moved.
    var told: MoveJudgement? { monthMove ?? (judgement?.isMove == true ? judgement : nil) }

    /// Whether it fell or left for good.
    var hasConfirmedLoss: Bool {
        guard mine, !isBack else { return false }
        return switch told {
        case .real(let move): move.direction == .down
        case .left: true
        case .entered, .unconfirmed, .withinNoise, .notJudged, nil: false
        }
    }

    /// `Fell from #24 to #44. It has stood there since 27 Nov.`
    ///
    /// - Parameter firstVerdict: when it can be judged for the first time; `nil` where that is past.
    func verdict(today: Int64, firstVerdict: String?) -> StyledText {
        guard let told, !isBack else { return StyledText(quietVerdict(firstVerdict)) }
        let day = told.since.map { DayNames.short($0, today: today) } ?? ""
        func moved(_ move: LastingMove, _ rose: String, _ fell: String) -> String {
            "\(move.direction == .up ? rose : fell) from \(move.from) to \(move.to)"
        }
        let words: (verb: String, rest: String)
        switch told {
        case .real(let move) where move.isSlow:
            let time = monthMove == nil ? "" : " over \(Table.month)"
            words = (moved(move, "Rose slowly", "Fell slowly"), "\(time), in many small steps.")
        case .real(let move):
            let storm = move.weather == .stormy ? " The store shuffled on that day." : ""
            let stays = likelySince == nil ? ". It has stood there since \(day)." : " on \(day)."
            words = (moved(move, "Rose", "Fell"), stays + storm)
        case .unconfirmed(let move):
            words = (
                moved(move, "Likely rose", "Likely fell"), " on \(day). The next checks will confirm it or not."
            )
        case .entered(let place, _): words = ("Entered the list on \(day)", ", and usually stands at \(place).")
        case .left(let place, _): words = ("Left the list on \(day)", ", where it usually stood at \(place).")
        case .withinNoise, .notJudged: return StyledText(quietVerdict(firstVerdict))
        }
        let since = likelySince.map { move in
            " \(moved(move, "Since then it likely rose", "Since then it likely fell")). The next checks will confirm it or not."
        }
        return StyledText([Cell(words.verb, ink(of: told)), Cell(words.rest), Cell(since ?? "", .caution)])
    }

    /// What the newest checks look like beside a move of the month.
    private var likelySince: LastingMove? {
        guard monthMove != nil, case .unconfirmed(let move)? = judgement else { return nil }
        return move
    }

    private func quietVerdict(_ firstVerdict: String?) -> String {
        if isBack {
            return judgement?.to == nil
                ? "Came into the list, and is out of it again." : "Left the list, and is back in it."
        }
        switch judgement {
        case .notJudged(.noReading): return "No verdict: there is no good check of the newest days."
        case .notJudged(.shortList): return "No verdict: one of the lists is too short to show its place in the other."
        case .notJudged(.history), nil:
            return firstVerdict.map { "No verdict yet: the \($0)." } ?? "No verdict yet: it has too few checks."
        case .withinNoise, .real, .unconfirmed, .entered, .left:
            return "No move: its place changed no more than it usually does."
        }
    }

    /// Only what my apps do is good or bad news.
    private func ink(of told: MoveJudgement) -> Ink {
        if case .unconfirmed = told { return .caution }
        guard mine else { return .strong }
        switch MoveDirection(told) {
        case .up, .entered: return .good
        case .down, .left: return .bad
        case nil: return .plain
        }
    }

    private func time(_ moment: Timestamp, _ now: Timestamp) -> String {
        "\(DayNames.time(moment, today: now.reportDay)) \(ReportZone.days.name)"
    }

    /// `Newest check: #45, 29 Nov, 18:00 UTC.`
    func newestCheck(until now: Timestamp) -> StyledText {
        guard let checkedAt else { return StyledText("It has not been checked yet.", .faint) }
        let moment = time(checkedAt, now)
        switch state {
        case .ranked, .absent:
            return StyledText([Cell("Newest check: "), StandingsReport.now(self), Cell(", \(moment).")])
        case .failed, .suspect, .pending:
            let good = lastGood.map { reading in
                " The last good one, of \(time(reading.checkedAt, now)), said "
                    + (reading.position?.description ?? "that it is not among \(reading.within)") + "."
            }
            let verb = state == .failed ? "failed" : "is \(state.rawValue)"
            return StyledText(
                "The newest check, of \(moment), \(verb)\(why.map { ": \($0)" } ?? "").\(good ?? "")",
                .caution)
        }
    }
}
