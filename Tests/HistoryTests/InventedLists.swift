import History
import RankKit
import TestSupport

/// LEB128 that are the same for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Sequences of lists in which everything occurs that a list may be: apps that move, enter, leave and come back,
/// duplicates, unreadable places, lists that are empty or collapse, suspect checks, and clocks that stand still.
func inventedLists(seed: UInt64, count: Int, length: Int) -> [StoredList] {
    var dice = Dice(seed)
    var places = (0..<length).map { _ in DenseID?(DenseID(.random(in: 1...3_000, using: &dice))) }
    var check = Int64.random(in: 1...100_000, using: &dice)
    var at = time("2026-01-01T00:00:00Z")
    return (0..<count).map { _ in
        for _ in 0..<Int.random(in: 0...6, using: &dice) where !places.isEmpty {
            let app = places.remove(at: .random(in: 0..<places.count, using: &dice))
            places.insert(app, at: .random(in: 0...places.count, using: &dice))
        }
        if dice.next() % 3 == 0 {
            if !places.isEmpty { places.removeLast() }
            places.insert(
                DenseID(.random(in: 1...3_000, using: &dice)), at: .random(in: 0...places.count, using: &dice))
        }
        if dice.next() % 9 == 0 { places.insert(nil, at: .random(in: 0...places.count, using: &dice)) }
        if dice.next() % 9 == 0, let app = places.first { places.append(app) }
        check += .random(in: 1...900, using: &dice)
        at = at + .random(in: 0...7_200, using: &dice)
        let fate = dice.next() % 20
        let shown = fate == 0 ? [] : fate == 1 ? Array(places.prefix(places.count / 3)) : places
        return StoredList(
            head: .init(checkID: check, at: at, outcome: fate < 2 ? .suspect : .good), places: shown)
    }
}
