import Foundation
import History
import Judging
import JudgingStage
import RankKit
import TestSupport

@testable import Alerts

/// Whether what a simulated year told is what `Judging` confirms from its finished file: nothing else, nothing twice, and
/// nothing left out without a reason.
struct AlertYearVerdict {
    var flaws: [String] = []
    /// The ids of messages that were too old to be sent, and whose titles came in a later one.
    var summedUp: Set<String> = []
    var news = News()
    private(set) var told = Told()
    private(set) var untold = Untold()
    var weeks = Weeks()
    var shifts = Shifts()

    /// What came, by what confirms it.
    struct Told {
        var lines = 0
        var backs = 0
        var moves = 0
        /// Confirmed by the report of the moment at which they were decided.
        var byReport = 0
        /// Confirmed by the report of the newest reading's own day, which was over by then.
        var byDay = 0
        /// Decided by a clock that was ahead, or before checks that carry an earlier time.
        var byWrongClock = 0
        var orders = 0
        var storms = 0
    }

    /// What reports call real and no message told, by the reason.
    struct Untold {
        var real = 0
        var told = 0
        var reasons: [String: Int] = [:]
    }

    struct Weeks {
        var all = 0
        var still = 0
        var flagged = 0
        /// Those in which a drift was told.
        var drifts = 0
        /// Of the flagged ones, by what was told and what kind of app it is.
        var kinds: [String: Int] = [:]
        var shown: [String] = []
    }

    struct Shifts {
        var large = 0
        var found = 0
        /// Days from the first day of each to its message.
        var waits: [Int] = []
        var byKind: [String: (found: Int, all: Int)] = [:]
    }

    /// Days within which a lasting shift is to be told.
    static let wait = 10

    let reader: HistoryReader
    let life: AlertYearLife
    let stores: SimulatedStores
    /// The day (UTC) of the first decision.
    let first: Int64
    /// The day of index 0.
    let origin: Int64
    let end: Timestamp
    private(set) var subjects: [String: SimulatedStores.Pair] = [:]
    /// Both of mine and a competitor, by what tells of their order.
    private var rivals: [String: [SimulatedStores.Pair]] = [:]
    /// Apps that nobody tracks, by what tells of their coming; and all that are tracked.
    private(set) var strangers: [String: (query: Query, app: BundleID)] = [:]
    private(set) var tracked: [String: BundleID] = [:]
    private(set) var events: [String: (told: ToldEvent, confirmedAt: Timestamp)] = [:]
    private(set) var bySubject: [String: [ToldEvent]] = [:]
    /// For each decision, whether checks were recorded after it that carry an earlier time.
    private(set) var isDisturbed: [Timestamp: Bool] = [:]

    /// - Parameter origin: the midnight before the day of index 0.
    init(_ life: AlertYearLife, _ stores: SimulatedStores, from origin: Timestamp, days: Range<Int>) throws {
        reader = try HistoryReader(path: life.path)
        self.life = life
        self.stores = stores
        self.origin = origin.day
        first = life.decisions.first?.at.day ?? origin.day
        end = origin + Int64(days.upperBound) * Timestamp.secondsPerDay
        let sent = try reader.triedMessages(since: Timestamp(secondsSinceEpoch: 0))
        for stored in try reader.outboxEvents(since: 0) {
            guard let event = ToldEvent(stored, sent: sent) else {
                flaws.append("an event that nobody can read: \(stored.identity)")
                continue
            }
            events[event.event] = (event, stored.confirmedAt)
            bySubject[event.subject, default: []].append(event)
        }
        for (pair, _) in stores.pairs {
            subjects[AlertEvent.Subject.pair(pair.query, bundle(pair.app)).key] = pair
        }
        for query in stores.queries {
            for mine in stores.mine {
                for rival in stores.rivals {
                    let key = AlertEvent.Subject.rivals(query, bundle(mine), bundle(rival)).key
                    rivals[key] = [.init(query: query, app: mine), .init(query: query, app: rival)]
                }
            }
        }
        for name in life.news.arrivals.map(\.name) + (1...130).map({ "com.other.app\($0)" }) {
            for query in stores.queries {
                strangers[AlertEvent.Subject.pair(query, bundle(name)).key] = (query, bundle(name))
            }
        }
        for app in stores.mine + stores.rivals {
            tracked[AlertEvent.Subject.app(bundle(app), nil).key] = bundle(app)
        }
        findDisturbed()
    }

    mutating func judge(days: Range<Int>) throws {
        try judgeReports()
        judgeRepetition()
        try judgeDeliveries()
        judgeWeeks(days)
        judgeShifts()
        judgeNews(life)
    }

    private mutating func findDisturbed() {
        let checks = life.recorded.sorted { $0.id < $1.id }
        for decision in life.decisions {
            let later = checks.drop { $0.id <= decision.check }
            isDisturbed[decision.at] = later.contains { $0.at <= decision.at }
        }
    }

    // MARK: What reports say

    /// Holds each decision against the report of its moment, from the finished file.
    private mutating func judgeReports() throws {
        let messages = Dictionary(grouping: life.receiver.messages, by: \.at)
        for decision in life.decisions.dropFirst() {
            let judged = try JudgedPairs(from: reader, until: decision.at, now: end)
            for message in messages[decision.at] ?? [] {
                for line in message.events { try judge(line, of: message, judged, decision) }
            }
            try judgeSilence(judged, decision)
        }
    }

    /// Whether the query had no good check after that one by then.
    private func isNewest(_ check: Timestamp, of query: Query, at moment: Timestamp) throws -> Bool {
        try reader.lastGoodCheck(of: query, before: moment + 1).map { $0 <= check } ?? true
    }

    private mutating func judge(
        _ line: String, of message: AlertMessage, _ judged: JudgedPairs, _ decision: AlertYearLife.Decision
    ) throws {
        told.lines += 1
        guard let (event, confirmedAt) = events[line] else {
            flaws.append("\(message.id): nothing is known of \(line)")
            return
        }
        if event.isBack {
            told.backs += 1
            return
        }
        switch event.kind {
        case .moved, .entered, .left, .drift:
            guard let pair = subjects[event.subject] else { return flaws.append("no such pair: \(line)") }
            told.moves += 1
            if judged.confirms(event, pair, on: decision.at.day) {
                told.byReport += 1
            } else if try isNewest(confirmedAt, of: pair.query, at: decision.at),
                try JudgedPairs(from: reader, until: confirmedAt, now: end)
                    .confirms(event, pair, on: confirmedAt.day)
            {
                told.byDay += 1
            } else if isDisturbed[decision.at] == true {
                told.byWrongClock += 1
            } else {
                let says = judged.judgement(of: pair.query, bundle(pair.app), since: decision.at.day - 7)
                flaws.append("\(message.at.day) \(line.words): the report says \(String(describing: says))")
            }
        case .weather:
            told.storms += 1
            let isSeen = judged.weather.contains { store in
                event.subject.hasSuffix("\t" + store.country.code)
                    && store.days.contains { $0.day == event.onset && $0.isRemarkable }
            }
            if !isSeen, isDisturbed[decision.at] != true { flaws.append("\(line.words): no such weather") }
        case .newcomer, .release, .price, .name, .service:
            news.lines[event.kind.rawValue, default: 0] += 1
            if let doubt = try doubt(of: event, decision), isDisturbed[decision.at] != true {
                flaws.append("\(message.at.day) \(line.words): \(doubt)")
            }
        default:
            told.orders += 1
            let isExplained = (rivals[event.subject] ?? []).contains { pair in
                let says = judged.judgement(of: pair.query, bundle(pair.app), since: event.onset - 8)
                let isReal = says?.isBeyondNoise == true && abs((says?.since ?? 0) - event.onset) <= 7
                let key = AlertEvent.Subject.pair(pair.query, bundle(pair.app)).key
                return isReal
                    || (bySubject[key] ?? []).contains { $0.isOfPair && !$0.isBack && abs($0.onset - event.onset) <= 7 }
            }
            if !isExplained, isDisturbed[decision.at] != true { flaws.append("\(line.words): no move of either") }
        }
    }

    /// In seconds: what a rule with a limit leaves for later is told, or is too old, by then.
    private static let longestLimit = 8 * Timestamp.secondsPerDay

    /// Each move that a report calls real was decided upon, and told unless there is a reason.
    private mutating func judgeSilence(_ judged: JudgedPairs, _ decision: AlertYearLife.Decision) throws {
        for pair in judged.ordered {
            let says = judged.judgement(of: pair.query, pair.bundleID, since: decision.at.day - 7)
            guard let says, says.isBeyondNoise, let since = says.since, since >= first else { continue }
            untold.real += 1
            let same = (bySubject[AlertEvent.Subject.pair(pair.query, pair.bundleID).key] ?? []).filter {
                !$0.isBack && $0.at <= decision.at + Self.longestLimit && abs($0.onset - since) <= 7 && $0.isOf(says)
                    && !$0.isPassed(by: says)
            }
            let sent = same.filter { !$0.messages.isEmpty }
            if sent.contains(where: { $0.at <= decision.at }) {
                untold.told += 1
            } else if !sent.isEmpty, !pair.isMine {
                untold.reasons["limit", default: 0] += 1
            } else if let why = reason(for: pair, since: since, same, decision) {
                untold.reasons[why, default: 0] += 1
            } else if try isOfNoReading(pair, decision) {
                untold.reasons["by no reading of its own", default: 0] += 1
            } else {
                let states = same.map { "\($0.event.words) waiting \($0.waiting) over \($0.isOver)" }
                flaws.append(
                    "\(decision.at.day): nobody told that \(pair.bundleID) on \(pair.query.text) \(pair.query.country): "
                        + "\(says); \(states)")
            }
        }
    }

    /// Whether the report has it from a day of which the pair has no reading: what is read of the days before has changed
    /// then, and nothing has happened to the pair. A look goes by its readings.
    private func isOfNoReading(_ pair: PairDays, _ decision: AlertYearLife.Decision) throws -> Bool {
        guard let newest = pair.days.elements.last, newest.day < decision.at.day else { return false }
        let judged = try JudgedPairs(from: reader, until: newest.reading.checkedAt, now: end)
        return judged.judgement(of: pair.query, pair.bundleID, since: newest.day - 7)?.isBeyondNoise != true
    }

    private func reason(
        for pair: PairDays, since: Int64, _ same: [ToldEvent], _ decision: AlertYearLife.Decision
    ) -> String? {
        if pair.bundleID == bundle("com.rival.app7") { return "muted" }
        if !same.isEmpty {
            if same.contains(where: { !$0.waiting.isEmpty }) { return "limit" }
            if same.contains(where: { $0.isOver && since <= $0.overOn ?? .max }) {
                return "turned back before, or the way back"
            }
            let storm = AlertEvent.Subject.country(pair.query.country).key
            let isStorm = (bySubject[storm] ?? []).contains { weather in
                weather.key.contains("shuffled") && same.contains { $0.onset == weather.onset }
            }
            if isStorm { return "storm" }
        }
        return isDisturbed[decision.at] == true ? "wrong clock" : nil
    }
}

extension ToldEvent {
    var isOfPair: Bool { [AlertKind.moved, .entered, .left, .drift].contains(kind) }

    var knownIsUp: Bool { way == .up || way == .entered }

    /// Whether it is the way back of a move, and the judgement is about one that went on from there.
    func isPassed(by judgement: MoveJudgement) -> Bool {
        guard isOver, messages.isEmpty, from == nil, let to, case .real(let move) = judgement else { return false }
        func distance(_ place: Position) -> Double { abs(PositionScale.table(place.number) - PositionScale.table(to)) }
        return distance(move.to) > distance(move.from)
    }

    /// Whether it may be what a judgement is about.
    func isOf(_ judgement: MoveJudgement) -> Bool {
        switch judgement {
        case .real(let move): isOfPair && knownIsUp == (move.direction == .up)
        case .entered: isOfPair && knownIsUp
        case .left: isOfPair && !knownIsUp
        case .unconfirmed, .withinNoise, .notJudged: false
        }
    }
}

extension JudgedPairs {
    /// Whether a report of this moment calls the event real.
    fileprivate func confirms(_ event: ToldEvent, _ pair: SimulatedStores.Pair, on day: Int64) -> Bool {
        let app = bundle(pair.app)
        // The first places can be entered and left slowly.
        if event.kind == .drift || event.key.contains("\ttop "), case .real(let slide)? = monthMove(of: pair.query, app)
        {
            return (slide.direction == .up) == event.knownIsUp
        }
        guard let says = judgement(of: pair.query, app, since: day - 7), says.isBeyondNoise,
            let since = says.since
        else { return false }
        return event.isOf(says) && abs(since - event.onset) <= 7
    }
}

extension String {
    /// Without what no reader needs.
    var words: String { replacingOccurrences(of: "\t", with: " ") }
}
