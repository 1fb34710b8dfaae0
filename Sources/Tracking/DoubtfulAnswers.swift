import RankKit

/// The answers of one pass whose lists are not believed by themselves, and what the others say about them.
struct DoubtfulAnswers {
    /// They wait to be asked again.
    private(set) var checks: [Check] = []
    /// Those of them that are shorter than half of what is usual, by country.
    private var collapsed: [Country: Int] = [:]
    /// Lists of new queries, and the empty ones of those.
    private var (new, emptyNew) = (0, 0)
    /// Lists that came whole, by country.
    private var whole: [Country: Int] = [:]

    /// Takes up a check, with what was made of it; `nil` if nothing could be.
    ///
    /// - Returns: whether it is doubtful.
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
        checks.append(check)
        return true
    }

    /// Whether the pass was a bad day of the store.
    ///
    /// - Parameter answered: how many of its lists are believed.
    func areOfBadDay(whole answered: Int) -> Bool {
        Belief.isBadDay(
            collapsed: collapsed.values.reduce(0, +), answered: answered + checks.count, new: new, emptyNew: emptyNew)
    }

    /// Whether `second`, the answer to a question that was asked again, is short as the first was while enough other
    /// lists of the country came whole, and less than a third as many collapsed.
    func isSupported(_ second: ResultList, after first: Check) -> Bool {
        guard case .answered(let list) = first.outcome else { return false }
        let country = first.query.country
        let whole = whole[country, default: 0]
        return Belief.areAlikeAndShort(list.count, second.count) && whole >= Belief.supportingLists
            && collapsed[country, default: 0] * 3 < whole
    }
}
