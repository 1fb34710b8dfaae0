import Foundation
import RankKit
import Reports

/// What each report costs over 1,000 pairs and a year of hourly checks: `rankctl` as a person starts it.
struct ViewBenchmark {
    let bench: Workbench
    let year: YearOfLists

    /// A row of processor time, and what is typed after `rankctl`.
    struct View {
        let name: RowName
        let command: CommandMemory.Command
    }

    /// The examples of every report: one that is added to the catalogue has its rows by itself.
    static func views(_ names: ExampleNames) -> [View] {
        ReportCatalogue.reports.flatMap { report in
            let words = report.about.command.split(separator: " ").dropFirst().map(String.init)
            // Nothing records: it says that it is down.
            let status: Int32? = report == StatusRequest.self ? 2 : nil
            return report.examples(names).map { example in
                View(name: .view(example.name), command: .init(words + example.arguments, mayEndWith: status))
            }
        }
    }

    static var names: [RowName] { views(.documented).map(\.name) + [.viewMemory] }

    private static let rounds = 3
    /// Milliseconds of processor time, and bytes.
    private static let goal = 300.0
    private static let memoryGoal = 64.0

    /// - Parameters:
    ///   - app: a bundle identifier; it gets a release to tell about.
    ///   - queries: up to three that it is tracked on.
    func rows(app: String, queries: [String], memory: CommandMemory) throws -> [Row] {
        try year.addDays(noting: app)
        let names = ExampleNames(app: app, queries: queries, countries: ["us"], version: YearOfLists.version)
        let views = Self.views(names).map { view in
            View(name: view.name, command: view.command.on(["--database", year.path]))
        }
        var rows = try views.map { view in
            let times = try (0..<Self.rounds).map { _ in
                try bench.start("rankctl", view.command.arguments).usage(orStatus: view.command.otherStatus)
                    .processorTime * 1e3
            }
            return Row(
                name: view.name, value: times.median ?? 0, unit: "ms", reference: nil,
                goal: .value(atMost: Self.goal))
        }
        let most = try memory.most(of: views.map(\.command))
        rows.append(
            Row(name: .viewMemory, value: most / 1e6, unit: "MB", reference: nil, goal: .value(atMost: Self.memoryGoal))
        )
        return rows
    }
}
