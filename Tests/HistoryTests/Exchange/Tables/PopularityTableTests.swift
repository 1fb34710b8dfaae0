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

    @Test(arguments: [
        ("Volum", "there is no column “Volum” for the popularity; did you mean --popularity-column “Volume”?"),
        (
            "bids",
            "there is no column “bids” for the popularity; there are keyword, Volume; name one of them with "
                + "--popularity-column"
        ),
    ])
    func `a name of a column that is not there is told with the one that is near`(
        name: String, words: String
    ) throws {
        let refused = #expect(throws: ImportRefusal.self) {
            try table("keyword,Volume\na,5\n", country: us, popularity: name)
        }
        #expect(refused?.description.hasSuffix(words) == true, "\(String(describing: refused))")
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
            "table, line 3: the column does not say whether “1,200” has a decimal mark or groups thousands, and those are no "
                + "popularity from 0 to 100; write it with fewer decimals, or name the column that has one with "
                + "--popularity-column"
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
            "table, line 2: “Atlantis” is no country with an App Store; write its code, such as us, gb or de, or its English "
                + "name"
        ),
        (
            "keyword,popularity,country\na,5\n",
            "table, line 2: there is no country; add --country, such as --country us"
        ),
        (
            "keyword,popularity,search popularity,country\na,5,6,us\n",
            "table, line 1: “popularity” and “search popularity” both name the popularity; choose with --popularity-column"
        ),
    ])
    func `what cannot be made sense of is refused with its line`(text: String, problem: String) {
        #expect(refusal(text) == problem)
    }

    @Test(arguments: ["soon", "1e2", "5 (+2)", "500"])
    func `a single odd cell is to be corrected, for the column is the right one`(cell: String) {
        #expect(
            refusal("keyword,popularity\na,5\nb,6\nc,\(cell)\n", country: us)
                == "table, line 4: “\(cell)” is no popularity from 0 to 100; correct it, or leave the cell empty")
        #expect(
            refusal("keyword,popularity\na,\(cell)\n", country: us)?.contains("--popularity-column") == true)
    }

    @Test(arguments: ["", "-", "N/A", "#N/A", "NaN", "nil", "null", "Unranked", "?", "unknown"])
    func `a popularity is missing in the same words as a place`(word: String) throws {
        let path = try folder.write("keyword,popularity\na,5\nb,\(word)\n", to: "table.csv")
        let table = try PopularityTable(path, country: us)
        #expect(table.figures == ["a": [us: 5]] && table.withoutFigure == ["b": [us]])
    }

    @Test func `a country is read by its three-letter code here too, and that is told`() throws {
        let path = try folder.write("keyword,popularity,country\na,5,USA\na,6,GBR\n", to: "table.csv")
        let table = try PopularityTable(path)
        #expect(table.figures == ["a": [us: 5, gb: 6]])
        #expect(table.notes == ["countries read by their longer codes: GBR as gb, USA as us"])
    }

    @Test(arguments: [
        (
            "keyword,popularity\n",
            "table: there are no rows below the header; check that this is the file that you mean"
        ),
        (
            "keyword,popularity\ra,-\rb,\r",
            "table: no row has a figure in “popularity”; name the column that has one with --popularity-column"
        ),
        (
            "keyword,popularity\na,12\nb,1.234\nc,2.500.000\n",
            "table, line 3: “1.234” is no popularity from 0 to 100; name the column that has one with --popularity-column"
        ),
    ]) func `a table that says nothing, or another figure, is a mistake`(text: String, problem: String) {
        #expect(refusal(text, country: us) == problem)
    }

    @Test func `what stands in the table without a figure is known, and so is what ends early`() throws {
        let path = try folder.write(
            "Keyword,Store Domain,Store,Popularity,Tags\rmood,us,United States\rhabit,us,United States,46,a,b\r"
                + "\rMade by a tool\r", to: "table.csv")
        let table = try PopularityTable(path)
        #expect(table.figures == ["habit": [us: 46]] && table.withoutFigure == ["mood": [us]])
        #expect(table.notes == ["line 5 and what follows are no rows and were left out: “Made by a tool”"])
    }

    @Test func `what of a table of popularity is not read is told`() throws {
        let path = try folder.write(
            "Keyword,Popularity,Language,Device\nmood,46,es_mx,iPad\n,12,,\n", to: "table.csv")
        let table = try PopularityTable(path, country: us)
        #expect(table.figures == ["mood": [us: 46]])
        #expect(
            table.notes == [
                "rows with a figure and no query were left out, the first in line 3",
                "“Language” is not read: a figure is written to its query in every language",
                "“Device” is not read: a figure is written to its query on every platform",
            ])
    }

    @Test func `a column says once what its points mean`() throws {
        #expect(
            try table("keyword;popularity\na;46.5\nb;12.345\n", country: us) == ["a": [us: 46.5], "b": [us: 12.345]])
    }
}
