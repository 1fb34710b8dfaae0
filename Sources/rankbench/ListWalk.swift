import History

/// Result lists of one query that change from hour to hour as the charts of `SeriesBenchmark` do from day to day: of
/// 100 places 50 move a day, by 6.6 on average, and 5.2 are lost to others, mostly near the end; four of five that come
/// have been there before.
struct ListWalk {
    static let places = 200
    /// So many apps are in all lists together.
    static let apps: Int64 = 40_000

    private static let movesAnHour = Double(places) * 0.497 / 24
    private static let entriesAnHour = Double(places) * 0.052 / 24
    private static let meanDistance = 6.6
    private static let meanDepth = 8.0
    private static let returning = 0.82

    private var state: UInt64
    private(set) var list: [Int64] = []
    private var gone: [Int64] = []

    init(seed: UInt64) {
        // Not a multiple of what each draw adds, or all walks would make the same draws one after the other.
        state = seed &* 0xD134_2543_DE82_EF95
        while list.count < Self.places { list.append(newcomer()) }
    }

    /// The list an hour later.
    mutating func next() -> [Int64] {
        for _ in 0..<count(mean: Self.movesAnHour) {
            let place = Int(uniform() * Double(list.count))
            let distance = (1 + count(mean: Self.meanDistance - 1)) * (uniform() < 0.5 ? 1 : -1)
            let app = list.remove(at: place)
            list.insert(app, at: min(list.count, max(0, place + distance)))
        }
        for _ in 0..<count(mean: Self.entriesAnHour) {
            let place = max(0, list.count - 1 - count(mean: Self.meanDepth))
            let app = !gone.isEmpty && uniform() < Self.returning ? returned() : newcomer()
            list.insert(app, at: place)
            gone.append(list.removeLast())
        }
        return list
    }

    private mutating func returned() -> Int64 { gone.remove(at: gone.count - 1 - min(gone.count - 1, count(mean: 8))) }

    /// Few apps are in many lists, and many in few.
    private mutating func newcomer() -> Int64 {
        while true {
            let one = uniform()
            let app = 1 + Int64(one * one * Double(Self.apps - 1))
            if !list.contains(app), !gone.contains(app) { return app }
        }
    }

    /// SplitMix64.
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }

    /// From 0, geometrically distributed.
    private mutating func count(mean: Double) -> Int {
        var count = 0
        while uniform() < mean / (1 + mean) { count += 1 }
        return count
    }
}
