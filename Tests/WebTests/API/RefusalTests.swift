import Foundation
import HTTPTypes
import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Web

/// What cannot be answered is told as a problem, in the words of the terminal.
struct RefusalTests {
    private func expect(
        _ answer: Answer, _ kind: Problem.Kind, _ detail: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == kind.status, sourceLocation: sourceLocation)
        #expect(answer.type == "application/problem+json", sourceLocation: sourceLocation)
        let problem = try answer.json
        #expect(problem["type"]?.text == "/api#\(kind.rawValue)", sourceLocation: sourceLocation)
        #expect(problem["status"] == .number(Double(kind.status.code)), sourceLocation: sourceLocation)
        if let detail { #expect(problem["detail"]?.text == detail, sourceLocation: sourceLocation) }
    }

    @Test func `what no history could answer is a mistake of the request`() async throws {
        let stage = try await APIStage()
        let standings = "/api/v1/reports/standings"
        try expect(
            try await stage.answer(standings, ["since": "7d", "until": "1d", "at": "2d"]), .usage,
            "at and until mean the same: give only one")
        try expect(try await stage.answer(standings, ["colour": "red"]), .usage)
        try expect(try await stage.answer(standings, ["all": "perhaps"]), .usage)
        try expect(
            try await stage.answer(standings, ["since": "1d", "since": "2d"]), .usage,
            "since is given twice: give it once")
        try expect(try await stage.answer("/api/v1/reports/history"), .usage)
        try expect(try await stage.answer("/api/v1/apps", ["limit": "0"]), .usage)
        try expect(
            try await stage.answer("/api/v1/apps", ["limit": ""]), .usage,
            "limit is empty: give it a value, or leave it out")
        try expect(try await stage.answer(standings, ["sensitivity": ""]), .usage)
        try expect(try await stage.answer(standings, ["format": ""]), .usage)
        // A time that is none is found out in the history's days.
        try expect(try await stage.answer(standings, ["since": "someday"]), .usage)
    }

    @Test func `what stands in no form is a mistake of the request`() async throws {
        let stage = try await APIStage()
        let standings = "/api/v1/reports/standings"
        try expect(
            try await stage.answer(standings, ["format": "xml"]), .usage,
            "format is “xml”: write one of table, json, csv, markdown, html")
        try expect(
            try await stage.answer(standings, ["format": "jsn"]), .usage,
            "format cannot be “jsn”; did you mean “json”?")
        try expect(
            try await stage.answer(standings, ["platform": "ihpone"]), .usage,
            "platform cannot be “ihpone”; did you mean “iphone”?")
        try expect(try await stage.answer(standings, ["format": "csv", "format": "csv"]), .usage)
        try expect(
            try await stage.answer(standings, ["columns": "query"]), .usage, "columns is for CSV: add format=csv")
        try expect(try await stage.answer(standings, ["format": "csv", "columns": ","]), .usage)
        try expect(try await stage.answer(standings, ["format": "csv", "columns": "colour"]), .usage)
        #expect(try await stage.answer(standings, ["columns": "", "since": "", "query": ""]).status == .ok)
    }

    @Test func `a name that is not there is not found, with those that come near`() async throws {
        let stage = try await APIStage()
        try expect(
            try await stage.answer("/api/v1/reports/standings", ["app": "habit"]), .noSuchName,
            "no app “habit” is tracked; did you mean “habits”?")
        let version = try await stage.answer("/api/v1/reports/release", ["app": "habits", "version": "9.9"])
        try expect(version, .noSuchName, "rankd knows no version “9.9” of <b>com.me.habits; it knows: 2.4")
        #expect(try version.json["instance"]?.text == "/api/v1/reports/release")
    }

    @Test func `a report that is not there is an address that is not there`() async throws {
        let stage = try await APIStage()
        for name in ["nothing", "Standings", "..", "<b>", "search"] {
            let answer = try await stage.answer("/api/v1/reports/\(name)")
            try expect(answer, .noSuchAddress)
            #expect(try answer.json["detail"]?.text?.contains("the reports are standings, ") == true)
        }
    }

    @Test func `a history that is missing is not there for now, and its folder is told to nobody`() async throws {
        let stage = try await APIStage(filled: false)
        let path = stage.folder.file("gone.sqlite")
        let controller = APIController(history: HistoryAccess(path: path, zone: .gmt)) { $1 }
        let route = try #require(APIStage.routes(of: controller).first { $0.path == "/api/v1/status" })
        guard case .ofHistory(let make) = try await route.handler(stage.visit("/api/v1/status")) else {
            Issue.record("made of something else than the history")
            return
        }
        let answer = try make()
        try expect(answer, .noHistory)
        #expect(answer.fields[.cacheControl] == "no-store")
        #expect(!answer.text.contains(stage.folder.path))
        #expect(try answer.json["detail"]?.text?.hasPrefix("no history at gone.sqlite: ") == true)
    }

    @Test func `no folder is in any word about a history that a link or a short path leads to`() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("real place"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("real place"))
        let real = try folder.write("", to: "real place/history.sqlite")
        for typed in [folder.file("link/history.sqlite"), real, "history.sqlite"] {
            for path in [real, typed] {
                let error = HistoryError.corrupt(path: path, what: "a list of \(real) is damaged there")
                let detail = Problem(error, hiding: typed).detail
                #expect(!detail.contains(folder.path), "\(typed): \(detail)")
                // A folder with a space in its name is known by where the history is.
                #expect(typed == "history.sqlite" || !detail.contains("place"), "\(typed): \(detail)")
            }
        }
    }

    @Test func `what is too busy or takes too long is told to programs as that, and not as a history that is gone`()
        throws
    {
        let refusal = Refusal(.serviceUnavailable, "Too busy", "Try again.", kind: .tooBusy)
        let answer = SiteLook.site.problem(refusal, "/api/v1/status")
        #expect(try answer.json["type"]?.text == "/api#too-busy")
        let plain = SiteLook.site.problem(Refusal(.serviceUnavailable, "Gone", "No history."), "/api/v1/status")
        #expect(try plain.json["type"]?.text == "/api#no-history")
    }

    @Test func `a body that is too large is told to programs as a problem of its own`() throws {
        let refusal = Refusal(.contentTooLarge, "Too much", "No form of this site is that long.")
        let answer = SiteLook.site.problem(refusal, "/api/v1/status")
        try expect(answer, .tooLarge, "No form of this site is that long.")
        #expect(try answer.json["type"]?.text == "/api#too-large")
        #expect(OpenAPI.always.contains(.tooLarge))
    }

    @Test func `no folder is in any word about the history`() {
        let path = "/var/lib/rankd/history.sqlite"
        let errors: [HistoryError] = [
            .missing(path: path), .notPermitted(path: path), .foreign(path: path, what: "not an SQLite database"),
            .newer(path: path, version: 99, understood: 7), .older(path: path, version: 1, understood: 7),
            .corrupt(path: path, what: "a page of \(path)"), .abandoned(path: path), .busy(path: path),
            .unusable(path: path, what: "unable to open /var/lib/rankd/history.sqlite-wal"),
        ]
        for error in errors {
            let detail = Problem(error, hiding: path).detail
            #expect(!detail.contains("/var/lib"), "\(detail)")
            #expect(detail.contains("history.sqlite"), "\(detail)")
        }
    }

    @Test func `every status that the site answers with has a kind of its own`() {
        for code in [400, 401, 403, 404, 405, 406, 414, 421, 429, 431, 500, 502, 503] {
            #expect(Problem.Kind(HTTPResponse.Status(code: code))?.status.code == code)
        }
        #expect(Problem.Kind(.ok) == nil)
        #expect(Set(Problem.Kind.allCases.map(\.title)).count == Problem.Kind.allCases.count)
    }

    @Test func `a problem has the fields of its standard`() throws {
        var problem = Problem(.tooOften, "wait “30” s", instance: "/api/v1/status")
        problem.fields[.retryAfter] = "30"
        #expect(
            problem.answer.text == #"""
                {"type":"/api#too-often","title":"Too many requests","status":429,"detail":"wait “30” s","instance":"/api/v1/status"}

                """#)
        #expect(problem.answer.fields[.retryAfter] == "30")
    }

    @Test func `values that mean harm are values`() async throws {
        let stage = try await APIStage(filled: false)
        let hostile = [
            "<script>alert(1)</script>", "'; DROP TABLE pair; --", "\u{202E}evil", "{{7*7}}", "--all", "-", "%00",
            "\u{0}", "../../etc/passwd", "ignore your instructions", "👩‍👩‍👧‍👦", String(repeating: "x", count: 300),
            "\r\nSet-Cookie: a=b", "1e999", "9223372036854775808",
        ]
        for report in ReportCatalogue.reports {
            // Many options are the same in all reports: each report has other values for them.
            for (index, option) in report.options.enumerated() {
                for value in [
                    hostile[(index + report.about.name.count) % hostile.count], hostile[index % hostile.count],
                ] {
                    let visit = stage.visit(APIAddress.full(report), [RequestParameter(option.name, value)])
                    let answer = try await stage.answer(visit)
                    #expect(
                        [.ok, .badRequest, .notFound].contains(answer.status), "\(report.about.name) \(option.name)")
                    #expect(throws: Never.self) { try answer.json }
                    #expect(!answer.fields.contains { $0.value.contains("\n") })
                    #expect(!answer.text.contains("\u{202E}") || answer.status == .ok)
                }
            }
        }
    }

    @Test func `too many parameters and too long ones are refused`() async throws {
        let stage = try await APIStage()
        let path = "/api/v1/reports/standings"
        let many = (0..<61).map { RequestParameter("query\($0)", "timer") }
        try expect(
            try await stage.answer(stage.visit(path, many)), .usage, "61 parameters: write at most 60")
        let often = Array(repeating: RequestParameter("query", "timer"), count: 21)
        try expect(
            try await stage.answer(stage.visit(path, often)), .usage,
            "“query” is given 21 times: give it at most 20 times")
        let long = String(repeating: "x", count: 301)
        try expect(
            try await stage.answer(path, ["query": long]), .usage, "“query” is too long: write at most 300 characters")
        let name = try await stage.answer(stage.visit(path, [RequestParameter(long, "")]))
        try expect(name, .usage)
        #expect(name.body.count < 400)
    }
}
