package import ArgumentParser
import Console
import Foundation
import History
import RankKit
package import Reports

/// In which form a report comes, and where it goes.
package struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: "table, json, csv, markdown or html (default: what the name of --output ends with, else table).")
    package var chosenFormat: ReportFormat?

    @Option(
        help: ArgumentHelp(
            "CSV: short for people, all for programs, or columns by name: query,position (default: short).",
            valueName: "columns"))
    package var columns: CSVSelection?

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Write to this file instead of stdout: the whole report or nothing.", valueName: "file"),
        completion: .file())
    package var namedOutput: String?

    @Flag(help: "Do not use a pager for long output.")
    package var noPager = false

    package init() {}

    /// The file that is to be written; `nil` for stdout.
    package var output: String? { namedOutput.flatMap(OutputFile.file(named:)) }

    package var format: ReportFormat { chosenFormat ?? output.flatMap { ReportFormat(fileName: $0) } ?? .table }

    /// Whether a table shows every row: what goes to a file or to another program must not end with a screen.
    package var showsAllRows: Bool { format == .table && (output != nil || !Terminal.isTerminal) }

    /// Whether none of these options was given.
    package var isUnchosen: Bool { chosenFormat == nil && columns == nil && namedOutput == nil && !noPager }

    package func validate() throws {
        if columns != nil, format != .csv { throw ValidationError("--columns is for CSV: add --format csv") }
    }

    /// Writes a report where it is wanted; on a terminal that it does not fit, through the reader's pager. Says on
    /// stderr which lists could not be read, where the report's form has no place for that.
    ///
    /// - Throws: an error that says what could not be written, where it could not.
    package func deliver(_ report: some ReportValue, _ surroundings: Surroundings) throws {
        if let output {
            try Self.refusePrecious(output, surroundings)
            try refuseEnding(of: output)
        }
        if format == .csv {
            let bytes = Array(try report.csv(columns ?? .short).utf8)
            if output == nil { try Terminal.deliver(bytes) }
            try intoFile(surroundings) { try $0.write(bytes) }
        } else if output != nil {
            let style = TerminalStyle.detect(isTerminal: false, environment: surroundings.environment, columns: nil)
            try intoFile(surroundings) { stream in try report.write(as: format, style: style) { try stream.write($0) } }
        } else if format == .table {
            try show(
                report.render(as: .table, style: Terminal.style(environment: surroundings.environment)), surroundings)
        } else {
            try report.write(as: format) { bytes in try Terminal.deliver(bytes) }
        }
        sayWritten(format == .csv ? Figures.counted(report.rowCount, "row") : format.words)
        guard format == .csv else { return }
        for line in report.damaged.words() { Terminal.say("warning: " + SafeText.escaped(line)) }
    }

    /// The same of a text that is no report.
    package func deliver(_ text: String, _ surroundings: Surroundings) throws {
        guard output != nil else { return try show(text, surroundings) }
        try intoFile(surroundings) { try $0.write(Array(text.utf8)) }
        sayWritten("the mail")
    }

    /// Says to somebody at a terminal what is in the file by now.
    private func sayWritten(_ what: @autoclosure () -> String) {
        guard let output, Terminal.isErrorTerminal else { return }
        Terminal.say("wrote \(what()) to \(SafeText.escaped(output))")
    }

    /// A file must be what its name says.
    private func refuseEnding(of output: String) throws {
        guard chosenFormat == nil, ReportFormat(fileName: output) == nil, let ending = FileEnding.of(output) else {
            return
        }
        throw ValidationError(
            "--output: rankctl cannot write a report as .\(ending): end the name with .txt, .json, .csv, .md or .html, or "
                + "choose the form with --format")
    }

    private func show(_ text: String, _ surroundings: Surroundings) throws {
        if isLong(text), let pager = Pager(environment: surroundings.environment), pager.show(text) { return }
        try Terminal.deliver(text)
    }

    private func intoFile(_ surroundings: Surroundings, _ write: (OutputFile) throws -> Void) throws {
        guard let output else { return }
        try Self.refusePrecious(output, surroundings)
        let file = try UnfinishedFile(output, replaces: true, option: "--output")
        try write(OutputFile(file.descriptor, output))
        try file.finish()
    }

    /// A slip of the hand must not cost what nobody can make again: no report replaces a database or what belongs to
    /// one, nor a watchlist, wherever it is.
    private static func refusePrecious(_ path: String, _ surroundings: Surroundings) throws {
        let bytes = beginning(of: path)
        let isPart = ["-wal", "-shm", ".lock", ".turns", ".sqlite.sent", ".sqlite.retry"].contains {
            path.hasSuffix($0)
        }
        if isPart || bytes.starts(with: "SQLite format 3\0".utf8) { throw FileRefusal.isTheHistory(path: path) }
        let isOwn = FileIdentity.areSame(path, surroundings.locations.watchlist(flag: nil))
        if isOwn || WatchlistFile.isLikely(bytes) { throw FileRefusal.isAWatchlist(path: path) }
    }

    /// As many bytes as tell what it is; none where there is no such file, no regular one, or none that may be read.
    private static func beginning(of path: String) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "rb") else {
            return []
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: WatchlistFile.tellingSize)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func isLong(_ text: String) -> Bool {
        guard !noPager, format == .table, Terminal.isTerminal, let rows = Terminal.rows else { return false }
        return text.utf8.count { $0 == UInt8(ascii: "\n") } >= rows
    }
}

extension ReportFormat {
    /// What a file of it holds.
    fileprivate var words: String {
        switch self {
        case .table: "the report as text"
        case .json: "the report as JSON"
        case .csv: "the report as CSV"
        case .markdown: "the report as Markdown"
        case .html: "the report as HTML"
        }
    }
}
