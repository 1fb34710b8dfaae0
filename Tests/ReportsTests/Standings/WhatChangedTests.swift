import Judging
import JudgingStage
import RankKit
import TestSupport
import Testing

@testable import Reports

/// What moved, as the cards of Today tell it.
@Suite struct WhatChangedTests {
    private func moved(
        _ text: String, country: String = "us", from: Int, to: Int, isLikely: Bool = false, isSlow: Bool = false,
        platform: Platform = .iphone
    ) throws -> Standings.Row {
        var pair = try row(text, country: country, platform: platform, position: to)
        let move = LastingMove(
            from: try #require(Position(from)), to: try #require(Position(to)), since: noon.day - 2, strength: 3,
            isSlow: isSlow, weather: nil)
        pair.judgement = isLikely ? .unconfirmed(move) : .real(move)
        return pair
    }

    private func report(_ rows: [Standings.Row]) -> StandingsReport {
        StandingsReport(Standings(generatedAt: noon, rows: rows))
    }

    private func changed(_ rows: [Standings.Row]) throws -> WhatChanged {
        try WhatChanged(report(rows)) { _ in [] }
    }

    private func html(_ rows: [Standings.Row]) throws -> [String] {
        let form = PageForm(address: { subject in
            if case .pair(_, let query) = subject { "/pair/\(query.text)/\(query.country)" } else { nil }
        })
        return try changed(rows).fragment(form).components(between: "<li>", "</li>\n")
    }

    @Test func `a card has the move from usual place to usual place, and leads to the pair`() throws {
        let card = try #require(html([try moved("timer", from: 31, to: 44), try row("other")]).first)
        #expect(card.contains("<a href=\"/pair/timer/us\">timer</a>") && card.contains("#31 → #44"))
        #expect(card.contains("<span class=\"bad\">▼13</span>") && card.contains("real since "))
    }

    @Test func `what is only likely says so, and stands below what is confirmed`() throws {
        let cards = try html([
            try moved("far", from: 90, to: 4, isLikely: true), try moved("near", from: 12, to: 9),
        ])
        #expect(cards.count == 2 && cards[0].contains("near") && cards[1].contains("likely, since "))
    }

    @Test func `the farthest move stands first, counted as a rank counts`() throws {
        let cards = try html([try moved("low", from: 190, to: 150), try moved("high", from: 9, to: 3)])
        #expect(cards[0].contains("high"))
    }

    @Test func `three queries that went one way in one country are one card`() throws {
        let rows = try [("a", 40, 20), ("b", 50, 28), ("c", 60, 42), ("d", 60, 40)].map { text, from, to in
            try moved(text, country: "jp", from: from, to: to)
        }
        let cards = try html(rows + [try moved("e", country: "jp", from: 10, to: 20)])
        #expect(cards.count == 2)
        #expect(cards[0].contains("<b>4 queries</b> rose in JP") && cards[0].contains(", about 20 places each"))
        #expect(cards[0].contains("/pair/a/jp") && cards[0].contains("and 1 more"))
    }

    @Test func `a query that went one way in three countries is one card`() throws {
        let cards = try html(try ["us", "de", "gb"].map { try moved("streaks", country: $0, from: 10, to: 30) })
        #expect(cards.count == 1 && cards[0].contains("<b>streaks</b> fell in 3 countries"))
    }

    @Test func `one query on two devices is not two queries`() throws {
        let rows = [
            try moved("a", from: 40, to: 20), try moved("a", from: 80, to: 30, platform: .ipad),
            try moved("b", from: 44, to: 20),
        ]
        #expect(try changed(rows).cards.count == 3)
    }

    @Test func `no more than five cards are shown, and the others are counted`() throws {
        let rows = try (0..<8).map {
            try moved("q\($0)", country: ["us", "de", "fr", "gb"][$0 % 4], from: 40, to: 20 - $0)
        }
        let changed = try changed(rows)
        #expect(changed.cards.count == 5 && changed.rest == 3)
        #expect(changed.fragment(.standalone).contains("and 3 more moves"))
    }

    @Test func `a pair that is back, a competitor's move and one of the month have no card`() throws {
        var back = try row("back", position: nil)
        back.judgement = .left(from: try #require(Position(40)), since: noon.day - 2)
        back.newsFrom = reading(nil)
        var rival = try moved("rival", from: 30, to: 10)
        rival.mine = false
        var month = try row("month")
        month.monthMove = try moved("month", from: 30, to: 10).judgement
        #expect(try changed([back, rival, month]).isEmpty)
    }

    @Test func `a pair that was not checked lately has no card, and no verdict in the sentence`() throws {
        var old = try moved("old", from: 31, to: 51)
        let good = reading(51, secondsAgo: 5 * day)
        (old.lastGood, old.checkedAt) = (good, good.checkedAt)
        #expect(try changed([old]).isEmpty)
        var quiet = try row("quiet")
        quiet.judgement = .withinNoise
        #expect(report([old, quiet]).headline().contains(": no real move. Of 1 pair there is no verdict."))
    }

    @Test func `a query's iPhone and iPad that moved alike are one loss`() throws {
        let rows = try [Platform.iphone, .ipad].map { try moved("timer", from: 10, to: 30, platform: $0) }
        #expect(try changed(rows).cards.count == 1)
        #expect(report(rows).headline().contains("1 real loss<"))
    }

    @Test func `an iPhone and an iPad that moved to other places are two moves`() throws {
        let rows = [
            try moved("timer", from: 10, to: 30), try moved("timer", from: 20, to: 30, platform: .ipad),
        ]
        let cards = try html(rows)
        #expect(cards.count == 2 && cards[0].contains("iPhone") && cards[1].contains("iPad"))
    }

    @Test func `a card names the device where the app is tracked on another one too, or on that alone`() throws {
        #expect(try !html([moved("timer", from: 10, to: 30)])[0].contains("iPhone"))
        #expect(try html([moved("timer", from: 10, to: 30), row("timer", platform: .ipad)])[0].contains("iPhone"))
        #expect(try html([moved("timer", from: 10, to: 30, platform: .ipad)])[0].contains("iPad"))
    }

    @Test func `what is back where it was is counted as that`() throws {
        var back = try row("back", position: nil)
        back.judgement = .left(from: try #require(Position(40)), since: noon.day - 2)
        back.newsFrom = reading(nil)
        #expect(report([back]).headline().contains("1 back where it was"))
    }

    @Test func `queries of one country that differ in language alone have different names`() throws {
        let rows = try ["de_ch", "fr_ch", "it_ch"].enumerated().map { index, language in
            var pair = try moved("timer \(index / 2)\(index)", country: "ch", from: 40, to: 20)
            pair.question = Query(text: pair.query, country: pair.country, platform: .iphone, language: language)
            return pair
        }
        let card = try #require(html(rows).first)
        #expect(card.contains("de_ch") && card.contains("fr_ch") && card.contains("it_ch"))
    }

    @Test func `a name that is HTML stays text`() throws {
        let cards = try html([try moved("<b>\"x\"", from: 40, to: 20)])
        #expect(!cards[0].contains("<b>\"x") && cards[0].contains("&lt;b&gt;&quot;x&quot;"))
    }

    @Test func `the sentence counts losses and gains, and says what has no verdict`() throws {
        var young = try row("young")
        young.judgement = .notJudged(.history)
        var quiet = try row("quiet")
        quiet.judgement = .withinNoise
        let rows = [try moved("a", from: 10, to: 30), try moved("b", from: 30, to: 10), quiet]
        #expect(
            report(rows).headline().contains(
                "<span class=\"bad\">1 real loss</span>, <span class=\"good\">1 real gain</span>. Otherwise as before.")
        )
        #expect(report(rows + [young]).headline().contains("Of 1 pair there is no verdict."))
        #expect(report([quiet]).headline().contains(": no real move."))
        #expect(report([young]).headline().isEmpty)
    }
}
