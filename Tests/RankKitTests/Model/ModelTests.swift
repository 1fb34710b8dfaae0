import Foundation
import RankKit
import Testing

@Suite struct QueryTests {
    private func query(_ text: String, _ country: String = "us", _ platform: Platform = .iphone) -> Query {
        Query(text: text, country: Country(code: country)!, platform: platform)
    }

    @Test(arguments: [
        ("Habit  Tracker ", "habit tracker"), ("STRASSE", "straße"), ("STRAẞE", "strasse"), ("STRAẞE", "Straße"),
        ("caf\u{E9}", "cafe\u{301}"),
        ("ΟΔΟΣ", "οδος"), ("a\u{A0}b\u{3000}c", "A B C"), ("ＡＢ", "ａｂ"), ("피트니스", "피트니스"), ("ılık Çay", "ılık çay"),
    ])
    func `texts agree after NFC, trimming, collapsing and case folding`(left: String, right: String) {
        #expect(query(left) == query(right))
        #expect(Set([query(left), query(right)]).count == 1)
    }

    @Test(arguments: [
        ("c", "c++"), ("ab", "a b"), ("resume", "résumé"), ("a", "ａ"), ("🏃", "🏃‍♀️"), ("ısı", "isi"),
        ("ILIK", "ılık"),
    ])
    func `texts that people tell apart stay apart`(left: String, right: String) {
        #expect(query(left) != query(right))
    }

    @Test func `country, platform and language make another query`() {
        #expect(query("a") != query("a", "gb"))
        #expect(query("a") != query("a", "us", .ipad))
        let country = Country(code: "us")!
        #expect(query("a") != Query(text: "a", country: country, language: "es_mx"))
    }

    @Test func `the spelling that is sent is kept`() {
        #expect(query("  Habit ").text == "  Habit ")
    }

    @Test(arguments: UInt8(0)...127) func `a text of ASCII is folded as one of other letters is`(code: UInt8) {
        let character = String(decoding: [code], as: UTF8.self)
        for text in ["a\(character)B", "\(character)a", "a \(character)\(character) b"] {
            #expect(Query.fold(text + " é") == Query.fold(text) + " é")
        }
    }

    @Test(arguments: ["ß", "ΑΣ", "ǅ", "İ", "ﬁx", "e\u{301}\u{323}", "K", "Iı İi"])
    func `folding what is folded changes nothing`(text: String) {
        #expect(Query.fold(Query.fold(text)) == Query.fold(text))
    }
}

@Suite struct BundleIDTests {
    @Test func `case is kept and ignored`() {
        let app = BundleID("RunKeeperPro")
        #expect(app == BundleID("runkeeperpro"))
        #expect(app?.hashValue == BundleID("RUNKEEPERPRO")?.hashValue)
        #expect(app?.text == "RunKeeperPro")
    }

    @Test(arguments: ["swc", "com.a-b_c.9", "A", String(repeating: "a", count: 255)])
    func `real ones are taken`(text: String) { #expect(BundleID(text) != nil) }

    @Test(arguments: ["", " ", "com.a b", "com.é", "a/b", "com.a\n", String(repeating: "a", count: 256)])
    func `impossible ones are not`(text: String) { #expect(BundleID(text) == nil) }
}

@Suite struct AppIDTests {
    @Test(arguments: ["id1667900926", "ID1667900926", "1667900926"])
    func `an app's number is read as search shows it`(text: String) {
        #expect(AppID(written: text) == AppID(1_667_900_926))
    }

    @Test(arguments: ["", "id", "id0", "12345", "id12a", "idle", "com.example.app", "id99999999999999999999"])
    func `what is something else is none`(text: String) { #expect(AppID(written: text) == nil) }
}

@Suite struct CountryTests {
    @Test func `any case is taken and lower case is kept`() {
        #expect(Country(code: "GB")?.code == "gb")
    }

    @Test(arguments: ["uk", "", "usa", "u", "xx", "ＵＳ", "us "])
    func `what has no App Store is refused`(code: String) { #expect(Country(code: code) == nil) }

    @Test(arguments: ["uk", "UK", "gb"])
    func `people may write uk for gb`(text: String) { #expect(Country(written: text)?.code == "gb") }

    @Test func `there are as many storefronts as Apple lists`() {
        #expect(Country.codes.count == 175)
        #expect(Country.codes.allSatisfy { $0.utf8.count == 2 && $0 == $0.lowercased() })
    }
}

@Suite struct ResultListTests {
    private func app(_ text: String) -> SeenApp {
        SeenApp(id: AppID(1), bundleID: BundleID(text)!, fingerprint: 0) { AppDetails() }
    }

    @Test func `places are counted from 1 and an unreadable entry holds its own`() {
        let list = ResultList(places: [nil, app("com.a"), app("com.b")])
        #expect(list.count == 3)
        #expect(list.positions() == [BundleID("com.a")!: Position(2)!, BundleID("com.b")!: Position(3)!])
    }

    @Test func `the first of a duplicate wins, without regard to case`() {
        let list = ResultList(places: [app("com.a"), app("COM.A"), app("com.b")])
        #expect(list.positions() == [BundleID("com.a")!: Position(1)!, BundleID("com.b")!: Position(3)!])
    }

    @Test func `there is no position 0`() throws {
        #expect(Position(0) == nil)
        #expect(Position(-1) == nil)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Position].self, from: Data("[0]".utf8)) }
        #expect(try JSONDecoder().decode([Position].self, from: Data("[12]".utf8)).first?.description == "#12")
    }
}

@Suite struct TimestampTests {
    @Test func `a time is written in UTC and read back`() {
        let text = "2026-11-20T10:00:00Z"
        #expect(Timestamp(iso8601: text)?.description == text)
        #expect(Timestamp(iso8601: "2026-11-20T11:00:00+01:00")?.description == text)
        #expect(Timestamp(iso8601: "2026-11-20") == nil)
    }

    @Test func `fractions are dropped towards the past`() {
        #expect(Timestamp(Date(timeIntervalSince1970: 1.9)).secondsSinceEpoch == 1)
        #expect(Timestamp(Date(timeIntervalSince1970: -0.1)).secondsSinceEpoch == -1)
    }

    @Test func `days are counted downwards before the epoch`() {
        #expect(Timestamp(secondsSinceEpoch: 86_399).day == 0)
        #expect(Timestamp(secondsSinceEpoch: 86_400).day == 1)
        #expect(Timestamp(secondsSinceEpoch: -1).day == -1)
        #expect(Timestamp(secondsSinceEpoch: -86_400).day == -1)
        #expect(Timestamp(secondsSinceEpoch: -86_401).day == -2)
        #expect(Timestamp.startOfDay(20_777).day == 20_777)
    }
}
