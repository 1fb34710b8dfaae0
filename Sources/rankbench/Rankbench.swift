internal import ArgumentParser
import Console
import Foundation

/// Measures what rankd, rankctl and rankweb cost, each beside a reference measured in the same run.
@main
struct Rankbench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rankbench",
        abstract: "Measures what rankd, rankctl and rankweb cost, each beside a reference in the same run.",
        discussion: """
            Runs the release programs beside it; script/bench builds them and prepares the Python of the references. If \
            a reference cannot be had, its columns are empty and a line on stderr says why. Exits with 1 if a row misses \
            its goal or could not be measured.

            \(Benchmark.allCases.map(\.explanation).joined(separator: "\n"))
            """)

    @Option(help: ArgumentHelp("Write the rows as JSON as well.", valueName: "file"))
    var json: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Only these rows.", valueName: "name"))
    var only: [RowName] = []

    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        RepeatedOption.refuse(in: Self.self)
        await main(nil)
    }

    func run() async throws {
        let wanted = only.isEmpty ? Set(RowName.all) : Set(only)
        let bench = try Workbench()
        defer { bench.clearAway() }
        var result = BenchmarkResult()
        for benchmark in Benchmark.allCases where !wanted.isDisjoint(with: benchmark.rows) {
            var measured: [Row] = []
            do { measured = try await benchmark.run(on: bench, wanted: wanted) } catch { bench.say("\(error)") }
            for name in benchmark.rows where wanted.contains(name) {
                result.add(name, measured.first { $0.name == name })
            }
        }
        let environment = ProcessInfo.processInfo.environment
        Terminal.show(result.table(Terminal.style(environment: environment)))
        if let json { try Data(result.json.utf8).write(to: URL(fileURLWithPath: json)) }
        if !result.missing.isEmpty {
            bench.say("not measured: \(result.missing.map(\.rawValue).joined(separator: ", "))")
        }
        if !result.isOK { throw ExitCode(1) }
    }
}

/// What is measured together.
enum Benchmark: CaseIterable {
    case noise, sensitivity, release, pass, record, report, idle, series, compactionMemory, compaction, housekeeping,
        year, web, alerts, scale

    var rows: [RowName] {
        switch self {
        case .noise:
            [
                .falseAlarms, .falseAlarmsFive, .falseAlarmsDeviations, .falseAlarmsWeekly, .detected, .detectedFive,
                .detectedDeviations, .detectedWeekly, .driftAlarms, .drifts, .calmAlarms, .keenAlarms,
            ]
        case .sensitivity: [.realFlagged, .realShifts, .realTopShifts]
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
            ] + ViewBenchmark.names
        case .web: WebBenchmark.names
        case .alerts: AlertBenchmark.names
        case .scale: ScaleBenchmark.names
        }
    }

    var explanation: String {
        switch self {
        case .noise: NoiseBenchmark.explanation
        case .sensitivity: SensitivityBenchmark.explanation
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
        case .web: WebBenchmark.explanation
        case .alerts: AlertBenchmark.explanation
        case .scale: ScaleBenchmark.explanation
        }
    }

    func run(on bench: Workbench, wanted: Set<RowName>) async throws -> [Row] {
        switch self {
        case .noise: NoiseBenchmark(bench: bench).run()
        case .sensitivity: try SensitivityBenchmark(bench: bench).run()
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
        case .web: try await WebBenchmark(bench: bench).run()
        case .alerts: try await AlertBenchmark(bench: bench).run(wanted)
        case .scale: try await ScaleBenchmark(bench: bench).run(wanted)
        }
    }
}
