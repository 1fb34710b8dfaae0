internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import Synchronization
import UnixSignals

struct VerifyCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks whether the history is complete and consistent. Changes nothing.",
        usage: "rankctl verify [<file>] [--database <file>] [<options>]",
        discussion: """
            Exits with 0 if it is. Otherwise prints a line for each finding and exits with 65. If the file has an older \
            schema, as an old backup may, rankctl checks a migrated copy.
            """)

    @Argument(help: ArgumentHelp("Check this file instead, such as a backup.", valueName: "file"), completion: .file())
    var file: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOption

    var asked: AskedOptions { AskedOptions(database: file ?? database.database) }

    func validate() throws {
        if file != nil, database.database != nil {
            throw ValidationError("give a file or --database, not both")
        }
    }

    /// So many findings are kept for JSON; the rest is counted.
    private static let mostFindings = 10_000

    func run() async throws {
        let surroundings = Surroundings()
        let line = ProgressLine()
        defer { line.end() }
        let reader = try await database.readerOfAny(file, surroundings, line)
        // People read each finding as it comes.
        let isTable = output.format == .table && output.output == nil
        let found = Mutex<(all: [Finding], count: Int, parts: Set<Finding.Part>)>(([], 0, []))
        let parts = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await reader.verify {
                if $1 == 0 {
                    line.show("checking the file's structure")
                } else {
                    line.show("verifying checks", done: Int64($0), of: Int64($1))
                }
            } found: { finding in
                if isTable {
                    line.end()
                    Terminal.show(SafeText.escaped(finding.description) + "\n")
                }
                found.withLock { found in
                    found.count += 1
                    found.parts.insert(finding.part)
                    if !isTable, found.count <= Self.mostFindings { found.all.append(finding) }
                }
            }
        }
        line.end()
        let (findings, count, foundIn) = found.withLock { $0 }
        let report = VerificationReport(
            generatedAt: surroundings.now, path: reader.path, parts: parts, findings: findings, findingCount: count)
        if !isTable { try output.deliver(report, surroundings) }
        Terminal.say(report.summary)
        for advice in VerificationReport.advice(on: foundIn) { Terminal.say(advice) }
        if count > 0 { throw ExitStatus.data }
    }
}
