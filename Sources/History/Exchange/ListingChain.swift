/// What a column of a listing held, one value after the other.
struct ListingChain: Equatable {
    struct Value: Equatable {
        let since: Int64
        /// `nil` where it is not known, as where the text is empty.
        let text: String?
    }

    /// What it held when the listing was first seen.
    let first: String?
    /// In order of time.
    let later: [Value]

    /// - Parameter changes: when it changed, and what it held until then; in order of time.
    init(_ changes: [(at: Int64, was: String?)], now: String?) {
        let texts = (changes.map(\.was) + [now]).map { $0 == "" ? nil : $0 }
        first = texts[0]
        later = zip(changes, texts.dropFirst()).map { Value(since: $0.at, text: $1) }
    }

    private init(first: String?, later: [Value]) {
        self.first = first
        self.later = later
    }

    var now: String? { later.last.map(\.text) ?? first }

    /// What was known of it last at one moment after the other.
    private struct Walk {
        private let later: [Value]
        private var next = 0
        private var known: String?

        init(_ chain: ListingChain) {
            later = chain.later
            known = chain.first
        }

        /// - Parameter moment: no earlier than that of the call before.
        mutating func text(at moment: Int64) -> String? {
            while next < later.count, later[next].since <= moment {
                known = later[next].text ?? known
                next += 1
            }
            return known
        }
    }

    /// The stretches of time in which two chains differ, ends included: in order of time, with something between any two.
    func differences(from other: ListingChain) -> [ClosedRange<Int64>] {
        var (own, others) = (Walk(self), Walk(other))
        let starts = Set((later + other.later).map(\.since)).union([.min]).sorted()
        var found: [ClosedRange<Int64>] = []
        for (index, start) in starts.enumerated() where own.text(at: start) != others.text(at: start) {
            let end = index + 1 < starts.count ? starts[index + 1] - 1 : .max
            if let last = found.last, last.upperBound + 1 == start {
                found[found.count - 1] = last.lowerBound...end
            } else {
                found.append(start...end)
            }
        }
        return found
    }

    /// Both in one. A value begins where a check of either first shows it after another one.
    ///
    /// - Parameters:
    ///   - times: of checks that showed the listing, at least those within the `differences`; in any order.
    ///   - firstSeen: when the app was first seen, where no such check tells of the first value.
    static func merged(
        _ one: ListingChain, _ other: ListingChain, times: (one: [Int64], other: [Int64]),
        firstSeen: (one: Int64, other: Int64)
    ) -> ListingChain {
        let sights =
            (one.sights(times.one, firstSeen: firstSeen.one) + other.sights(times.other, firstSeen: firstSeen.other))
            .sorted { $0.since < $1.since }
        var first: String? = one.first
        var isFirstKnown = one.first == other.first
        var later: [Value] = []
        var rest = sights[...]
        while let moment = rest.first?.since {
            // Of several values of one second the same one counts in whichever of the two they are brought together.
            var text: String?
            while let sight = rest.first, sight.since == moment {
                if let told = sight.text { text = max(text ?? told, told) }
                rest.removeFirst()
            }
            guard isFirstKnown else {
                first = text
                isFirstKnown = true
                continue
            }
            let last = later.last.map(\.text) ?? first
            if let text, text != last { later.append(Value(since: moment, text: text)) }
        }
        return ListingChain(first: first, later: later)
    }

    /// In order of time.
    private func sights(_ times: [Int64], firstSeen: Int64) -> [Value] {
        var times = Set(times).union(later.map(\.since)).sorted()
        let firstChange = later.first?.since ?? .max
        if times.first ?? .max >= firstChange, firstSeen < firstChange { times.insert(firstSeen, at: 0) }
        var walk = Walk(self)
        return times.map { Value(since: $0, text: walk.text(at: $0)) }
    }
}
