import RankKit
import Testing

@testable import AppStore

@Suite struct AnswerReaderTests {
    private func list(_ body: String) throws -> ResultList { try AnswerReader.list(from: Array(body.utf8)) }

    private func reason(_ body: String) -> Failure.Reason? {
        do {
            _ = try list(body)
            return nil
        } catch {
            return (error as? Failure)?.reason
        }
    }

    private func bundles(_ list: ResultList) -> [String?] { list.places.map { $0?.bundleID.text } }

    private let two = """



        {"resultCount":2, "results": [
        {"trackId": 1, "bundleId": "com.a", "trackName": "A"},
        {"bundleId": "com.b", "trackId": 2}]}



        """

    @Test func `white space around the answer is nothing`() throws {
        #expect(bundles(try list(two)) == ["com.a", "com.b"])
    }

    @Test func `a byte order mark is nothing`() throws {
        #expect(bundles(try list("\u{FEFF}" + two)).count == 2)
    }

    @Test func `a name that is written with escapes is the same name`() throws {
        let list = try list(
            #"{"result\u0043ount":1,"r\u0065sults":[{"track\u0049d":7,"bundle\u0049d":"com.a","trackN\u0061me":"A"}]}"#)
        #expect(bundles(list) == ["com.a"])
        #expect(list.places.first??.id == AppID(7))
        #expect(list.places.first??.details().name == "A")
    }

    @Test func `a name with escapes that stands for another name is another`() throws {
        #expect(reason(#"{"resultCount":0,"result\u0053":[]}"#) == .noResults)
    }

    @Test func `an empty list is an answer`() throws {
        #expect(try list(#"{"resultCount":0,"results":[]}"#).count == 0)
    }

    @Test(arguments: [
        "null", "7", #""text""#, "[{}]", #"{"trackId": 3}"#, #"{"trackId": 3, "bundleId": ""}"#,
        #"{"wrapperType": "artist", "artistId": 909253}"#,
    ])
    func `an unreadable entry keeps its place and costs nothing else`(entry: String) throws {
        let list = try list(
            #"{"resultCount":3,"results":[{"trackId":1,"bundleId":"com.a"},\#(entry),{"trackId":2,"bundleId":"com.b"}]}"#
        )
        #expect(bundles(list) == ["com.a", nil, "com.b"])
        #expect(list.positions()[BundleID("com.b")!] == Position(3))
    }

    @Test func `of an entry without a bundle identifier its number is told`() throws {
        let list = try list(
            """
            {"resultCount":4,"results":[{"trackId":1,"bundleId":"com.a"},{"trackId":3},{"trackId":"x"},{"trackId":4,
            "bundleId":""}]}
            """)
        #expect(list.unnamed == [1: AppID(3), 3: AppID(4)])
    }

    @Test(arguments: [
        #""x""#, "-1", "0", "1e400", "99999999999999999999", "null", "[]",
    ]) func `an entry whose number cannot be read still holds its app's place`(number: String) throws {
        let list = try list(
            #"{"resultCount":2,"results":[{"trackId":1,"bundleId":"com.a"},{"trackId":\#(number),"bundleId":"com.c"}]}"#
        )
        #expect(list.positions()[BundleID("com.c")!] == Position(2))
        #expect(list.places.last??.id == nil)
    }

    @Test func `entries that can hardly be read are a failure, not absences`() throws {
        func body(readable: Int, unreadable: Int) -> String {
            let good = (0..<readable).map { #"{"trackId":\#($0 + 1),"bundleId":"com.a\#($0)"}"# }
            let bad = (0..<unreadable).map { #"{"trackId":\#($0 + 1),"bundle":"com.b"}"# }
            return #"{"resultCount":\#(readable + unreadable),"results":[\#((good + bad).joined(separator: ","))]}"#
        }
        #expect(reason(body(readable: 0, unreadable: 1)) == .unreadable)
        #expect(reason(body(readable: 0, unreadable: 200)) == .unreadable)
        #expect(reason(body(readable: 99, unreadable: 101)) == .unreadable)
        #expect(reason(body(readable: 100, unreadable: 100)) == nil)
        #expect(reason(body(readable: 1, unreadable: 2)) == nil)
    }

    @Test func `a list without end is given up`() {
        let body = #"{"resultCount":8000000,"results":["# + String(repeating: "0,", count: 99_999) + "0]}"
        #expect(reason(body) == .tooLarge)
    }

    @Test func `the first of a duplicate wins`() throws {
        let list = try list(
            """
            {"resultCount":3,"results":[{"trackId":1,"bundleId":"com.a"},{"trackId":2,"bundleId":"com.b"},
            {"trackId":1,"bundleId":"COM.A"}]}
            """)
        #expect(list.positions() == [BundleID("com.a")!: Position(1)!, BundleID("com.b")!: Position(2)!])
        #expect(list.count == 3)
    }

    @Test func `strings serve as numbers, and ids have 64 bits`() throws {
        let list = try list(
            #"{"resultCount":"1","results":[{"trackId":"9007199254740993","bundleId":"com.a"}]}"#)
        #expect(list.places.first??.id == AppID(9_007_199_254_740_993))
    }

    @Test(arguments: [
        "", " ", "<html>", "{", #"{"resultCount":0,"results":[]"#, #"{"resultCount":0,"results":[]}}"#,
        #"{"resultCount":0,"results":[]} x"#, #"{"resultCount":01,"results":[]}"#, #"{"resultCount":0,"results":[,]}"#,
        "{\"resultCount\":0,\"results\":[],\"a\":\"\u{1}\"}", #"{"resultCount":0,"results":[],"a":"\x"}"#,
        #"{"resultCount":0,"results":[],"a":"\u12g4"}"#, #"{"resultCount":0,"results":[],"results":[]}"#,
        #"{"resultCount":0 "results":[]}"#, #"{"resultCount":0,"results":[],"a":nul}"#, #"{'resultCount':0}"#,
        #"{"resultCount":0,"results":[],}"#, #"{"resultCount":-,"results":[]}"#,
        #"{"resultCount":0,"results":[],"a":1.}"#,
    ])
    func `what is not whole and well-formed JSON is a failure`(body: String) {
        #expect(reason(body) == .notJSON)
    }

    @Test(arguments: ["null", "[]", "{}", #""results""#, #"{"resultCount":0}"#, #"{"resultCount":0,"results":{}}"#])
    func `JSON without a list of results is a failure`(body: String) {
        #expect(reason(body) == .noResults)
    }

    @Test(arguments: [
        #"{"resultCount":1,"results":[]}"#, #"{"results":[]}"#, #"{"resultCount":null,"results":[]}"#,
        #"{"resultCount":0,"results":[{"trackId":1,"bundleId":"com.a"}]}"#, #"{"resultCount":0.0,"results":[]}"#,
    ])
    func `a count that contradicts the list is a failure`(body: String) {
        #expect(reason(body) == .countMismatch)
    }

    @Test func `nesting without end is a failure and no crash`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(reason(#"{"resultCount":0,"results":[],"a":"# + deep) == .notJSON)
        #expect(reason(deep) == .notJSON)
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xFF],
            [0xF0, 0x80, 0x80, 0x80], [0xC1, 0xBF], [0xF5, 0x80, 0x80, 0x80], [0xC3, 0x28], [0xE2, 0x82, 0x41],
            [0xF0, 0x9F, 0x98, 0x41],
        ] as [[UInt8]])
    func `a string that is not UTF-8 is a failure`(bytes: [UInt8]) {
        let body = Array(#"{"resultCount":0,"results":[],"a":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(throws: Failure.self) { try AnswerReader.list(from: body) }
    }

    @Test(arguments: [
        "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ])
    func `the first and last characters of each length are read, wherever they stand`(character: String) throws {
        for padding in 0..<17 {
            let name = String(repeating: "a", count: padding) + character + character + "b"
            let entry = #"{"trackId":1,"bundleId":"com.a","trackName":"\#(name)"}"#
            let places = try list(#"{"resultCount":1,"results":[\#(entry)]}"#).places
            #expect(places[0]?.details().name == name)
        }
    }

    @Test func `every prefix of an answer is a failure`() {
        let whole = Array(#"{"resultCount":1,"results":[{"trackId":1,"bundleId":"com.a","n":"é\u00e9 -1.5e3"}]}"#.utf8)
        for end in whole.indices {
            #expect(throws: Failure.self, "cut at \(end)") { try AnswerReader.list(from: Array(whole[..<end])) }
        }
        #expect(throws: Never.self) { try AnswerReader.list(from: whole) }
    }

    @Test func `details are read in full, with what is missing left out`() throws {
        let list = try list(
            #"""
            {"resultCount":1,"results":[{"trackId":7,"bundleId":"com.a","trackName":"Caf\u00e9 \"\ud83d\ude00\"\n",
            "artistName":"Dev","sellerName":"Seller Ltd","version":"v6.5.2","releaseDate":"2014-06-02T07:00:00Z",
            "currentVersionReleaseDate":"2026-11-01T00:00:00Z","price":0.99,"currency":"EUR",
            "averageUserRating":4.89496000000000019980461729574017226696014404296875,"userRatingCount":"12",
            "primaryGenreName":"Utilities","artworkUrl512":"https://i","trackViewUrl":"https://v",
            "screenshotUrls":["https://1","https://2"],"genres":["x"]}]}
            """#)
        let details = try #require(list.places.first??.details())
        #expect(
            details
                == AppDetails(
                    name: "Café \"😀\"", developer: "Dev", seller: "Seller Ltd", version: "v6.5.2",
                    releasedAt: Timestamp(iso8601: "2014-06-02T07:00:00Z"),
                    versionReleasedAt: Timestamp(iso8601: "2026-11-01T00:00:00Z"), price: 0.99, currency: "EUR",
                    rating: 4.89496, ratingCount: 12, genre: "Utilities", iconURL: "https://i", storeURL: "https://v",
                    screenshotURLs: ["https://1", "https://2"]))
    }

    @Test func `one fields's wrong type costs that field alone`() throws {
        let list = try list(
            #"{"resultCount":1,"results":[{"trackId":7,"bundleId":"com.a","trackName":5,"price":"free","version":"2"}]}"#
        )
        let details = try #require(list.places.first??.details())
        #expect(details == AppDetails(version: "2"))
    }

    @Test func `an entry's fingerprint changes with any byte of it and with nothing else`() throws {
        func fingerprint(_ name: String, before: String = "") throws -> UInt64? {
            try list(
                #"{"resultCount":1,\#(before)"results":[{"trackId":7,"bundleId":"com.a","trackName":"\#(name)"}]}"#
            ).places.first??.fingerprint
        }
        let names = ["a", "b", "ab", "ba", "aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaab"]
        #expect(Set(try names.map { try fingerprint($0) }).count == names.count)
        #expect(try fingerprint("a") == fingerprint("a", before: #""x":1,"#))
    }

    @Test func `Apple's own words are found in a refusal`() {
        let body = #"{"errorMessage":"Invalid value(s) for key(s): [country]","queryParameters":{"term":"x"}}"#
        #expect(AnswerReader.errorMessage(in: Array(body.utf8)) == "Invalid value(s) for key(s): [country]")
        #expect(AnswerReader.errorMessage(in: Array("<html>".utf8)) == nil)
    }

    @Test(arguments: [
        "", #""trackName": "", "version": " ", "currency": "\u00A0", "sellerName": null"#,
        #""trackName": 7, "version": 2, "price": true, "currency": {}, "artworkUrl512": []"#,
        #""price": -1, "userRatingCount": -5, "averageUserRating": 99, "screenshotUrls": ["", 7]"#,
        #""currency": "EURO""#, #""currency": "123""#,
        #""price": "NaN", "userRatingCount": "many", "averageUserRating": "-0.5""#,
    ])
    func `what is blank, of another type or impossible is not known`(members: String) throws {
        let entry = #""trackId": 1, "bundleId": "com.a""# + (members.isEmpty ? "" : ", ") + members
        let list = try list(#"{"resultCount": 1, "results": [{"# + entry + "}]}")
        #expect(list.places.first??.details() == AppDetails())
    }

    @Test func `white space around a text does not count`() throws {
        let list = try list(
            #"{"resultCount": 1, "results": [{"trackId": 1, "bundleId": "com.a", "trackName": " A B\u00A0", "version": "1.0 "}]}"#
        )
        #expect(list.places.first??.details() == AppDetails(name: "A B", version: "1.0"))
    }
}
