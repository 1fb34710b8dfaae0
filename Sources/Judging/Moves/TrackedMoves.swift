import History
import RankKit

/// The moves of a pair, as they are confirmed day by day.
struct TrackedMoves {
    let news: Int64
    let slideGap: Int64
    /// Whether it is kept what was said of each move before.
    let keepsPast: Bool
    /// Whether a step that the month alone shows is taken up as well, and a slide is told with its newest places.
    let followsMonth: Bool
    private(set) var moves: [ConfirmedMove] = []
    /// The one that the newest reading confirms, of those that a week tells.
    private var confirmed: Int?

    var isConfirmed: Bool { confirmed != nil }

    init(news: Int64, slideGap: Int64, keepsPast: Bool = false, followsMonth: Bool = false) {
        self.news = news
        self.slideGap = slideGap
        self.keepsPast = keepsPast
        self.followsMonth = followsMonth
    }

    private mutating func setLapsed(_ index: Int, on day: Int64?, today: Int64) {
        if keepsPast, moves[index].lapsedOn != day { moves[index].keepPast(before: today) }
        moves[index].lapsedOn = day
    }

    /// - Parameter zone: whose days are judged.
    mutating func take(_ known: [KnownMove], _ zone: ZoneDays) {
        moves = known.compactMap { ConfirmedMove($0, zone) }.sorted { $0.at < $1.at }
    }

    /// Where the new place begins is told by the readings around it, so it can shift by some days as more of them come:
    /// within `news` days of the first told it is the same move, unless that one had turned back before it began. Who comes
    /// into the list and goes out of it by turns is at its end: that is one story.
    ///
    /// - Parameter day: of the reading.
    mutating func take(_ judgement: MoveJudgement, by reading: Reading, on day: Int64) {
        let now = confirmed(by: judgement, reading, on: day)
        if let confirmed, confirmed != now { setLapsed(confirmed, on: day, today: day) }
        if let now { setLapsed(now, on: nil, today: day) }
        confirmed = now
    }

    /// - Returns: which move that is, perhaps a new one; `nil` for none.
    private mutating func confirmed(by judgement: MoveJudgement, _ reading: Reading, on day: Int64) -> Int? {
        guard let way = MoveDirection(judgement), let since = judgement.since else { return nil }
        let same = moves.indices.reversed().filter { index in
            let move = moves[index]
            return move.way == way && !move.isSlide && abs(move.began - since) <= news + move.slack
                && (way == .entered || way == .left || move.turnedBack.map { since <= $0.on } ?? true)
        }.min { abs(moves[$0].began - since) < abs(moves[$1].began - since) }
        if let same {
            let judgement = moves[same].judgement.going(on: judgement)
            if keepsPast, !moves[same].isTold(by: judgement) { moves[same].keepPast(before: day) }
            moves[same].judgement = judgement
            moves[same].isSeen = true
            moves[same].seenOn = day
            moves[same].judgedOn = day
            return same
        }
        moves.append(ConfirmedMove(way, judgement, began: since, isSlide: false, by: reading, on: day))
        return moves.count - 1
    }

    /// - Parameter judgement: of the newest reading, by what is known on a later day.
    mutating func judgeAgain(_ judgement: MoveJudgement, today: Int64) {
        guard let confirmed else { return }
        if moves[confirmed].way != MoveDirection(judgement) {
            if moves[confirmed].lapsedOn == nil { setLapsed(confirmed, on: today, today: today) }
        } else if keepsPast {
            setLapsed(confirmed, on: nil, today: today)
        }
    }

    /// Whether a slide that was told may go on.
    func hasSlide(by day: Int64) -> Bool { moves.contains { $0.isSlide && day - $0.seenOn <= slideGap + $0.slack } }

    mutating func take(month judgement: MoveJudgement, by reading: Reading, on day: Int64) {
        var seen: Int?
        if case .real(let slide) = judgement { seen = taken(slide, by: reading, on: day) }
        for index in moves.indices where moves[index].isSlide && index != seen && moves[index].lapsedOn == nil {
            setLapsed(index, on: day, today: day)
        }
    }

    /// Takes up a slide, unless a week told of a move that way already.
    ///
    /// - Returns: which move that is, perhaps a new one; `nil` if it is not taken up.
    private mutating func taken(_ slide: LastingMove, by reading: Reading, on day: Int64) -> Int? {
        let way = MoveDirection(slide.direction)
        if let same = moves.lastIndex(where: {
            $0.way == way && $0.isSlide && day - $0.seenOn <= slideGap + $0.slack && (slide.isSlow || !followsMonth)
        }) {
            moves[same].isSeen = true
            moves[same].seenOn = max(moves[same].seenOn, day)
            if followsMonth { leadSlide(same, to: slide.to, on: day) }
            setLapsed(same, on: nil, today: day)
            return same
        }
        let isToldByWeek = moves.contains {
            !$0.isSlide && $0.way.isUp == way.isUp && day - $0.began <= NoiseModel.monthDays + news + $0.slack
        }
        if !slide.isSlow {
            takeStep(slide, way, by: reading, on: day)
            return nil
        }
        if followsMonth, let newest = moves.lastIndex(where: { !$0.isSlide && $0.way.isUp == way.isUp }) {
            guard let back = moves[newest].turnedBack else {
                if isToldByWeek { goOn(newest, by: slide, on: day) }
                return isToldByWeek ? nil : begin(slide, by: reading, on: day)
            }
            // What only stands where it turned back to has not drifted there.
            if let place = back.to, !slide.leadsOn(from: place) { return nil }
        } else if isToldByWeek {
            return nil
        }
        return begin(slide, by: reading, on: day)
    }

    private mutating func begin(_ slide: LastingMove, by reading: Reading, on day: Int64) -> Int {
        let way = MoveDirection(slide.direction)
        moves.append(ConfirmedMove(way, .real(slide), began: day, isSlide: true, by: reading, on: day))
        return moves.count - 1
    }

    /// A move that a week told goes on more slowly than a week shows, unless it went the other way since.
    private mutating func goOn(_ index: Int, by slide: LastingMove, on day: Int64) {
        let move = moves[index]
        let hasTurned = moves.contains {
            !$0.isSlide && $0.way.isUp != move.way.isUp && $0.began > move.began && $0.turnedBack == nil
        }
        guard !hasTurned, let from = move.from, let to = move.to, move.way == MoveDirection(slide.direction),
            !MoveDetection.isNearer(slide.from.number, to: to.number, than: from.number)
        else { return }
        lead(index, to: slide.to, on: day)
    }

    /// A slide goes on from where it came from, until a week tells of a move that way: the rest of the way is that one's.
    private mutating func leadSlide(_ index: Int, to place: Position, on day: Int64) {
        let (slide, way) = (moves[index], moves[index].way)
        let isToldByWeek = moves.contains { !$0.isSlide && $0.way.isUp == way.isUp && $0.began >= slide.began }
        if !isToldByWeek { lead(index, to: place, on: day) }
    }

    /// Tells a move with the newest place to which the month leads, if that is nearer to where it went than to where it
    /// came from.
    private mutating func lead(_ index: Int, to place: Position, on day: Int64) {
        guard case .real(let move) = moves[index].judgement,
            MoveDetection.isNearer(place.number, to: move.to.number, than: move.from.number)
        else { return }
        if keepsPast { moves[index].keepPast(before: day) }
        moves[index].judgement = .real(move.leading(to: place))
        moves[index].judgedOn = day
    }

    /// Takes up a step that the month alone shows, as if a week had told it.
    private mutating func takeStep(_ step: LastingMove, _ way: MoveDirection, by reading: Reading, on day: Int64) {
        let isTold = moves.contains {
            !$0.isSlide && $0.way.isUp == way.isUp && $0.began >= step.since - news - $0.slack
        }
        guard followsMonth, !isTold else { return }
        moves.append(ConfirmedMove(way, .real(step), began: step.since, isSlide: false, by: reading, on: day))
    }

    /// Notices that the newest move has turned back: the usual place of the newest readings is nearer to the old place
    /// again. One that was told by the days of another zone turns back by readings that were made since, so that no day is
    /// taken for a return which that zone counts otherwise.
    ///
    /// - Parameter readings: those of `table`.
    mutating func noticeReturn(in table: ReadingTable, at index: Int, of readings: [DailyReadings.Element]) {
        let (day, reading) = (readings[index].day, readings[index].reading)
        guard let last = moves.lastIndex(where: { !$0.isSlide }), moves[last].turnedBack == nil,
            moves[last].at < reading.checkedAt, day - moves[last].began <= 2 * news + moves[last].slack,
            moves[last].otherDays == nil || moves[last].at < readings[max(0, index - 2)].reading.checkedAt,
            let back = moves[last].back(table, at: index)
        else { return }
        moves[last].turnedBack = .init(at: reading.checkedAt, on: day, to: back.place.flatMap { Position($0) })
    }
}

/// Where a move turned back to; `nil` for out of the list.
private struct Returned {
    var place: Int?
}

extension ConfirmedMove {
    /// Whether it is told with the same places.
    fileprivate func isTold(by other: MoveJudgement) -> Bool {
        var move = self
        move.judgement = other
        return (move.from, move.to) == (from, to)
    }

    /// `nil` if it has not turned back.
    fileprivate func back(_ table: ReadingTable, at index: Int) -> Returned? {
        let place = table.newest(at: index)
        switch judgement {
        case .real(let move), .unconfirmed(let move):
            guard let place, MoveDetection.isNearer(place, to: move.from.number, than: move.to.number) else {
                return nil
            }
            return Returned(place: place)
        case .entered: return place == nil && table.newest(at: index, 2) == nil ? Returned(place: nil) : nil
        case .left:
            guard let place, table.newest(at: index, 1) != nil else { return nil }
            return Returned(place: place)
        case .withinNoise, .notJudged: return nil
        }
    }
}
