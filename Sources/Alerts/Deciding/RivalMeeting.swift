import History
import Judging
import RankKit

/// The pairs of mine and those of the competitors that the watchlist names for them, query by query.
struct RivalPairs {
    private(set) var meetings: [RivalMeeting] = []

    init(_ pairs: [PairDays], _ watched: WatchedApps) {
        var byQuery: [Query: [BundleID: Int]] = [:]
        for (index, pair) in pairs.enumerated() { byQuery[pair.query, default: [:]][pair.bundleID] = index }
        for (index, pair) in pairs.enumerated() where pair.isMine {
            for rival in watched[pair.bundleID]?.competitors ?? [] {
                if let other = byQuery[pair.query]?[rival] { meetings.append(RivalMeeting(mine: index, other: other)) }
            }
        }
    }
}

/// A pair of mine and one of a competitor on the same query, by their indices.
struct RivalMeeting: Sendable {
    let mine: Int
    let other: Int

    /// That the one stands above the other and did not before.
    struct Flip: Sendable {
        var isOvertaken: Bool
        /// The first day of the move that explains it, and whose day that is, if another zone's.
        var onset: Int64
        var otherDays: ZoneDays?
        /// The same by the days that are judged.
        var since: Int64
        /// The first day from which on it stood so until it was confirmed: a slow move began days before.
        var turnedOn: Int64
        var at: Timestamp
        /// The day of `at`.
        var on: Int64
        /// The usual places since.
        var mine: Position?
        var other: Position?
        var size: Double
        var turnedBack: (at: Timestamp, on: Int64, mine: Position?)?
        /// The first day since which it is the other way round again; `nil` if it is not.
        var lapsedOn: Int64?
        /// The days on which that was another one than before, and which one, oldest first.
        var lapses: [Lapse] = []

        struct Lapse: Sendable {
            let day: Int64
            let lapsedOn: Int64?
        }

        /// The days on which something else is said of it than before, ascending.
        var changedOn: [Int64] { Set(lapses.map(\.day) + [turnedBack?.on].compactMap(\.self)).sorted() }

        /// It as it was known on a day.
        func asOf(_ day: Int64) -> Flip {
            var flip = self
            flip.lapsedOn = lapses.last { $0.day <= day }?.lapsedOn
            if let back = turnedBack, back.on > day { flip.turnedBack = nil }
            return flip
        }
    }

    /// Readings of both before and since by which their order is told.
    private static let before = 7
    private static let since = 3
    /// Days with readings of both after a flip on which it is looked at whether it turned back.
    private static let watched = 14

    /// The flips that a confirmed move of either explains, in order of confirmation.
    ///
    /// - Parameters: what was confirmed of each.
    func flips(_ pairs: [PairDays], mine: [ConfirmedMove], other: [ConfirmedMove]) -> [Flip] {
        let moves = (mine + other).filter { !$0.isSlide }.sorted { ($0.at, $0.began) < ($1.at, $1.began) }
        guard !moves.isEmpty else { return [] }
        let news = JudgedSpan(cadence: pairs[self.mine].cadence).news
        let days = CommonDays(pairs[self.mine].days, pairs[self.other].days)
        var flips: [Flip] = []
        for move in moves {
            guard let flip = flip(by: move, days) else { continue }
            // Two moves, one after the other, can explain the same.
            let isKnown = flips.contains {
                $0.isOvertaken == flip.isOvertaken
                    && (abs($0.onset - flip.onset) <= news || $0.turnedOn == flip.turnedOn)
            }
            if !isKnown { flips.append(flip) }
        }
        return flips
    }

    private func flip(by move: ConfirmedMove, _ days: CommonDays) -> Flip? {
        guard let first = days.elements.firstIndex(where: { $0.day >= move.since }), first >= Self.before else {
            return nil
        }
        let earlier = days.elements[first - Self.before..<first]
        guard let wasAbove = earlier.order, earlier.count(where: { $0.isMineAbove == wasAbove }) * 3 >= Self.before * 2
        else { return nil }
        // The readings since hold it, from the first day on that the move is confirmed.
        var end = first + Self.since
        while end <= days.elements.count, end - first <= Self.watched {
            let newest = days.elements[end - Self.since..<end]
            if days.elements[end - 1].at >= move.at, newest.allSatisfy({ $0.isMineAbove == !wasAbove }) {
                let usual = newest.usual
                let turned = days.elements[..<end].lastIndex { $0.isMineAbove != !wasAbove }.map { $0 + 1 } ?? first
                var flip = Flip(
                    isOvertaken: wasAbove, onset: move.began, otherDays: move.otherDays, since: move.since,
                    turnedOn: days.elements[turned].day, at: days.elements[end - 1].at, on: days.elements[end - 1].day,
                    mine: usual.mine, other: usual.other,
                    size: move.asOf(days.elements[end - 1].day).size)
                for element in days.elements[end...] {
                    let lapsedOn = element.isMineAbove == wasAbove ? flip.lapsedOn ?? element.day : nil
                    guard lapsedOn != flip.lapsedOn else { continue }
                    flip.lapsedOn = lapsedOn
                    flip.lapses.append(.init(day: element.day, lapsedOn: lapsedOn))
                }
                let later = days.elements[end...].prefix(Self.watched)
                for next in later.indices.dropFirst(Self.since - 1) {
                    let again = days.elements[next - Self.since + 1...next]
                    guard again.allSatisfy({ $0.isMineAbove == wasAbove }) else { continue }
                    flip.turnedBack = (days.elements[next].at, days.elements[next].day, again.usual.mine)
                    break
                }
                return flip
            }
            end += 1
        }
        return nil
    }
}

/// The days on which both have a reading.
private struct CommonDays {
    struct Element {
        var day: Int64
        /// Of the later of the two readings.
        var at: Timestamp
        var mine: Position?
        var other: Position?
        /// `nil` if neither is in the list.
        var isMineAbove: Bool?
    }

    private(set) var elements: [Element] = []

    init(_ mine: DailyReadings, _ other: DailyReadings) {
        var (left, right) = (mine.elements[...], other.elements[...])
        while let one = left.first, let two = right.first {
            if one.day < two.day {
                left.removeFirst()
            } else if two.day < one.day {
                right.removeFirst()
            } else {
                let (place, place2) = (one.reading.position, two.reading.position)
                elements.append(
                    Element(
                        day: one.day, at: max(one.reading.checkedAt, two.reading.checkedAt), mine: place,
                        other: place2, isMineAbove: Self.isAbove(place, place2)))
                left.removeFirst()
                right.removeFirst()
            }
        }
    }

    private static func isAbove(_ one: Position?, _ other: Position?) -> Bool? {
        switch (one, other) {
        case (let one?, let other?): one < other
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): nil
        }
    }
}

extension ArraySlice<CommonDays.Element> {
    /// The lower medians; an absence stands below all places.
    fileprivate var usual: (mine: Position?, other: Position?) {
        func median(_ places: [Position?]) -> Position? {
            let sorted = places.map { $0?.number ?? .max }.sorted()
            return sorted.isEmpty
                ? nil : Position(sorted[(sorted.count - 1) / 2]).flatMap { $0.number == .max ? nil : $0 }
        }
        return (median(map(\.mine)), median(map(\.other)))
    }

    /// Whether mine usually stands above; `nil` if neither does.
    fileprivate var order: Bool? {
        let usual = usual
        switch (usual.mine, usual.other) {
        case (let one?, let other?): return one == other ? nil : one < other
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): return nil
        }
    }
}
