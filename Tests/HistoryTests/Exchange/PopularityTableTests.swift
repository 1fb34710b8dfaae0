import Foundation
import RankKit
import TestSupport
import Testing

@testable import History

@Suite struct PopularityTableTests {
    private let folder: TemporaryFolder
    private let us = Country(code: "us")!
    private let gb = Country(code: "gb")!

    init() throws { folder = try TemporaryFolder() }

    private func table(
        _ text: String, country: Country? = nil, query: String? = nil, popularity: String? = nil
    ) throws -> [String: [Country: Double]] {
        let path = folder.file("table.csv")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try PopularityTable(path, country: country, query: query, popularity: popularity).figures
    }

    private func refusal(_ text: String, country: Country? = nil) -> String? {
        do {
            _ = try table(text, country: country)
            return nil
        } catch { return "\(error)".replacing(folder.file("table.csv"), with: "table") }
    }

    @Test(arguments: [
        "Keyword,Search Popularity,Country or Region\nHabit Tracker,46,US\nhabit  tracker,31,United Kingdom\n",
        "\u{FEFF}\"Country\";\"Search Term\";\"Rank\";\"Search Popularity (1-100)\"\r\nus;Habit Tracker;3;46\r\ngb;habit tracker;;31,0\r\n",
        "Storefront\tKeyword\tPopularity Score\nus\thabit tracker\t46.0\ngb\thabit tracker\t31\n",
        "Apple Ads report\n\nKeyword,Popularity,Storefront\nhabit tracker,46,us\nhabit tracker,31,gb\nmood,-,us\n,12,us\n",
    ])
    func `the columns are found by their names, whatever the tool`(text: String) throws {
        #expect(try table(text) == ["habit tracker": [us: 46, gb: 31]])
    }

    @Test func `a country is given for rows without one, and a column by its name`() throws {
        let text = "what,how often,keyword,volume\nHabit,46,no,1\n"
        #expect(
            try table(text, country: gb, query: "What", popularity: "how often") == ["habit": [gb: 46]])
        #expect(try table("keyword,popularity,country\na,5,\nb,6,us\n", country: gb) == ["a": [gb: 5], "b": [us: 6]])
    }

    @Test func `a comma before one or two digits at the end is a decimal mark`() throws {
        #expect(try table("keyword;popularity\na;46,5\nb;7,25\n", country: us) == ["a": [us: 46.5], "b": [us: 7.25]])
    }

    @Test func `a volume is taken for a popularity only by its name`() throws {
        let text = "keyword,volume,popularity\na,5,46\n"
        #expect(try table(text, country: us) == ["a": [us: 46]])
        #expect(try table(text, country: us, popularity: "volume") == ["a": [us: 5]])
    }

    @Test func `the United Kingdom is understood as people write it`() throws {
        #expect(try table("keyword,popularity,country\na,5,UK\nb,6,gb\n") == ["a": [gb: 5], "b": [gb: 6]])
    }

    @Test(arguments: [
        ("keyword,popularity\na,5\n", "table: there is no column for the country; add --country, such as --country us"),
        (
            "keyword,bids,country\na,5,us\n",
            "table: there is no column for the popularity; there are keyword, bids, country; name it with --popularity-column"
        ),
        (
            "keyword,popularity,country\na,5,us\nb,12000,us\n",
            "table, line 3: “12000” is no popularity from 0 to 100; name the column that has one with --popularity-column"
        ),
        (
            "keyword;popularity;country\na;46,5;us\nb;1,200;us\n",
            "table, line 3: “1,200” is no popularity from 0 to 100; name the column that has one with --popularity-column"
        ),
        (
            "keyword;popularity;country\na;1,234,5;us\n",
            "table, line 2: “1,234,5” is no popularity from 0 to 100; name the column that has one with --popularity-column"
        ),
        (
            "keyword,volume,traffic,country\na,5,7,us\n",
            "table: there is no column for the popularity; there are keyword, volume, traffic, country; name it with "
                + "--popularity-column"
        ),
        (
            "keyword,popularity,country\na,5,us\nA,5,us\na,6,us\n",
            "table, line 4: “a” has another popularity in us than in line 3; leave one of them out"
        ),
        (
            "keyword,popularity,country\na,5,Atlantis\n",
            "table, line 2: no country with an App Store is called “Atlantis”; write its two letters, such as us, gb or de"
        ),
        (
            "keyword,popularity,country\na,5\n",
            "table, line 2: has 2 fields, the header 3; put fields that hold the separator in quotes"
        ),
        (
            "keyword,popularity,search popularity,country\na,5,6,us\n",
            "table, line 1: “popularity” and “search popularity” both name the popularity; choose with --popularity-column"
        ),
    ])
    func `what cannot be made sense of is refused with its line`(text: String, problem: String) {
        #expect(refusal(text) == problem)
    }
}
