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

    @Test func `what is repeated once too often is refused`() {
        #expect(throws: ReportRefusal.self) {
            try StandingsRequest.request([.init("since", "7d"), .init("since", "1d")])
        }
    }
}
