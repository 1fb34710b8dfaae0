import RankKit
import TestSupport

/// What happens in a simulated year beside the places of tracked apps: strangers that come to stay, versions, prices,
/// names, and backups that fail. No place of a tracked app changes by it.
struct AlertYearNews {
    /// A stranger that takes another one's place for good.
    struct Arrival: Hashable {
        var query: Query
        var day: Int
        var name: String
    }

    /// Something that the store says of an app from a day on.
    struct Change: Hashable {
        enum What: String, CaseIterable { case release, price, name }

        var what: What
        var app: String
        var day: Int
        /// As the store says it.
        var value: String
    }

    private(set) var arrivals: [Arrival] = []
    private(set) var changes: [Change] = []
    /// Days on which no backup succeeds.
    private(set) var failing: [ClosedRange<Int>] = []
    /// By the query and the stranger who makes room.
    private var rooms: [Query: [BundleID: Arrival]] = [:]
    private var known: [BundleID: [AppDetails: SeenApp]] = [:]

    /// - Parameter planted: the days on which something may begin.
    init(_ stores: (queries: [Query], tracked: [String]), planted: ClosedRange<Int>, seed: UInt64) {
        var random = SplitMix(seed: seed ^ 0x6e_65_77_73)
        for day in planted {
            if random.unit() < 0.15 {
                let query = stores.queries[Int(random.unit() * Double(stores.queries.count)) % stores.queries.count]
                let room = bundle("com.other.app\(1 + Int(random.unit() * 3))")
                if rooms[query]?[room] == nil {
                    let arrival = Arrival(query: query, day: day, name: "com.fresh.day\(day)")
                    rooms[query, default: [:]][room] = arrival
                    arrivals.append(arrival)
                }
            }
            if random.unit() < 0.06, failing.last.map({ $0.upperBound + 15 < day }) ?? true {
                failing.append(day...day + 2 + Int(random.unit() * 4))
            }
        }
        for app in stores.tracked {
            for (what, wait) in [(Change.What.release, 40.0), (.price, 90), (.name, 120)] {
                var (day, count) = (planted.lowerBound + Int(random.unit() * wait), 0)
                while planted.contains(day) {
                    count += 1
                    changes.append(Change(what: what, app: app, day: day, value: Self.value(of: what, app, count)))
                    // What changes back within a month may be two servers that take turns.
                    day += 35 + Int(random.unit() * wait)
                }
            }
        }
    }

    private static func value(of what: Change.What, _ app: String, _ count: Int) -> String {
        switch what {
        case .release: "1.\(count)"
        case .price: "\(count).99"
        case .name: "\(app) \(count)"
        }
    }

    /// The lists of a day, as the store then shows them.
    mutating func dressed(_ lists: [ResultList], of queries: [Query], on day: Int) -> [ResultList] {
        var details: [BundleID: AppDetails] = [:]
        for change in changes {
            let app = bundle(change.app)
            var now = details[app] ?? AppDetails(name: change.app, version: "1.0", price: 0, currency: "USD")
            if change.day <= day {
                switch change.what {
                case .release: now.version = change.value
                case .price: now.price = Double(change.value)
                case .name: now.name = change.value
                }
            }
            details[app] = now
        }
        return zip(queries, lists).map { query, list in
            let rooms = rooms[query]?.filter { $0.value.day <= day } ?? [:]
            return ResultList(
                places: list.places.map { seen in
                    guard let seen else { return nil }
                    if let arrival = rooms[seen.bundleID] {
                        return dressed(bundle(arrival.name), AppDetails(name: arrival.name))
                    }
                    return details[seen.bundleID].map { dressed(seen.bundleID, $0) } ?? seen
                })
        }
    }

    private mutating func dressed(_ app: BundleID, _ details: AppDetails) -> SeenApp? {
        if let seen = known[app]?[details] { return seen }
        let seen = list([app.text]) { _ in details }.places[0]
        known[app, default: [:]][details] = seen
        return seen
    }
}
