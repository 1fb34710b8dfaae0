import Console
import Foundation

/// What every benchmark works with: the programs beside this one, a folder on disk that goes when it is done, and the
/// Python of the references.
final class Workbench {
    let folder: String
    let programs: String
    let python: Python

    /// - Throws: where the folder cannot be made.
    init() throws {
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        programs = own.deletingLastPathComponent().path
        // Not /tmp, which may lie in memory, where durability costs nothing.
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
        folder = "\(place)/rankbench-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        python = Python(script: "\(folder)/measured.py")
        try Data(Python.wrapper.utf8).write(to: URL(fileURLWithPath: python.script))
    }

    /// Where a file of Apple's recorded answers would be.
    static func corpus(_ name: String) -> String {
        "\(ProcessInfo.processInfo.environment["RANKD_CORPUS"] ?? "../shared/corpus")/\(name)"
    }

    func clearAway() {
        do { try FileManager.default.removeItem(atPath: folder) } catch { say("left behind: \(folder): \(error)") }
    }

    func say(_ text: String) { Terminal.say("rankbench: \(text)") }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes `text` and returns the file's path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Starts one of this package's programs.
    func start(_ program: String, _ arguments: [String]) throws -> Child {
        let path = "\(programs)/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkFailure("no \(program) in \(programs): build it first (script/bench does)")
        }
        return try Child(path, arguments, streams: file(program))
    }

    /// Removes a database and what lies beside it.
    func removeDatabase(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", ".lock", ".turns"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
