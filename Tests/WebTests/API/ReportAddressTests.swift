import ArgumentParser
import Foundation
import HTTPTypes
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

/// Every report has an address, at which it is what the command line prints.
struct ReportAddressTests {
    private func report<Request: ReportRequest>(
        _ request: Request.Type, _ arguments: [String], _ stage: APIStage, isForPeople: Bool
    ) throws -> any ReportValue {
        let context = try ReportContext(
            try stage.reader, now: stage.now, zone: .gmt, isForPeople: isForPeople, database: "history.sqlite")
        return try request.parse(arguments).answer(in: context)
    }

    @Test func `every example of every report is the command line's in every form, to the byte`() async throws {
        let stage = try await APIStage()
        var count = 0
        for request in ReportCatalogue.reports {
            for example in request.examples(.documented) {
                for format in ReportFormat.allCases {
                    let expected = try report(request, example.arguments, stage, isForPeople: format.isForPeople)
                    let parameters =
                        request.parameters(example.arguments)
                        + [RequestParameter("format", format.rawValue)]
                        + (format == .csv ? [RequestParameter("columns", "all")] : [])
                    for path in APIAddress.all(of: request) {
                        let answer = try await stage.answer(stage.visit(path, parameters))
                        #expect(answer.status == .ok, "\(example.name) \(answer.text)")
                        #expect(answer.text == expected.render(as: format), "\(example.name) as \(format)")
                        #expect(answer.type == format.contentType)
                        count += 1
                    }
                }
            }
        }
        #expect(count > 100)
    }

    @Test func `the columns of CSV are those for people unless others are named`() async throws {
        let stage = try await APIStage()
        let plain = try await stage.answer("/api/v1/reports/standings", ["format": "csv"])
        let short = try report(StandingsRequest.self, [], stage, isForPeople: false)
        #expect(plain.text == (try short.csv(.short)))
        let named = try await stage.answer(
            "/api/v1/reports/standings", ["format": "csv", "columns": "query, position"])
        #expect(named.text.hasPrefix("query,position\r\n"))
    }

    @Test func `repeated options count together`() async throws {
        let stage = try await APIStage()
        let answer = try await stage.answer(
            "/api/v1/reports/standings", ["query": "mood journal", "query": "daily routine", "country": "de"])
        let rows = try answer.json["standings"]?.elements ?? []
        #expect(Set(rows.compactMap { $0["query"]?.text }) == ["mood journal", "daily routine"])
        #expect(Set(rows.compactMap { $0["country"]?.text }) == ["de"])
    }

    @Test func `the list names every report with addresses that answer`() async throws {
        let stage = try await APIStage()
        let list = try await stage.answer("/api/v1/reports").json
        let reports = list["reports"]?.elements ?? []
        #expect(reports.compactMap { $0["name"]?.text } == ReportCatalogue.reports.map { $0.about.name })
        for address in reports.flatMap({ $0["addresses"]?.elements ?? [] }) {
            let answer = try await stage.answer(try #require(address.text))
            #expect(answer.status == .ok || answer.status == .badRequest)
        }
    }

    @Test func `a command of its own has a short address`() async throws {
        let stage = try await APIStage()
        let short = try await stage.answer("/api/v1/status")
        #expect(short.text == (try await stage.answer("/api/v1/reports/status")).text)
        #expect(short.text == (try report(StatusRequest.self, [], stage, isForPeople: false)).render(as: .json))
    }

    @Test func `what a report remarks beside itself is in a header`() async throws {
        let stage = try await APIStage()
        let rival = try await stage.answer(
            "/api/v1/reports/timeline", ["app": "com.rival", "competitors": "true"])
        let name = try #require(HTTPField.Name(Remarks.name))
        #expect(rival.fields[name] == #"%"the watchlist lists no competitor of this app""#)
        #expect(try await stage.answer("/api/v1/reports/timeline", ["app": "habits"]).fields[name] == nil)
    }

    @Test func `a remark in any script is a header that any client can read`() {
        let remarks = Remarks()
        remarks.add("“習慣” 100%\r\nSet-Cookie: \"x\"")
        remarks.add("plain")
        remarks.add("--at is early")
        #expect(
            remarks.field
                == #"%"%e2%80%9c%e7%bf%92%e6%85%a3%e2%80%9d 100%25%0d%0aSet-Cookie: %22x%22", %"plain", %"at is early""#
        )
        for _ in 0..<1000 { remarks.add("more") }
        #expect(remarks.field.map { $0.utf8.count <= 4096 } == true)
    }

    @Test func `the page of a report brings its own policy`() async throws {
        let stage = try await APIStage()
        let page = try await stage.answer("/api/v1/reports/movers", ["format": "html"])
        #expect(page.fields[.contentSecurityPolicy] == PageStyle.policy)
        #expect(page.text.contains(PageStyle.policy))
    }
}
