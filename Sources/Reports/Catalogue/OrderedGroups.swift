extension Sequence {
    /// The elements with the same key together, the groups in the order of their first ones.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        var turns: [Key: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            let turn = turns[key(element), default: groups.count]
            if turn == groups.count {
                turns[key(element)] = turn
                groups.append([])
            }
            groups[turn].append(element)
        }
        return groups
    }
}
