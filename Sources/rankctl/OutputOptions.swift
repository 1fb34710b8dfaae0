internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports

/// In which form a report comes, and where it goes.
struct OutputOptions: ParsableArguments {
    @Option(help: "table, json, csv, markdown or html.")
    var format: ReportFormat = .table

    @Option(
        help: ArgumentHelp("The file to write, whole or not at all, instead of stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Do not page what is longer than the terminal.")
    var noPager = false

    /// Writes a report where it is wanted; on a terminal that it does not fit, through the reader's pager.
    ///
    /// - Throws: an error that says what could not be written, where it could not.
    func deliver(_ surroundings: Surroundings, _ render: (ReportFormat, TerminalStyle) -> String) throws {
        guard let output else {
            let text = render(format, Terminal.style(environment: surroundings.environment))
            if isLong(text), let pager = Pager(environment: surroundings.environment), pager.show(text) { return }
            return try Terminal.deliver(text)
        }
        try Self.refusePrecious(output, surroundings)
        let style = TerminalStyle.detect(isTerminal: false, environment: surroundings.environment, columns: nil)
        let file = try UnfinishedFile(output, replaces: true)
        try OutputStream(file.descriptor, output).write(Array(render(format, style).utf8))
        try file.finish()
    }

    /// Says which lists could not be read, where the report's form has no place for that.
    func warn(of damaged: [DamagedLists]) {
        guard format == .csv else { return }
        for line in damaged.words() { Terminal.say("warning: " + SafeText.escaped(line)) }
    }

    /// A slip of the hand must not cost what nobody can make again: no report replaces a database or what belongs to
    /// one, nor a watchlist, wherever it is.
    private static func refusePrecious(_ path: String, _ surroundings: Surroundings) throws {
        let bytes = beginning(of: path)
        let isPart = ["-wal", "-shm", ".lock"].contains { path.hasSuffix($0) }
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
