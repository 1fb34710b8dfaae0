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
        discussion: "The copy is checked before it gets its name, and opens by itself: put it back, or read it with "
            + "rankctl report --database FILE.")

    @Argument(
        help: ArgumentHelp("The new file, or a folder for one named after the time.", valueName: "file"),
        completion: .file())
    var file: String

    @Flag(help: "Replace a file that is there.")
    var force = false

    @OptionGroup var database: DatabaseOption

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
        let bytes = try await Interruption.cancelling(on: .sigint, .sigterm) {
            try await reader.backUp(to: target, replaces: force) { progress in
                switch progress {
                case .copying(let done, let total): line.show("copying", done: Int64(done), of: Int64(total))
                case .checking: line.show("checking the copy")
                }
            }
        }
        line.end()
        Terminal.say("backed up to \(SafeText.escaped(target)): \(Figures.bytes(bytes)), checked")
    }
}
