import ArgumentParser
import Testing

@testable import Reports

@Suite struct AskedOptionsTests {
    private func within(_ options: [RequestParameter], database: String? = nil, _ work: () -> String) -> String {
        AskedOptions.$current.withValue(AskedOptions(options, database: database), operation: work)
    }

    private let asked = [
        RequestParameter("app", "habits"), RequestParameter("tag", "core"), RequestParameter("since", "90d"),
        RequestParameter("until", "2026-11-01"), RequestParameter("sensitivity", "calm"),
    ]

    @Test func `a report's name brings the options that it takes, and its own instead of the same given`() {
        #expect(
            within(asked) { ReportAudience.quotedReport("movers", since: "30d") }
                == "“rankctl report movers --app habits --tag core --until 2026-11-01 --sensitivity calm --since 30d”")
        #expect(
            within(asked) { ReportAudience.report("movers", leavingOut: ["since", "until"]) }
                == "rankctl report movers --app habits --tag core --sensitivity calm")
        // It takes none of these.
        #expect(
            within(asked, database: "h") { ReportAudience.report("status", command: "rankctl status") }
                == "rankctl status --database h")
        #expect(
            within(asked, database: "h") { ReportAudience.command("rankctl verify") } == "rankctl verify --database h")
        #expect(ReportAudience.report("movers") == "rankctl report movers")
    }

    @Test(arguments: [
        ("core", "--tag core"), ("daily routine", "--tag 'daily routine'"), ("don't", #"--tag 'don'\''t'"#),
        ("$(rm)", "--tag '$(rm)'"), ("=foo", "--tag '=foo'"), ("-x", "--tag=-x"), ("größe", "--tag größe"),
        ("习惯", "--tag 习惯"),
    ])
    func `a value is written as a shell reads it back`(value: String, typed: String) {
        #expect(
            within([RequestParameter("tag", value)]) { ReportAudience.report("movers") }
                == "rankctl report movers \(typed)")
    }

    @Test func `every report that names another one keeps its pairs, its time and how keenly it judges`() throws {
        let options = [
            "--query", "mood journal", "--country", "us,de", "--platform", "ipad", "--tag", "core", "--language",
            "none",
            "--at", "2026-11-01",
        ]
        let common = [
            RequestParameter("query", "mood journal"), RequestParameter("country", "us,de"),
            RequestParameter("platform", "ipad"), RequestParameter("tag", "core"), RequestParameter("language", "none"),
        ]
        let since = RequestParameter("since", "7d")
        let at = RequestParameter("at", "2026-11-01")
        let keen = RequestParameter("sensitivity", "keen")
        #expect(
            try StandingsRequest.parse(options + ["--since", "7d", "--sensitivity", "keen"]).asked
                == common + [since, at, keen])
        #expect(
            try DigestRequest.parse(options + ["--since", "7d", "--sensitivity", "keen"]).asked
                == common + [since, at, keen])
        #expect(try OpportunitiesRequest.parse(options + ["--sensitivity", "keen"]).asked == common + [at, keen])
        #expect(try CompareRequest.parse(options + ["--app", "a", "--since", "7d"]).asked == common + [since, at])
        #expect(try ReleaseRequest.parse(options + ["a"]).asked == common + [at])
        #expect(try ReleaseRequest.parse(options + ["--app", "a"]).asked == common + [at])
    }
}
