import AppStoreSimulator
import RankKit
import Testing

@Suite struct RankMovementTests {
    private static let store = SyntheticStore(seed: 3)
    private static let terms = [
        "habit tracker", "weather", "budget", "sleep", "chess", "photo editor", "recipe", "vpn", "guitar tuner",
        "to do list",
    ]
    private let us = Country(code: "us")!

    private func positions(_ term: String, _ moment: Timestamp, _ platform: Platform = .iphone) -> [BundleID: Int] {
        let ranking = Self.store.ranking(term, country: us, platform: platform, at: moment)
        return Dictionary(uniqueKeysWithValues: ranking.enumerated().map { ($0.element.bundleID, $0.offset + 1) })
    }

    private func moves(after seconds: Int64, upTo place: Int = 200) -> [Int] {
        Self.terms.flatMap { term in
            (0..<20 as Range<Int64>).flatMap { day in
                let moment = noon + day * Timestamp.secondsPerDay
                let (before, after) = (positions(term, moment), positions(term, moment + seconds))
                return before.compactMap { app, old in old <= place ? after[app].map { abs($0 - old) } : nil }
            }
        }
    }

    @Test func `from day to day about half of the places differ, by 4 in the median, with a long tail`() throws {
        let moves = moves(after: Timestamp.secondsPerDay)
        let moved = moves.filter { $0 > 0 }.sorted()
        let share = Double(moved.count) / Double(moves.count)
        #expect((0.3...0.6).contains(share), "\(share)")
        let median = moved[moved.count / 2]
        #expect((2...6).contains(median), "\(median)")
        #expect((12...60).contains(try #require(moved.last)), "\(moved.last ?? 0)")
    }

    @Test func `the top places move less than the rest`() {
        let top = moves(after: Timestamp.secondsPerDay, upTo: 5)
        let all = moves(after: Timestamp.secondsPerDay)
        func mean(_ moves: [Int]) -> Double { Double(moves.reduce(0, +)) / Double(moves.count) }
        #expect(mean(top) < mean(all) / 2)
        #expect(top.contains { $0 > 0 })
    }

    @Test func `within an hour hardly anything moves`() {
        let moves = moves(after: 3_600)
        #expect(Double(moves.count { $0 > 0 }) / Double(moves.count) < 0.08)
    }

    @Test func `apps enter and leave over weeks`() {
        let term = Self.terms.first { positions($0, noon).count < 195 } ?? "weather"
        let (before, after) = (positions(term, noon), positions(term, noon + 21 * Timestamp.secondsPerDay))
        let stayed = before.keys.count { after[$0] != nil }
        #expect(stayed < before.count)
        #expect(stayed > before.count * 3 / 4)
    }

    @Test func `the iPad's list is often the iPhone's, sometimes nearly, and the Mac's is another`() {
        let equal = Self.terms.count { positions($0, noon) == positions($0, noon, .ipad) }
        #expect((3...9).contains(equal))
        for term in Self.terms {
            let (phone, tablet) = (positions(term, noon), positions(term, noon, .ipad))
            #expect(Set(phone.keys).intersection(tablet.keys).count >= phone.count * 8 / 10)
            #expect(positions(term, noon, .mac) != phone)
        }
    }
}

@Suite struct PlantedAppTests {
    private let us = Country(code: "us")!
    private let start = noon
    private let bundleID = BundleID("com.demo.habits")!

    private func store(_ place: PlantedPlace) -> SyntheticStore {
        let app = PlantedApp(bundleID: bundleID, name: "Demo", developer: "Me", places: ["Habit  Tracker": place])
        return SyntheticStore(seed: 11, planted: [app], options: .init(appCount: 800))
    }

    private func position(in store: SyntheticStore, at moment: Timestamp) -> Int? {
        store.ranking("habit tracker", country: us, platform: .iphone, at: moment)
            .firstIndex { $0.bundleID == bundleID }.map { $0 + 1 }
    }

    @Test func `a steady app stays near its place`() throws {
        let store = store(.steady(12))
        for day in 0..<20 as Range<Int64> {
            let found = try #require(position(in: store, at: start + day * Timestamp.secondsPerDay))
            #expect((5...22).contains(found))
        }
    }

    @Test func `an app can rise, and leave`() throws {
        let later = start + 30 * Timestamp.secondsPerDay
        let rising = PlantedPlace.moving(from: 60, at: start, to: [later: 3])
        let (first, last) = (
            try #require(position(in: store(rising), at: start)), try #require(position(in: store(rising), at: later))
        )
        #expect(first > 35 && last < 8)
        let leaving = PlantedPlace.moving(from: 10, at: start, to: [start + Timestamp.secondsPerDay: 500])
        #expect(position(in: store(leaving), at: start) != nil)
        #expect(position(in: store(leaving), at: later) == nil)
    }

    @Test func `a planted app is looked up by name and found for its own queries alone`() throws {
        let app = PlantedApp(
            bundleID: bundleID, name: "Weather Demo", developer: "Me", places: ["chess": .steady(1)])
        let store = SyntheticStore(seed: 11, planted: [app])
        let found = try #require(store.app(forBundleID: BundleID("COM.demo.habits")!))
        #expect(found.name == "Weather Demo" && found.developer == "Me" && found.trackID > 1 << 31)
        let weather = store.ranking("weather", country: us, platform: .iphone, at: noon)
        #expect(!weather.contains { $0.bundleID == bundleID })
        let mac = store.ranking("chess", country: us, platform: .mac, at: noon)
        #expect(!mac.contains { $0.bundleID == bundleID })
    }
}
