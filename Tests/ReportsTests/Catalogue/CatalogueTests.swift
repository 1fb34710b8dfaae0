import ArgumentParser
import Foundation
import Testing

@testable import Reports

/// What follows from the declared fields of every report.
@Suite struct CatalogueTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/json")

    private static let isRenewing = ProcessInfo.processInfo.environment["RANKD_RENEW_GOLDENS"] == "1"

    /// Where nothing is renewed, that the file is what it would be.
    private func expect(_ text: String, in file: String) throws {
        let path = Self.folder.appending(path: file)
        if Self.isRenewing {
            try Data(text.utf8).write(to: path)
            Issue.record("renewed: look at what git says has changed, then run again without RANKD_RENEW_GOLDENS")
        } else {
            let kept = try String(contentsOf: path, encoding: .utf8)
            #expect(kept == text, "\(file) is not what the fields say: RANKD_RENEW_GOLDENS=1 renews it")
        }
    }

    @Test func `every schema in the documentation is what the fields say`() throws {
        for answer in ReportCatalogue.answers { try expect(schema(of: answer), in: "\(name(of: answer)).schema.json") }
    }

    @Test func `the reference in the documentation is what the fields say`() throws {
        try expect(FieldReference.markdown, in: "reference.md")
    }

    @Test func `no schema is documented that no report has`() throws {
        let kept = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".schema.json") }
        // Alerts are no report: their tests hold theirs to its schema.
        #expect(
            Set(kept).subtracting(["alert.schema.json"])
                == Set(ReportCatalogue.answers.map { name(of: $0) + ".schema.json" }))
    }

    @Test func `every report has a name of its own`() {
        let names = ReportCatalogue.reports.map { $0.about.name }
        #expect(Set(names).count == names.count)
        #expect(Set(ReportCatalogue.answers.map { name(of: $0) }).count == ReportCatalogue.answers.count)
    }

    @Test func `the short columns of every report are some of its columns, in their order`() throws {
        for answer in ReportCatalogue.answers { try expectShort(answer) }
    }

    private func expectShort<Value: ReportValue>(_ answer: Value.Type) throws {
        let grain = answer.shape.csv
        let places = try grain.places(of: .short, in: grain.header)
        #expect(places == places.sorted() && Set(places).count == places.count, "\(answer.shape.name)")
        #expect(places.count <= 15, "\(answer.shape.name)")
    }

    @Test func `every example can be parsed, and is called after its report`() throws {
        for request in ReportCatalogue.reports {
            for example in request.examples(.documented) {
                #expect(throws: Never.self, "\(example.name)") { try request.parse(example.arguments) }
            }
        }
        let names = ReportCatalogue.reports.flatMap { $0.examples(.documented).map(\.name) }
        #expect(Set(names).count == names.count)
    }

    @Test func `an interface that has names and values asks with them`() throws {
        let request = try MoversRequest.parse(["--app=habits", "--all", "--since=7d"])
        #expect(request.all && request.options.filter.app == ["habits"] && request.options.since == "7d")
    }

    @Test func `an option that nobody declared is refused`() {
        #expect(throws: (any Error).self) { try MoversRequest.parse(["--colour=red"]) }
    }

    private func name<Value: ReportValue>(of value: Value.Type) -> String { value.shape.name }
    private func schema<Value: ReportValue>(of value: Value.Type) -> String { SchemaText.text(of: value) }
}
