internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import ReportCommands
import Reports
import UnixSignals

struct BackupCommand: AsyncParsableCommand, HistoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the history to a file while rankd records.",
        discussion: """
            The copy is complete and opens on its own: put it back, or read it with rankctl report --database FILE. \
            Before it gets its name, rankctl checks its structure, its references and every list's checksum (rankctl \
            verify FILE checks everything). If lists are damaged, the copy has them as they are and the command exits \
            with 65.
            """)

    @Argument(
        help: ArgumentHelp(
            "The new file, or a folder. In a folder the file is named after the time.", valueName: "file"),
        completion: .file())
    var file: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var database: DatabaseOption

    func validate() throws {
        guard file != "-" else {
            throw ValidationError(
                "a backup needs a file: it cannot go to the standard output, so name one, or a folder")
        }
    }

    /// So many damaged pages are named.
    private static let named = 3

    func run() async throws {
        let surroundings = Surroundings()
        let reader = try database.reader(surroundings)
        var isFolder: ObjCBool = false
        let target =
            FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && isFolder.boolValue
            ? "\(file)/\(BackupName.byHand(of: reader.path, at: surroundings.now))" : file
        let force = force
        let line = ProgressLine()
        defer { line.end() }
        let copy = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await reader.backUp(to: target, replaces: force) { progress in
                switch progress {
                case .copying(let done, let total): line.show("copying", done: Int64(done), of: Int64(total))
                case .checking: line.show("checking the copy")
                }
            }
        }
        line.end()
        Terminal.say(
            "backed up to \(SafeText.escaped(target)): \(Figures.bytes(copy.bytes)); its structure, references and list "
                + "checksums " + (copy.damaged.isEmpty ? "are sound" : "were checked"))
        guard !copy.damaged.isEmpty else { return }
        let places = copy.damaged.prefix(Self.named).map(\.place).joined(separator: ", ")
        Terminal.say(
            "warning: the history has damaged lists, and so has the copy (\(places)"
                + "\(copy.damaged.count > Self.named ? " and more" : "")): see "
                + "\(ReportAudience.command("rankctl verify")), and keep older backups")
        throw ExitStatus.data
    }
}
