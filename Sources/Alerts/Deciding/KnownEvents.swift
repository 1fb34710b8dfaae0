/// What was decided of a subject, and what of it is of the decision that is being made.
struct KnownEvents {
    /// What was remembered last comes last.
    private(set) var all: [ToldEvent]
    /// So many at the end are of this decision.
    private var newCount = 0

    init(_ earlier: [ToldEvent] = []) { all = earlier }

    /// What is of this decision.
    var new: ArraySlice<ToldEvent> { all.suffix(newCount) }

    /// Puts it at the end, in place of what was known of the event.
    mutating func remember(_ told: ToldEvent) {
        let earlierCount = all.count - newCount
        if let same = all.firstIndex(where: { $0.hasIdentity(of: told) }) {
            all.remove(at: same)
            if same >= earlierCount { newCount -= 1 }
        }
        all.append(told)
        newCount += 1
    }
}
