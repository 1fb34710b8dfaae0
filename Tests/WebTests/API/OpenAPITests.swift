import Foundation
import HTTPTypes
import Reports
import TestSupport
import Testing

@testable import Web

/// The description of the API is true.
struct OpenAPITests {
    private let document: ParsedJSON

    init() throws { document = try ParsedJSON(String(decoding: OpenAPI().document.bytes, as: UTF8.self)) }

    private func references(in value: ParsedJSON) -> [String] {
        let own = value["$ref"]?.text.map { [$0] } ?? []
        return own + value.members.values.flatMap(references) + value.elements.flatMap(references)
    }

    private func operation(_ path: String) throws -> ParsedJSON {
        try #require(document["paths"]?[path]?["get"], "\(path)")
    }

    @Test func `it is served as it is made`() async throws {
        let stage = try await APIStage(filled: false)
        #expect(try await stage.answer("/api/v1/openapi.json").json == document)
        #expect(document["openapi"] == .string("3.1.0"))
    }

    @Test func `every reference leads somewhere`() {
        let references = references(in: document)
        #expect(references.count > 300)
        for reference in Set(references) {
            #expect(reference.hasPrefix("#/components/"))
            #expect(document[pointer: String(reference.dropFirst())] != nil, "\(reference)")
        }
    }

    @Test func `nothing is defined twice, and nothing in vain`() {
        let names = OpenAPI().schemas.map(\.key)
        #expect(Set(names).count == names.count)
        let used = Set(references(in: document))
        let unused = names.filter { !used.contains(OpenAPI.schemaFolder + $0) }
        #expect(Set(unused).isSubset(of: ["time", "date", "change"]), "\(unused)")
    }

    @Test func `every address of the controller is described, and no other but the search`() async throws {
        let stage = try await APIStage(filled: false)
        let paths = try #require(document["paths"]?.members.keys)
        for path in paths where path != "/api/v1/search" { _ = try await stage.reply(stage.visit(path)) }
        for report in ReportCatalogue.reports {
            for address in APIAddress.all(of: report) { #expect(paths.contains(address)) }
        }
        let without = try ParsedJSON(String(decoding: OpenAPI(hasSearch: false).document.bytes, as: UTF8.self))
        #expect(without["paths"]?["/api/v1/search"] == nil && without["components"]?["schemas"]?["search"] == nil)
        let ids = document["paths"]?.members.values.compactMap { $0["get"]?["operationId"]?.text } ?? []
        #expect(ids.count == paths.count && Set(ids).count == ids.count)
    }

    @Test func `every option is a parameter, with its kind`() throws {
        for report in ReportCatalogue.reports {
            let parameters = try operation(APIAddress.full(report))["parameters"]?.elements ?? []
            let names = parameters.compactMap { $0["name"]?.text }
            #expect(names == report.options.map(\.name) + ["format", "columns"])
            for (option, parameter) in zip(report.options, parameters) {
                #expect(parameter["required"] == .bool(option.isRequired))
                #expect(parameter["explode"] == (option.isRepeating ? .bool(true) : nil))
                let schema = option.isRepeating ? parameter["schema"]?["items"] : parameter["schema"]
                switch option.kind {
                case .flag: #expect(schema?["type"]?.text == "boolean")
                case .wholeNumber:
                    #expect(schema?["type"]?.text == "integer" && schema?["minimum"] == .number(1))
                    #expect(schema?["maximum"] == option.most.map { .number(Double($0)) })
                case .text: #expect(schema?["type"]?.text == "string")
                case .word: #expect(schema?["enum"]?.elements.compactMap(\.text) == option.values)
                }
            }
        }
    }

    /// The schema that an answer of this status is to fit.
    private func schema(_ path: String, _ status: Int, _ type: String) throws -> JSONSchema {
        var response = try #require(try operation(path)["responses"]?[String(status)], "\(path) \(status)")
        if let reference = response["$ref"]?.text {
            response = try #require(document[pointer: String(reference.dropFirst())])
        }
        return JSONSchema(try #require(response["content"]?[type]?["schema"], "\(path) \(type)"), in: document)
    }

    private func expectConforms(_ answer: Answer, at path: String) throws {
        let type = String(answer.type.prefix { $0 != ";" })
        let schema = try schema(path, answer.status.code, type)
        guard type.hasSuffix("json") else { return }
        #expect(try schema.violations(of: answer.text) == [], "\(path) \(answer.status)")
    }

    @Test func `every answer to every example is what it says, with something in the history and with nothing`()
        async throws
    {
        for filled in [true, false] {
            let stage = try await APIStage(filled: filled)
            for report in ReportCatalogue.reports {
                for example in report.examples(.documented) {
                    let parameters = report.parameters(example.arguments)
                    for path in APIAddress.all(of: report) {
                        let answer = try await stage.answer(stage.visit(path, parameters))
                        #expect(!filled || answer.status == .ok, "\(answer.text)")
                        try expectConforms(answer, at: path)
                    }
                }
            }
        }
    }

    @Test func `every form of every report is described`() throws {
        for path in ReportCatalogue.reports.flatMap({ APIAddress.all(of: $0) }) {
            for format in ReportFormat.allCases { _ = try schema(path, 200, format.mediaType) }
        }
    }

    @Test func `the list of reports and every refusal is what it says`() async throws {
        let stage = try await APIStage()
        try expectConforms(try await stage.answer("/api/v1/reports"), at: "/api/v1/reports")
        let path = "/api/v1/reports/standings"
        for parameters: KeyValuePairs in [["colour": "red"], ["app": "gone"], ["since": "someday"]] {
            try expectConforms(try await stage.answer(path, parameters), at: path)
        }
        try expectConforms(try await stage.answer(path, accept: "image/png"), at: path)
        for kind in Problem.Kind.allCases where kind != .storeFailed {
            try expectConforms(Problem(kind, "x", instance: path).answer, at: path)
        }
        try expectConforms(Problem(.storeFailed, "x").answer, at: "/api/v1/search")
    }

    @Test func `no report is named by hand`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Web/API").standardizedFileURL
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            // “status” is a member of every problem, by its standard.
            for report in ReportCatalogue.reports {
                let name = report.about.name
                if name != "status", text.contains("\"\(name)\"") {
                    Issue.record("\(file.lastPathComponent) names \(name)")
                }
            }
        }
    }
}
