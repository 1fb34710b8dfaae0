import Reports
import Testing

@testable import Web

/// The page that shows the API.
struct APIPageTests {
    private func page() async throws -> String {
        try await APIStage(filled: false).answer("/api").text
    }

    @Test func `it is framed by the site`() async throws {
        let page = try await page()
        #expect(page.hasPrefix("<title>API</title>\n<p>Every report has an address"))
    }

    @Test func `it shows every report with its options and fields`() async throws {
        let page = try await page()
        for report in ReportCatalogue.reports {
            #expect(page.contains("<section id=\"report-\(report.about.name)\">"))
            for option in report.options { #expect(page.contains("<td><code>\(option.name)</code></td>")) }
            for field in report.answerDescriptions.flatMap(\.fields) {
                #expect(page.contains("<code>\(HTMLText.escaped(field.path))</code>"))
            }
        }
    }

    @Test func `every kind of problem leads to its row`() async throws {
        let page = try await page()
        for kind in Problem.Kind.allCases {
            let id = kind.address.drop { $0 != "#" }.dropFirst()
            #expect(page.contains("<tr id=\"\(id)\">"))
        }
    }

    @Test func `it has no script and nothing from elsewhere`() async throws {
        let page = try await page()
        for word in ["<script", "http://", "https://", "<img", "<link", " style=", "url("] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    @Test func `no two things on it have the same name`() async throws {
        let ids = try await page().matches(of: /id="([^"]+)"/).map { String($0.output.1) }
        #expect(ids.count > ReportCatalogue.reports.count && Set(ids).count == ids.count)
    }
}
