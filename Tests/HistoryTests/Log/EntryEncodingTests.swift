import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct EntryEncodingTests {
    private let start = Timestamp(secondsSinceEpoch: 1_793_491_200)
    private let pass = PassID(of: .itunes, number: 12)

    private func text(_ entry: Entry) throws -> String { String(decoding: try entry.encoded(), as: UTF8.self) }

    /// One of each kind, with what its encoding is for ever.
    private var golden: [(entry: Entry, text: String)] {
        let timer = query("Timer", "de", .ipad, language: "de_de")
        let entry = SeenApp(id: AppID(7), bundleID: bundle("com.A"), fingerprint: 255) {
            AppDetails(
                name: "A", version: "1.0", releasedAt: Timestamp(secondsSinceEpoch: 5), price: 0.1, rating: 4.5,
                ratingCount: 3, screenshotURLs: ["https://a/1"])
        }
        let places = ResultList(
            places: [entry, nil, SeenApp(id: nil, bundleID: bundle("com.b")), nil], unnamed: [1: AppID(9)])
        var plan = watchlist([(query("timer"), ["com.a"])])
        plan.queries[0].pairs[0].tags = ["core"]
        plan.notes = [Note(on: "2026-11-01", bundleID: bundle("com.a"), text: "new", added: ["timer"])]
        plan.timeZone = "Europe/Berlin"
        return [
            (
                .plan(plan, at: start),
                """
                {"entry":1,"plan":{"apps":[{"bundleId":"com.a","competitors":[],"mine":true}],"at":1793491200,\
                "keepFailures":7776000,"notes":[{"added":["timer"],"bundleId":"com.a","on":"2026-11-01","removed":[],\
                "text":"new"}],"parallelism":4,"queries":[\
                {"cadences":"\(CadenceText.encode(plan.queries[0].cadences))",\
                "pairs":[{"bundleId":"com.a","tags":["core"]}],"question":{"country":"us","platform":"iphone",\
                "source":"itunes","text":"timer"}}],"requestsPerMinute":15,"sensitivity":"normal",\
                "timeZone":"Europe/Berlin"}}
                """
            ),
            (
                .answer(
                    SearchAnswer(
                        to: timer, at: start, clock: start + 2, by: "https://itunes.apple.com", asking: .first(pass),
                        reply: .list(places))),
                """
                {"answer":{"asking":"first","at":1793491200,"by":"https://itunes.apple.com","clock":1793491202,\
                "pass":{"number":12,"source":"itunes"},"places":[{"bundleId":"com.A","details":{"name":"A",\
                "price":0.1,"rating":4.5,"ratingCount":3,"releasedAt":5,"screenshotUrls":["https://a/1"],\
                "version":"1.0"},"fingerprint":"ff","id":7},{"id":9},{"bundleId":"com.b"},{}],\
                "question":{"country":"de","language":"de_de","platform":"ipad","source":"itunes","text":"Timer"}},\
                "entry":1}
                """
            ),
            (
                .answer(
                    SearchAnswer(
                        to: query("timer"), at: start, reply: .failed(Failure(.status, "“503”\n", isTransient: true)))),
                """
                {"answer":{"asking":"alone","at":1793491200,"failure":{"detail":"“503”\\n","reason":"status",\
                "transient":true},"question":{"country":"us","platform":"iphone","source":"itunes","text":"timer"}},\
                "entry":1}
                """
            ),
            (
                .answer(SearchAnswer(to: query("timer"), at: start, asking: .second(pass), reply: .unasked)),
                """
                {"answer":{"asking":"second","at":1793491200,"none":"unasked","pass":{"number":12,"source":"itunes"},\
                "question":{"country":"us","platform":"iphone","source":"itunes","text":"timer"}},"entry":1}
                """
            ),
            (
                .pass(.began(pass, at: start, due: 3)),
                """
                {"began":{"at":1793491200,"due":3,"pass":{"number":12,"source":"itunes"}},"entry":1}
                """
            ),
            (
                .pass(
                    .ended(
                        pass, at: start + 9,
                        PassResult(
                            startedAt: start, finishedAt: start + 9, due: 3, succeeded: 2, requests: 4, suspect: 1))),
                """
                {"ended":{"at":1793491209,"pass":{"number":12,"source":"itunes"},"result":{"due":3,"failed":0,\
                "finishedAt":1793491209,"requests":4,"startedAt":1793491200,"succeeded":2,"suspect":1,"throttled":0}},\
                "entry":1}
                """
            ),
            (
                .lookup(
                    LookupAnswer(
                        at: start,
                        outcomes: [
                            StorefrontApp(bundle("com.b"), in: Country(code: "us")!): .failed,
                            StorefrontApp(bundle("com.a"), in: Country(code: "us")!): .found,
                            StorefrontApp(bundle("com.a"), in: Country(code: "de")!): .empty,
                        ])),
                """
                {"entry":1,"lookup":{"apps":[{"bundleId":"com.a","country":"de","outcome":"empty"},\
                {"bundleId":"com.a","country":"us","outcome":"found"},\
                {"bundleId":"com.b","country":"us","outcome":"failed"}],"at":1793491200}}
                """
            ),
            (
                .lookup(
                    LookupAnswer(
                        at: start, outcomes: [StorefrontApp(bundle("com.a"), in: Country(code: "us")!): .found],
                        names: [AppID(777): bundle("com.new")])),
                """
                {"entry":1,"lookup":{"apps":[{"bundleId":"com.a","country":"us","outcome":"found"}],"at":1793491200,\
                "names":[{"appId":777,"bundleId":"com.new"}]}}
                """
            ),
            (
                .pruned(
                    PruneRequest(
                        apps: ["com.a"], queries: ["timer"], countries: [Country(code: "us")!], before: start)),
                """
                {"entry":1,"pruned":{"apps":["com.a"],"before":1793491200,"countries":["us"],"languages":[],\
                "platforms":[],"queries":["timer"]}}
                """
            ),
        ]
    }

    @Test func `an entry of each kind is written as it always was`() throws {
        for (entry, expected) in golden { #expect(try text(entry) == expected) }
    }

    @Test func `an entry that is read is the one that was written`() throws {
        for (_, written) in golden { #expect(try text(Entry(encoded: Array(written.utf8))) == written) }
    }

    @Test func `entries of other questions, moments, passes and askings are others`() throws {
        let timer = query("timer")
        let answers = [
            SearchAnswer(to: timer, at: start, reply: .turnedAway),
            SearchAnswer(to: timer, at: start + 1, reply: .turnedAway),
            SearchAnswer(to: query("timer", "de"), at: start, reply: .turnedAway),
            SearchAnswer(to: timer, at: start, asking: .first(pass), reply: .turnedAway),
            SearchAnswer(to: timer, at: start, asking: .second(pass), reply: .turnedAway),
            SearchAnswer(to: timer, at: start, asking: .first(PassID(of: .itunes, number: 13)), reply: .turnedAway),
        ]
        let entries = answers.map { Entry.answer($0) } + golden.dropFirst(4).map(\.entry)
        #expect(try Set(entries.map { try $0.identity }).count == entries.count)
    }

    @Test func `two plans that were adopted in one second are two entries`() throws {
        let plans = [watchlist([(query("timer"), ["com.a"])]), watchlist([(query("timer"), ["com.b"])])]
        let identities = try plans.map { try Entry.plan($0, at: start).identity }
        #expect(identities[0] != identities[1])
        #expect(try Entry.plan(plans[0], at: start).identity == identities[0])
    }

    @Test func `an answer that took several requests says how many, and one that took none is refused`() throws {
        let written = #"""
            {"answer":{"asking":"alone","at":1793491200,"none":"turned-away","question":{"country":"us",\#
            "platform":"iphone","source":"itunes","text":"timer"},"requests":3},"entry":1}
            """#
        let entry = Entry.answer(SearchAnswer(to: query("timer"), at: start, requests: 3, reply: .turnedAway))
        #expect(try text(entry) == written)
        #expect(try text(Entry(encoded: Array(written.utf8))) == written)
        for requests in ["0", "-1", "9999999"] {
            let other = written.replacing(#""requests":3"#, with: #""requests":\#(requests)"#)
            #expect(throws: EntryError.self) { try Entry(encoded: Array(other.utf8)) }
        }
    }

    @Test func `what a newer rankd wrote is refused, and so is what none did`() {
        let question = #"{"country":"us","platform":"iphone","source":"itunes","text":"a"}"#
        #expect(throws: EntryError.newer(2)) { try Entry(encoded: Array(#"{"entry":2,"vote":{}}"#.utf8)) }
        for text in [
            "", "{}", #"{"entry":1}"#, #"{"began":{"at":1,"due":1},"entry":1}"#,
            #"{"began":{"at":1,"due":1,"pass":{"number":0,"source":"itunes"}},"entry":1}"#,
            #"{"began":{"at":1,"due":1,"pass":{"number":9007199254740993,"source":"itunes"}},"entry":1}"#,
            #"{"answer":{"asking":"first","at":1,"none":"unasked","question":"# + question + #"},"entry":1}"#,
            #"{"answer":{"asking":"alone","at":1,"question":"# + question + #"},"entry":1}"#,
            #"{"entry":1,"lookup":{"apps":[{"bundleId":"a b","country":"us","outcome":"found"}],"at":1}}"#,
        ] {
            #expect(throws: EntryError.self, "\(text)") { try Entry(encoded: Array(text.utf8)) }
        }
    }
}
