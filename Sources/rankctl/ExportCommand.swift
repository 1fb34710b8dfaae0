internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import Synchronization
import UnixSignals

struct ExportCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the history to a file, for other programs or another rankd.",
        usage: """
            rankctl export [--format <format>] [--since <time>] [--output <file>] [--force]
                           [--database <file>]
            """,
        discussion: "ndjson is the whole history, which rankctl import restores exactly. csv has only the positions.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ndjson, csv

        /// `nil` if no format has files that end like this.
        init?(ending: String) {
            switch ending {
            case "ndjson", "jsonl": self = .ndjson
            case "csv": self = .csv
            default: return nil
            }
        }
    }

    @Option(
        name: .customLong("format"),
        help: "ndjson or csv (default: what the name of --output ends with, else ndjson).")
    var chosenFormat: Format?

    @Option(help: ArgumentHelp("Only checks since this time: 2026-11-01, 30d, yesterday.", valueName: "time"))
    var since: String?

    @Option(
        name: .customLong("output"), help: ArgumentHelp("Write to this file instead of stdout.", valueName: "file"),
        completion: .file())
    var namedOutput: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var database: DatabaseOption

    func validate() throws { try TimeReading.validate(since, for: "--since") }

    /// The file that is to be written; `nil` for stdout.
    private var output: String? { namedOutput.flatMap(OutputFile.file(named:)) }

    private var format: Format {
        chosenFormat ?? output.flatMap(FileEnding.of).flatMap(Format.init(ending:)) ?? .ndjson
    }

    func run() async throws {
        let surroundings = Surroundings()
        let line = ProgressLine()
        defer { line.end() }
        let reader = try await database.readerOfAny(nil, surroundings, line)
        let moment = try since.map {
            try TimeReading(try ReportContext(reader, now: surroundings.now, zone: .gmt)).time($0, for: "--since")
                .first
        }
        let (format, force, output) = (format, force, output)
        let summary = try await Interruption.cancelling(on: .sigint, .sigterm) {
            guard let output else {
                return try await Self.export(
                    reader, format, moment, now: surroundings.now, line, to: OutputFile(STDOUT_FILENO, "stdout"))
            }
            try reader.refuseOwnFile(output)
            try refuseEnding(of: output)
            let file = try UnfinishedFile(output, replaces: force, option: "--output")
            let summary = try await Self.export(
                reader, format, moment, now: surroundings.now, line, to: OutputFile(file.descriptor, output))
            try file.finish()
            return summary
        }
        line.end()
        Terminal.say(summary.text)
        if summary.isIncomplete { throw ExitStatus.data }
    }

    /// A file must be what its name says.
    private func refuseEnding(of output: String) throws {
        guard chosenFormat == nil, let ending = FileEnding.of(output), Format(ending: ending) == nil else { return }
        throw ValidationError(
            "--output: rankctl cannot write an export as .\(ending): end the name with .ndjson or .csv, or choose the form "
                + "with --format")
    }

    private struct Summary: Sendable {
        var text: String
        var isIncomplete = false
    }

    private static func export(
        _ reader: HistoryReader, _ format: Format, _ since: Timestamp?, now: Timestamp, _ line: ProgressLine,
        to output: OutputFile
    ) async throws -> Summary {
        switch format {
        case .ndjson:
            let result = try await reader.export(since: since, now: now) {
                line.show("exporting", done: Int64($0), of: Int64($1))
            } write: {
                try output.write($0)
            }
            guard result.damagedLists == 0 else {
                return Summary(
                    text: "exported \(Figures.counted(result.checks, "check")) without "
                        + "\(Figures.counted(result.damagedLists, "list")) that cannot be decoded: see "
                        + ReportAudience.command("rankctl verify"),
                    isIncomplete: true)
            }
            return Summary(
                text: "exported \(Figures.counted(result.checks, "check")) in \(Figures.counted(result.lines, "line"))")
        case .csv:
            let table = Mutex(
                CSVWriter(header: [
                    "at", "query", "country", "platform", "source", "language", "bundle_id", "app_name", "state",
                    "position", "within",
                ]))
            let count = try await reader.exportPositions(since: since) {
                line.show("exporting", done: Int64($0), of: Int64($1))
            } write: { row in
                let text = table.withLock { table -> String? in
                    table.record([
                        .timestamp(row.at), .text(row.query), .text(row.country), .text(row.platform),
                        .text(row.source), .text(row.language), .text(row.bundleID), .optional(row.appName),
                        .text(row.outcome.state.rawValue), .optional(row.outcome.position?.number),
                        .optional(row.outcome.within),
                    ])
                    return table.text.utf8.count >= 1 << 16 ? table.take() : nil
                }
                if let text { try output.write(Array(text.utf8)) }
            }
            try output.write(Array(table.withLock { $0.take() }.utf8))
            return Summary(
                text: "exported \(Figures.counted(count, "row")), one for each check of a pair; ndjson has the lists, "
                    + "versions, names and ratings too")
        }
    }
}
