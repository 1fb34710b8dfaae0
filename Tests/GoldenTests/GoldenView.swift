import ArgumentParser
import Foundation
import History
import RankKit
import Reports
import Testing

/// A report of the catalogue as one of its examples asks for it, or one of alerts.
struct GoldenView: Sendable, CustomTestStringConvertible {
    /// What its files are called.
    let name: String
    private let answer: @Sendable (HistoryReader, Timestamp) throws -> any ReportValue

    init(_ name: String, answer: @escaping @Sendable (HistoryReader, Timestamp) throws -> any ReportValue) {
        self.name = name
        self.answer = answer
    }

    /// As a person who looks at it would have it.
    private init(_ request: any ReportRequest.Type, _ example: ReportExample) {
        self.init(example.name) { reader, now in
            try request.parse(example.arguments).answer(in: try ReportContext(reader, now: now, zone: .gmt))
        }
    }

    var testDescription: String { name }

    /// Daylight, and what the demo tracks it on.
    private static let names = ExampleNames(
        app: "com.northwind.daylight", competitor: "habitly", queries: ["streaks", "habit tracker", "mood journal"],
        countries: ["us", "de"],
        version: "2.4")

    /// What a machine shows of itself differs from one to the next.
    private static let unsteady = ["status"]

    static let all: [GoldenView] =
        ReportCatalogue.reports.flatMap { request in
            request.examples(names).map { GoldenView(request, $0) }
        }.filter { !unsteady.contains($0.name) } + ofAlerts

    func make(_ reader: HistoryReader, _ now: Timestamp) throws -> any ReportValue { try answer(reader, now) }
}
