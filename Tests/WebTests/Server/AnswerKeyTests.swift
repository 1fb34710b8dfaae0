import Testing

@testable import Web

/// By what the site tells answers apart.
@Suite struct AnswerKeyTests {
    @Test func `junk parameters and what a browser accepts do not have an answer made anew`() async throws {
        let credentials = try Credentials(password: "correct horse battery", tokens: "grafana 0123456789abcdef")
        try await RunningSite.run(at: "https://ranks.example.com", credentials) { running in
            let token = [("Authorization", "Bearer 0123456789abcdef")]
            let made = try await running.page("/links", token, form: "report=standings&days=1")
            let link = String(try #require(made.text.firstMatch(of: /\/shared\/[\w.-]+/)).output)
            for (path, fields) in [
                (link, []), ("/metrics", token), ("/apps/com.acme.focus", token), ("/", token),
                ("/api/v1/reports/movers", token),
            ] {
                let first = try await running.page(path, fields)
                #expect(first.status == 200, "\(path)")
                let before = await running.site.cache.answersMade
                for number in 0..<5 {
                    let accepted = fields + [("Accept", "text/x-junk-\(number), */*")]
                    // A page that takes parameters refuses those that it does not know.
                    let takesNone = path == link || path == "/metrics" || path.hasPrefix("/apps/")
                    let again = try await running.page(path + (takesNone ? "?junk=\(number)" : ""), accepted)
                    #expect(again.text == first.text, "\(path)")
                }
                #expect(await running.site.cache.answersMade == before, "\(path)")
            }
        }
    }

    @Test func `extra slashes in a path do not have an answer made anew, and other names do`() async throws {
        let credentials = try Credentials(password: "correct horse battery", tokens: "grafana 0123456789abcdef")
        try await RunningSite.run(at: "https://ranks.example.com", credentials) { running in
            let token = [("Authorization", "Bearer 0123456789abcdef")]
            let made = try await running.page("/links", token, form: "report=standings&days=1")
            let link = String(try #require(made.text.firstMatch(of: /\/shared\/[\w.-]+/)).output)
            for path in [link, "/apps/com.acme.focus", "/metrics", "/api/v1/reports/movers"] {
                let fields = path == link ? [] : token
                let first = try await running.page(path, fields)
                #expect(first.status == 200, "\(path)")
                let before = await running.site.cache.answersMade
                for junk in [path + "/", path + "///", path.replacing("/", with: "//").dropFirst() + "/"] {
                    let again = try await running.page(String(junk), fields)
                    #expect(again.text == first.text, "\(junk)")
                }
                #expect(await running.site.cache.answersMade == before, "\(path)")
            }
            let before = await running.site.cache.answersMade
            _ = try await running.page("/apps/com%2Fa", token)
            _ = try await running.page("/apps/com%2F%2Fa", token)
            #expect(await running.site.cache.answersMade == before + 2)
        }
    }

    @Test func `another form of a report is another answer`() async throws {
        try await RunningSite.run(at: "https://ranks.example.com") { running in
            let json = try await running.page("/api/v1/reports/movers", [("Accept", "application/json")])
            let csv = try await running.page("/api/v1/reports/movers", [("Accept", "text/csv")])
            #expect(json.type.hasPrefix("application/json") && csv.type.hasPrefix("text/csv"))
            #expect(try await running.page("/api/v1/reports/movers", [("Accept", "image/png")]).status == 406)
        }
    }
}
