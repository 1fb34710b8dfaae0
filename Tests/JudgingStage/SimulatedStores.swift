import Foundation
package import RankKit
import TestSupport

/// The lists of some queries in some countries, day by day: tracked apps among strangers, all of which wobble, and changes
/// that were put in by hand.
package struct SimulatedStores: Sendable {
    /// A tracked app on a list.
    package struct Pair: Hashable, Sendable {
        package var query: Query
        package var app: String

        package init(query: Query, app: String) {
            self.query = query
            self.app = app
        }
    }

    package let queries: [Query]
    package let mine: [String]
    package let rivals: [String]
    /// How much farther than usual everybody is thrown, by country and day; calm days have no key.
    package private(set) var storms: [Country: [Int: Double]] = [:]
    private var lists: [List] = []
    private var known: [String: SeenApp] = [:]
    private var random: SplitMix

    private struct List: Sendable {
        /// The tracked ones first.
        var names: [String]
        var apps: [SimulatedApp]
        /// Places on a usual day.
        var length: Double
        var wobble = 0.0
    }

    /// What there is to be of it.
    package struct Size: Sendable {
        package var queries = 10
        package var countries = ["us", "gb", "de"]
        package var days: Int
        /// The first day on which something is put in, and the last.
        package var planted: ClosedRange<Int>

        package init(queries: Int = 10, countries: [String] = ["us", "gb", "de"], days: Int, planted: ClosedRange<Int>)
        {
            self.queries = queries
            self.countries = countries
            self.days = days
            self.planted = planted
        }
    }

    /// Three of mine, and seven competitors, on every list.
    package init(_ size: Size, seed: UInt64) {
        var random = SplitMix(seed: seed)
        mine = (1...3).map { "com.mine.app\($0)" }
        rivals = (1...7).map { "com.rival.app\($0)" }
        queries = (0..<size.queries).flatMap { number in size.countries.map { query("timer \(number)", $0) } }
        for code in size.countries {
            guard let country = Country(code: code) else { continue }
            storms[country] = Self.storms(days: size.days, &random)
        }
        for query in queries {
            let long = random.unit() < 0.3 ? 60 + 40 * random.unit() : 100 + 12 * random.unit()
            var list = List(names: mine + rivals, apps: [], length: long.rounded())
            for _ in list.names {
                let storms = (storms[query.country] ?? [:]).keys.filter { size.planted.contains($0) }.sorted()
                list.apps.append(Self.tracked(in: list.length, size.planted, storms, &random))
            }
            for number in 1...130 {
                list.names.append("com.other.app\(number)")
                list.apps.append(SimulatedApp(usual: Double(number) + 0.5, haste: 0.35, &random))
            }
            lists.append(list)
        }
        self.random = random
    }

    /// About one in eighty days; some last two.
    private static func storms(days: Int, _ random: inout SplitMix) -> [Int: Double] {
        var storms: [Int: Double] = [:]
        var day = 30
        while day < days {
            if random.unit() < 0.012 {
                let factor = 3 + 2 * random.unit()
                storms[day] = factor
                if random.unit() < 0.4, day + 1 < days { storms[day + 1] = factor }
                day += 10
            }
            day += 1
        }
        return storms
    }

    private static func tracked(
        in length: Double, _ planted: ClosedRange<Int>, _ storms: [Int], _ random: inout SplitMix
    ) -> SimulatedApp {
        let draw = random.unit()
        var level = 2 + 0.65 * length * pow(random.unit(), 1.3)
        // At the end of the list, where it is absent now and then, or beyond it.
        if draw < 0.03 { level = length + 4 * random.normal() } else if draw < 0.12 { level = SimulatedApp.nowhere }
        var app = SimulatedApp(usual: level, &random)
        var day = planted.lowerBound + Int(random.unit() * Double(planted.count))
        while day <= planted.upperBound, random.unit() < 0.55 {
            if let storm = storms.first(where: { $0 >= day }), random.unit() < 0.1 { day = storm }
            guard let change = change(from: level, on: day, in: length, &random), change.end <= planted.upperBound
            else {
                break
            }
            app.plant(change)
            if change.kind != .passing { level = change.to }
            day = change.end + 80 + Int(random.unit() * 120)
        }
        for (index, change) in app.changes.enumerated() where storms.contains(change.day) {
            app.mark(index)
        }
        return app
    }

    private static func change(
        from level: Double, on day: Int, in length: Double, _ random: inout SplitMix
    ) -> SimulatedApp.Change? {
        func change(_ kind: SimulatedApp.Change.Kind, to: Double, length: Int = 0) -> SimulatedApp.Change {
            SimulatedApp.Change(kind: kind, day: day, from: level, to: to, length: length)
        }
        guard level < length - 12 else {
            return level > length + 40 ? change(.entry, to: 4 + random.unit() * min(50, length - 20)) : nil
        }
        let isUp = level > 12 && random.unit() < 0.5
        let far = isUp ? min(level * 0.45, level - 6) : max(level * 1.7, level + 8)
        switch random.unit() {
        case ..<0.4: return change(.step, to: far)
        case ..<0.5: return change(.small, to: isUp ? level * 0.8 : level * 1.2 + 1)
        case ..<0.65: return change(.drift, to: far, length: 25)
        case ..<0.85: return change(.passing, to: far, length: 5 + Int(random.unit() * 16))
        default: return change(.exit, to: SimulatedApp.nowhere)
        }
    }

    /// The tracked pairs with what was put in by hand.
    package var pairs: [(pair: Pair, app: SimulatedApp)] {
        zip(queries, lists).flatMap { query, list in
            zip(list.names, list.apps).prefix(mine.count + rivals.count).map { (Pair(query: query, app: $0), $1) }
        }
    }

    /// Where each tracked app would stand on each of `days` if nobody wobbled.
    package func settledPlaces(days: Range<Int>) -> [Pair: [Int]] {
        var places: [Pair: [Int]] = [:]
        for (query, list) in zip(queries, lists) {
            let tracked = list.apps.prefix(mine.count + rivals.count)
            let others = list.apps.dropFirst(tracked.count).map(\.usual)
            var (before, settled): ([Double], [Int]) = ([], [])
            for day in days {
                let levels = tracked.map { $0.level(on: day) }
                if levels != before {
                    settled = levels.map { level in
                        1 + others.count { $0 < level } + levels.count { $0 < level }
                    }
                    before = levels
                }
                for (index, place) in settled.enumerated() {
                    places[Pair(query: query, app: list.names[index]), default: []].append(place)
                }
            }
        }
        return places
    }

    /// The lists of a day, in the order of `queries`; days in order.
    package mutating func answers(on day: Int) -> [ResultList] {
        lists.indices.map { index in
            let storm = storms[queries[index].country]?[day] ?? 1
            var places: [(place: Double, name: Int)] = []
            places.reserveCapacity(lists[index].apps.count)
            for app in lists[index].apps.indices {
                places.append((lists[index].apps[app].place(on: day, storm: storm, &random), app))
            }
            places.sort { $0.place < $1.place }
            if random.unit() < 0.5 { lists[index].wobble = (2 * random.normal()).rounded() }
            let length = max(20, Int(lists[index].length + lists[index].wobble))
            return ResultList(places: places.prefix(length).map { seen(lists[index].names[$0.name]) })
        }
    }

    private mutating func seen(_ name: String) -> SeenApp {
        if let seen = known[name] { return seen }
        let made = list([name]).places[0] ?? SeenApp(id: AppID(1), bundleID: bundle(name))
        known[name] = made
        return made
    }

    /// The plan: each query once a day, and who competes with whom.
    package var watchlist: Watchlist {
        var plan = TestSupport.watchlist(
            queries.map { ($0, mine + rivals) }, every: Timestamp.secondsPerDay, competitors: Set(rivals))
        for index in mine.indices {
            plan.apps[index].alias = "mine\(index + 1)"
            plan.apps[index].competitors = [bundle(rivals[2 * index]), bundle(rivals[2 * index + 1])]
        }
        plan.timeZone = "UTC"
        return plan
    }
}
