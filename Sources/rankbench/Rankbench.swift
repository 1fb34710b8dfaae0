internal import ArgumentParser
import Console
import Foundation

/// Measures what rankd and rankctl cost, each beside a reference measured in the same run.
@main
struct Rankbench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankbench",
        abstract: "Measures what rankd and rankctl cost, each beside a reference in the same run.",
        discussion: """
            Runs the release programs that lie beside it; script/bench builds them and prepares the Python of the \
            references. Where a reference cannot be had, its columns are empty and a line on stderr says why. Ends \
            with 1 where a row misses its goal or could not be measured.

            \(Benchmark.allCases.map(\.explanation).joined(separator: "\n"))
            """)

    @Option(help: ArgumentHelp("Write the rows as JSON as well.", valueName: "file"))
    var json: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Only these rows.", valueName: "name"))
    var only: [RowName] = []

    func run() async throws {
        let wanted = only.isEmpty ? Set(RowName.allCases) : Set(only)
        let bench = try Workbench()
        defer { bench.clearAway() }
        var rows: [Row] = []
        var isComplete = true
        for benchmark in Benchmark.allCases where !wanted.isDisjoint(with: benchmark.rows) {
            do {
                let measured = try await benchmark.run(on: bench, wanted: wanted).filter { wanted.contains($0.name) }
                let names = Set(measured.map(\.name))
                // None at all is one that is measured elsewhere only, or has nothing to be measured with.
                if !names.isEmpty, !names.isSuperset(of: wanted.intersection(benchmark.rows)) { isComplete = false }
                rows += measured
            } catch {
                bench.say("\(benchmark.rows.map(\.rawValue).joined(separator: ", ")): \(error)")
                isComplete = false
            }
        }
        let result = BenchmarkResult(rows: rows)
        let environment = ProcessInfo.processInfo.environment
        Terminal.show(result.table(Terminal.style(environment: environment)))
        if let json { try Data(result.json.utf8).write(to: URL(fileURLWithPath: json)) }
        if !isComplete || !rows.allSatisfy(\.isOK) { throw ExitCode(1) }
    }
}

extension RowName: ExpressibleByArgument {}

/// What is measured together. What needs much memory itself comes last: a child's peak is never less than what its
/// parent had.
enum Benchmark: CaseIterable {
    case noise, release, pass, record, report, idle, series, compactionMemory, compaction, housekeeping, year

    var rows: [RowName] {
        switch self {
        case .noise:
            [
                .falseAlarms, .falseAlarmsFive, .falseAlarmsDeviations, .falseAlarmsWeekly, .detected, .detectedFive,
                .detectedDeviations, .detectedWeekly, .slideAlarms, .slides,
            ]
        case .release: [.releaseVerdicts]
        case .pass: [.passCPU, .passMemory]
        case .record: [.recordRate]
        case .report: [.reportCPU, .reportCPU100, .reportCPU10000]
        case .idle: [.idleMemory, .idleCPU]
        case .series: [.seriesBytes]
        case .compactionMemory: [.compactionMemory]
        case .compaction: [.compactionRate, .recordWhileCompacting]
        case .housekeeping: [.longestStep]
        case .year:
            [
                .yearBytes, .yearSize, .historyTracked, .historyUntracked, .appQuarter, .reportYear, .growth,
                .rankctlMemory,
            ] + RowName.allCases.filter { $0.rawValue.hasPrefix("view-") }
        }
    }

    var explanation: String {
        switch self {
        case .noise: NoiseBenchmark.explanation
        case .release: ReleaseBenchmark.explanation
        case .pass: PassBenchmark.explanation
        case .record: RecordBenchmark.explanation
        case .report: ReportBenchmark.explanation
        case .idle: IdleBenchmark.explanation
        case .series: SeriesBenchmark.explanation
        case .compactionMemory: CompactionMemoryBenchmark.explanation
        case .compaction: CompactionBenchmark.explanation
        case .housekeeping: HousekeepingBenchmark.explanation
        case .year: YearBenchmark.explanation
        }
    }

    func run(on bench: Workbench, wanted: Set<RowName>) async throws -> [Row] {
        switch self {
        case .noise: NoiseBenchmark(bench: bench).run()
        case .release: ReleaseBenchmark(bench: bench).run()
        case .pass: try PassBenchmark(bench: bench).run()
        case .record: try await RecordBenchmark(bench: bench).run()
        case .report: try await ReportBenchmark(bench: bench).run(wanted)
        case .idle: try IdleBenchmark(bench: bench).run()
        case .series: try await SeriesBenchmark(bench: bench).run()
        case .compactionMemory: try await CompactionMemoryBenchmark(bench: bench).run()
        case .compaction: try await CompactionBenchmark(bench: bench).run()
        case .housekeeping: try await HousekeepingBenchmark(bench: bench).run()
        case .year: try await YearBenchmark(bench: bench).run()
        }
    }
}
