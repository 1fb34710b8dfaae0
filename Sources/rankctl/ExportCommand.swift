internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports
import Synchronization
import UnixSignals

extension Timestamp: ExpressibleByArgument {
    /// Reads ISO 8601 with a zone, or a day, which begins at midnight in UTC.
    package init?(argument: String) {
        if argument.utf8.count == 10, let moment = Timestamp(iso8601: argument + "T00:00:00Z") {
            self = moment
        } else {
            self.init(iso8601: argument)
        }
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the history out, for other programs or another rankd.",
        discussion: "ndjson is the whole history, which rankctl import brings back exactly; csv has the positions.")

    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson, csv }

    @Option(help: "ndjson or csv.")
    var format: Format = .ndjson

    @Option(
        help: ArgumentHelp("Only checks since then: a day, or a time such as 2026-11-20T12:00:00Z.", valueName: "time"))
    var since: Timestamp?

    @Option(help: ArgumentHelp("The file to write, instead of stdout.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var database: DatabaseOption

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        let (format, since, force, output) = (format, since, force, output)
        let line = ProgressLine()
        defer { line.end() }
        let summary = try await Interruption.cancelling(on: .sigint, .sigterm) {
            guard let output else {
                return try await Self.export(
                    reader, format, since, now: surroundings.now, line, to: OutputStream(STDOUT_FILENO, "stdout"))
            }
            try reader.refuseOwnFile(output)
            let file = try UnfinishedFile(output, replaces: force)
            let summary = try await Self.export(
                reader, format, since, now: surroundings.now, line, to: OutputStream(file.descriptor, output))
            try file.finish()
            return summary
        }
        line.end()
        Terminal.say(summary.text)
        if summary.isIncomplete { throw ExitStatus.data }
    }

    private struct Summary: Sendable {
        var text: String
        var isIncomplete = false
    }

    private static func export(
        _ reader: HistoryReader, _ format: Format, _ since: Timestamp?, now: Timestamp, _ line: ProgressLine,
        to output: OutputStream
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
                        + "\(Figures.counted(result.damagedLists, "list")) that cannot be decoded: see rankctl verify",
                    isIncomplete: true)
            }
            return Summary(
                text: "exported \(Figures.counted(result.checks, "check")) in \(Figures.counted(result.lines, "line"))")
        case .csv:
            let table = Mutex(
                CSVWriter(header: [
                    "at", "query", "country", "platform", "source", "bundle_id", "app_name", "state", "position",
                    "within",
                ]))
            let count = try await reader.exportPositions(since: since) {
                line.show("exporting", done: Int64($0), of: Int64($1))
            } write: { row in
                let text = table.withLock { table -> String? in
                    table.record([
                        .timestamp(row.at), .text(row.query), .text(row.country), .text(row.platform),
                        .text(row.source), .text(row.bundleID), .optional(row.appName), .text(row.state),
                        .optional(row.position), .optional(row.within),
                    ])
                    return table.text.utf8.count >= 1 << 16 ? table.take() : nil
                }
                if let text { try output.write(Array(text.utf8)) }
            }
            try output.write(Array(table.withLock { $0.take() }.utf8))
            return Summary(text: "exported \(Figures.counted(count, "position"))")
        }
    }
}

/// Where an export goes. Ends the export where whoever reads has seen enough.
private struct OutputStream: Sendable {
    let descriptor: Int32
    let name: String

    init(_ descriptor: Int32, _ name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                if errno == EPIPE { throw ExitStatus.fine }
                throw HistoryError.writing(errno: errno, path: name)
            }
            done += written
        }
    }
}
