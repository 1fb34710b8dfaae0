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
        try Self.refuseDatabase(output)
        guard !Self.isSameFile(output, surroundings.locations.watchlist(flag: nil)) else {
            throw ValidationError("--output \(SafeText.escaped(output)) is the watchlist: choose another name")
        }
        let style = TerminalStyle.detect(isTerminal: false, environment: surroundings.environment, columns: nil)
        let file = try UnfinishedFile(output, replaces: true)
        try OutputStream(file.descriptor, output).write(Array(render(format, style).utf8))
        try file.finish()
    }

    /// A slip of the hand must not cost a history: no database is replaced by a report, nor what belongs to one.
    private static func refuseDatabase(_ path: String) throws {
        let isPart = ["-wal", "-shm", ".lock"].contains { path.hasSuffix($0) }
        guard isPart || beginning(of: path) == Array("SQLite format 3\0".utf8) else { return }
        throw FileRefusal.isTheHistory(path: path)
    }

    private static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_ino == second.st_ino
            && first.st_dev == second.st_dev
    }

    /// As many bytes as tell a database; fewer where there is no such file, or no regular one.
    private static func beginning(of path: String) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "rb") else {
            return []
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func isLong(_ text: String) -> Bool {
        guard !noPager, format == .table, Terminal.isTerminal, let rows = Terminal.rows else { return false }
        return text.utf8.count { $0 == UInt8(ascii: "\n") } >= rows
    }
}
