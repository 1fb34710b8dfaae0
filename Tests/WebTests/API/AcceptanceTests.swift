import HTTPTypes
import Reports
import TestSupport
import Testing

@testable import Web

/// Which form a report comes in.
struct AcceptanceTests {
    private static let path = "/api/v1/reports/standings"

    private func type(_ accept: String?, _ stage: APIStage) async throws -> String {
        try await stage.answer(Self.path, accept: accept).type
    }

    @Test func `JSON comes where anything will do`() async throws {
        let stage = try await APIStage()
        for accept in [
            nil, "", "*/*", "application/json", "application/*", "text/csv;q=0.5, */*", "nonsense", ";;,,q=1",
        ] {
            #expect(try await type(accept, stage) == "application/json", "\(accept ?? "none")")
        }
    }

    @Test(arguments: [
        ("text/csv", ReportFormat.csv), ("text/html, application/xhtml+xml, */*;q=0.8", .html),
        ("text/markdown; charset=utf-8", .markdown), ("text/plain", .table), ("TEXT/CSV", .csv),
        ("application/json;q=0.1, text/csv;q=0.9", .csv), ("text/*", .csv), ("text/*;q=0.5, text/html", .html),
        ("application/json;q=0, */*", .csv), ("*/*;q=0, text/plain;q=0.001", .table),
    ])
    func `the form comes that is liked most`(accept: String, format: ReportFormat) async throws {
        let stage = try await APIStage(filled: false)
        #expect(try await type(accept, stage) == format.contentType)
    }

    @Test(arguments: ["image/png", "application/xml, audio/*", "*/*;q=0", "application/problem+json"])
    func `where nothing fits, what there is is named`(accept: String) async throws {
        let stage = try await APIStage(filled: false)
        for path in [Self.path, "/api/v1/reports", "/api/v1/openapi.json"] {
            let answer = try await stage.answer(path, accept: accept)
            #expect(answer.status == .notAcceptable)
            #expect(try answer.json["type"]?.text == "/api#no-such-form")
            #expect(answer.text.contains("application/json"))
        }
    }

    @Test func `the address outranks the header`() async throws {
        let stage = try await APIStage(filled: false)
        #expect(try await stage.answer(Self.path, ["format": "json"], accept: "text/csv").type == "application/json")
        #expect(try await stage.answer(Self.path, ["format": "csv"], accept: "image/png").status == .ok)
    }

    @Test func `columns may go with a form that the header chose`() async throws {
        let stage = try await APIStage()
        let answer = try await stage.answer(Self.path, ["columns": "position"], accept: "text/csv")
        #expect(answer.text.hasPrefix("position\r\n"))
    }
}
