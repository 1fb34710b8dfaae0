import ArgumentParser
import RankKit
import Testing

@testable import Reports

/// What a report can be asked with, for interfaces that have names and values.
struct RequestOptionTests {
    @Test func `the options are those of the command line`() {
        let options = StandingsRequest.options
        #expect(
            options.map(\.name) == [
                "competitors", "all", "sort", "reverse", "limit", "page", "sensitivity", "app", "query", "country",
                "platform", "tag", "language", "since", "until", "at",
            ])
        #expect(options.first { $0.name == "sensitivity" }?.values == ["calm", "normal", "keen"])
        #expect(options.first { $0.name == "all" }?.kind == .flag)
        #expect(options.first { $0.name == "query" }?.isRepeating == true)
    }

    @Test func `every report says of every option what it does`() {
        for report in ReportCatalogue.reports {
            for option in report.options {
                #expect(!option.meaning.isEmpty, "\(report.about.name) \(option.name)")
                #expect(!option.name.isEmpty)
            }
        }
    }

    @Test func `what a report always refuses is offered by nothing, and refused by name`() throws {
        let refusing = ReportCatalogue.reports.filter { !$0.about.refused.isEmpty }
        #expect(refusing.map { "\($0.about.name) \($0.about.refused.sorted())" } == [#"opportunities ["since"]"#])
        for report in refusing {
            for name in report.about.refused {
                #expect(!report.options.contains { $0.name == name })
                let refusal = #expect(throws: ReportRefusal.self) { try report.request([.init(name, "7d")]) }
                #expect(refusal?.description.hasPrefix("there is no option “\(name)”") == true)
                #expect(throws: (any Error).self) { try report.parse(["--\(name)", "7d"]) }
            }
        }
    }

    @Test func `an argument that stands by its place has a name`() throws {
        let names = ReleaseRequest.options.map(\.name)
        #expect(names.prefix(2) == ["app", "version"])
        #expect(names.count { $0 == "app" } == 1)
        let request = try ReleaseRequest.request([.init("version", "2.4"), .init("app", "habits")])
        #expect(request.name == "habits")
        #expect(request.version == "2.4")
    }

    @Test func `a number is known as one`() {
        #expect(AppsRequest.options.first { $0.name == "limit" }?.kind == .wholeNumber)
        // A table that goes to a file has no limit, so that there is no default for all.
        #expect(AppsRequest.options.first { $0.name == "limit" }?.defaultValue == nil)
    }

    @Test func `a number that has a largest value says so, and the value is the one that is refused beyond it`() throws
    {
        let named = ReportCatalogue.reports.flatMap { report in
            report.options.filter { $0.most != nil }.map { "\(report.about.name) \($0.name)" }
        }
        #expect(named == ["release days"])
        let days = try #require(ReleaseRequest.options.first { $0.name == "days" })
        let most = try #require(days.most)
        #expect(days.meaning.hasSuffix("at most \(most)."))
        let app = RequestParameter("app", "habits")
        #expect(try ReleaseRequest.request([app, .init("days", "\(most)")]).days == Int64(most))
        let refusal = #expect(throws: ReportRefusal.self) {
            try ReleaseRequest.request([app, .init("days", "\(most + 1)")])
        }
        #expect(refusal?.plain == "days is \(most + 1): write a number from 1 to \(most)")
    }

    @Test func `a value that begins with a hyphen is a value`() throws {
        let request = try AppsRequest.request([.init("text", "--limit"), .init("limit", "3")])
        #expect(request.text == "--limit")
        #expect(request.limit == 3)
    }

    @Test(arguments: [
        ("platform", "ihpone", "iphone"), ("platform", "iPhone", "iphone"), ("sort", "contry", "country"),
        ("sensitivity", "keeen", "keen"),
    ])
    func `a word that is likely a slip of another is told with that`(_ name: String, _ value: String, _ meant: String) {
        let refusal = ReportRefusal.option("\(name) cannot be “\(value)”; did you mean “\(meant)”?")
        #expect(throws: refusal) { try StandingsRequest.request([.init(name, value)]) }
    }

    @Test func `a flag is true, false, or there`() throws {
        #expect(try StandingsRequest.request([.init("all", "")]).all)
        #expect(try StandingsRequest.request([.init("all", "true")]).all)
        #expect(try !StandingsRequest.request([.init("all", "0")]).all)
        #expect(throws: ReportRefusal.self) { try StandingsRequest.request([.init("all", "perhaps")]) }
    }

    @Test func `an empty field of a form counts as none`() throws {
        #expect(try StandingsRequest.request([.init("query", ""), .init("since", "")]).options.since == nil)
    }

    @Test func `a name that the report does not know is refused by name`() {
        #expect(throws: ReportRefusal.self) { try StandingsRequest.request([.init("colour", "red")]) }
    }

    @Test func `a missing value is named with what it is for`() {
        let refusal = #expect(throws: ReportRefusal.self) { try HistoryRequest.request([]) }
        #expect(refusal?.description.hasPrefix("app is missing: The app") == true)
    }

    @Test func `what the command line refuses is refused in its words`() {
        let refusal = #expect(throws: ReportRefusal.self) {
            try StandingsRequest.request([.init("since", "7d"), .init("until", "1d"), .init("at", "2d")])
        }
        #expect(refusal?.description == "--at and --until mean the same: give only one")
    }

    @Test func `whoever asks by names reads the names without hyphens, and what was written stays`() {
        for (text, plain) in [
            ("--since is in the future", "since is in the future"),
            ("--at and --until mean the same: give only one", "at and until mean the same: give only one"),
            ("the value 'x' is no number for '--limit <number>'", "the value 'x' is no number for 'limit <number>'"),
            ("choose fewer with --query, --country or --platform", "choose fewer with query, country or platform"),
            ("“--since” was never asked", "“--since” was never asked"),
            ("“a” is no longer asked; “rankctl report history --app APP --query a” shows its history", nil),
            ("a--b -- c", nil),
        ] as [(String, String?)] {
            #expect(ReportRefusal.option(text).plain == plain ?? text)
        }
    }

    @Test func `what is repeated once too often is refused`() {
        #expect(throws: ReportRefusal.self) {
            try StandingsRequest.request([.init("since", "7d"), .init("since", "1d")])
        }
    }
}
