import ArgumentParser
import Foundation
import History
import RankKit
import Reports
import Testing

/// A report of the catalogue as one of its examples asks for it.
struct GoldenView: Sendable, CustomTestStringConvertible {
    let request: any ReportRequest.Type
    let example: ReportExample

    /// What its files are called.
    var name: String { example.name }

    var testDescription: String { name }

    /// Daylight, and what the demo tracks it on.
    private static let names = ExampleNames(
        app: "com.northwind.daylight", queries: ["streaks", "habit tracker", "mood journal"], countries: ["us", "de"],
        version: "2.4")

    /// What a machine shows of itself differs from one to the next.
    private static let unsteady = ["status"]

    static let all: [GoldenView] = ReportCatalogue.reports.flatMap { request in
        request.examples(names).map { GoldenView(request: request, example: $0) }
    }.filter { !unsteady.contains($0.name) }

    /// As a person who looks at it would have it.
    func make(_ reader: HistoryReader, _ now: Timestamp) throws -> any ReportValue {
        try request.parse(example.arguments).answer(in: try ReportContext(reader, now: now, zone: .gmt))
    }
}
