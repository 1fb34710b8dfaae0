import History
import RankKit

/// Entries that the history cannot take for now, oldest first, in little memory: of each list, who held which place.
/// `Recorder` decides when they wait and when they are tried again.
struct WaitingEntries: Sendable {
    /// As many answers as an hour brings at the default pace, and a little more.
    static let most = 1_000
    /// The most that all lists together may take, in bytes: a bound for lists of unusual length.
    static let mostBytes = 32 << 20
    /// So many of what is no answer: ends of passes, requests that were turned away.
    static let mostOthers = 200

    private enum Element {
        /// The list of the answer is kept apart, and packed.
        case answer(SearchAnswer, PackedList?)
        case other(Entry)

        init(_ entry: Entry) {
            guard case .answer(var answer) = entry, answer.check != nil else {
                self = .other(entry)
                return
            }
            guard case .list(let list) = answer.reply else {
                self = .answer(answer, nil)
                return
            }
            answer.reply = .list(ResultList(places: []))
            self = .answer(answer, PackedList(list))
        }

        var entry: Entry {
            switch self {
            case .other(let entry): return entry
            case .answer(var answer, let packed):
                if let packed { answer.reply = .list(packed.list) }
                return .answer(answer)
            }
        }

        var isAnswer: Bool { if case .answer = self { true } else { false } }

        var bytes: Int {
            guard case .answer(let answer, let packed) = self else { return 0 }
            if case .failed(let failure) = answer.reply { return failure.detail.utf8.count }
            return packed?.bytes.count ?? 0
        }
    }

    private var elements: [Element] = []
    /// What all lists together take.
    private(set) var bytes = 0
    /// How many answers wait.
    private(set) var count = 0
    /// The passes whose ends wait.
    private var ends: Set<PassID> = []
    /// How many of the oldest had to give way.
    private(set) var dropped = 0

    /// How many checks will come of what waits: of a question and its second asking, one.
    var checks: Int {
        var firsts: [PassID: Set<Query>] = [:]
        return elements.count { element in
            guard case .answer(let answer, _) = element else { return false }
            switch answer.asking {
            case .alone: return true
            case .first(let pass): return firsts[pass, default: []].insert(answer.query).inserted
            case .second(let pass): return firsts[pass]?.contains(answer.query) != true
            }
        }
    }

    /// The oldest. The names and prices of a list's apps are gone: they are read again when the apps are seen next.
    var first: Entry? { elements.first?.entry }

    /// Whether the end of a pass waits.
    func hasEnd(of pass: PassID) -> Bool { ends.contains(pass) }

    mutating func add(_ entry: Entry) {
        if case .pass(.ended(let pass, _, _)) = entry { ends.insert(pass) }
        let element = Element(entry)
        elements.append(element)
        bytes += element.bytes
        guard element.isAnswer else {
            if elements.count - count > Self.mostOthers, let oldest = elements.firstIndex(where: { !$0.isAnswer }) {
                remove(at: oldest)
            }
            return
        }
        count += 1
        while count > Self.most || (bytes > Self.mostBytes && count > 1),
            let oldest = elements.firstIndex(where: \.isAnswer)
        {
            remove(at: oldest)
            dropped += 1
        }
    }

    mutating func removeFirst() { remove(at: 0) }

    private mutating func remove(at index: Int) {
        let element = elements.remove(at: index)
        bytes -= element.bytes
        if element.isAnswer { count -= 1 }
        if case .other(.pass(.ended(let pass, _, _))) = element { ends.remove(pass) }
    }

    /// `stored` with what waits added to it. As among stored checks, a failure that is later than `now` is left out,
    /// and so is any other check that is later than its query's slot: both are from before the clock was set back.
    ///
    /// - Parameter slotEnds: when each query's slot at `now` ends; of a query that is not there, what is later than
    ///   `now` is left out.
    func added(
        to stored: [Query: Attempts], asOf now: Timestamp, slotEnds: [Query: Timestamp] = [:]
    ) -> [Query: Attempts] {
        var attempts = stored
        for case .answer(let answer, let list) in elements {
            let (query, isGood) = (answer.query, list != nil)
            guard answer.at < (isGood ? slotEnds[query] ?? now + 1 : now + 1) else { continue }
            attempts[query] = (attempts[query] ?? Attempts()).adding(good: isGood, at: answer.at)
        }
        return attempts
    }
}
