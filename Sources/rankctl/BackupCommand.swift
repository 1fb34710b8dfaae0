internal import ArgumentParser
import Console
import Foundation
import History
import RankKit
import Reports
import UnixSignals

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the history to a file, while rankd goes on recording.",
        discussion: "The copy opens by itself: put it back, or read it with rankctl report --database FILE. Before it "
            + "gets its name its structure, references and the checksums of all lists are looked at (rankctl verify "
            + "FILE looks at everything). Ends with 65 where lists are damaged: they are then in the copy as they are.")

    @Argument(
        help: ArgumentHelp("The new file, or a folder for one named after the time.", valueName: "file"),
        completion: .file())
    var file: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var database: DatabaseOption

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
            "backed up to \(SafeText.escaped(target)): \(Figures.bytes(copy.bytes)); structure, references and the "
                + "checksums of lists " + (copy.damaged.isEmpty ? "are sound" : "were looked at"))
        guard !copy.damaged.isEmpty else { return }
        let places = copy.damaged.prefix(Self.named).map(\.place).joined(separator: ", ")
        Terminal.say(
            "warning: lists are damaged, in the history and so in the copy (\(places)"
                + "\(copy.damaged.count > Self.named ? " and more" : "")): see rankctl verify, and keep older backups")
        throw ExitStatus.data
    }
}
