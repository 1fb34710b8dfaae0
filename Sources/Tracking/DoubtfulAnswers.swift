import RankKit

/// The answers of one pass whose lists are not believed by themselves, and what the others say about them.
///
/// They wait until all others have had their turn, so each is kept in little memory: of its list, who held which place.
/// Whole answers would be hundreds of megabytes on a day on which many lists collapse.
struct DoubtfulAnswers {
    /// One that waits to be asked again.
    struct Entry {
        let query: Query
        let at: Timestamp
        fileprivate let count: Int
        fileprivate let list: PackedList

        /// The check, without the names and prices of its apps: they are read again when the apps are seen next.
        var check: Check { Check(query: query, at: at, outcome: .answered(list.list)) }
    }

    /// They wait to be asked again.
    private(set) var entries: [Entry] = []
    /// All that are doubtful, whether they wait or not.
    private var doubtful = 0
    /// Those of them that are shorter than half of what is usual, by country.
    private var collapsed: [Country: Int] = [:]
    /// Lists of new queries, and the empty ones of those.
    private var (new, emptyNew) = (0, 0)
    /// Lists that came whole, by country.
    private var whole: [Country: Int] = [:]
    /// What all lists that wait take.
    private(set) var bytes = 0
    private let mostBytes: Int

    /// - Parameter mostBytes: what the lists that wait may take together.
    init(mostBytes: Int = WaitingChecks.mostBytes) { self.mostBytes = mostBytes }

    /// Takes up a check, with what was made of it; `nil` if nothing could be.
    ///
    /// - Returns: whether it is doubtful and waits. One for which there is no room left does not: it is recorded as it is.
    mutating func take(_ check: Check, _ judgement: (verdict: Belief.Verdict, isNew: Bool)?) -> Bool {
        guard let judgement, case .answered(let list) = check.outcome else { return false }
        if judgement.isNew {
            new += 1
            if list.count == 0 { emptyNew += 1 }
        }
        switch judgement.verdict {
        case .accepted, .believed:
            if list.count >= Belief.fewestPlaces { whole[check.query.country, default: 0] += 1 }
            return false
        case .collapsed: collapsed[check.query.country, default: 0] += 1
        case .unsupported: break
        }
        doubtful += 1
        let entry = Entry(query: check.query, at: check.at, count: list.count, list: PackedList(list))
        guard bytes + entry.list.bytes.count <= mostBytes else { return false }
        bytes += entry.list.bytes.count
        entries.append(entry)
        return true
    }

    /// Whether the pass was a bad day of the store.
    ///
    /// - Parameter answered: how many of its lists are believed.
    func areOfBadDay(whole answered: Int) -> Bool {
        Belief.isBadDay(
            collapsed: collapsed.values.reduce(0, +), answered: answered + doubtful, new: new, emptyNew: emptyNew)
    }

    /// Whether `second`, the answer to a question that was asked again, is short as the first was while enough other
    /// lists of the country came whole, and less than a third as many collapsed.
    func isSupported(_ second: ResultList, after first: Entry) -> Bool {
        let country = first.query.country
        let whole = whole[country, default: 0]
        return Belief.areAlikeAndShort(first.count, second.count) && whole >= Belief.supportingLists
            && collapsed[country, default: 0] * 3 < whole
    }
}
