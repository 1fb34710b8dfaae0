import Foundation
import HTTPTypes
import History
import JudgingStage
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

/// Whoever may see some tags alone learns of nothing else, in any page and any form of an answer; and nobody learns by the
/// site where the history lies.
@Suite struct NarrowedSiteTests {
    private let clients: TwoClients
    private let routes: [Routes.Route]
    private let key = SecretKey(bytes: Array(repeating: 7, count: 32))
    private let credentials: Credentials

    private static let narrowed = Visitor(name: "acme", tags: [TwoClients.ownTag])

    init() async throws {
        clients = try await TwoClients(more: 1)
        try await clients.store.noteBackupFailure("\(clients.folder.path)/backups: no space left", at: noon - hour)
        credentials = try Credentials(
            password: "long enough for all", tokens: "acme 0123456789abcdef tags=\(TwoClients.ownTag)")
        let history = HistoryAccess(path: clients.store.path, zone: .gmt)
        var routes = Routes()
        PageController(history: history, canLogOut: true, search: { _ in .nothing }).add(to: &routes)
        APIController(history: history) { "<title>\($0)</title>\n\($1)" }.add(to: &routes)
        MetricsController(history: history).add(to: &routes)
        SharedLinkController(
            key: key, credentials: credentials, history: history, origins: KnownOrigins([]), look: .site, now: { noon }
        ).add(to: &routes)
        self.routes = routes.all
    }

    /// What is at `path`, by the routes; `nil` where there is nothing.
    private func text(
        _ path: String, _ parameters: [RequestParameter], of visitor: Visitor
    ) async throws -> String? {
        let answer: Answer
        do {
            answer = try await routes.answer(Visit(path: path, parameters: parameters, visitor: visitor, now: noon))
        } catch is NoSuchRoute { return nil }
        let fields = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return fields + "\n" + answer.text
    }

    /// Every report with every example, as a page, by the API in every form, and by a link that the visitor has made;
    /// then the pages that are no report.
    private func everything(of visitor: Visitor) async throws -> [String: String] {
        let own = TwoClients.own
        let names = ExampleNames(app: own.app, queries: own.queries, countries: own.countries, version: own.version)
        var found: [String: String] = [:]
        for report in ReportCatalogue.reports {
            let name = report.about.name
            for example in report.examples(names) {
                let asked = report.parameters(example.arguments)
                let title = "\(name) \(example.arguments)"
                found["page " + title] = try await text("/reports/\(name)", asked, of: visitor)
                for format in ReportFormat.allCases {
                    found["\(format) \(title)"] = try await text(
                        "/api/v1/reports/\(name)", asked + [RequestParameter("format", format.rawValue)], of: visitor)
                }
                let link = SharedLink(
                    report: name, parameters: asked, maker: credentials.entry(named: visitor.name),
                    until: noon + day, key: key)
                found["link " + title] = try await text(try link.path(key), [], of: Visitor(name: "", tags: []))
            }
        }
        let bundle = "com.acme.focus"
        for path in [
            "/", "/queries", "/apps", "/apps/\(bundle)", "/search", "/service", "/metrics", "/api", "/api/v1/reports",
        ] {
            found[path] = try await text(path, [], of: visitor)
        }
        for text in [own.queries[0], "ze", "com.z"] {
            found["recorded \(text)"] = try await self.text(
                "/search/recorded", [RequestParameter("query", text)], of: visitor)
        }
        found["search"] = try await text("/search", [RequestParameter("query", own.queries[0])], of: visitor)
        found["query"] = try await text("/queries", [RequestParameter("query", "timer")], of: visitor)
        found["pair"] = try await text(
            "/pairs", [RequestParameter("app", own.app), RequestParameter("query", own.queries[0])], of: visitor)
        return found
    }

    @Test func `no page and no form of an answer tells of the other client`() async throws {
        let found = try await everything(of: Self.narrowed)
        #expect(found.count > ReportCatalogue.reports.count * (ReportFormat.allCases.count + 2))
        for (asked, text) in found {
            let lines = text.split(separator: "\n").filter { $0.lowercased().contains(TwoClients.marker) }
            #expect(lines.isEmpty, "\(asked): \(lines.prefix(3))")
            #expect(!text.contains("\"jp\""), "\(asked)")
        }
    }

    @Test func `the other client is in what the owner is shown`() async throws {
        let found = try await everything(of: .owner)
        let recorded = ["recorded ze", "recorded com.z"]
        for asked in recorded + ["/", "/metrics", "/queries", "page status []", "link status []", "json standings []"] {
            #expect(found[asked]?.lowercased().contains(TwoClients.marker) == true, "\(asked)")
        }
    }

    @Test(arguments: [Visitor.owner, Self.narrowed])
    func `nothing tells where the history lies`(_ visitor: Visitor) async throws {
        for (asked, text) in try await everything(of: visitor) {
            #expect(!text.contains(clients.folder.path), "\(asked)")
        }
    }

    @Test func `an event tells that the history has changed, and not how often`() async throws {
        let history = HistoryAccess(path: clients.store.path, zone: .gmt)
        let version = try history.version()
        let look = try history.look(now: noon)
        #expect(look == (try history.look(now: noon)) && !look.version.contains(version.split(separator: "-")[1]))
        try await clients.store.noteRequest(at: noon)
        #expect(try history.look(now: noon).version != look.version)
    }
}
