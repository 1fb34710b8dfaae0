import Foundation
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct ResultPageTests {
    private func heads(_ count: Int) -> [StoredList.Head] {
        (0..<count).map {
            .init(checkID: Int64($0 + 1), at: time("2026-11-01T00:00:00Z") + Int64($0) * 3_600, outcome: .good)
        }
    }

    private func lists(_ places: [[Int64?]]) -> [StoredList] {
        zip(heads(places.count), places).map { head, places in
            StoredList(head: head, places: places.map { $0.map(DenseID.init) })
        }
    }

    private func page(_ lists: [StoredList]) throws -> ResultPage {
        try ResultPage(#require(ResultPage.encode(lists)))
    }

    /// The bytes are those of the first release that had pages, and never change.
    @Test func `a page that was once written can be read for ever`() throws {
        let raw = lists([[7, nil, 3, 3], [3, 7, 900, 1], [], [1, 2, 7]])
        #expect(try ResultPage([UInt8](#require(Data(base64Encoded: Self.rawPage)))).lists() == raw)
        let turns: [[Int64?]] = (0..<48 as Range<Int64>).map { turn in
            (0..<60 as Range<Int64>).map { place in (place * 7 + turn / 3) % 61 + 1 }
        }
        let deflated = lists(turns)
        #expect(try ResultPage([UInt8](#require(Data(base64Encoded: Self.deflatedPage)))).lists() == deflated)
    }

    private static let rawPage =
        "AQB3QzB1RQQLCAUKAQkKBAoAAA4NBoIOhQ4CAgIAAACAhLSuDaA4AAAABAAAAAEAAAEABgACAQIEAQEBAQAEAwADDw"
        + "8PDwEeDw8PDw=="
    private static let deflatedPage =
        "AQFg/FjVnwwyOCBma2jG6G1vcIj5O9N3JiY+KMjGycAtw8TEQBpoaNmyjneBBYm6DEhUjwqkTYV0OJVtpUwEtTmUbA"
        + "BiYGBglCIf2zAwSJGC+CkAOH00KkNHGYBwyowCWgLAlEfBQAAA"

    @Test(
        arguments: [
            [[]], [[], [], []], [[nil]], [[1], []], [[], [1]], [[1, 2, 3], [3, 2, 1]], [[1, 2, 3], [1, 2, 3]],
            [[1, 1, 1], [1, 1], [2, 1, 2, 1]], [[nil, 5, nil], [5, nil], [nil, nil, nil, 5]],
            [[1, 2, 3, 4, 5], [2, 3, 4, 5, 1], [1, 2, 3, 4, 5], [5, 1, 2, 3, 4], [9, 1, 2, 3, 4]],
            [[1], [2], [1], [2], [3], [1]], [Array(1...1_000), Array((1...1_000).reversed()), []],
            [[.max, 1, .max - 1]],
        ] as [[[Int64?]]])
    func `lists survive the round trip exactly`(places: [[Int64?]]) throws {
        let lists = lists(places)
        #expect(try page(lists).lists() == lists)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `whatever a sequence of lists holds survives the round trip exactly`(seed: UInt64) throws {
        let lists = inventedLists(seed: seed, count: 1 + Int(seed) * 7, length: Int(seed * 11 % 230))
        let page = try page(lists)
        #expect(try page.lists() == lists)
        #expect(page.heads == lists.map(\.head))
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `each list of a page is found by itself`(seed: UInt64) throws {
        let lists = inventedLists(seed: seed, count: 30, length: Int(seed * 11))
        let page = try page(lists)
        for (index, list) in lists.enumerated() { #expect(try page.list(at: index) == list) }
    }

    @Test func `times and checks of any size and order survive`() throws {
        let numbers: [Int64] = [.min, .max, 0, -1, .max, .min, 3]
        let lists = numbers.map { number in
            StoredList(
                head: .init(checkID: number, at: Timestamp(secondsSinceEpoch: ~number), outcome: .suspect), places: [])
        }
        #expect(try page(lists).lists() == lists)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `an app's places are those in the lists`(seed: UInt64) throws {
        let lists = inventedLists(seed: seed, count: 120, length: 40)
        let page = try page(lists)
        let seen = Set(lists.flatMap { $0.places.compactMap { $0 } })
        var dice = Dice(seed)
        for app in seen.shuffled(using: &dice).prefix(20).map({ Set([$0]) }) + [[DenseID(9_999)], Set(seen.prefix(3))] {
            var places: [StoredPlace] = []
            try page.forEachPlace(of: app) { places.append($0) }
            #expect(places == lists.map { $0.place(of: app) })
            #expect(page.mentions(app) == !app.isDisjoint(with: seen))
        }
    }

    @Test func `a reader may stop anywhere`() throws {
        let lists = lists([[1], [2], [3]])
        var seen: [StoredList] = []
        try page(lists).forEach {
            seen.append($0)
            return seen.count < 2
        }
        #expect(seen == Array(lists.prefix(2)))
    }

    @Test func `what no page can hold is refused`() {
        #expect(ResultPage.encode([]) == nil)
        #expect(ResultPage.encode(lists([[0]])) == nil)
        #expect(ResultPage.encode(lists([[-1]])) == nil)
        #expect(ResultPage.encode(lists(Array(repeating: [], count: 4_097))) == nil)
    }

    @Test func `a page may be deflated or not`() throws {
        let lists = inventedLists(seed: 1, count: 300, length: 100)
        let deflated = try #require(ResultPage.encode(lists))
        let raw = try #require(ResultPage.encode(lists, deflates: false))
        #expect([deflated[1], raw[1]] == [ResultPage.deflated, ResultPage.raw])
        #expect(deflated.count < raw.count)
        #expect(try ResultPage(raw).lists() == lists)
    }

    @Test func `the form of version 1 never changes`() throws {
        let lists = lists([[7, nil, 300, 7], [300, 7, 8], [300, 7, 8], [7, 300]])
        #expect(ResultPage.encode(lists, deflates: false) == Self.versionOne)
        #expect(try ResultPage(Self.versionOne).lists() == lists)
        #expect(try ResultPage(Self.deflatedVersionOne).lists() == lists)
    }

    private static let versionOne: [UInt8] = [
        1, 0, 97, 228, 24, 223, 57, 4, 12, 6, 5, 10, 1, 5, 7, 4, 7, 0, 0, 14, 13, 216, 4, 199, 4, 2, 2, 0, 0, 0,
        128, 132, 180, 174, 13, 160, 56, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 2, 1, 2, 0, 1, 1, 4, 2, 0, 1, 15, 15, 15, 15,
        1, 30, 1,
    ]

    private static let deflatedVersionOne: [UInt8] = [
        1, 1, 10, 191, 28, 127, 57, 99, 225, 97, 99, 229, 98, 100, 101, 103, 97, 103, 96, 224, 227, 189, 193, 114,
        156, 133, 137, 137, 129, 129, 161, 161, 101, 203, 58, 222, 5, 22, 64, 22, 11, 16, 51, 51, 48, 48, 49, 50,
        49, 48, 50, 178, 0, 9, 126, 32, 96, 148, 99, 4, 0,
    ]

    @Test(arguments: [false, true])
    func `any flipped bit and any cut is noticed`(isLarge: Bool) throws {
        let lists = inventedLists(seed: 3, count: isLarge ? 150 : 3, length: isLarge ? 60 : 4)
        let bytes = try #require(ResultPage.encode(lists, deflates: isLarge))
        for bit in 0..<min(bytes.count * 8, 20_000) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: DamagedBytes.self) { try ResultPage(damaged) }
        }
        for length in 0..<bytes.count {
            #expect(throws: DamagedBytes.self) { try ResultPage(Array(bytes.prefix(length))) }
        }
        #expect(throws: DamagedBytes.self) { try ResultPage(bytes + [0]) }
    }

    /// With a checksum that fits, so that what lies behind it is tried as well.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `bytes that were made to look like a page do no harm`(seed: UInt64) throws {
        var dice = Dice(seed)
        let isRaw = seed % 2 == 0
        let bytes = try #require(
            ResultPage.encode(inventedLists(seed: seed, count: 60, length: 30), deflates: !isRaw))
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                damaged[.random(in: ResultPage.prefix..<damaged.count, using: &dice)] = UInt8(
                    truncatingIfNeeded: dice.next())
            }
            if dice.next() % 4 == 0 {
                damaged = Array(damaged.prefix(.random(in: ResultPage.prefix + 1...damaged.count, using: &dice)))
            }
            let sum = ResultPage.checksum(damaged)
            for index in 0..<4 { damaged[2 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            do {
                let page = try ResultPage(damaged)
                let lists = try page.lists()
                #expect(lists.reduce(0) { $0 + $1.places.count } == page.placeCount)
                try page.forEachPlace(of: [DenseID(1)]) { _ in }
            } catch is DamagedBytes {}
        }
    }
}
