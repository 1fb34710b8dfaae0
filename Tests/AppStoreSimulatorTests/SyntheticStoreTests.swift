import AppStoreSimulator
import Foundation
import NIOCore
import RankKit
import Testing

@Suite struct SyntheticStoreTests {
    private static let store = SyntheticStore(seed: 7)
    private let us = Country(code: "us")!

    private func search(_ term: String, _ more: [String: String] = [:]) -> ReceivedRequest {
        ReceivedRequest(.search, ["term": term, "country": "us", "limit": "200"].merging(more) { $1 })
    }

    private func entries(_ answer: StoreAnswer) throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any]
        let results = try #require(json?["results"] as? [[String: Any]])
        #expect(json?["resultCount"] as? Int == results.count)
        return results
    }

    @Test func `the same seed, time and request give the same bytes`() {
        let other = SyntheticStore(seed: 7)
        for term in ["habit tracker", "weather", "피트니스"] {
            let answer = Self.store.answer(search(term), at: noon)
            #expect(answer.body.readableBytes > 0)
            #expect(other.answer(search(term), at: noon).body == answer.body)
        }
    }

    @Test func `another seed is another store`() {
        let answer = Self.store.answer(search("habit tracker"), at: noon)
        #expect(SyntheticStore(seed: 8).answer(search("habit tracker"), at: noon).body != answer.body)
    }

    @Test func `a warm store answers as a cold one`() {
        for day in 0..<20 {
            _ = Self.store.answer(search("budget"), at: noon - Int64(day) * Timestamp.secondsPerDay)
        }
        let cold = SyntheticStore(seed: 7).answer(search("budget"), at: noon)
        #expect(Self.store.answer(search("budget"), at: noon).body == cold.body)
    }

    @Test func `a body begins and ends with three newlines and is called javascript`() {
        let answer = Self.store.answer(search("habit"), at: noon)
        let text = String(buffer: answer.body)
        #expect(text.hasPrefix("\n\n\n{\n \"resultCount\":"))
        #expect(text.contains(",\n \"results\": ["))
        #expect(text.hasSuffix("}\n\n\n"))
        #expect(answer.contentType == "text/javascript; charset=utf-8")
    }

    @Test func `lists are of very different lengths`() {
        let words = ["weather", "budget", "chess", "recipe", "camera", "radio", "diary", "train", "yoga", "bank"]
        let pairs = words.flatMap { first in words.map { "\(first) \($0)" } }
        let counts = pairs.map { Self.store.ranking($0, country: us, platform: .iphone, at: noon).count }
        #expect((30...60).contains(counts.count { $0 == 200 }))
        #expect((30...60).contains(counts.count { (38..<200).contains($0) }))
        #expect(counts.allSatisfy { $0 > 0 && $0 <= 200 })
    }

    @Test func `letters that make no word find next to nothing`() {
        let counts = ["xkqzvbwt", "pqrtzzkjw", "bcdfghjk", "zzxqvkmn", "wrtpsdfg"].map {
            Self.store.ranking($0, country: us, platform: .iphone, at: noon).count
        }
        #expect(counts.allSatisfy { $0 < 6 })
        #expect(counts.contains(0))
    }

    @Test func `apps with the words in their names stand first`() {
        let first = Self.store.ranking("habit tracker", country: us, platform: .iphone, at: noon).prefix(10)
        #expect(first.allSatisfy { $0.name.lowercased().contains("habit") || $0.name.lowercased().contains("tracker") })
    }

    @Test func `apps have distinct ids of every shape`() throws {
        let seen =
            try entries(Self.store.answer(search("weather"), at: noon))
            + entries(Self.store.answer(search("chess"), at: noon))
            + entries(Self.store.answer(search("invoice"), at: noon))
        let ids = Dictionary(
            try seen.map { (try #require($0["bundleId"] as? String), try #require($0["trackId"] as? Int64)) },
            uniquingKeysWith: { first, _ in first })
        #expect(Set(ids.values).count == ids.count)
        #expect(ids.values.contains { $0 > 1 << 31 } && ids.values.contains { $0 < 1 << 31 })
        #expect(ids.keys.contains { !$0.contains(".") } && ids.keys.contains { $0.contains("-") })
        let othersSell = seen.count { $0["artistName"] as? String != $0["sellerName"] as? String }
        #expect((0.15...0.35).contains(Double(othersSell) / Double(seen.count)))
    }

    @Test func `some entries lack what real ones lack and none lacks what all have`() throws {
        let seen = try ["weather", "chess", "invoice", "sleep"].flatMap {
            try entries(Self.store.answer(search($0), at: noon))
        }
        for field in ["price", "formattedPrice", "sellerUrl", "releaseNotes", "averageUserRating", "userRatingCount"] {
            #expect(seen.contains { $0[field] == nil }, "\(field) is never missing")
            #expect(seen.contains { $0[field] != nil }, "\(field) is always missing")
        }
        for field in ["trackId", "bundleId", "trackName", "artworkUrl512", "currency", "version", "releaseDate"] {
            #expect(seen.allSatisfy { $0[field] != nil }, "\(field) is missing")
        }
        #expect(seen.allSatisfy { ($0["price"] == nil) == ($0["formattedPrice"] == nil) })
    }

    @Test func `ratings are long fractions or the integer 0`() {
        let text = String(buffer: Self.store.answer(search("sleep"), at: noon).body)
        #expect(text.contains(/"averageUserRating":[1-4]\.[0-9]{40,}/))
        #expect(text.contains(#""averageUserRating":0,"#))
    }

    @Test func `full entries are as large as Apple's and lean ones a sixth of that`() throws {
        let full = SyntheticStore(seed: 7, options: .init(isFullSize: true))
        let places = full.ranking("weather", country: us, platform: .iphone, at: noon).count
        let fullSize = full.answer(search("weather"), at: noon).body.readableBytes / places
        #expect((8_600...10_600).contains(fullSize))
        let leanSize = Self.store.answer(search("weather"), at: noon).body.readableBytes / places
        #expect((1_200...1_800).contains(leanSize))
        #expect(try entries(full.answer(search("weather"), at: noon)).allSatisfy { $0["fileSizeBytes"] as? Int == nil })
    }

    @Test func `versions and ratings change with time and change back for nobody`() throws {
        func counts(_ moment: Timestamp) throws -> [String: (version: String, count: Int)] {
            Dictionary(
                try entries(Self.store.answer(search("weather"), at: moment)).map {
                    (
                        $0["bundleId"] as? String ?? "",
                        ($0["version"] as? String ?? "", $0["userRatingCount"] as? Int ?? 0)
                    )
                }, uniquingKeysWith: { first, _ in first })
        }
        let (before, after) = (try counts(noon), try counts(noon + 60 * Timestamp.secondsPerDay))
        let both = before.keys.filter { after[$0] != nil }
        #expect(both.count > 20)
        #expect(both.count { before[$0]!.version != after[$0]!.version } > both.count / 2)
        #expect(both.allSatisfy { before[$0]!.count <= after[$0]!.count })
        #expect(both.contains { before[$0]!.count < after[$0]!.count })
    }

    @Test func `limit is honoured, 50 without one, 200 at most`() throws {
        let full = try #require(
            ["weather", "budget", "chess", "camera", "radio"].first {
                Self.store.ranking($0, country: us, platform: .iphone, at: noon).count == 200
            })
        func count(_ limit: [String: String]) throws -> Int {
            let request = ReceivedRequest(.search, ["term": full, "country": "us"].merging(limit) { $1 })
            return try entries(Self.store.answer(request, at: noon)).count
        }
        #expect(try count([:]) == 50)
        #expect(try count(["limit": "7"]) == 7)
        #expect(try count(["limit": "1000"]) == 200)
    }

    @Test(arguments: [
        ["term": "weather", "country": "zz"], ["country": "us"], ["term": " ", "country": "us"],
        ["term": "weather", "entity": "song"], ["term": "weather", "limit": "many"],
    ])
    func `what Apple cannot read is 400 with a message and no results`(_ parameters: [String: String]) throws {
        let answer = Self.store.answer(ReceivedRequest(.search, parameters), at: noon)
        #expect(answer.status == 400)
        let json = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any]
        #expect((json?["errorMessage"] as? String)?.hasPrefix("Invalid value(s) for key(s): [") == true)
        #expect(json?["results"] == nil)
    }

    @Test func `a look-up finds ids in the order asked and bundleIds without regard to case`() throws {
        let apps = Self.store.ranking("weather", country: us, platform: .iphone, at: noon).prefix(3)
        let ids = apps.reversed().map { String($0.trackID) } + ["1"]
        let byID = ReceivedRequest(.lookup, ["id": ids.joined(separator: ","), "country": "us"])
        #expect(
            try entries(Self.store.answer(byID, at: noon)).map { $0["bundleId"] as? String }
                == apps.reversed().map(\.bundleID.text))
        let first = try #require(apps.first)
        let byBundleID = ReceivedRequest(.lookup, ["bundleId": first.bundleID.text.uppercased(), "country": "us"])
        #expect(try entries(Self.store.answer(byBundleID, at: noon)).map { $0["trackId"] as? Int64 } == [first.trackID])
    }

    @Test func `prices and currencies follow the country`() throws {
        let request = search("weather", ["country": "kr"])
        let seen = try entries(Self.store.answer(request, at: noon))
        #expect(seen.allSatisfy { $0["currency"] as? String == "KRW" })
        #expect(seen.contains { $0["formattedPrice"] as? String == "무료" })
    }

    @Test func `an app is found by its bundleId`() throws {
        let app = try #require(Self.store.ranking("chess", country: us, platform: .mac, at: noon).first)
        #expect(Self.store.app(forBundleID: app.bundleID)?.trackID == app.trackID)
        #expect(Self.store.app(forBundleID: BundleID("no.such.app")!) == nil)
    }

    @Test func `in a bad period a share of the queries fails and the others answer as ever`() {
        let day = (noon - 3_600)..<(noon + 3_600)
        let store = SyntheticStore(
            seed: 7, options: .init(badPeriods: [BadPeriod(during: day, failing: 0.5, collapsing: 0.3)]))
        let terms = (1...60).map { "weather \($0)" }
        let answers = terms.map { store.answer(search($0), at: noon) }
        let failed = answers.count { $0.status == 503 }
        #expect((20...40).contains(failed))
        let collapsed = zip(terms, answers).count { term, answer in
            let usual = Self.store.answer(search(term), at: noon).body.readableBytes
            return answer.status == 200 && answer.body.readableBytes < usual / 3
        }
        #expect((8...30).contains(collapsed))
        #expect(
            zip(terms, answers).contains { $1.body == Self.store.answer(search($0), at: noon).body })
        #expect(store.answer(search("weather 1"), at: day.upperBound).status == 200)
    }
}
